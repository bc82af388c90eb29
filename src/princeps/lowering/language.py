"""The small language of protocol files, read from their syntax trees.

`Flattener` turns a rule on agents into straight code on local scalars: `a.leader` becomes the variable `a_leader`,
loops over the roles are unrolled, helper functions of the same file are inlined, parameters become `p_N`.
What it cannot translate is reported with file and line. No numpy, no numba here.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from princeps.errors import ProtocolError
from princeps.lowering.domains import Domains, OutsideDomain
from princeps.lowering.trees import (
    AnAgent,
    Meaning,
    TheConfig,
    TheCounts,
    TheParams,
    Vocabulary,
    as_number,
    assign,
    function_tree,
    is_docstring,
    is_local,
    load,
    once,
)

BINARY = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift)
BUILTINS = {"min", "max", "abs", "int", "bool"}


ConfigCall = tuple[Callable[..., Any], tuple[type[TheConfig] | type[TheParams] | None, ...]]
DEEPEST = 20  # helpers that call helpers; a function that calls itself is found out here


@dataclass
class Flattener:
    """Translates one function (and the helpers it calls) into statements on scalars."""

    rule: Callable[..., Any]
    words: Vocabulary
    check_domains: bool = False
    used_params: set[str] = field(default_factory=set)
    used_counts: set[str] = field(default_factory=set)
    calls: list[ConfigCall] = field(default_factory=list)  # functions on configurations, compiled on their own
    fresh: int = 0
    depth: int = 0

    def __post_init__(self) -> None:
        self.tree, self.file, self.offset = function_tree(self.rule)
        self.scope = self.rule.__globals__
        self.domains = Domains(self.words, self.scope)

    # -- entry points -------------------------------------------------------------------------------------------

    def statements(self, meanings: Sequence[Meaning]) -> list[ast.stmt]:
        """The whole body as straight code; an early `return` leaves it."""
        env = self._bind(self.tree, meanings, self.tree)
        return self._inlined(self.tree, env)

    def expression(self, meanings: Sequence[Meaning]) -> ast.expr:
        """The one returned expression of a predicate or goal."""
        env = self._bind(self.tree, meanings, self.tree)
        return self._expr(self._single_return(self.tree), env)

    def function_body(self, meanings: Sequence[Meaning]) -> list[ast.stmt]:
        """The body of a function of its own, where `return value` is allowed anywhere."""
        env = self._bind(self.tree, meanings, self.tree)
        return self._block(self.tree.body, env, returns=True)

    def complain(self, message: str) -> ProtocolError:
        return self._fail(self.tree, message)

    # -- helpers ------------------------------------------------------------------------------------------------

    def _fail(self, node: ast.AST, message: str) -> ProtocolError:
        return ProtocolError(message, self.file, getattr(node, "lineno", 1) + self.offset)

    def _bind(self, tree: ast.FunctionDef, meanings: Sequence[Meaning], at: ast.AST) -> dict[str, Meaning]:
        names = [arg.arg for arg in tree.args.args]
        if len(names) != len(meanings):
            raise self._fail(at, f"{tree.name} takes {len(names)} arguments where {len(meanings)} are given.")
        return dict(zip(names, meanings, strict=True))

    def _single_return(self, tree: ast.FunctionDef) -> ast.expr:
        body = [s for s in tree.body if not is_docstring(s)]
        if len(body) != 1 or not isinstance(body[0], ast.Return) or body[0].value is None:
            raise self._fail(tree, f"{tree.name} must consist of one `return` of an expression.")
        return body[0].value

    def _temp(self, stem: str) -> str:
        self.fresh += 1
        return f"{stem}_{self.fresh}"

    def _helper(self, node: ast.Call) -> Callable[..., Any] | None:
        if isinstance(node.func, ast.Name) and node.func.id not in BUILTINS:
            found = self.scope.get(node.func.id)
            if inspect.isfunction(found) and found.__code__.co_filename == self.file:
                return found
        return None

    def _meaning(self, node: ast.expr, env: Mapping[str, Meaning]) -> Meaning:
        """What an argument stands for: an agent, the parameters, or a value."""
        if isinstance(node, ast.Name) and node.id in env and not isinstance(env[node.id], ast.expr):
            return env[node.id]
        return self._expr(node, env)

    def _within(self, helper: Callable[..., Any]) -> Flattener:
        if self.depth >= DEEPEST:
            raise self._fail(self.tree, f"{self.rule.__name__} calls itself: a rule must come to an end.")
        inner = Flattener(helper, self.words, self.check_domains, depth=self.depth + 1)
        inner.used_params, inner.used_counts, inner.calls = self.used_params, self.used_counts, self.calls
        inner.fresh = self.fresh + 1000
        return inner

    # -- statements ---------------------------------------------------------------------------------------------

    def _inlined(self, tree: ast.FunctionDef, env: dict[str, Meaning]) -> list[ast.stmt]:
        early = any(isinstance(node, ast.Return) for node in ast.walk(tree))
        body = self._block(tree.body, env)
        return [once(body)] if early else body

    def _block(self, body: Sequence[ast.stmt], env: dict[str, Meaning], returns: bool = False) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for statement in body:
            if not is_docstring(statement):
                out.extend(self._statement(statement, env, returns))
        return out or [ast.Pass()]

    def _statement(self, s: ast.stmt, env: dict[str, Meaning], returns: bool) -> list[ast.stmt]:
        if isinstance(s, ast.Assign):
            return self._assign(s, s.targets, s.value, env)
        if isinstance(s, ast.AnnAssign) and s.value is not None:
            return self._assign(s, [s.target], s.value, env)
        if isinstance(s, ast.AugAssign):
            read = ast.copy_location(load(s.target), s.target)
            return self._assign(s, [s.target], ast.copy_location(ast.BinOp(read, s.op, s.value), s), env)
        if isinstance(s, ast.If):
            orelse = self._block(s.orelse, env, returns) if s.orelse else []
            return [ast.If(self._expr(s.test, env), self._block(s.body, env, returns), orelse)]
        if isinstance(s, ast.For):
            return self._for(s, env, returns)
        if isinstance(s, ast.While) and returns and not s.orelse:
            return [ast.While(self._expr(s.test, env), self._block(s.body, env, returns), [])]
        if isinstance(s, ast.Break) or (isinstance(s, ast.Continue) and returns):
            return [s]
        if isinstance(s, ast.Return):
            return self._return(s, env, returns)
        if isinstance(s, ast.Pass):
            return [ast.Pass()]
        if isinstance(s, ast.Expr) and isinstance(s.value, ast.Call):
            return self._call(s.value, env)
        raise self._fail(
            s, f"`{ast.unparse(s).splitlines()[0]}` cannot be compiled: see the language of protocol files."
        )

    def _return(self, s: ast.Return, env: dict[str, Meaning], returns: bool) -> list[ast.stmt]:
        if returns:
            return [ast.Return(self._expr(s.value, env) if s.value else None)]
        if s.value is not None:
            raise self._fail(s, "a rule changes its two agents and returns nothing.")
        if env.get("<loop>") is not None:
            raise self._fail(s, "`return` inside a loop over the roles cannot be compiled: use break.")
        return [ast.Break()]

    def _call(self, node: ast.Call, env: dict[str, Meaning]) -> list[ast.stmt]:
        helper = self._helper(node)
        if helper is None or node.keywords:
            raise self._fail(node, f"`{ast.unparse(node)}` cannot be compiled: only functions of the same file are.")
        inner = self._within(helper)
        before: list[ast.stmt] = []
        meanings: list[Meaning] = []
        for arg in node.args:
            meaning = self._meaning(arg, env)
            if isinstance(
                meaning, ast.expr
            ):  # a value of its own: the helper may assign it, or change the field it was
                name = self._temp("arg")
                before.append(assign(name, meaning))
                meaning = ast.Name(name, ast.Load())
            meanings.append(meaning)
        body = inner._inlined(inner.tree, inner._bind(inner.tree, meanings, node))
        self.fresh = inner.fresh
        return before + body

    def _for(self, s: ast.For, env: dict[str, Meaning], returns: bool) -> list[ast.stmt]:
        if s.orelse:
            raise self._fail(s, "a loop with `else` cannot be compiled.")
        if isinstance(s.iter, (ast.Tuple, ast.List)):
            return self._unrolled(s, s.iter.elts, env, returns)
        ranged = isinstance(s.iter, ast.Call) and isinstance(s.iter.func, ast.Name) and s.iter.func.id == "range"
        if returns and ranged and isinstance(s.target, ast.Name) and isinstance(s.iter, ast.Call):
            bounds: list[ast.expr] = [self._expr(arg, env) for arg in s.iter.args]
            call = ast.Call(ast.Name("range", ast.Load()), bounds, [])
            self._local(s.target.id, env)
            return [ast.For(self._target(s.target, env), call, self._block(s.body, env, returns), [])]
        raise self._fail(
            s, "only loops over a literal tuple of roles can be compiled, like `for a, b in ((l, r), (r, l))`."
        )

    def _unrolled(
        self, s: ast.For, items: Sequence[ast.expr], env: dict[str, Meaning], returns: bool
    ) -> list[ast.stmt]:
        before: list[ast.stmt] = []
        body: list[ast.stmt] = []
        rounds: list[dict[str, Meaning]] = []
        for item in items:
            targets = s.target.elts if isinstance(s.target, ast.Tuple) else [s.target]
            values = item.elts if isinstance(item, ast.Tuple) and isinstance(s.target, ast.Tuple) else [item]
            if len(targets) != len(values) or not all(isinstance(t, ast.Name) for t in targets):
                raise self._fail(s, "the loop's names and the tuples it runs over do not match.")
            inner = {**env, "<loop>": ast.Constant(1)}
            for target, value in zip(targets, values, strict=True):
                meaning = self._meaning(value, env)
                if isinstance(meaning, ast.expr) and not isinstance(meaning, ast.Constant):
                    name = self._temp("item")  # Python evaluates the whole tuple before the first round
                    before.append(assign(name, meaning))
                    meaning = ast.Name(name, ast.Load())
                inner[target.id] = meaning  # type: ignore[attr-defined]
            rounds.append(inner)
        for inner in rounds:
            body.extend(self._block(s.body, inner, returns))
            env.update({name: meaning for name, meaning in inner.items() if name not in env and is_local(meaning)})
        breaks = any(isinstance(node, ast.Break) for node in ast.walk(s))
        return before + ([once(body)] if breaks else body)

    def _assign(
        self, s: ast.stmt, targets: Sequence[ast.expr], value: ast.expr, env: dict[str, Meaning]
    ) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for target in targets:
            if isinstance(target, ast.Tuple) and not isinstance(value, ast.Tuple):
                raise self._fail(s, "a tuple can only be assigned a tuple of the same length.")
        values = value.elts if isinstance(value, ast.Tuple) else [value]
        lowered = [as_number(self._expr(v, env)) for v in values]
        simple = all(isinstance(v, ast.Constant) for v in lowered)
        if len(targets) > 1 or (len(values) > 1 and not simple):
            for k, v in enumerate(lowered):  # all values first, then all targets, as Python does it
                name = self._temp("value")
                out.append(assign(name, v))
                lowered[k] = ast.Name(name, ast.Load())
        bounds = [self.domains.bounds(v, env) for v in values]
        for target in targets:
            elements = target.elts if isinstance(target, ast.Tuple) else [target]
            if len(elements) != len(lowered):
                raise self._fail(s, f"{len(elements)} names are assigned {len(lowered)} values.")
            for element, source, expr, bound in zip(elements, values, lowered, bounds, strict=True):
                if isinstance(element, ast.Name):
                    self._local(element.id, env)
                out.append(ast.Assign([self._target(element, env)], expr))
                out.extend(self._domain_check(element, source, bound, env))
        return out

    def _domain_check(
        self, target: ast.expr, source: ast.expr, bound: tuple[int, int] | None, env: Mapping[str, Meaning]
    ) -> list[ast.stmt]:
        try:
            test = self.domains.check(target, source, bound, env)
        except OutsideDomain as error:
            raise self._fail(target, str(error)) from None
        return test if self.check_domains else []

    def _local(self, name: str, env: dict[str, Meaning]) -> None:
        if name not in env:
            env[name] = ast.Name(f"v_{self.rule.__name__}_{name}", ast.Load())

    def _target(self, node: ast.expr, env: Mapping[str, Meaning]) -> ast.expr:
        if isinstance(node, ast.Name):
            meaning = env[node.id]
            if isinstance(meaning, ast.Name):
                return ast.Name(meaning.id, ast.Store())
            raise self._fail(node, f"{node.id!r} cannot be assigned here.")
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            owner = env.get(node.value.id)
            if isinstance(owner, AnAgent):
                self._known_field(node)
                if node.attr in self.words.inputs:
                    raise self._fail(node, f"field {node.attr!r} is an input: no rule may write it.")
                return ast.Name(f"{owner.prefix}_{node.attr}", ast.Store())
        raise self._fail(
            node, f"`{ast.unparse(node)}` cannot be assigned: only fields of the agents and local names can."
        )

    # -- expressions --------------------------------------------------------------------------------------------

    def _known_field(self, node: ast.Attribute) -> None:
        if node.attr not in self.words.fields and node.attr not in self.words.scratch:
            raise self._fail(node, f"unknown field {node.attr!r}: the fields are {', '.join(self.words.fields)}.")

    def _expr(self, node: ast.expr, env: Mapping[str, Meaning]) -> ast.expr:
        if isinstance(node, ast.Constant) and isinstance(node.value, (bool, int)):
            return ast.Constant(int(node.value))
        if isinstance(node, ast.Name):
            return self._name(node, env)
        if isinstance(node, ast.Attribute):
            return self._attribute(node, env)
        if isinstance(node, ast.BinOp) and isinstance(node.op, BINARY):
            left, right = self._expr(node.left, env), self._expr(node.right, env)
            if isinstance(node.op, ast.Mod) and not isinstance(right, ast.Constant):
                return ast.Call(ast.Name("remainder", ast.Load()), [left, right], [])
            return ast.BinOp(left, node.op, right)
        if isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.UAdd):
            return ast.UnaryOp(node.op, self._expr(node.operand, env))
        if isinstance(node, ast.BoolOp):
            return ast.BoolOp(node.op, [self._expr(v, env) for v in node.values])  # `&` instead of jumps: 1.1x slower
        if isinstance(node, ast.Compare):
            return ast.Compare(self._expr(node.left, env), node.ops, [self._expr(c, env) for c in node.comparators])
        if isinstance(node, ast.IfExp):
            return ast.IfExp(self._expr(node.test, env), self._expr(node.body, env), self._expr(node.orelse, env))
        if isinstance(node, ast.Call) and not node.keywords:
            return self._call_expr(node, env)
        raise self._fail(node, f"`{ast.unparse(node)}` cannot be compiled: see the language of protocol files.")

    def _name(self, node: ast.Name, env: Mapping[str, Meaning]) -> ast.expr:
        meaning = env.get(node.id)
        if isinstance(meaning, ast.expr):
            return meaning
        if meaning is not None:
            raise self._fail(node, f"{node.id!r} is not a number: name one of its fields.")
        known = self.scope.get(node.id)
        if isinstance(known, int):
            return ast.Constant(int(known))
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
            if node.attr not in self.words.params:
                known = ", ".join(self.words.params) or "none"
                raise self._fail(node, f"unknown parameter {node.attr!r}: the parameters are {known}.")
            self.used_params.add(node.attr)
            return ast.Name(f"p_{node.attr}", ast.Load())
        if isinstance(owner, TheCounts):
            if node.attr != "n" and node.attr not in self.words.counts:
                raise self._fail(
                    node, f"unknown count {node.attr!r}: the predicates are {', '.join(self.words.counts)}."
                )
            self.used_counts.add(node.attr)
            return ast.Name("n" if node.attr == "n" else f"c_{node.attr}", ast.Load())
        raise self._fail(node, f"`{ast.unparse(node)}` cannot be compiled: see the language of protocol files.")

    def _call_expr(self, node: ast.Call, env: Mapping[str, Meaning]) -> ast.expr:
        if isinstance(node.func, ast.Name) and node.func.id in BUILTINS:
            return ast.Call(node.func, [self._expr(arg, env) for arg in node.args], [])
        helper = self._helper(node)
        if helper is None:
            raise self._fail(node, f"`{ast.unparse(node)}` cannot be compiled: only functions of the same file are.")
        meanings = [self._meaning(arg, env) for arg in node.args]
        if any(isinstance(meaning, TheConfig) for meaning in meanings):
            kinds = tuple(None if isinstance(m, ast.expr) else type(m) for m in meanings)
            if (helper, kinds) not in self.calls:
                self.calls.append((helper, kinds))  # type: ignore[arg-type]
            known = {TheConfig: "agents", TheParams: "constants"}
            passed = [m if isinstance(m, ast.expr) else ast.Name(known[type(m)], ast.Load()) for m in meanings]
            return ast.Call(ast.Name(f"on_config_{helper.__name__}", ast.Load()), passed, [])
        inner = self._within(helper)
        return inner._expr(inner._single_return(inner.tree), inner._bind(inner.tree, meanings, node))
