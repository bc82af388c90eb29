"""The test that certifies expected costs, and the distribution of the hitting time, one step after the other.

Roundings are bounded: every interval that is computed here contains the exact value.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.lowering.jit import njit

ROUND = 2.0**-52  # twice the relative error of one rounded operation


@njit
def imbalance(x: int, offsets: Any, successors: Any, weights: Any, f: Any) -> Any:
    """The sum of w (f(x) - f(y)) over the steps from x, and how far roundings may have moved it: each difference and
    product is within ROUND of its magnitude, and so is each addition; the errors are added up as magnitudes."""
    sum_, size, terms = 0.0, 0.0, 4
    for k in range(offsets[x], offsets[x + 1]):
        y = successors[k]
        if y != x:
            w = float(weights[k]) if weights.size > 0 else 1.0
            term = w * (f[x] - f[y])
            sum_ += term
            size += abs(term)
            terms += 1
    return sum_, ROUND * terms * size


@njit(cache=True)
def residuals(first: int, last: int, offsets: Any, successors: Any, weights: Any, total: float, costs_low: Any,
              costs_high: Any, solved: Any, f: Any, bounds: Any) -> None:  # fmt: skip
    """Widen bounds to hold (f - P f) / cost of all states first..last-1, all roundings outwards."""
    low, high = bounds[0], bounds[1]
    for x in range(first, last):
        if solved[x]:
            continue
        sum_, error = imbalance(x, offsets, successors, weights, f)
        cost_low = costs_low[x] if costs_low.size > 0 else 1.0
        cost_high = costs_high[x] if costs_high.size > 0 else 1.0
        below, above = (sum_ - error) / total, (sum_ + error) / total
        below = min(below / cost_low, below / cost_high)
        above = max(above / cost_low, above / cost_high)
        if not (np.isfinite(below) and np.isfinite(above)):  # such values prove nothing
            low, high = -np.inf, np.inf
        low = min(low, below - 4 * ROUND * abs(below))
        high = max(high, above + 4 * ROUND * abs(above))
    bounds[0], bounds[1] = low, high


@njit(cache=True)
def one_more_step(offsets: Any, successors: Any, weights: Any, total: float, target: Any, within: Any,
                  out: Any) -> None:  # fmt: skip
    """The probabilities to reach the target within t + 1 steps, from those within t steps."""
    for x in range(within.size):
        if target[x]:
            out[x] = 1.0
            continue
        leaving, sum_ = 0.0, 0.0
        for k in range(offsets[x], offsets[x + 1]):
            y = successors[k]
            if y != x:
                w = float(weights[k]) if weights.size > 0 else 1.0
                leaving += w
                sum_ += w * within[y]
        out[x] = (sum_ + (total - leaving) * within[x]) / total


@njit(cache=True)
def drift(first: int, last: int, offsets: Any, successors: Any, weights: Any, total: float, solved: Any,
          f: Any) -> float:  # fmt: skip
    """The largest |f - P f| of states that are not given, roundings added."""
    largest = 0.0
    for x in range(first, last):
        if solved[x]:
            continue
        sum_, error = imbalance(x, offsets, successors, weights, f)
        largest = max(largest, (abs(sum_) + error) / total * (1 + ROUND))
    return largest
