"""Times until a rare loss, with proved bounds whose relative width does not depend on how rare it is.

Let held_k(x) be the probability that nothing is lost in k steps from x, lost_k(x) that it is lost in the step after
them, and time_k(x) = held_0(x) + ... + held_(k-1)(x). The function f = time_k + H held_k satisfies

    f - P f = 1 - held_k + H lost_k,

which is at least 1 everywhere if H is at least held_k / lost_k everywhere, and at most 1 if H is at most that. So the
expected time from x lies between time_k(x) + held_k(x) H for the smallest and the largest ratio held_k / lost_k. The
ratios approach one another as the chain forgets its start; their common limit is 1 / lambda, lambda the quasi-stationary
rate of loss. A component that the chain may leave before the loss, to one where it is doomed, has an H of its own, which
the kernel derives from those of the components below.

Nothing is subtracted: held_(k+1) = P held_k and lost_(k+1) = P lost_k, from 1 and the probability of a loss in one step.
(The certificate of hitting_times.py subtracts neighbouring values, which a time of 10^16 leaves no digits for.)
A little idling is added to every state, so that a chain with a period forgets its start, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from princeps.analysis.chain import Bits, Chain
from princeps.analysis.components import Components
from princeps.analysis.progress import ProgressCallback, no_progress
from princeps.lowering.cache import kernel_module

IDLE = 16  # a state idles in one of so many steps
BETWEEN_TESTS = 32  # steps after which the ratios are compared
WIDTH_WANTED = 1e-12  # relative: of the ratios
MAX_WORK = 40_000_000_000  # products: minutes
PATIENCE = 4096  # steps, after which the interval must be half as wide as after half of them
UNDERFLOW = 1e-290  # below, a double has fewer digits
TINY = 1e-60  # where so few are still held, what remains to them no longer matters
ROUNDING = 2.0**-53

Floats = NDArray[np.float64]


def kernel() -> Any:
    return kernel_module("princeps.analysis.survival_kernel")


@dataclass(frozen=True)
class Survival:
    """Of every state the expected steps until a loss, enclosed; of every kind of loss the probability in a step, once
    nothing has been lost for long."""

    low: Floats
    high: Floats
    held: Floats  # after `steps` steps, of which some idle
    lost: Floats  # in the step after them, by kind of loss
    steps: int
    error: float  # bound of the relative rounding error of held and lost

    def rates(self, states: Any) -> list[tuple[float, float]]:
        """By kind of loss: the smallest and largest rate among these states, which enclose the quasi-stationary one if
        all of them are reached from one another."""
        held, scale = self.held[states], (IDLE + 1) / IDLE
        alive = held > TINY
        found = [lost[states][alive] / held[alive] * scale for lost in self.lost]
        return [(float(r.min()) * (1 - self.error), float(r.max()) * (1 + self.error)) for r in found]


def survival(
    components: Components,
    chosen: Bits,
    losses: Floats,
    progress: ProgressCallback = no_progress,
    max_work: int = MAX_WORK,
) -> Survival:
    """`losses[m][x]`: the weight of the steps from x that are losses of kind m. Such steps lead out of `chosen`, which no
    other step leaves."""
    chain = components.chain
    total = chain.total * IDLE  # weights times IDLE, of a total times IDLE + 1
    idle = Chain(chain.offsets, chain.successors, _weights(chain), chain.changes_output, total + chain.total)
    given = ~chosen
    held, lost = np.where(chosen, 1.0, 0.0), np.where(chosen, losses * IDLE / idle.total, 0.0)
    held_next, lost_next, time = held.copy(), lost.copy(), np.zeros(chain.size)
    low, high, depth = np.zeros(chain.size), np.full(chain.size, inf), np.zeros(chain.size, np.int32)
    work = (1 + len(losses)) * (len(chain.successors) + chain.size)
    degree = int(np.diff(chain.offsets).max(initial=1))
    steps, narrowest, widths = 0, inf, [inf]
    best = Survival(np.zeros(chain.size), np.full(chain.size, inf), held, lost, 0, 0.0)
    while steps * work <= max_work:
        for _ in range(BETWEEN_TESTS):
            kernel().step(
                *(idle.offsets, idle.successors, idle.weights, float(idle.total), given),
                *(held, lost, held_next, lost_next, time),
            )
            held, held_next, lost, lost_next = held_next, held, lost_next, lost
        steps += BETWEEN_TESTS
        progress("following the survival", steps, 0)
        kernel().remaining(
            *(components.begins, components.order, components.component_of),
            *(
                idle.offsets,
                idle.successors,
                idle.weights,
                float(idle.total),
                given,
                held,
                lost,
                TINY,
                low,
                high,
                depth,
            ),
        )
        error = (2 * steps + 4 * int(depth.max()) + 8) * (degree + 6) * ROUNDING
        many = chosen & (held >= TINY)
        too_rare = bool(((lost > 0) & (lost < UNDERFLOW))[:, many].any())
        below, above, some = time.copy(), time.copy(), chosen & (held > 0)
        below[some] += held[some] * low[some]
        above[some] += held[some] * (inf if too_rare else high[some])
        width = float((above[chosen] / below[chosen]).max(initial=1.0)) - 1.0
        widths.append(width)
        if width < narrowest:
            scale = IDLE / (IDLE + 1)  # idling makes everything take longer
            narrowest = width
            low_times, high_times = below * scale * (1 - error), above * scale * (1 + error)
            best = Survival(low_times, high_times, held.copy(), lost.copy(), steps, error)
        if width <= max(WIDTH_WANTED, error / 4) or too_rare:
            break
        if steps >= PATIENCE and not width < widths[len(widths) // 2] / 2:
            break  # it forgets its start too slowly, as where it can be caught for long
    return best


def _weights(chain: Chain) -> NDArray[np.int64]:
    return (chain.weights if len(chain.weights) else np.ones(len(chain.successors), np.int64)) * IDLE
