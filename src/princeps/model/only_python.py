"""What plain Python would execute in silence and no other engine executes at all: refused by every engine in the same words.

A statement that compares where it should assign, a comparison of an agent itself or of a field with a text, names of
the two agents that are exchanged, and memory outside of the agents. A rule for the engine `reference` may call
whatever it likes: only what changes the law of a run without a word is refused.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Collection, Iterable, Iterator
from types import FunctionType
from typing import Any

from princeps.errors import ProtocolError
from princeps.model.coins import coin, draw
from princeps.model.named_states import PAGE
from princeps.model.sources import MISSING, bare, is_provided, meaning_of, node_of

MEMORY = "a rule remembers nothing but the fields of its agents: declare a field"
Root = tuple[Any, int]  # a function, and how many of its arguments, the first ones, are agents


class OnlyPython:
    """Examines the functions of one protocol; which names are agents follows from how they are called."""

    def __init__(self, roots: Iterable[Root], fields: Collection[str]) -> None:
        self.field = next(iter(fields), "x")
        self.agents: dict[int, set[str]] = {}
        waiting = [(function, range(count)) for function, count in roots]
        while waiting:
            function, places = waiting.pop()
            node = _node(function)
            if node is None:
                continue
            names = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
            known = self.agents.setdefault(id(function), set())
            new = {names[k] for k in places if k < len(names)} - known
            if new or not places:
                known |= new
                _add_other_names(node, known)
                waiting += _handed_on(function, node, known)

    def mistake(self, function: FunctionType) -> ProtocolError | None:
        """The first thing that is wrong with a function, if there is one."""
        node = _node(function)
        if node is None:
            return None
        agents = self.agents.get(id(function), set())
        found = sorted(_complaints(function, node, agents, self.field), key=lambda one: one[0])
        return ProtocolError(f"{found[0][1]}.", function.__code__.co_filename, found[0][0]) if found else None


# -- which names are agents -----------------------------------------------------------------------------------------


def _node(function: Any) -> ast.FunctionDef | ast.Lambda | None:
    if not isinstance(function, FunctionType):
        return None
    try:
        return node_of(function)
    except (ProtocolError, SyntaxError):  # it has no text, and is refused where one is needed
        return None


def _add_other_names(node: ast.AST, agents: set[str]) -> None:
    """`x = a`, and `for x, y in ((a, b), (b, a))`."""
    for part in ast.walk(node):
        if isinstance(part, ast.Assign):
            for target in part.targets:
                _add_bound(target, part.value, agents)
        elif isinstance(part, ast.For) and isinstance(part.iter, ast.Tuple | ast.List):
            for one in part.iter.elts:
                _add_bound(part.target, one, agents)


def _add_bound(target: ast.expr, value: ast.expr, agents: set[str]) -> None:
    if isinstance(target, ast.Name) and _is_agent(value, agents):
        agents.add(target.id)
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for one, part in zip(target.elts, value.elts, strict=False):
            _add_bound(one, part, agents)


def _handed_on(function: FunctionType, node: ast.AST, agents: set[str]) -> Iterator[tuple[Any, Any]]:
    """The helpers to which a function hands agents, and the places of those among their arguments."""
    for part in ast.walk(node):
        if isinstance(part, ast.Call):
            called = bare(_meaning(function, part.func))
            places = [k for k, one in enumerate(part.args) if _is_agent(one, agents)]
            if places and isinstance(called, FunctionType) and not is_provided(called.__module__):
                yield called, places


def _meaning(function: FunctionType, node: ast.expr) -> Any:
    """What `f`, `helpers.f` or `Mine.f` stands for; None of a name of the function's own."""
    if isinstance(node, ast.Attribute):
        return inspect.getattr_static(_meaning(function, node.value), node.attr, None)
    own = (*function.__code__.co_varnames, *function.__code__.co_cellvars)
    if not isinstance(node, ast.Name) or node.id in own:
        return None
    found = meaning_of(function, node.id)
    return None if found is MISSING else found


