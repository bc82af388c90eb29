"""Syntax trees of protocol files: reading them, what their names stand for, and small pieces to build new ones."""

from __future__ import annotations

import ast
import re
from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from operator import index
from types import CellType, FunctionType, ModuleType
from typing import Any, SupportsIndex

from princeps.errors import ProtocolError
from princeps.model.named_states import OneOf
from princeps.model.sources import bare, lines_of, node_of
from princeps.model.texts import text_of_file


@dataclass(frozen=True)
class AnAgent:
    """A name that stands for an agent; its fields are the variables prefix_field."""

    prefix: str


@dataclass(frozen=True)
class TheParams:
    """A name that stands for the parameters."""


@dataclass(frozen=True)
class TheCounts:
    """A name that stands for the counts of a goal."""


@dataclass(frozen=True)
class TheConfig:
    """A name that stands for the whole configuration, indexed by agent."""


DRAW = "draw_choice"  # what coin() and draw(k) become: a function of `choices` and k
EMPTY_CELL = CellType()  # of a name that has no value yet

Meaning = AnAgent | TheParams | TheCounts | TheConfig | ast.expr


@dataclass
class Vocabulary:
    """What names may follow a dot, and how large fixed-size fields are."""

    fields: Mapping[str, int | None]  # field -> size if it is the same for all parameters
    scratch: Sequence[str]
    params: Sequence[str]
    inputs: Sequence[str] = ()
    counts: Sequence[str] = ()
    unbounded: Sequence[str] = ()
    oracle: str | None = None  # how a rule reads it, after the dot of the parameters


def function_tree(rule: Callable[..., Any]) -> tuple[ast.FunctionDef, str, int]:
    """The syntax tree of a function, its file, and what to add to its line numbers."""
    rule = plain_function(rule)
    file = rule.__code__.co_filename
    try:
        found = node_of(rule)
    except SyntaxError as error:
        raise ProtocolError(
            f"the source of {rule.__name__} cannot be read ({error}): put the class into a file.", file
        ) from error
    if isinstance(found, ast.Lambda):
        twin = deepcopy(found)
        returned = ast.copy_location(ast.Return(twin.body), twin)
        plain = ast.FunctionDef(name="the lambda", args=twin.args, body=[returned], decorator_list=[], returns=None)
        return ast.copy_location(plain, twin), file, 0
    tree = ast.parse(lines_of(found, text_of_file(file))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    return tree, file, rule.__code__.co_firstlineno - 1


def plain_function(rule: Callable[..., Any]) -> FunctionType:
    """Without what is wrapped around it and changes nothing: a static method, a cache."""
    function = bare(rule)
    if not isinstance(function, FunctionType):
        raise ProtocolError(f"{rule!r} must be a plain function (def).")
    return function


def names_around(function: FunctionType) -> Mapping[str, Any]:
    """What names that are not the function's own stand for: those of functions around it, then those of its file."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    closed = {name: cell.cell_contents for name, cell in cells if cell != EMPTY_CELL}
    return ChainMap(closed, function.__globals__) if closed else function.__globals__


def is_docstring(s: ast.stmt) -> bool:
    return isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant) and isinstance(s.value.value, str)


def is_local(meaning: Meaning) -> bool:
    return isinstance(meaning, ast.Name) and re.match(r"v\d+_", meaning.id) is not None


def assigned_names(tree: ast.FunctionDef) -> list[ast.Name]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]


def draws_in(*nodes: ast.AST) -> int:
    """How many draws stand in generated code."""
    parts = (part for node in nodes for part in ast.walk(node))
    return sum(isinstance(part, ast.Call) and getattr(part.func, "id", "") == DRAW for part in parts)


def dotted_constant(node: ast.Attribute, env: Mapping[str, Meaning], scope: Mapping[str, Any]) -> int | None:
    """`Role.LEADER`: the integer that named states, an enumeration or a module of the file has under a name."""
    found = dotted_value(node, env, scope)
    return index(found) if isinstance(found, SupportsIndex) else None


def dotted_value(node: ast.Attribute, env: Mapping[str, Meaning], scope: Mapping[str, Any]) -> Any:
    """What named states, a class, a module or a named tuple of the file has under a name; else None."""
    if isinstance(node.value, ast.Attribute):  # Role.LEADER of a module
        holder = dotted_value(node.value, env, scope)
    elif not isinstance(node.value, ast.Name) or node.value.id in env:
        return None
    else:
        holder = scope.get(node.value.id)
    if isinstance(holder, OneOf | type | ModuleType) or node.attr in getattr(type(holder), "_fields", ()):
        return getattr(holder, node.attr, None)
    return None


def own_loop(env: dict[str, Meaning]) -> dict[str, Meaning]:
    """Inside a loop that really loops: `continue` means it, and what it assigns may never be assigned."""
    return {name: meaning for name, meaning in env.items() if name != "<loop>"}


def load(node: ast.expr) -> ast.expr:
    """A target read as a value."""
    twin: ast.expr = ast.parse(ast.unparse(node), mode="eval").body
    for part in ast.walk(twin):
        if hasattr(part, "lineno"):
            part.lineno = node.lineno
    return twin


def assign(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def as_number(node: ast.expr) -> ast.expr:
    """A truth value as 0 or 1, so that a variable keeps one type."""
    truth = isinstance(node, (ast.Compare, ast.BoolOp, ast.IfExp)) or (
        isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    )
    return ast.Call(ast.Name("int64", ast.Load()), [node], []) if truth else node


def once(body: list[ast.stmt]) -> ast.stmt:
    """A block that `break` leaves."""
    return ast.While(ast.Constant(True), [*body, ast.Break()], [])


def hull(parts: Sequence[tuple[int, int] | None]) -> tuple[int, int] | None:
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    return min(part[0] for part in known), max(part[1] for part in known)
