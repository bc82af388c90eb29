"""Expected costs until the target: sweeps over one component after the other, and the test that proves the answer.

The unknown f is 0 on the target; elsewhere total f(x) = total cost(x) + sum of weight f(y) + (the rest) f(x).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.lowering.jit import njit

COMPONENT, SWEEP, SWEEPS = 0, 1, 2  # places in `at`
ROUND = 2.0**-52  # twice the relative error of one rounded operation


@njit
def improved(x: int, offsets: Any, successors: Any, weights: Any, total: float, cost: float, f: Any) -> float:
    """f(x) from the values of its successors, without the steps that stay."""
    leaving, sum_ = 0.0, total * cost
    for k in range(offsets[x], offsets[x + 1]):
        y = successors[k]
        if y != x:
            w = float(weights[k]) if weights.size > 0 else 1.0
            leaving += w
            sum_ += w * f[y]
    return sum_ / leaving


@njit(cache=True)
def solve(begins: Any, order: Any, offsets: Any, successors: Any, weights: Any, total: float, costs: Any, solved: Any,
          f: Any, tolerance: float, at: Any, patience: int, budget: int) -> int:  # fmt: skip
    """Go on for about `budget` states: 1 when all components are solved, 2 if one takes too many sweeps, else 0.

    `solved` states keep their values. A component of many states is swept forth and back until no value changes by
    more than the tolerance.
    """
    c, sweep = at[COMPONENT], at[SWEEP]
    status = 0
    while c < begins.size - 1 and status == 0:
        first, last = begins[c], begins[c + 1]
        while True:
            change = 0.0
            for place in range(first, last):
                x = order[place if sweep % 2 == 0 else first + last - 1 - place]
                if solved[x]:
                    continue
                cost = costs[x] if costs.size > 0 else 1.0
                new = improved(x, offsets, successors, weights, total, cost, f)
                if new > 0.0:
                    change = max(change, abs(new - f[x]) / new)
                f[x] = new
            budget -= last - first
            sweep += 1
            at[SWEEPS] = max(at[SWEEPS], sweep)
            if last - first == 1 or change <= tolerance:
                c, sweep = c + 1, 0
                break
            if sweep >= patience:
                status = 2
                break
            if budget <= 0:
                break
        if budget <= 0:
            break
    at[COMPONENT], at[SWEEP] = c, sweep
    return 1 if c == begins.size - 1 else status


@njit(cache=True)
def eliminate(states: Any, place: Any, offsets: Any, successors: Any, weights: Any, total: float, costs: Any, f: Any,
              inside: Any) -> None:  # fmt: skip
    """One component by eliminating its states (Grassmann, Taksar, Heyman): nothing is ever subtracted, so that every
    value is right to a few units in the last place however long the times are.

    `place[x]` is the number of x among `states`, -1 for all others; `inside` is a square of zeros.
    """
    m = states.size
    leaving, reward = np.zeros(m), np.zeros(m)
    for i in range(m):
        x = states[i]
        reward[i] = total * (costs[x] if costs.size > 0 else 1.0)
        for k in range(offsets[x], offsets[x + 1]):
            y = successors[k]
            w = float(weights[k]) if weights.size > 0 else 1.0
            if place[y] >= 0:
                inside[i, place[y]] += w
            elif y != x:
                leaving[i] += w
                reward[i] += w * f[y]
    out = np.empty(m)
    for s in range(m - 1, -1, -1):
        ways = leaving[s]
        for j in range(s):
            ways += inside[s, j]
        out[s] = ways
        for i in range(s):
            share = inside[i, s] / ways
            if share > 0.0:
                for j in range(s):
                    inside[i, j] += share * inside[s, j]
                leaving[i] += share * leaving[s]
                reward[i] += share * reward[s]
    for s in range(m):
        sum_ = reward[s]
        for j in range(s):
            sum_ += inside[s, j] * f[states[j]]
        f[states[s]] = sum_ / out[s]


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
    """Widen bounds to hold (f - P f) / cost of all states first..last-1, every rounding taken against us."""
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
        if not (np.isfinite(below) and np.isfinite(above)):  # nothing is proved by such values
            low, high = -np.inf, np.inf
        low = min(low, below - 4 * ROUND * abs(below))
        high = max(high, above + 4 * ROUND * abs(above))
    bounds[0], bounds[1] = low, high


@njit(cache=True)
def spread(offsets: Any, successors: Any, weights: Any, total: float, target: Any, now: Any, after: Any) -> None:
    """after(x): the probability that one step later the target is reached if now(y) is that of the state after it."""
    for x in range(now.size):
        if target[x]:
            after[x] = 1.0
            continue
        leaving, sum_ = 0.0, 0.0
        for k in range(offsets[x], offsets[x + 1]):
            y = successors[k]
            if y != x:
                w = float(weights[k]) if weights.size > 0 else 1.0
                leaving += w
                sum_ += w * now[y]
        after[x] = (sum_ + (total - leaving) * now[x]) / total


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