def _is_agent(node: ast.expr, agents: Collection[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in agents


# -- what is refused ------------------------------------------------------------------------------------------------


def _complaints(
    function: FunctionType, node: ast.AST, agents: Collection[str], field: str
) -> Iterator[tuple[int, str]]:
    """Lines, and sentences without a full stop."""
    outside = _declared_outside(function, node)
    loops = {id(name) for part in ast.walk(node) if isinstance(part, ast.For) for name in ast.walk(part.target)}
    for part in ast.walk(node):
        said = None
        if isinstance(part, ast.Expr):
            said = _of_statement(part.value)
        elif isinstance(part, ast.Compare):
            said = _of_comparison(part, agents, field)
        elif isinstance(part, ast.Call):
            said = _of_call(function, part)
        elif isinstance(part, ast.Name | ast.Attribute | ast.Subscript) and not isinstance(part.ctx, ast.Load):
            said = _of_target(function, part, agents, outside, id(part) in loops)
        if said is not None:
            yield part.lineno, said  # type: ignore[attr-defined]


def _of_statement(value: ast.expr) -> str | None:
    if not isinstance(value, ast.Compare):
        return None
    text, remedy = ast.unparse(value), "write it after `if`, or leave it out"
    if isinstance(value.left, ast.Attribute) and len(value.ops) == 1 and isinstance(value.ops[0], ast.Eq):
        remedy = f"write = to assign, `{ast.unparse(value.left)} = {ast.unparse(value.comparators[0])}`"
    return f"`{text}` compares and changes nothing: {remedy}"


def _of_comparison(node: ast.Compare, agents: Collection[str], field: str) -> str | None:
    text, operands = ast.unparse(node), [node.left, *node.comparators]
    asked = [one for op, *pair in zip(node.ops, operands, operands[1:], strict=False) for one in _asked(op, *pair)]
    whole = next((one for one in asked if _is_agent(one, agents)), None)
    if whole is not None:
        return (
            f"`{text}` compares an agent itself, which equals nothing else: compare fields, like "
            f"{ast.unparse(whole)}.{field} == {_other(operands, whole, agents, field)}"
        )
    if not any(isinstance(one, ast.Attribute) and _is_agent(one.value, agents) for one in operands):
        return None
    for op in node.ops:
        if isinstance(op, ast.Is | ast.IsNot):
            words = ("==", "is") if isinstance(op, ast.Is) else ("!=", "is not")
            return f"`{text}` compares no numbers: write {words[0]} instead of `{words[1]}` ({PAGE})"
    members = [
        part for one in operands for part in (one.elts if isinstance(one, ast.Tuple | ast.List | ast.Set) else [one])
    ]
    for one in members:
        if isinstance(one, ast.Constant) and not isinstance(one.value, int | float):
            remedy = "use numbers, or OneOf(...) for values with names"
            if isinstance(one.value, str) and one.value.isdecimal():
                remedy = f"write {int(one.value)}"
            what = "texts" if isinstance(one.value, str) else "other values than numbers"
            return f"`{text}` is decided by {one.value!r}, and rules have no {what}: {remedy} ({PAGE})"
    return None


def _asked(op: ast.cmpop, left: ast.expr, right: ast.expr) -> list[ast.expr]:
    """The sides that Python compares for equality without a complaint, whatever they are."""
    if isinstance(op, ast.In | ast.NotIn):
        return [left]
    return [left, right] if isinstance(op, ast.Eq | ast.NotEq | ast.Is | ast.IsNot) else []


def _other(operands: list[ast.expr], whole: ast.expr, agents: Collection[str], field: str) -> str:
    other = next(one for one in operands if one is not whole)
    if _is_agent(other, agents):
        return f"{ast.unparse(other)}.{field}"
    return ast.unparse(other) if isinstance(other, ast.Constant) else "1"


def _of_call(function: FunctionType, node: ast.Call) -> str | None:
    called, text, count = _meaning(function, node.func), ast.unparse(node), len(node.args) + len(node.keywords)
    if called is super:
        return (
            f"`{text}`: a rule belongs to no object, so that super() finds nothing: write what both classes share as a "
            f"function outside of them, and call that"
        )
    if called is coin and count != 0:
        return f"`{text}`: coin() takes nothing and is 0 or 1: write coin(), or draw(k) for one of 0..k-1"
    if called is not draw or count == 1:
        return None
    bounds = [one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, int)]
    remedy = "write draw(k)"
    if len(bounds) == count == 2 and bounds[0] <= bounds[1]:
        low, high = bounds
        remedy = f"for one of {low}..{high} write {f'{low} + ' if low else ''}draw({high - low + 1})"
    return f"`{text}`: draw(k) takes one number and is one of 0..k-1: {remedy}"


def _declared_outside(function: FunctionType, node: ast.AST) -> set[str]:
    """The names of `global` and `nonlocal` that are not the function's own."""
    found: set[str] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Global | ast.Nonlocal):
            found |= set(part.names)
    return found - {*function.__code__.co_varnames, *function.__code__.co_cellvars}


def _of_target(
    function: FunctionType,
    node: ast.Name | ast.Attribute | ast.Subscript,
    agents: Collection[str],
    outside: set[str],
    is_of_loop: bool,
) -> str | None:
    """Of what is assigned or deleted."""
    text = ast.unparse(node)
    if isinstance(node, ast.Name):
        if node.id in outside:
            return f"`{text}` is assigned, which is outside of the agents, and {MEMORY} ({PAGE})"
        given = function.__code__.co_varnames[: function.__code__.co_argcount]
        if node.id in agents and node.id in given and is_of_loop:
            return f"{node.id!r} has a meaning already: choose another name for the loop"
        if node.id in agents and node.id in given:
            return (
                f"`{text}` is an agent and cannot be assigned: to exchange the roles write `for x, y in ((b, a),):`, or call "
                f"a function with (b, a); fields are exchanged by `a.x, b.x = b.x, a.x`"
            )
        return None
    root: ast.expr = node
    while isinstance(root, ast.Attribute | ast.Subscript):
        root = root.value
    own = {*function.__code__.co_varnames, *function.__code__.co_cellvars, *_inner_names(function)}
    if isinstance(root, ast.Name) and root.id not in own:
        return f"`{text}` is assigned, which is outside of the agents, and {MEMORY} ({PAGE})"
    return None


def _inner_names(function: FunctionType) -> set[str]:
    """Of the functions, and comprehensions, within it."""
    inner: list[Any] = [part for part in function.__code__.co_consts if hasattr(part, "co_varnames")]
    return {name for code in inner for name in (*code.co_varnames, *code.co_cellvars)}


def given_agents(cls: Any) -> list[Root]:
    """The functions of a protocol that are given agents."""
    starts = [start for start in cls.starts.values() if isinstance(start, FunctionType)]
    return [(cls.interact, 2), (cls.is_leader, 1), *((one, 1) for one in (*cls.predicates.values(), *starts))]
