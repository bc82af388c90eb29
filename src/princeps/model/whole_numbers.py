"""Rules compute with whole numbers: floats in a protocol's functions are refused, in the same words by every engine.

Plain Python would calculate with floats where compiled engines have none. The commonest mistake is `coin() < 0.3`, which
plain Python takes for `coin() == 0`, of probability 1/2.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from fractions import Fraction
from numbers import Number
from types import FunctionType

from princeps.errors import ProtocolError
from princeps.model.coins import coin
from princeps.model.named_states import PAGE
from princeps.model.numbers import simple_fraction
from princeps.model.sources import meaning_of, node_of

BELOW, ABOVE = (ast.Lt, ast.LtE), (ast.Gt, ast.GtE)
MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}


def float_in(function: FunctionType) -> ProtocolError | None:
    """What is wrong with the first float that a function computes with, if there is one."""
    try:
        node = node_of(function)
    except (ProtocolError, SyntaxError):  # it has no text, and is refused where one is needed
        return None
    found = sorted(_complaints(function, node), key=lambda one: one[:2])
    if not found:
        return None
    _, _, line, sentence = found[0]
    return ProtocolError(f"{sentence} ({PAGE}).", function.__code__.co_filename, line)


def _complaints(function: FunctionType, node: ast.AST) -> Iterator[tuple[int, int, int, str]]:
    """The order in which they are told, their lines, and sentences without a full stop."""
    for part in _computed(node):
        said = None
        if isinstance(part, ast.Compare):
            said = _of_coin(function, part)
        elif isinstance(part, ast.BinOp | ast.AugAssign) and isinstance(part.op, ast.Div):
            if not _divides_numbers(function, part):
                continue
            said = f"`{ast.unparse(part)}` is a float, and rules compute with integers: write // for whole numbers"
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == "float":
            if _meaning(function, part.func) is float:
                said = f"`{ast.unparse(part)}` is a float, and rules compute with integers: leave float out"
        elif isinstance(part, ast.expr):
            value = _float(function, part)
            said = None if value is None else _of_number(ast.unparse(part), value)
        if said is not None:
            line: int = part.lineno  # type: ignore[attr-defined]
            yield line, not isinstance(part, ast.Compare), line, said  # a comparison is told before its parts


def _computed(node: ast.AST) -> Iterator[ast.AST]:
    """All parts but what is handed to functions of other modules, `time.sleep(0.01)`: that is not computed with."""
    waiting = [node]
    for part in waiting:
        yield part
        is_foreign = isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute)
        waiting += [] if is_foreign else ast.iter_child_nodes(part)


def _divides_numbers(function: FunctionType, node: ast.BinOp | ast.AugAssign) -> bool:
    """Not so where one side is known to be something else: a text, a path."""
    sides = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.target, node.value)
    for side in sides:
        known = (
            side.value
            if isinstance(side, ast.Constant)
            else _meaning(function, side)
            if isinstance(side, ast.Name)
            else 0
        )
        if isinstance(side, ast.JoinedStr) or not isinstance(known, Number | None):
            return False
    return True


def _of_coin(function: FunctionType, node: ast.Compare) -> str | None:
    """`coin() < 0.3`."""
    if len(node.ops) != 1:
        return None
    left, op, right = node.left, type(node.ops[0]), node.comparators[0]
    if not _is_coin(function, left):
        left, op, right = right, MIRRORED.get(op, op), left
    value = _float(function, right)
    if value is None or not _is_coin(function, left):
        return None
    begin, other = f"`{ast.unparse(node)}`: coin() is 0 or 1", "for another probability write draw(k) < j"
    if not 0 < value < 1 or op not in (*BELOW, *ABOVE):
        return f"{begin}; {other}"
    chance = simple_fraction(value) if op in BELOW else 1 - simple_fraction(value)
    if chance == Fraction(1, 2):
        return f"{begin}, each with probability 1/2: write coin() == 0; {other}"
    return f"{begin}; for probability {chance} write draw({chance.denominator}) < {chance.numerator}"


def _of_number(text: str, value: float) -> str:
    begin = f"`{text}` is a float" if text == repr(value) else f"`{text}` is {value!r}, a float"
    begin += ", and rules compute with integers"
    if value.is_integer():
        return f"{begin}: write {int(value)}"
    if 0 < value < 1:
        chance = simple_fraction(value)
        return (
            f"{begin}: multiply both sides, or divide with //; for an event of probability {chance} write "
            f"draw({chance.denominator}) < {chance.numerator}"
        )
    return f"{begin}: multiply both sides, or divide with //"


def _is_coin(function: FunctionType, node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and _meaning(function, node.func) is coin


def _float(function: FunctionType, node: ast.expr) -> float | None:
    """The float that a number, or a name from outside, stands for."""
    found: object = None
    if isinstance(node, ast.Constant):
        found = node.value
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        found = _meaning(function, node)
    return float(found) if isinstance(found, float) else None


def _meaning(function: FunctionType, name: ast.Name) -> object:
    code = function.__code__
    return None if name.id in (*code.co_varnames, *code.co_cellvars) else meaning_of(function, name.id)
