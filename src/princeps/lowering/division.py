"""`q, r = divmod(x, y)`: quotient and remainder at once."""

from __future__ import annotations

import ast


def both(node: ast.Call) -> ast.Tuple:
    """The same as a pair of two operations, each with the line of the call."""
    x, y = node.args
    parts: list[ast.expr] = [ast.copy_location(ast.BinOp(x, op, y), node) for op in (ast.FloorDiv(), ast.Mod())]
    return ast.copy_location(ast.Tuple(parts, ast.Load()), node)


def one_of(node: ast.Subscript) -> ast.expr | None:
    """`divmod(x, y)[0]`: the part that a constant index takes."""
    try:
        place = ast.literal_eval(node.slice)
    except ValueError:
        return None
    if not isinstance(node.value, ast.Call) or isinstance(place, bool) or place not in (-2, -1, 0, 1):
        return None
    found: ast.expr = both(node.value).elts[place]
    return found
