"""Integer operations of compiled rules that mean what Python means by them, or raise an error; never something else.

They stand in generated code where guards.py cannot exclude that a value leaves 64 bits.
"""

from __future__ import annotations

from typing import Any

from princeps.lowering.jit import intrinsic, njit

__all__ = ["plus", "minus", "times", "negated", "magnitude", "divided", "shifted_left", "shifted_right"]


def _with_overflow(operation: str) -> Any:
    @intrinsic
    def found(typing: Any, x: Any, y: Any) -> Any:
        from numba import types
        from numba.core import cgutils

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            pair = getattr(builder, operation)(*arguments)
            value = builder.extract_value(pair, 0)
            left = builder.zext(builder.extract_value(pair, 1), context.get_value_type(types.int64))
            return cgutils.pack_array(builder, [value, left])  # type: ignore[no-untyped-call]

        pair = types.UniTuple(types.int64, 2)  # type: ignore[no-untyped-call]
        return pair(types.int64, types.int64), generate

    return found


_add = _with_overflow("sadd_with_overflow")
_subtract = _with_overflow("ssub_with_overflow")
_multiply = _with_overflow("smul_with_overflow")


@njit
def plus(x: Any, y: Any) -> Any:
    value, left = _add(x, y)
    if left != 0:
        raise OverflowError
    return value


@njit
def minus(x: Any, y: Any) -> Any:
    value, left = _subtract(x, y)
    if left != 0:
        raise OverflowError
    return value


@njit
def times(x: Any, y: Any) -> Any:
    value, left = _multiply(x, y)
    if left != 0:
        raise OverflowError
    return value


@njit
def negated(x: Any) -> Any:
    return minus(0, x)


@njit
def magnitude(x: Any) -> Any:
    return minus(0, x) if x < 0 else x


@njit
def divided(x: Any, y: Any) -> Any:
    if y == -1:
        return minus(0, x)
    return x // y


@njit
def shifted_left(x: Any, y: Any) -> Any:
    if y < 0:
        raise ValueError
    if x == 0:
        return x
    if y > 63 or (x << y) >> y != x:
        raise OverflowError
    return x << y


@njit
def shifted_right(x: Any, y: Any) -> Any:
    if y < 0:
        raise ValueError
    return x >> min(y, 63)
