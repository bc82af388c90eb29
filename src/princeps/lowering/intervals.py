"""Can a goal become true while each count stays between two bounds? Its expression, evaluated on intervals.

A number becomes (low, high), a truth value (may be false, may be true). An expression that is not understood may have any
value: the answer may be yes without need, but it is never wrongly no. Intervals are doubles; counts up to 10^15 are exact, larger products
are widened by more than they can be rounded.
"""

from __future__ import annotations

import ast
from math import inf
from typing import Any

from princeps.lowering.jit import njit

__all__ = [
    *("ANYTHING", "absolute", "add", "as_number", "as_truth", "both", "either", "equal", "less", "less_equal"),
    *("largest", "multiply", "negate", "opposite", "point", "smallest", "subtract", "union"),
]

ANYTHING = (-inf, inf)
SLACK = 1e-12


@njit
def point(x: Any) -> Any:
    return (float(x), float(x))


@njit
def add(a: Any, b: Any) -> Any:
    return (a[0] + b[0], a[1] + b[1])


@njit
def subtract(a: Any, b: Any) -> Any:
    return (a[0] - b[1], a[1] - b[0])


@njit
def multiply(a: Any, b: Any) -> Any:
    w, x, y, z = a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]
    low, high = min(w, x, y, z), max(w, x, y, z)
    if not (abs(low) < 2.0**53 and abs(high) < 2.0**53):  # also where an infinity met a zero
        if low != low or high != high:
            return (-inf, inf)
        return (low - SLACK * abs(low), high + SLACK * abs(high))
    return (low, high)


@njit
def negate(a: Any) -> Any:
    return (-a[1], -a[0])


@njit
def smallest(a: Any, b: Any) -> Any:
    return (min(a[0], b[0]), min(a[1], b[1]))


@njit
def largest(a: Any, b: Any) -> Any:
    return (max(a[0], b[0]), max(a[1], b[1]))


@njit
def absolute(a: Any) -> Any:
    low = 0.0 if a[0] <= 0.0 <= a[1] else min(abs(a[0]), abs(a[1]))
    return (low, max(abs(a[0]), abs(a[1])))


@njit
def union(a: Any, b: Any) -> Any:
    return (min(a[0], b[0]), max(a[1], b[1]))


@njit
def as_truth(a: Any) -> Any:
    return (a[0] <= 0.0 <= a[1], a[0] != 0.0 or a[1] != 0.0)


@njit
def as_number(a: Any) -> Any:
    return (0.0 if a[0] else 1.0, 1.0 if a[1] else 0.0)


@njit
def equal(a: Any, b: Any) -> Any:
    return (not (a[0] == a[1] == b[0] == b[1]), a[0] <= b[1] and b[0] <= a[1])


@njit
def less(a: Any, b: Any) -> Any:
    return (a[1] >= b[0], a[0] < b[1])


@njit
def less_equal(a: Any, b: Any) -> Any:
    return (a[1] > b[0], a[0] <= b[1])


@njit
def opposite(a: Any) -> Any:
    return (a[1], a[0])


@njit
def both(a: Any, b: Any) -> Any:
    return (a[0] or b[0], a[1] and b[1])


@njit
def either(a: Any, b: Any) -> Any:
    return (a[0] and b[0], a[1] or b[1])


BINARY = {ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply"}
FOLDED = {"min": "smallest", "max": "largest"}


class Intervals:
    """Rewrites an expression on counts (already translated by the Flattener) as calls of the functions above."""

    def possible(self, node: ast.expr) -> str:
        return f"{self.truth(node)}[1]"

    def truth(self, node: ast.expr) -> str:
        if isinstance(node, ast.BoolOp):
            name = "both" if isinstance(node.op, ast.And) else "either"
            out = self.truth(node.values[0])
            for value in node.values[1:]:
                out = f"{name}({out}, {self.truth(value)})"
            return out
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return f"opposite({self.truth(node.operand)})"
        if isinstance(node, ast.Compare):
            left, out = self.number(node.left), ""
            for op, comparator in zip(node.ops, node.comparators, strict=True):
                right = self.number(comparator)
                one = self._comparison(op, left, right)
                out = f"both({out}, {one})" if out else one
                left = right
            return out
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("bool", "int64", "int"):
            return self.truth(node.args[0])
        return f"as_truth({self.number(node)})"

    def _comparison(self, op: ast.cmpop, left: str, right: str) -> str:
        if isinstance(op, ast.Eq):
            return f"equal({left}, {right})"
        if isinstance(op, ast.NotEq):
            return f"opposite(equal({left}, {right}))"
        if isinstance(op, ast.Lt):
            return f"less({left}, {right})"
        if isinstance(op, ast.Gt):
            return f"less({right}, {left})"
        if isinstance(op, ast.LtE):
            return f"less_equal({left}, {right})"
        if isinstance(op, ast.GtE):
            return f"less_equal({right}, {left})"
        return "(True, True)"

    def number(self, node: ast.expr) -> str:
        if isinstance(node, ast.Constant):
            return f"point({node.value!r})"
        if isinstance(node, ast.Name):
            return f"point({node.id})" if node.id.startswith("p_") else node.id
        if isinstance(node, ast.BinOp) and type(node.op) in BINARY:
            return f"{BINARY[type(node.op)]}({self.number(node.left)}, {self.number(node.right)})"
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return f"negate({self.number(node.operand)})"
        if isinstance(node, ast.IfExp):
            return f"union({self.number(node.body)}, {self.number(node.orelse)})"
        if isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)):
            return f"as_number({self.truth(node)})"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self._call(node.func.id, node.args)
        return "ANYTHING"  # divisions, shifts, bits; `and` and `or` as numbers

    def _call(self, name: str, args: list[ast.expr]) -> str:
        if name in FOLDED:
            out = self.number(args[0])
            for arg in args[1:]:
                out = f"{FOLDED[name]}({out}, {self.number(arg)})"
            return out
        if name == "abs":
            return f"absolute({self.number(args[0])})"
        if name == "bool" or isinstance(args[0], ast.BoolOp):
            return f"as_number({self.truth(args[0])})" if name in ("bool", "int64") else "ANYTHING"
        if name in ("int64", "int"):
            return self.number(args[0])
        return "ANYTHING"
