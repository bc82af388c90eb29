"""Kernels as object code: they take and give what numba's own functions would, and need nothing of numba's."""

from __future__ import annotations

import math
import resource
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from princeps.lowering import entry_points, object_code
from princeps.lowering.jit import njit
from tests.lowering.cache_tools import PROBE, python


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRINCEPS_CACHE_DIR", str(tmp_path))


def total(matrix: Any, scale: int) -> Any:
    out = 0
    for i in range(matrix.shape[0]):
        for j in range(matrix.shape[1]):
            out += (3 * i + j) * int(matrix[i, j])
    return out * scale


@pytest.mark.parametrize("dtype", ["uint8", "int16", "uint32", "int64"])
def test_arrays_of_every_layout(dtype: str) -> None:
    kernel: Any = njit(cache=True)(total)
    plain = np.arange(30, dtype=dtype).reshape(5, 6)
    fixed = plain.copy()
    fixed.flags.writeable = False
    for matrix in (plain, np.asfortranarray(plain), plain[::2, 1::3], plain[::-1], plain.T, fixed, plain[:0]):
        assert kernel(matrix, 7) == total(matrix, 7)
    assert not vars(kernel.dispatcher).get("as_kernel")  # numba itself has called nothing


def numbers(a: Any, b: Any, c: Any, d: Any, e: Any) -> Any:
    return a + 1, b, c, d / 2, e


def test_numbers_in_and_out() -> None:
    kernel: Any = njit(cache=True)(numbers)
    assert kernel(-(1 << 63), True, (1 << 64) - 1, 3.0, -5) == (1 - (1 << 63), True, (1 << 64) - 1, 1.5, -5)
    found = kernel(np.int32(4), np.bool_(False), np.uint64(9), np.float64(1.0), np.int8(-1))
    assert found == (5, False, 9, 0.5, -1)
    assert [type(value) for value in found] == [int, bool, int, float, int]
    with pytest.raises(Exception, match=r"uint64|large|int"):
        kernel(1 << 64, True, 1, 1.0, 1)


def test_one_number_nothing_and_tuples_of_arrays() -> None:
    @njit(cache=True)
    def half(x: Any) -> Any:
        return x / 2

    @njit(cache=True)
    def double(parts: Any, by: Any) -> None:
        first, (second, shift) = parts
        for k in range(first.size):
            second[k] = first[k] * by + shift

    assert half(3) == 1.5
    out = np.zeros(3)
    result: Any = double((np.arange(3), (out, 0.5)), 2)
    assert result is None
    assert out.tolist() == [0.5, 2.5, 4.5]


def test_exceptions_are_those_of_python() -> None:
    @njit(cache=True, boundscheck=True)
    def item(values: Any, k: int, by: int) -> Any:
        if k == 7:
            raise ValueError("seven is not allowed")
        return values[k] // by

    values = np.array([4, 6])
    assert item(values, 1, 3) == 2
    with pytest.raises(ValueError, match=r"^seven is not allowed$"):
        item(values, 7, 1)
    with pytest.raises(IndexError):
        item(values, 2, 1)
    with pytest.raises(ZeroDivisionError):
        item(values, 0, 0)


def test_arrays_that_a_kernel_makes_are_right_and_freed() -> None:
    @njit(cache=True)
    def reversed_sum(values: Any, times: int) -> Any:
        out = 0
        for _ in range(times):
            copied, zeros = values.copy(), np.zeros(values.size, np.int64)
            for k in range(values.size):
                zeros[k] += copied[values.size - 1 - k]
            out += zeros[0] + zeros[values.size - 1] * 3
        return out

    values = np.arange(1 << 17)  # a megabyte
    assert reversed_sum(values, 2) == 2 * ((1 << 17) - 1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    reversed_sum(values, 200)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20 * 1024 * (
        1 if sys.platform != "darwin" else 1024
    )


def test_functions_of_real_numbers_are_bit_by_bit_those_that_numba_calls() -> None:
    @njit(cache=True)
    def functions(values: Any, out: Any) -> None:
        for k in range(values.size):
            x = values[k]
            fraction, exponent = math.frexp(x)
            out[k, 0], out[k, 1], out[k, 2] = fraction, exponent, math.ldexp(x, -3)
            if x > 0:
                out[k, 3], out[k, 4], out[k, 5] = math.log(x), math.log1p(x), math.exp(-x)

    rng = np.random.default_rng(5)
    edges = [0.0, -0.0, math.inf, -math.inf, math.nan, 5e-324, 1e-310, 1.0, -1.5]
    values = np.concatenate([edges, rng.random(3000), np.exp(rng.uniform(-700, 700, 3000))])
    ours, theirs = np.zeros((2, values.size, 6))
    kernel: Any = functions
    kernel(values, ours)
    kernel.dispatcher.as_kernel(values, theirs)
    assert ours.tobytes() == theirs.tobytes()
    assert [math.frexp(x) for x in values[5:].tolist()] == list(zip(ours[5:, 0], ours[5:, 1], strict=True))


def test_what_cannot_be_object_code_is_called_by_numba() -> None:
    @njit(cache=True)
    def made(n: int) -> Any:
        return np.zeros(n, np.int64)

    assert made(3).tolist() == [0, 0, 0]
    assert made(2).tolist() == [0, 0]


def test_object_code_with_a_symbol_that_nobody_defines_is_not_loaded() -> None:
    from princeps.lowering.compiling import kernel_code

    @njit(cache=True)
    def logarithm(x: float) -> Any:
        return math.log(x)

    kernel: Any = logarithm
    made = kernel_code(kernel, ("float64",))
    assert made is not None
    assert made.symbols == ("log",)
    assert object_code.unpacked(object_code.packed(made)) == made
    assert object_code.load(replace(made, symbols=("log", "no_such_function_anywhere"))) is None
    loaded = object_code.load(replace(made, symbols=None))  # on a system whose object files are not read here
    assert loaded is not None
    assert entry_points.entry(loaded, ("float64",), True)(math.e) == 1.0
    assert object_code.symbols_of(b"MZ" + made.code) is None


def test_the_shape_of_a_call_tells_signatures_apart() -> None:
    plain = np.zeros((4, 4), np.int64)
    fixed = plain.copy()
    fixed.flags.writeable = False
    different = [
        *(plain, plain.T, plain[::2], plain[0], plain.astype(np.int32), plain.astype(">i8"), fixed),
        *(1, 1 << 63, 1 << 64, True, 1.0, np.int64(1), (1, plain), (1, fixed), (plain, 1)),
    ]
    assert len({entry_points.shape_of([value]) for value in different}) == len(different)
    assert entry_points.kinds_of([plain.astype(">i8")]) is None
    assert entry_points.kinds_of([1 << 64]) is None
    assert entry_points.kinds_of(["text"]) is None


@pytest.mark.slow
def test_a_process_that_finds_its_kernels_does_not_import_numba(tmp_path: Path) -> None:
    asked = PROBE + "import sys; print([name for name in ('numba', 'scipy') if name in sys.modules])"
    first, second = (python(asked, tmp_path / "cache") for _ in range(2))
    assert (first.stdout.splitlines()[0], first.stderr) == (f"{1 << 13} 42 0 0", "")
    assert (second.stdout, second.stderr) == (f"{1 << 13} 42 1 1\n[]\n", "")
