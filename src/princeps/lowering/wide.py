"""Unsigned 128-bit numbers as (high, low): how many ordered pairs there are among 10^15 agents."""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.lowering.chance import multiply_high, next_below, next_word
from princeps.lowering.jit import njit


@njit
def product(a: Any, b: Any) -> Any:
    return multiply_high(np.uint64(a), np.uint64(b)), np.uint64(a) * np.uint64(b)


@njit
def plus(high: Any, low: Any, more_high: Any, more_low: Any) -> Any:
    total = low + more_low
    return high + more_high + np.uint64(total < low), total


@njit
def is_less(high: Any, low: Any, other_high: Any, other_low: Any) -> bool:
    return high < other_high or (high == other_high and low < other_low)


@njit
def minus(high: Any, low: Any, less_high: Any, less_low: Any) -> Any:
    return high - less_high - np.uint64(low < less_low), low - less_low


@njit
def as_float(high: Any, low: Any) -> float:
    return np.float64(high) * 2.0**64 + np.float64(low)


@njit
def wide_below(rng: Any, high: Any, low: Any) -> Any:
    """Uniform below (high, low), exactly: as many random bits as it has, until they are below it."""
    if high == 0:
        return np.uint64(0), next_below(rng, low)
    mask = high
    for shift in (1, 2, 4, 8, 16, 32):
        mask |= mask >> np.uint64(shift)
    while True:
        first, rng[0], rng[1], rng[2], rng[3] = next_word(rng[0], rng[1], rng[2], rng[3])
        second, rng[0], rng[1], rng[2], rng[3] = next_word(rng[0], rng[1], rng[2], rng[3])
        first &= mask
        if is_less(first, second, high, low):
            return first, second
