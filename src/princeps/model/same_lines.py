"""A text with some of its expressions replaced, each on the line on which it was.

Text that is written anew from a syntax tree has lost its comments and empty lines, and with them the lines that a message
names. Here only the places that differ are written anew.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple


class Edit(NamedTuple):
    """The bytes first..end of a line, and what stands there instead."""

    line: int
    first: int
    end: int
    new: bytes


class NotInPlace(Exception):
    """The trees differ in more than expressions of one line."""


def with_tree(text: str, tree: ast.Module) -> str:
    """The text that means `tree`, line by line that of before where that is possible."""
    try:
        edits = list(_edits(ast.parse(text), tree, text.encode().split(b"\n")))
        edited = _applied(text, edits)
        if ast.dump(ast.parse(edited)) == ast.dump(ast.parse(ast.unparse(tree))):
            return edited
    except (NotInPlace, SyntaxError, UnicodeDecodeError):
        pass
    return ast.unparse(tree) + "\n"


def _edits(old: ast.AST, new: ast.AST, lines: list[bytes]) -> Iterator[Edit]:
    if isinstance(old, ast.expr) and (type(old) is not type(new) or _plain(old) != _plain(new)):
        yield _instead(old, ast.unparse(new))
        return
    if isinstance(old, ast.FunctionDef | ast.ClassDef) and old.name != getattr(new, "name", None):
        yield _named(old, str(getattr(new, "name", "")), lines)
    elif type(old) is not type(new) or _plain(old) != _plain(new):
        raise NotInPlace
    for one, other in zip_longest(ast.iter_child_nodes(old), ast.iter_child_nodes(new)):
        if one is None or other is None:
            raise NotInPlace
        yield from _edits(one, other, lines)


def _plain(node: ast.AST) -> list[object]:
    """What a node has that is no node."""
    return [value for _, value in ast.iter_fields(node) if not isinstance(value, ast.AST | list)]


def _instead(node: ast.expr, new: str) -> Edit:
    if node.end_lineno != node.lineno or node.end_col_offset is None or "\n" in new:
        raise NotInPlace
    return Edit(node.lineno, node.col_offset, node.end_col_offset, new.encode())


def _named(node: ast.FunctionDef | ast.ClassDef, new: str, lines: list[bytes]) -> Edit:
    found = re.compile(rb"(?:class|def)\s+(" + re.escape(node.name.encode()) + rb")\b").match(
        lines[node.lineno - 1], node.col_offset
    )
    if found is None:
        raise NotInPlace
    return Edit(node.lineno, *found.span(1), new.encode())


def _applied(text: str, edits: list[Edit]) -> str:
    lines = text.encode().split(b"\n")
    for edit in sorted(edits, reverse=True):  # from the end, so that the places before stay what they are
        line = lines[edit.line - 1]
        lines[edit.line - 1] = line[: edit.first] + edit.new + line[edit.end :]
    return b"\n".join(lines).decode()
