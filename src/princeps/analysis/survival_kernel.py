"""One step of survival: who is still held after k steps, and who is lost in the next. Only sums of positive numbers.

Every value is a sum of products of numbers that are not negative, so that a step adds at most (terms + 4) roundings to
the relative error of a value, however small it is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.lowering.jit import njit


@njit(cache=True)
def step(offsets: Any, successors: Any, weights: Any, total: float, given: Any, held: Any, lost: Any, held_next: Any,
         lost_next: Any, time: Any) -> None:  # fmt: skip
    """held_next = P held and lost_next[m] = P lost[m] on all states that are not given; held is added to time."""
    modes = lost.shape[0]
    for x in range(held.size):
        if given[x]:
            continue
        time[x] += held[x]
        stay = total
        alive = 0.0
        for k in range(offsets[x], offsets[x + 1]):
            y = successors[k]
            w = float(weights[k]) if weights.size > 0 else 1.0
            stay -= w  # integers below 2^53: exact
            alive += w * held[y]
        held_next[x] = (alive + stay * held[x]) / total
        for m in range(modes):
            more = 0.0
            for k in range(offsets[x], offsets[x + 1]):
                w = float(weights[k]) if weights.size > 0 else 1.0
                more += w * lost[m, successors[k]]
            lost_next[m, x] = (more + stay * lost[m, x]) / total


@njit(cache=True)
def remaining(begins: Any, order: Any, component_of: Any, offsets: Any, successors: Any, weights: Any, total: float,
              given: Any, held: Any, lost: Any, tiny: float, low: Any, high: Any, depth: Any) -> None:  # fmt: skip
    """Bounds of the expected steps that remain to whoever is still held, one for each component, sinks first.

    If g = H held, with one H a component, then g - P g is at most held in x (at least, for the other bound) if and only if

        H (lost(x) + sum of p held(y)) is at most held(x) + sum of p H(y) held(y), over the steps to y of other components.

    A component where hardly anybody is held any more keeps its bounds, together with those of what it can reach: what
    remains to whoever is held later is a mean of what remained to those who were held earlier. `depth`: how many
    components one after the other a state's bounds depend on, which is how often roundings add up.
    """
    modes = lost.shape[0]
    for c in range(begins.size - 1):
        below, above = np.inf, 0.0
        kept_below, kept_above, most = np.inf, 0.0, 0.0
        deepest = 0
        for i in range(begins[c], begins[c + 1]):
            x = order[i]
            if given[x]:
                continue
            kept_below, kept_above, most = min(kept_below, low[x]), max(kept_above, high[x]), max(most, held[x])
            divisor, least, largest = 0.0, held[x], held[x]
            for m in range(modes):
                divisor += lost[m, x]
            for k in range(offsets[x], offsets[x + 1]):
                y = successors[k]
                if given[y] or component_of[y] == c:
                    continue
                kept_below, kept_above = min(kept_below, low[y]), max(kept_above, high[y])
                deepest = max(deepest, depth[y])
                if held[y] > 0.0:
                    p = weights[k] / total
                    divisor += p * held[y]
                    least += p * held[y] * low[y]
                    largest += p * held[y] * high[y]
            if held[x] > 0.0:
                below = min(below, least / divisor if divisor > 0.0 else np.inf)
                above = max(above, largest / divisor if divisor > 0.0 else np.inf)
        if most < tiny:
            below, above = kept_below, kept_above
        elif below == np.inf:
            below = 0.0
        for i in range(begins[c], begins[c + 1]):
            low[order[i]], high[order[i]], depth[order[i]] = below, above, deepest + 1
