"""Comparisons of protocol files: of numbers, of tuples, and `in`.

Tuples exist only here. A comparison of two becomes comparisons of their elements, and `x in (LEADER, ZOMBIE)` becomes
`x == 0 or x == 1`. Python evaluates every element, also where the first one decides: where that can fail (a division,
an index), `|` and `&` take the place of `or` and `and`, so that a compiled rule fails where Python does.
"""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from operator import index
from typing import Any, SupportsIndex

from princeps.errors import ProtocolError
from princeps.lowering.advice import advice_on
from princeps.lowering.trees import Meaning, as_number, draws_in

NUMERIC = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
STRICT: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.LtE: ast.Lt, ast.GtE: ast.Gt}
MAX_MEMBERS = 256  # of a tuple, list or set of the file that `in` asks

Operand = ast.expr | list["Operand"]  # a number, or a tuple of operands


class Comparisons:
    """Translates the comparisons of one function."""

    scope: Mapping[str, Any]
    own_names: set[str]

    @abstractmethod
    def _expr(self, node: ast.expr, env: Mapping[str, Meaning]) -> ast.expr: ...

    @abstractmethod
    def _fail(self, node: ast.AST, message: str) -> ProtocolError: ...

    def _compare(self, node: ast.Compare, env: Mapping[str, Meaning]) -> ast.expr:
        operands = [node.left, *node.comparators]
        if all(isinstance(op, NUMERIC) for op in node.ops) and not any(self._is_tuple(one, env) for one in operands):
            numbers = [self._expr(one, env) for one in operands]
            return ast.Compare(numbers[0], node.ops, numbers[1:])
        found = [
            self._pair(node, left, op, right, env)
            for left, op, right in zip(operands, node.ops, operands[1:], strict=False)
        ]
        if draws_in(*found):
            raise self._fail(node, f"`{ast.unparse(node)}` cannot be compiled: give what is drawn a name first.")
        return found[0] if len(found) == 1 else ast.BoolOp(ast.And(), found)

    def _pair(
        self, node: ast.Compare, left: ast.expr, op: ast.cmpop, right: ast.expr, env: Mapping[str, Meaning]
    ) -> ast.expr:
        if isinstance(op, NUMERIC):
            return self._compared(node, self._operand(left, env), op, self._operand(right, env))
        if not isinstance(op, ast.In | ast.NotIn):
            raise self._fail(node, f"`{ast.unparse(node)}` cannot be compiled: {advice_on(op)}.")
        asked, span = self._operand(left, env), self._range(right, env)
        if span is not None and not isinstance(asked, list):
            bounds = [ast.Compare(span[0], [ast.LtE()], [asked]), ast.Compare(asked, [ast.Lt()], [span[1]])]
            within = _joined(bounds, ast.And())
        else:
            members = self._members(node, right, env)
            within = _joined([self._compared(node, asked, ast.Eq(), member) for member in members], ast.Or())
        return within if isinstance(op, ast.In) else ast.UnaryOp(ast.Not(), as_number(within))

    # -- operands -----------------------------------------------------------------------------------------------

    def _outside(self, node: ast.expr, env: Mapping[str, Meaning]) -> Any:
        """What a name of the file stands for, if the node is one."""
        known = isinstance(node, ast.Name) and node.id not in env and node.id not in self.own_names
        return self.scope.get(node.id) if known and isinstance(node, ast.Name) else None

    def _is_tuple(self, node: ast.expr, env: Mapping[str, Meaning]) -> bool:
        return isinstance(node, ast.Tuple) or isinstance(self._outside(node, env), tuple)

    def _operand(self, node: ast.expr, env: Mapping[str, Meaning]) -> Operand:
        if isinstance(node, ast.Tuple):
            return [self._operand(part, env) for part in node.elts]
        found = self._outside(node, env)
        return self._constant_operand(node, found) if isinstance(found, tuple) else self._expr(node, env)

    def _constant_operand(self, node: ast.expr, value: Any) -> Operand:
        if isinstance(value, tuple):
            return [self._constant_operand(node, part) for part in value]
        if isinstance(value, SupportsIndex):
            return ast.Constant(index(value))
        raise self._fail(node, f"`{ast.unparse(node)}` cannot be compiled: it holds other things than numbers.")

    def _members(self, node: ast.Compare, right: ast.expr, env: Mapping[str, Meaning]) -> list[Operand]:
        if isinstance(right, ast.Tuple | ast.List | ast.Set):
            members = [self._operand(part, env) for part in right.elts]
        else:
            found = self._outside(right, env)
            if not isinstance(found, tuple | list | set | frozenset | range) or len(found) > MAX_MEMBERS:
                raise self._fail(node, f"`{ast.unparse(node)}` cannot be compiled: {advice_on(ast.In())}.")
            members = [self._constant_operand(right, part) for part in found]
        if not members:
            raise self._fail(node, f"`{ast.unparse(node)}` is never true: nothing is listed.")
        return members

    def _range(self, node: ast.expr, env: Mapping[str, Meaning]) -> tuple[ast.expr, ast.expr] | None:
        """First and end of `range(first, end)`."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.keywords:
            return None
        name = node.func.id
        is_own = name in env or name in self.own_names or self.scope.get(name, range) is not range
        if name != "range" or is_own or len(node.args) not in (1, 2):
            return None
        bounds = [self._expr(part, env) for part in node.args]
        return (ast.Constant(0), bounds[0]) if len(bounds) == 1 else (bounds[0], bounds[1])

    # -- what becomes of them -----------------------------------------------------------------------------------

    def _compared(self, node: ast.Compare, left: Operand, op: ast.cmpop, right: Operand) -> ast.expr:
        if not isinstance(left, list) and not isinstance(right, list):
            return ast.Compare(left, [op], [right])
        if not isinstance(left, list) or not isinstance(right, list):
            raise self._fail(node, f"`{ast.unparse(node)}` compares a tuple with a number: compare two of one kind.")
        if len(left) != len(right) or not left:
            raise self._fail(
                node,
                f"`{ast.unparse(node)}` compares {len(left)} values with {len(right)}: list as many on both sides.",
            )
        pairs = list(zip(left, right, strict=True))
        if isinstance(op, ast.Eq | ast.NotEq):
            parts = [self._compared(node, x, op, y) for x, y in pairs]
            return _joined(parts, ast.And() if isinstance(op, ast.Eq) else ast.Or())
        strict = STRICT.get(type(op), type(op))()
        result = self._compared(node, *_around(pairs[-1], op))
        for pair in reversed(pairs[:-1]):  # the first that differ decide
            equal = self._compared(node, *_around(pair, ast.Eq()))
            result = _joined(
                [self._compared(node, *_around(pair, strict)), _joined([equal, result], ast.And())], ast.Or()
            )
        return result


def _around(pair: tuple[Operand, Operand], op: ast.cmpop) -> tuple[Operand, ast.cmpop, Operand]:
    return pair[0], op, pair[1]


def _joined(parts: Sequence[ast.expr], op: ast.boolop) -> ast.expr:
    if len(parts) == 1:
        return parts[0]
    if not any(isinstance(node, ast.Call | ast.BinOp) for part in parts for node in ast.walk(part)):
        return ast.BoolOp(op, list(parts))
    bitwise = ast.BitOr() if isinstance(op, ast.Or) else ast.BitAnd()
    result = as_number(parts[0])
    for part in parts[1:]:
        result = ast.BinOp(result, bitwise, as_number(part))
    return result
