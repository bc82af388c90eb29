"""Expressions of protocol files on local scalars: what a name, a field, a parameter or a call becomes."""

from __future__ import annotations

import ast
import builtins
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import index
from typing import Any, Self, SupportsIndex, TypeGuard

from princeps.errors import NotCompiled, ProtocolError
from princeps.lowering.advice import advice_on
from princeps.lowering.arguments import CannotBind, bound_arguments, names_given
from princeps.lowering.comparisons import Comparisons
from princeps.lowering.division import one_of
from princeps.lowering.trees import (
    DRAW,
    AnAgent,
    Meaning,
    TheConfig,
    TheCounts,
    TheParams,
    Vocabulary,
    as_number,
    assigned_names,
    dotted_constant,
    dotted_value,
    draws_in,
    function_tree,
    is_docstring,
    names_around,
    plain_function,
)
from princeps.model.coins import coin, draw
from princeps.model.fields import unknown_parameter
from princeps.model.named_states import PAGE
from princeps.model.sources import bare, is_provided

BINARY = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift)
BUILTINS = {"min": 2, "max": 2, "abs": 1, "int": 1, "bool": 1}  # with the number of arguments, at least
LARGEST = (1 << 63) - 1
MAX_INLINING_DEPTH = 20  # helpers that call helpers; a function that calls itself exceeds it

ConfigCall = tuple[Callable[..., Any], tuple[type[TheConfig] | type[TheParams] | None, ...]]


def on_config(number: int) -> str:
    """The name in generated code of a function on configurations, by its number in `calls`: two may be called alike."""
    return f"on_config_{number}"


