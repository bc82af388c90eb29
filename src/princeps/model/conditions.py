"""A condition that a class gives as text where a function is needed: how the function is written."""

from __future__ import annotations

import ast
from collections.abc import Collection


def as_lambda(text: str, arguments: str, params: Collection[str]) -> str | None:
    """`lambda a, p: a.leader == 1` of 'leader == 1'; None of a text that is no comparison."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not isinstance(tree, ast.Compare | ast.BoolOp | ast.UnaryOp):
        return None
    holder = arguments.split(",")[0]
    for part in ast.walk(tree):
        if isinstance(part, ast.Name):
            part.id = f"p.{part.id}" if part.id in params else f"{holder}.{part.id}"
    return f"lambda {arguments}: {ast.unparse(tree)}"
