"""128-bit arithmetic against Python's integers, and uniform draws below such numbers."""

from __future__ import annotations

import random

import numpy as np
import pytest
from scipy.stats import chi2

from princeps.lowering import wide
from princeps.lowering.jit import njit
from princeps.model.randomness import seed_words
from tests.tables import in_one_test

WORD = 1 << 64
EDGES = [0, 1, 2, 10**15, 2**32 - 1, 2**32, 2**63, 2**64 - 1]


def value(pair: tuple[int, int]) -> int:
    return (int(pair[0]) << 64) + int(pair[1])


def halves(number: int) -> tuple[np.uint64, np.uint64]:
    return np.uint64(number >> 64), np.uint64(number % WORD)


@njit
def multiply(a: np.uint64, b: np.uint64) -> tuple[np.uint64, np.uint64]:
    return wide.product(a, b)  # type: ignore[no-any-return]


@njit
def add(a: np.uint64, b: np.uint64, c: np.uint64, d: np.uint64) -> tuple[np.uint64, np.uint64]:
    return wide.plus(a, b, c, d)  # type: ignore[no-any-return]


@njit
def subtract(a: np.uint64, b: np.uint64, c: np.uint64, d: np.uint64) -> tuple[np.uint64, np.uint64]:
    return wide.minus(a, b, c, d)  # type: ignore[no-any-return]


@njit
def below(rng: np.ndarray, high: np.uint64, low: np.uint64) -> tuple[np.uint64, np.uint64]:
    return wide.wide_below(rng, high, low)  # type: ignore[no-any-return]


@pytest.mark.medium
def test_products_sums_and_differences() -> None:
    draw = random.Random(1)
    numbers = EDGES + [draw.randrange(WORD) for _ in range(40)]
    for a in numbers:
        for b in numbers:
            product = value(multiply(np.uint64(a), np.uint64(b)))
            assert product == a * b
            other = draw.randrange(WORD * WORD - product)
            assert value(add(*halves(product), *halves(other))) == product + other
            assert value(subtract(*halves(product + other), *halves(other))) == product


@pytest.mark.medium
@in_one_test("bound", [7, 2**64 - 5, 2**64, 3 * 2**64 + 11, 10**30, 2**100 + 1])
def test_draws_are_uniform(bound: int) -> None:
    """Twenty equal parts of the range, and the remainders by 17."""
    rng = np.array(seed_words(1, 0, "wide"), dtype=np.uint64)
    count = 40_000
    draws = [value(below(rng, *halves(bound))) for _ in range(count)]
    assert all(0 <= draw < bound for draw in draws)
    parts = min(20, bound)
    for size, key in (
        (parts, [draw * parts // bound for draw in draws]),
        (min(17, bound), [draw % 17 for draw in draws]),
    ):
        seen = np.bincount(key, minlength=size)
        statistic = float(((seen - count / size) ** 2 / (count / size)).sum())
        assert chi2.sf(statistic, size - 1) > 1e-6