@dataclass
class Expressions(Comparisons):
    """Translates the expressions of one function, and of the helpers it calls."""

    rule: Callable[..., Any]
    words: Vocabulary
    check_domains: bool = False
    used_params: set[str] = field(default_factory=set)
    used_counts: set[str] = field(default_factory=set)
    calls: list[ConfigCall] = field(default_factory=list)  # functions on configurations, compiled on their own
    fresh: int = 0
    depth: int = 0
    serial: int = 0  # of this inlining: its locals are its own
    is_rule: bool = False  # which may toss coins and read the oracle

    def __post_init__(self) -> None:
        self.tree, self.file, self.offset = function_tree(self.rule)
        self.scope = names_around(plain_function(self.rule))
        self.own_names = {name.id for name in assigned_names(self.tree)}

    def expression(self, meanings: Sequence[Meaning]) -> ast.expr:
        """The one returned expression of a predicate or goal."""
        env = self._bind(meanings, self.tree)
        return self._expr(self._single_return(self.tree), env)

    def error(self, message: str) -> ProtocolError:
        return self._fail(self.tree, message)

    # -- names and calls ----------------------------------------------------------------------------------------

    def _fail(self, node: ast.AST, message: str) -> ProtocolError:
        line = getattr(node, "lineno", 1) + self.offset
        if "compiled" not in message:
            return ProtocolError(message, self.file, line)
        if PAGE not in message:  # Python would do it: the page says what there is instead
            message = f"{message.removesuffix('.')} (see {PAGE})."
        return NotCompiled(message, self.file, line)

    def _bind(
        self, meanings: Sequence[Meaning], at: ast.AST, named: Mapping[str, Meaning] | None = None
    ) -> dict[str, Meaning]:
        try:
            found = bound_arguments(self.rule, self.tree, meanings, named or {})
        except CannotBind as error:
            raise self._fail(at, str(error)) from None
        return {name: self._constant(at, one) if isinstance(one, int) else one for name, one in found.items()}

    def _single_return(self, tree: ast.FunctionDef) -> ast.expr:
        body = [s for s in tree.body if not is_docstring(s)]
        if len(body) != 1 or not isinstance(body[0], ast.Return) or body[0].value is None:
            raise self._fail(tree, f"{tree.name} must consist of one `return` of an expression.")
        return body[0].value

    def _called(self, node: ast.Call, env: Mapping[str, Meaning]) -> Any:
        """What is called: a function of the file, one of Python's own, or None where it is neither."""
        if isinstance(node.func, ast.Attribute):
            return dotted_value(node.func, env, self.scope)
        if not isinstance(node.func, ast.Name):
            return None
        name = node.func.id
        if name in env or name in self.own_names:
            raise self._fail(node, f"{name!r} is no function here: it is an argument or a local name.")
        return self.scope[name] if name in self.scope else getattr(builtins, name, None)

    def _helper(self, node: ast.Call, env: Mapping[str, Meaning]) -> Callable[..., Any] | None:
        """A function of the user's, in whatever file or cell; those of Python and of packages are not compiled."""
        found = bare(self._called(node, env))
        return found if inspect.isfunction(found) and not is_provided(found.__module__) else None

    def _not_compiled(self, node: ast.Call, env: Mapping[str, Meaning]) -> ProtocolError:
        found, why = self._called(node, env), "only functions of yours are, written with `def`"
        if self._helper(node, env) is not None:
            why = "write its arguments out, one after the other"
        elif inspect.isbuiltin(found) or (inspect.isclass(found) and found.__module__ == "builtins"):
            why += f", and of Python's own {', '.join(BUILTINS)}; of divmod take the parts, like q, r = divmod(x, 3)"
        return self._fail(node, f"`{ast.unparse(node)}` cannot be compiled: {why}.")

    def _builtin(self, node: ast.Call, env: Mapping[str, Meaning]) -> str | None:
        """The name of the function of Python's that is called, if rules may call it."""
        found = self._called(node, env)
        name = next((name for name in BUILTINS if found is getattr(builtins, name)), None)
        if name is not None and (len(node.args) < BUILTINS[name] or (BUILTINS[name] == 1 and len(node.args) > 1)):
            wanted = "one number" if BUILTINS[name] == 1 else "two numbers or more"
            raise self._fail(node, f"`{ast.unparse(node)}` cannot be compiled: give {name} {wanted}.")
        return name

    def _is_divmod(self, node: ast.expr, env: Mapping[str, Meaning]) -> TypeGuard[ast.Call]:
        if not isinstance(node, ast.Call) or node.keywords or len(node.args) != 2:
            return False
        return self._called(node, env) is divmod and not any(isinstance(arg, ast.Starred) for arg in node.args)

    def _meaning(self, node: ast.expr, env: Mapping[str, Meaning]) -> Meaning:
        """What an argument stands for: an agent, the parameters, or a value."""
        if isinstance(node, ast.Name) and node.id in env and not isinstance(env[node.id], ast.expr):
            return env[node.id]
        return self._expr(node, env)

    def _within(self, helper: Callable[..., Any]) -> Self:
        if self.depth >= MAX_INLINING_DEPTH:
            raise self._fail(self.tree, f"{self.rule.__name__} calls itself: a rule must come to an end.")
        inner = type(self)(helper, self.words, self.check_domains, depth=self.depth + 1)
        inner.used_params, inner.used_counts, inner.calls = self.used_params, self.used_counts, self.calls
        inner.is_rule = self.is_rule
        self.fresh += 1
        inner.fresh = inner.serial = self.fresh
        return inner

    # -- expressions --------------------------------------------------------------------------------------------

    def _known_field(self, node: ast.Attribute) -> None:
        if node.attr not in self.words.fields and node.attr not in self.words.scratch:
            raise self._fail(node, f"unknown field {node.attr!r}: the fields are {', '.join(self.words.fields)}.")

    def _expr(self, node: ast.expr, env: Mapping[str, Meaning]) -> ast.expr:
        if isinstance(node, ast.Constant) and isinstance(node.value, (bool, int)):
            return self._constant(node, int(node.value))
        if isinstance(node, ast.Name):
            return self._name(node, env)
        if isinstance(node, ast.Attribute):
            return self._attribute(node, env)
        if isinstance(node, ast.BinOp) and isinstance(node.op, BINARY):
            left, right = self._expr(node.left, env), self._expr(node.right, env)
            if isinstance(node.op, ast.Mod) and not isinstance(right, ast.Constant):
                return self._at(node, ast.Call(ast.Name("remainder", ast.Load()), [left, right], []))
            return self._at(node, ast.BinOp(left, node.op, right))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
            return self._at(node, ast.UnaryOp(node.op, as_number(self._expr(node.operand, env))))
        if isinstance(node, ast.BoolOp):
            return ast.BoolOp(node.op, [self._expr(v, env) for v in node.values])  # `&` instead of jumps: 1.1x slower
        if isinstance(node, ast.Compare):
            return self._compare(node, env)
        if isinstance(node, ast.IfExp):
            return ast.IfExp(self._expr(node.test, env), self._expr(node.body, env), self._expr(node.orelse, env))
        if isinstance(node, ast.Call):
            return self._call_expr(node, env)
        if isinstance(node, ast.Subscript) and self._is_divmod(node.value, env):
            part = one_of(node)
            if part is not None:
                return self._expr(part, env)
        raise self._fail(node, f"`{ast.unparse(node)}` cannot be compiled: {self._advice(node, env)}.")

    def _advice(self, node: ast.expr, env: Mapping[str, Meaning]) -> str:
        """What is kept in a table or an object of the file needs a name."""
        if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.value, ast.Name):
            holder = node.value.id
            if holder in self.scope and holder not in env and holder not in self.own_names:
                key = node.attr if isinstance(node, ast.Attribute) else getattr(node.slice, "value", None)
                name = key.upper() if isinstance(key, str) and key.isidentifier() else f"{holder}_{key}"
                if isinstance(node, ast.Attribute) or isinstance(node.slice, ast.Constant):
                    return f"give the value a name outside of the rule: {name} = {ast.unparse(node)}"
        return advice_on(node)

    def _at(self, node: ast.expr, lowered: ast.expr) -> ast.expr:
        """The line of the file is kept, for what guards.py has to say."""
        lowered.lineno = node.lineno + self.offset
        return lowered

    def _constant(self, node: ast.AST, value: int) -> ast.expr:
        if abs(value) > LARGEST:
            raise self._fail(
                node,
                f"the number {str(value)[:20]}... exceeds 2^63 - 1, the largest of compiled rules: use --engine reference.",
            )
        return ast.Constant(value)

    def _name(self, node: ast.Name, env: Mapping[str, Meaning]) -> ast.expr:
        meaning = env.get(node.id)
        if isinstance(meaning, ast.expr):
            return meaning
        if meaning is not None:
            raise self._fail(node, f"{node.id!r} is not a number: name one of its fields.")
        if node.id in self.own_names:
            raise self._fail(node, f"{node.id!r} is not assigned on every way to here: give it a value first.")
        known = self.scope.get(node.id)
        if isinstance(known, SupportsIndex):  # an integer, also one of numpy
            return self._constant(node, index(known))
        raise self._fail(
            node, f"unknown name {node.id!r}: only fields, parameters, locals and integer constants of the file."
        )

    def _attribute(self, node: ast.Attribute, env: Mapping[str, Meaning]) -> ast.expr:
        if isinstance(node.value, ast.Subscript) and isinstance(node.value.value, ast.Name):
            if isinstance(env.get(node.value.value.id), TheConfig):
                self._known_field(node)
                index = self._expr(node.value.slice, env)
                return ast.Call(ast.Name(f"get_{node.attr}", ast.Load()), [ast.Name("agents", ast.Load()), index], [])
        owner = env.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if isinstance(owner, AnAgent):
            self._known_field(node)
            return ast.Name(f"{owner.prefix}_{node.attr}", ast.Load())
        if isinstance(owner, TheParams):
            if self.is_rule and node.attr == self.words.oracle:
                return ast.Name(f"p_{node.attr}", ast.Load())
            if node.attr not in self.words.params:
                raise self._fail(node, unknown_parameter(node.attr, self.words.params))
            self.used_params.add(node.attr)
            return ast.Name(f"p_{node.attr}", ast.Load())
        if isinstance(owner, TheCounts):
            if node.attr != "n" and node.attr not in self.words.counts:
                raise self._fail(
                    node, f"unknown count {node.attr!r}: the predicates are {', '.join(self.words.counts)}."
                )
            self.used_counts.add(node.attr)
            return ast.Name("n" if node.attr == "n" else f"c_{node.attr}", ast.Load())
        constant = dotted_constant(node, env, self.scope)
        if constant is not None:
            return self._constant(node, constant)
        raise self._fail(node, f"`{ast.unparse(node)}` cannot be compiled: {self._advice(node, env)}.")

    def _draw(self, node: ast.Call, env: Mapping[str, Meaning]) -> ast.expr | None:
        """`coin()` and `draw(k)`, which take the next number from the name `choices` of the generated code."""
        found = self._called(node, env)
        if found not in (coin, draw):
            return None
        if not self.is_rule:
            raise self._fail(node, f"`{ast.unparse(node)}` stands outside of the rule: only `interact` is random.")
        given = [*node.args, *(one.value for one in node.keywords if one.arg == "k" and found is draw)]
        if len(given) != (found is draw) or len(given) != len(node.args) + len(node.keywords):
            wanted = "draw(k) takes one number" if found is draw else "coin() takes nothing, draw(k) takes a number"
            raise self._fail(node, f"`{ast.unparse(node)}` cannot be compiled: {wanted}.")
        bound = self._expr(given[0], env) if given else ast.Constant(2)
        if isinstance(bound, ast.Constant) and isinstance(bound.value, int) and bound.value < 1:
            raise self._fail(node, f"draw({bound.value}) has nothing to draw from: give a number of 1 or more.")
        return self._at(
            node, ast.Call(ast.Name(DRAW, ast.Load()), [ast.Name("choices", ast.Load()), as_number(bound)], [])
        )

    def _call_expr(self, node: ast.Call, env: Mapping[str, Meaning]) -> ast.expr:
        drawn = self._draw(node, env)
        if drawn is not None:
            return drawn
        named, builtin = names_given(node), self._builtin(node, env)
        if named is None or any(isinstance(arg, ast.Starred) for arg in node.args):
            raise self._not_compiled(node, env)
        if builtin is not None and not named:
            called = ast.Name(builtin, ast.Load())
            return self._at(node, ast.Call(called, [self._expr(arg, env) for arg in node.args], []))
        helper = self._helper(node, env)
        if helper is None:
            raise self._not_compiled(node, env)
        meanings = [self._meaning(arg, env) for arg in node.args]
        by_name = {name: self._meaning(arg, env) for name, arg in named}
        if any(isinstance(meaning, TheConfig) for meaning in (*meanings, *by_name.values())):
            if named:
                raise self._fail(node, f"`{ast.unparse(node)}` cannot be compiled: give the arguments without names.")
            kinds = tuple(None if isinstance(m, ast.expr) else type(m) for m in meanings)
            call: Any = (helper, kinds)
            if call not in self.calls:
                self.calls.append(call)
            known = {TheConfig: "agents", TheParams: "constants"}
            passed = [m if isinstance(m, ast.expr) else ast.Name(known[type(m)], ast.Load()) for m in meanings]
            return ast.Call(ast.Name(on_config(self.calls.index(call)), ast.Load()), passed, [])
        given = (*meanings, *by_name.values())
        if any(isinstance(meaning, ast.expr) and draws_in(meaning) for meaning in given):  # it may be used twice
            raise self._fail(
                node, f"`{ast.unparse(node)}` cannot be compiled: give what is drawn a name first, like c = coin()."
            )
        inner = self._within(helper)
        return inner._expr(inner._single_return(inner.tree), inner._bind(meanings, node, by_name))
