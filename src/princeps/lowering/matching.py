"""`match` of protocol files, written as `if` and `elif` on names that stand for the parts of the subject.

Patterns are what Python compares by ==: integers, names with a dot (`Role.LEADER`, `p.top`), `_`, alternatives with |,
and a tuple of these where the subject is a tuple. A name without a dot is none of them: Python binds it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TypeVar

from princeps.errors import ProtocolError
from princeps.model.named_states import PAGE

Node = TypeVar("Node", bound=ast.AST)
Fail = Callable[[ast.AST, str], ProtocolError]


def as_conditions(node: ast.Match, subject: Sequence[str], fail: Fail) -> list[ast.stmt]:
    """The statements instead, given the names of the parts of the subject (one, if it is no tuple)."""
    is_tuple = isinstance(node.subject, ast.Tuple)
    chain: list[ast.stmt] = []
    for case in reversed(node.cases):
        test = _whole(case.pattern, subject, is_tuple, fail)
        if case.guard is not None:
            test = case.guard if test is None else _at(case.guard, ast.BoolOp(ast.And(), [test, case.guard]))
        chain = case.body if test is None else [_at(case.pattern, ast.If(test, case.body, chain))]
    return chain


def _whole(pattern: ast.pattern, subject: Sequence[str], is_tuple: bool, fail: Fail) -> ast.expr | None:
    """The condition that the pattern states; None: it fits everything."""
    if not is_tuple:
        return _part(pattern, subject[0], fail)
    if isinstance(pattern, ast.MatchOr):
        return _any(pattern, [_whole(one, subject, is_tuple, fail) for one in pattern.patterns])
    if isinstance(pattern, ast.MatchSequence):
        if len(pattern.patterns) != len(subject):
            raise fail(
                pattern,
                f"`{_text(pattern)}` has {len(pattern.patterns)} parts where {len(subject)} are matched: list as many.",
            )
        found = [_part(one, name, fail) for one, name in zip(pattern.patterns, subject, strict=True)]
        tests = [test for test in found if test is not None]
        return _at(pattern, ast.BoolOp(ast.And(), tests)) if len(tests) > 1 else tests[0] if tests else None
    if isinstance(pattern, ast.MatchAs):
        return _part(pattern, subject[0], fail)
    raise fail(pattern, f"`{_text(pattern)}` never fits a tuple: write `case (x, y)` with a pattern for each part.")


def _part(pattern: ast.pattern, name: str, fail: Fail) -> ast.expr | None:
    match pattern:
        case ast.MatchAs(pattern=None, name=None):
            return None
        case ast.MatchAs(name=str() as bound):
            raise fail(
                pattern,
                f"`case {_text(pattern)}` binds {bound!r} and fits everything: write a name with a dot, as in "
                f"`case Role.LEADER` with Role = OneOf(...), a number, or `case _` (see {PAGE}).",
            )
        case ast.MatchOr(patterns=patterns):
            return _any(pattern, [_part(one, name, fail) for one in patterns])
        case ast.MatchValue(value=value) if not isinstance(getattr(value, "value", 0), str | bytes):
            return _at(pattern, ast.Compare(_at(pattern, ast.Name(name, ast.Load())), [ast.Eq()], [value]))
        case ast.MatchSingleton(value=value):
            raise fail(pattern, f"`case {value}` fits no number: write {int(bool(value))}.")
    raise fail(
        pattern,
        f"`case {_text(pattern)}` cannot be compiled: write numbers, names with a dot, `_`, or alternatives with | "
        f"(see {PAGE}).",
    )


def _any(pattern: ast.pattern, tests: list[ast.expr | None]) -> ast.expr | None:
    known = [test for test in tests if test is not None]
    return _at(pattern, ast.BoolOp(ast.Or(), known)) if len(known) == len(tests) else None


def _text(pattern: ast.pattern) -> str:
    return ast.unparse(pattern)


def _at(place: ast.AST, node: Node) -> Node:
    return ast.copy_location(node, place)
