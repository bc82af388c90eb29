"""Numbers of steps as pairs of 62-bit digits, high and low: they outgrow 64 bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.lowering.jit import njit
from princeps.lowering.variates import trials_wide

DIGIT = 1 << 62


@njit
def less(high: int, low: int, by_high: int, by_low: int) -> Any:
    """A difference of two numbers of steps."""
    high, low = high - by_high, low - by_low
    if low < 0:
        return high - 1, low + DIGIT
    return high, low


@njit
def steps_of(rng: Any, interactions: int, share: float) -> Any:
    """The number of steps in which this many interactions happen, each step with this probability."""
    if share >= 1.0 or interactions == 0:
        return np.int64(0), np.int64(interactions)
    return trials_wide(rng, interactions, share)
