"""The small language of protocol files, read from their syntax trees.

`Flattener` turns a rule on agents into straight code on local scalars: `a.leader` becomes the variable `a_leader`,
loops over the roles are unrolled, helper functions of the same file are inlined, parameters become `p_N`.
What it cannot translate is reported with file and line. No numpy, no numba here.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from princeps.lowering.advice import advice_on
from princeps.lowering.arguments import names_given
from princeps.lowering.division import both
from princeps.lowering.domains import Domains, OutsideDomain
from princeps.lowering.expressions import Expressions
from princeps.lowering.matching import as_conditions
from princeps.lowering.trees import (
    AnAgent,
    Meaning,
    as_number,
    assign,
    draws_in,
    is_docstring,
    is_local,
    load,
    once,
    own_loop,
)


class Flattener(Expressions):
    """Translates one function (and the helpers it calls) into statements on scalars."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.domains = Domains(self.words, self.scope)

    # -- entry points -------------------------------------------------------------------------------------------

    def statements(self, meanings: Sequence[Meaning]) -> list[ast.stmt]:
        """The whole body as straight code; an early `return` leaves it."""
        env = self._bind(meanings, self.tree)
        return self._inlined(self.tree, env)

    def function_body(self, meanings: Sequence[Meaning]) -> list[ast.stmt]:
        """The body of a function of its own, where `return value` is allowed anywhere."""
        env = self._bind(meanings, self.tree)
        return self._block(self.tree.body, env, returns=True)

    # -- statements ---------------------------------------------------------------------------------------------

    def _temp(self, stem: str) -> str:
        self.fresh += 1
        return f"{stem}_{self.fresh}"

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
            test, then, other = self._expr(s.test, env), dict(env), dict(env)
            body = self._block(s.body, then, returns)
            orelse = self._block(s.orelse, other, returns) if s.orelse else []
            env.update({name: then[name] for name in then if name in other})  # assigned on both ways
            return [ast.If(test, body, orelse)]
        if isinstance(s, ast.For):
            return self._for(s, env, returns)
        if isinstance(s, ast.While) and returns and not s.orelse:
            return [ast.While(self._expr(s.test, env), self._block(s.body, own_loop(env), returns), [])]
        if isinstance(s, ast.Break) or (isinstance(s, ast.Continue) and returns and "<loop>" not in env):
            return [s]
        if isinstance(s, ast.Return):
            return self._return(s, env, returns)
        if isinstance(s, ast.Pass):
            return [ast.Pass()]
        if isinstance(s, ast.Expr) and isinstance(s.value, ast.Call):
            return self._call(s.value, env)
        if isinstance(s, ast.Match):
            return self._match(s, env, returns)
        raise self._fail(s, f"`{ast.unparse(s).splitlines()[0]}` cannot be compiled: {advice_on(s)}.")

    def _match(self, s: ast.Match, env: dict[str, Meaning], returns: bool) -> list[ast.stmt]:
        """The parts of the subject get names of their own, since Python evaluates them once."""
        before: list[ast.stmt] = []
        parts = s.subject.elts if isinstance(s.subject, ast.Tuple) else [s.subject]
        for part in parts:
            name = self._temp("subject")
            before.append(assign(name, as_number(self._expr(part, env))))
            env[f"<{name}>"] = ast.Name(name, ast.Load())
        names = [f"<{statement.targets[0].id}>" for statement in before]  # type: ignore[attr-defined]
        return before + self._block(as_conditions(s, names, self._fail), env, returns)

    def _return(self, s: ast.Return, env: dict[str, Meaning], returns: bool) -> list[ast.stmt]:
        if returns:
            return [ast.Return(self._expr(s.value, env) if s.value else None)]
        if s.value is not None:
            raise self._fail(s, "a rule changes its two agents and returns nothing.")
        if env.get("<loop>") is not None:
            raise self._fail(s, "`return` inside a loop over the roles cannot be compiled: use break.")
        return [ast.Break()]

    def _call(self, node: ast.Call, env: dict[str, Meaning]) -> list[ast.stmt]:
        helper, named = self._helper(node, env), names_given(node)
        if helper is None or named is None or any(isinstance(arg, ast.Starred) for arg in node.args):
            raise self._not_compiled(node, env)
        inner = self._within(helper)
        before: list[ast.stmt] = []
        meanings: dict[str | int, Meaning] = {}
        asked: list[tuple[str | int, ast.expr]] = [*enumerate(node.args), *named]
        for key, arg in asked:  # in the order in which Python evaluates them
            meaning = self._meaning(arg, env)
            if isinstance(meaning, ast.expr):  # by value: the helper may assign it, or change the field it came from
                name = self._temp("arg")
                before.append(assign(name, meaning))
                meaning = ast.Name(name, ast.Load())
            meanings[key] = meaning
        given = [meaning for key, meaning in meanings.items() if isinstance(key, int)]
        by_name = {key: meaning for key, meaning in meanings.items() if isinstance(key, str)}
        body = inner._inlined(inner.tree, inner._bind(given, node, by_name))
        self.fresh = inner.fresh
        return before + body

    def _for(self, s: ast.For, env: dict[str, Meaning], returns: bool) -> list[ast.stmt]:
        if s.orelse:
            raise self._fail(s, "a loop with `else` cannot be compiled.")
        if isinstance(s.iter, (ast.Tuple, ast.List)):
            return self._unrolled(s, s.iter.elts, env, returns)
        ranged = isinstance(s.iter, ast.Call) and self._called(s.iter, env) is range
        if returns and ranged and isinstance(s.target, ast.Name) and isinstance(s.iter, ast.Call):
            if not 1 <= len(s.iter.args) <= 3 or s.iter.keywords:
                raise self._fail(s, f"`{ast.unparse(s.iter)}` cannot be compiled: write range(n) or range(first, end).")
            bounds: list[ast.expr] = [self._expr(arg, env) for arg in s.iter.args]
            call = ast.Call(ast.Name("range", ast.Load()), bounds, [])
            inner = own_loop(env)
            self._local(s.target.id, inner)
            return [ast.For(self._target(s.target, inner), call, self._block(s.body, inner, returns), [])]
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
            taken = next((t.id for t in targets if isinstance(t, ast.Name) and t.id in env), None)
            if taken is not None:  # Python would leave the name changed after the loop
                raise self._fail(s, f"{taken!r} has a meaning already: choose another name for the loop.")
            inner = {**env, "<loop>": ast.Constant(1)}
            for target, value in zip(targets, values, strict=True):
                meaning = self._meaning(value, env)
                if isinstance(meaning, ast.expr) and not isinstance(meaning, ast.Constant):
                    name = self._temp("item")  # Python evaluates the whole tuple before the first round
                    before.append(assign(name, meaning))
                    meaning = ast.Name(name, ast.Load())
                inner[target.id] = meaning  # type: ignore[attr-defined]
            rounds.append(inner)
        breaks = any(isinstance(node, ast.Break) for node in ast.walk(s))
        assigned: dict[str, Meaning] = {}
        for inner in rounds:
            inner.update(assigned)
            body.extend(self._block(s.body, inner, returns))
            assigned = {name: meaning for name, meaning in inner.items() if name not in env and is_local(meaning)}
        if not breaks:
            env.update(assigned)
        return before + ([once(body)] if breaks else body)

    def _assign(
        self, s: ast.stmt, targets: Sequence[ast.expr], value: ast.expr, env: dict[str, Meaning]
    ) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        if self._is_divmod(value, env) and all(isinstance(target, ast.Tuple) for target in targets):
            value = both(self._kept_for_both(value, env, out))
        for target in targets:
            if isinstance(target, ast.Tuple) and not isinstance(value, ast.Tuple):
                raise self._fail(s, "a tuple can only be compiled if a tuple of the same length is assigned to it.")
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

    def _kept_for_both(self, node: ast.Call, env: dict[str, Meaning], out: list[ast.stmt]) -> ast.Call:
        """What is drawn gets a name, since quotient and remainder are of the same number."""
        args: list[ast.expr] = []
        for arg in node.args:
            lowered = self._expr(arg, env)
            if draws_in(lowered):
                name = self._temp("divided")
                out.append(assign(name, as_number(lowered)))
                env[f"<{name}>"] = ast.Name(name, ast.Load())
                arg = ast.copy_location(ast.Name(f"<{name}>", ast.Load()), arg)
            args.append(arg)
        return ast.copy_location(ast.Call(node.func, args, []), node)

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
            env[name] = ast.Name(f"v{self.serial}_{name}", ast.Load())

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
