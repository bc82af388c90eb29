"""Expected costs until the target: sweeps over one component after the other, and elimination of a component.

The unknown f is 0 on the target; elsewhere total f(x) = total cost(x) + sum of weight f(y) + (the rest) f(x).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.analysis.codes import COMPONENT, MAX_SWEEP_COUNT, SLOW_COMPONENT, SOLVED, SWEEP, UNFINISHED
from princeps.lowering.jit import njit


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
          f: Any, tolerance: float, position: Any, max_sweeps: int, budget: int) -> int:  # fmt: skip
    """Go on for about `budget` updates: SOLVED when all components are, SLOW_COMPONENT if one takes too many sweeps.

    `solved` states keep their values. A component of many states is swept forwards and backwards in turn until no value
    changes by more than the tolerance.
    """
    c, sweep = position[COMPONENT], position[SWEEP]
    status = UNFINISHED
    while c < begins.size - 1 and status == UNFINISHED:
        first, last = begins[c], begins[c + 1]
        while True:
            change = 0.0
            for i in range(first, last):
                x = order[i if sweep % 2 == 0 else first + last - 1 - i]
                if solved[x]:
                    continue
                cost = costs[x] if costs.size > 0 else 1.0
                new = improved(x, offsets, successors, weights, total, cost, f)
                if new > 0.0:
                    change = max(change, abs(new - f[x]) / new)
                f[x] = new
            budget -= last - first
            sweep += 1
            position[MAX_SWEEP_COUNT] = max(position[MAX_SWEEP_COUNT], sweep)
            if last - first == 1 or change <= tolerance:
                c, sweep = c + 1, 0
                break
            if sweep >= max_sweeps:
                status = SLOW_COMPONENT
                break
            if budget <= 0:
                break
        if budget <= 0:
            break
    position[COMPONENT], position[SWEEP] = c, sweep
    return SOLVED if c == begins.size - 1 else status


@njit(cache=True)
def eliminate(states: Any, index: Any, offsets: Any, successors: Any, weights: Any, total: float, costs: Any, f: Any,
              inside: Any) -> None:  # fmt: skip
    """One component by eliminating its states (Grassmann, Taksar, Heyman): nothing is ever subtracted, so that every
    value is right to a few units in the last place however long the times are.

    `index[x]` is the index of x among `states`, -1 for all others; `inside` is a square of zeros.
    """
    m = states.size
    leaving, reward = np.zeros(m), np.zeros(m)
    for i in range(m):
        x = states[i]
        reward[i] = total * (costs[x] if costs.size > 0 else 1.0)
        for k in range(offsets[x], offsets[x + 1]):
            y = successors[k]
            w = float(weights[k]) if weights.size > 0 else 1.0
            if index[y] >= 0:
                inside[i, index[y]] += w
            elif y != x:
                leaving[i] += w
                reward[i] += w * f[y]
    divisor = np.empty(m)
    for s in range(m - 1, -1, -1):
        leaving_s = leaving[s]
        for j in range(s):
            leaving_s += inside[s, j]
        divisor[s] = leaving_s
        for i in range(s):
            share = inside[i, s] / leaving_s
            if share > 0.0:
                for j in range(s):
                    inside[i, j] += share * inside[s, j]
                leaving[i] += share * leaving[s]
                reward[i] += share * reward[s]
    for s in range(m):
        sum_ = reward[s]
        for j in range(s):
            sum_ += inside[s, j] * f[states[j]]
        f[states[s]] = sum_ / divisor[s]
