"""Small formulas in n and the parameters: `2n`, `n^2`, `ceil(ln N)`, `60 * ceil(log(N))`."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Mapping
from typing import Any

from princeps.errors import ParameterError
from princeps.model.formatting import shortened
from princeps.model.numbers import read_count

FUNCTIONS: dict[str, Any] = {
    "ceil": math.ceil,
    "floor": math.floor,
    "ln": math.log,
    "log": math.log,
    "lg": math.log2,
    "log2": math.log2,
    "sqrt": math.sqrt,
    "min": min,
    "max": max,
}
OPERATORS: dict[type[ast.AST], Any] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Pow: operator.pow,
    ast.USub: operator.neg,
}
MAX_VALUE = 10**1000  # of every part of a formula, so that no power of it takes long
MAX_EXPONENT = 100
MAX_LENGTH = 1000  # characters; nested deeper, a formula would exceed Python's stack


def evaluate(text: str, known: Mapping[str, int]) -> int | float:
    """The value of a formula; whatever is wrong with it is one sentence."""
    if len(text) > MAX_LENGTH:
        raise ParameterError(
            f"{shortened(text)!r} has {len(text)} characters: write a formula of at most {MAX_LENGTH} in {', '.join(known)}."
        )
    try:
        value: int | float = _bounded(ast.parse(_python(text), mode="eval").body, known)
    except (SyntaxError, ArithmeticError, ValueError, TypeError, RecursionError, MemoryError) as error:
        what = "" if isinstance(error, (SyntaxError, MemoryError)) else f" ({error})"  # the parser's own stack is full
        raise ParameterError(
            f"{shortened(text)!r} is not understood{what}: write a formula in {', '.join(known)}."
        ) from None
    return value


def whole_number(text: str, name: str, n: int | None) -> int:
    """A number, or a formula in n."""
    try:
        return read_count(text, name)
    except ParameterError:
        if n is None or "n" not in text:
            raise
    value = evaluate(text, {"n": n})
    if not isinstance(value, (int, float)) or value != int(value):
        raise ParameterError(f"{name} = {text!r} is {value} at n = {n}, not an integer: round it, like ceil({text}).")
    return int(value)


def _python(text: str) -> str:
    """2n is 2*n, n^2 is n**2, `ln N` is ln(N)."""
    text = text.strip().replace("^", "**")
    text = re.sub(rf"\b({'|'.join(FUNCTIONS)})\s+([A-Za-z_]\w*)", r"\1(\2)", text)
    return re.sub(r"(?<![\w.])(\d+(?:\.\d+)?)\s*(?=[A-Za-z_(])(?![eE][+-]?\d)", r"\1*", text)


def _bounded(node: ast.expr, known: Mapping[str, int]) -> Any:
    """The value of a part, which may not exceed MAX_VALUE."""
    value = _value(node, known)
    if isinstance(value, complex):
        raise ValueError("it is a complex number")
    if not abs(value) < MAX_VALUE:  # nor is it no number
        raise OverflowError("it is too large")
    return value


def _value(node: ast.expr, known: Mapping[str, int]) -> Any:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return node.value
    if isinstance(node, ast.Name) and node.id in known:
        return known[node.id]
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        left, right = _bounded(node.left, known), _bounded(node.right, known)
        if isinstance(node.op, ast.Pow) and abs(right) > MAX_EXPONENT:
            raise OverflowError(f"the exponent {right} is too large")
        return OPERATORS[type(node.op)](left, right)
    if isinstance(node, ast.UnaryOp) and type(node.op) in OPERATORS:
        return OPERATORS[type(node.op)](_bounded(node.operand, known))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS:
        return FUNCTIONS[node.func.id](*(_bounded(part, known) for part in node.args))
    raise ValueError(f"`{ast.unparse(node)}` is unknown here")
