"""What is public by its type: every attribute and every return type that a user of the stub can come to, read from the
source. Types are not evaluated, since many are imported for type checkers only."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).parents[2] / "src"
SPECIAL = ("__getitem__", "__getattr__", "__missing__", "__iter__", "__call__", "__enter__")  # that users call unnamed


class Typed(NamedTuple):
    """`name` as in `princeps.model.result.Result.steps`; `type` is None if there is no annotation."""

    name: str
    type: ast.expr | None


class Module:
    """The names of one file: what it defines, and where the others are imported from."""

    def __init__(self, name: str) -> None:
        self.name = name
        path = SOURCE / name.replace(".", "/")
        found = [path / "__init__.pyi", path / "__init__.py", path.with_suffix(".py")]
        self.tree = ast.parse(next(file for file in found if file.exists()).read_text())
        self.defined: dict[str, ast.stmt] = {}
        self.imported: dict[str, tuple[str, str]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("princeps"):
                for one in node.names:
                    self.imported[one.asname or one.name] = str(node.module), one.name
        for statement in self.tree.body:
            parts = statement.body if isinstance(statement, ast.If) else [statement]
            for part in parts:
                if isinstance(part, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                    self.defined[part.name] = part
                elif isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name):
                    self.defined[part.targets[0].id] = part
                elif isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                    self.defined[part.target.id] = part


@cache
def module(name: str) -> Module:
    return Module(name)


def resolve(where: Module, name: str) -> tuple[Module, ast.stmt] | None:
    """What a name of a file means; None for what is not of the package."""
    while name not in where.defined:
        if name not in where.imported:
            return None
        source, name = where.imported[name]
        where = module(source)
    return where, where.defined[name]


def reached() -> dict[str, Typed]:
    """From the functions and the classes of the stub on, through the types of what they return and have."""
    top = module("princeps")
    found: dict[str, Typed] = {}
    waiting: list[tuple[Module, ast.stmt]] = []
    seen: set[int] = set()

    def follow(where: Module, type_: ast.expr | None) -> None:
        for name in names(type_):
            meant = resolve(where, name)
            if meant is not None and id(meant[1]) not in seen:
                seen.add(id(meant[1]))
                waiting.append(meant)

    for statement in top.tree.body:
        if isinstance(statement, ast.FunctionDef):
            found[f"princeps.{statement.name}:{statement.lineno}"] = Typed(
                f"princeps.{statement.name}", statement.returns
            )
            follow(top, statement.returns)
    for name in sorted(public()):
        follow(top, ast.Name(name))
    while waiting:
        where, statement = waiting.pop()
        for one in typed_parts(where, statement):
            found[f"{where.name}:{one.name}"] = Typed(f"{where.name}.{one.name}", one.type)
            follow(where, one.type)
        if isinstance(statement, ast.ClassDef):
            for base in statement.bases:
                follow(where, base)
    return found


def public() -> set[str]:
    node = module("princeps").defined["__all__"]
    assert isinstance(node, ast.Assign)
    return set(ast.literal_eval(node.value))


def typed_parts(where: Module, statement: ast.stmt) -> Iterator[Typed]:
    if isinstance(statement, ast.ClassDef):
        for part in statement.body:
            for one in _members(part):
                yield Typed(f"{statement.name}.{one.name}", one.type)
    elif isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
        yield Typed(statement.name, statement.returns)
    elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        yield Typed(statement.targets[0].id, statement.value)  # a name for a type
    elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        yield Typed(statement.target.id, statement.value or statement.annotation)


def _members(part: ast.stmt) -> Iterator[Typed]:
    if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name) and _shown(part.target.id):
        yield Typed(part.target.id, part.annotation)
    if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
        if _shown(part.name):
            yield Typed(part.name, part.returns)
        for node in ast.walk(part) if part.name == "__init__" else ():
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Attribute) and _shown(node.target.attr):
                yield Typed(node.target.attr, node.annotation)
    if isinstance(part, ast.If):  # for type checkers only
        for inner in part.body:
            yield from _members(inner)


def _shown(name: str) -> bool:
    return not name.startswith("_") or name in SPECIAL


def names(type_: ast.expr | None) -> Iterator[str]:
    for node in ast.walk(type_) if type_ is not None else ():
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
            yield node.value
