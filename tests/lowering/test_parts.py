"""Functions that only kernels call (parts.py), and the types of operators that are remembered (operator_types.py)."""

from __future__ import annotations

import operator
from typing import Any

import numba
import numpy as np
import pytest
from numba.core import types
from numba.core.registry import cpu_target

from princeps.lowering.jit import njit
from princeps.lowering.operator_types import RememberingContext
from princeps.lowering.parts import KernelLibrary, PartLibrary, kernel_of

SCALE = 7


@njit
def scaled(x: Any, by: Any) -> Any:
    return x * SCALE + by


@njit
def first_positive(values: Any, begin: Any) -> Any:
    for k in range(begin, values.size):
        if values[k] > 0:
            return scaled(values[k], 1) + scaled(k, 2)
    raise ValueError("nothing is positive")


def search(values: Any) -> Any:
    return first_positive(values, 0) + first_positive(values, 1)


@pytest.fixture
def kernel() -> Any:
    return kernel_of(search, {"nopython": True})


def test_a_kernel_and_its_parts_give_what_python_gives(kernel: Any) -> None:
    values = np.array([-1, 5, 9], dtype=np.int64)
    assert kernel(values) == 2 * (5 * SCALE + 1 + 1 * SCALE + 2)


def test_an_exception_in_a_part_comes_out_of_the_kernel(kernel: Any) -> None:
    with pytest.raises(ValueError, match="nothing is positive"):
        kernel(np.array([-1, -2]))


def test_parts_hold_no_machine_code_and_are_not_compiled_for_each_constant(kernel: Any) -> None:
    kernel(np.array([1, 2]))
    for part in (scaled, first_positive):
        dispatcher: Any = part.dispatcher
        (only,) = dispatcher.overloads.values()
        assert isinstance(only.library, PartLibrary)
        assert only.library._compiled_object is None
    (whole,) = kernel.overloads.values()
    assert isinstance(whole.library, KernelLibrary)
    assert whole.library._compiled_object


def test_python_may_call_a_part() -> None:
    assert scaled(6, 1) == 6 * SCALE + 1
    assert scaled(0.5, 1) == 0.5 * SCALE + 1


def test_functions_of_numba_may_call_parts_that_call_parts() -> None:
    @numba.njit
    def of_somebody_else(values: Any) -> Any:
        return first_positive(values, 0)

    assert of_somebody_else(np.array([0, 3])) == 3 * SCALE + 1 + SCALE + 2


@pytest.mark.parametrize("function", [operator.add, operator.lshift, operator.truediv, operator.lt, operator.ifloordiv])
def test_remembered_types_are_those_of_numba(function: Any) -> None:
    context = cpu_target.typing_context
    remembering = RememberingContext(context)
    kind = context.resolve_value_type(function)
    numbers = [types.int64, types.uint64, types.uint32, types.IntegerLiteral(3)]
    for args in [(a, b) for a in numbers for b in numbers]:
        for _ in range(2):
            assert remembering.resolve_function_type(kind, args, {}) == context.resolve_function_type(kind, args, {})
