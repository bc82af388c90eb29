"""The probability that a set is visited within so many steps, one step after the other."""

from __future__ import annotations

from typing import Any

from princeps.lowering.jit import njit


@njit(cache=True)
def follow(offsets: Any, successors: Any, weights: Any, stays: Any, total: float, open_states: Any, now: Any, then: Any,
           steps: int) -> int:  # fmt: skip
    """Up to `steps` steps for the open states; how many were done before nothing changed any more.

    Both arrays hold the answer of all other states. The result is in `now`. Everything is added, nothing subtracted, so
    that the relative error of a value grows by a few roundings with each step, and no faster.
    """
    for done in range(steps):
        changed = False
        for k in range(open_states.size):
            x = open_states[k]
            sum_ = stays[k] * now[x]
            for place in range(offsets[x], offsets[x + 1]):
                y = successors[place]
                if y != x:
                    w = float(weights[place]) if weights.size > 0 else 1.0
                    sum_ += w * now[y]
            then[x] = sum_ / total
            changed = changed or then[x] != now[x]
        if not changed:
            return done
        for k in range(open_states.size):
            now[open_states[k]] = then[open_states[k]]
    return steps
