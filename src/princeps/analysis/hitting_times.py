"""Expected steps until the target, from every configuration, with proved bounds of the error of the floating-point answer.

Let f be the computed values and g(x) = (f(x) - expected f after one step) / cost(x), which would be 1 everywhere if f
were exact. If low <= g <= high, then f / high is a sub-solution and f / low a super-solution of the equations: dividing
f by high makes every g at most 1, so that f / high never exceeds the true values, and likewise from above. So the true
value of every configuration lies in f / high .. f / low. `low` and `high` are computed with all roundings outwards.
A wrong f has a wide interval, never a wrong one; it needs that the target is reached for certain, which the graph of
steps decides without any arithmetic.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nextafter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from princeps.analysis.chain import Bits, Chain
from princeps.analysis.components import Components
from princeps.analysis.progress import ProgressCallback, no_progress
from princeps.analysis.solver import solve
from princeps.lowering.cache import kernel_module

PORTION = 1 << 22  # states between two reports of progress
TOLERANCE = 1e-13  # relative change of values at which sweeps end; tightened by TIGHTENED after a wide certificate
TIGHTENED = 30
ATTEMPTS = 4
WIDTH_WANTED = 1e-9  # relative width of the interval at which no further attempt is made

Interval = tuple[float, float]
StateCosts = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]
UNIT_COSTS: NDArray[np.float64] = np.zeros(0)  # each step costs 1


def kernel() -> Any:
    return kernel_module("princeps.analysis.hitting_times_kernel")


@dataclass(frozen=True)
class CertifiedTimes:
    """`values[x]`, infinite where the target may never be reached; the true values lie in values / high .. values / low."""

    values: NDArray[np.float64]
    low: float
    high: float
    sweeps: int  # the largest number for a component, summed over attempts

    def interval(self, value: float, terms: int = 1) -> Interval:
        """The interval of the true value, for a computed one or a weighted mean of `terms` of them."""
        if value in (0.0, inf):
            return value, value
        slack = 2.0**-52 * (terms.bit_length() + 8)  # numpy adds in pairs
        return (
            nextafter(value / self.high * (1 - slack), 0.0),
            nextafter(value / self.low * (1 + slack), inf) if self.low > 0 else inf,
        )

    def bounds(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Lower and upper bounds of the true values of all configurations."""
        above = self.values / self.low * (1 + 2.0**-51) if self.low > 0 else np.full_like(self.values, inf)
        return self.values / self.high * (1 - 2.0**-51), above


def expected_times(
    components: Components,
    target: Bits,
    certain: Bits,
    costs: StateCosts | None = None,
    progress: ProgressCallback = no_progress,
) -> CertifiedTimes:
    """The certified solution; `certain`: states from which the target is reached with probability 1.

    A state costs 1 a step, or about as much as is given, with bounds below and above.
    """
    low, middle, high = costs or (UNIT_COSTS, UNIT_COSTS, UNIT_COSTS)
    values = np.ones(components.chain.size)
    values[target] = 0.0
    values[~certain] = inf
    solved = target | ~certain
    sweeps, tolerance = 0, TOLERANCE
    for attempt in range(ATTEMPTS):
        sweeps += solve(components, solved, middle, values, tolerance, progress)
        bounds = certify(components.chain, solved, values, (low, high), progress)
        noise = 2.0**-46 * float(values[certain].max(initial=1.0))  # no solution in double precision is better
        if bounds[1] - bounds[0] <= max(WIDTH_WANTED, noise) or attempt == ATTEMPTS - 1:
            break
        tolerance /= TIGHTENED
    return CertifiedTimes(values, *bounds, sweeps)


def certify(
    chain: Chain,
    solved: Bits,
    values: NDArray[np.float64],
    costs: tuple[Any, Any],
    progress: ProgressCallback = no_progress,
) -> Interval:
    """The smallest and largest g of all states that are not given; (1, 1) if there are none."""
    bounds = np.array([inf, -inf])
    for first in range(0, chain.size, PORTION):
        kernel().residuals(
            *(first, min(chain.size, first + PORTION), chain.offsets, chain.successors, chain.weights),
            *(float(chain.total), *costs, solved, values, bounds),
        )
        progress("certifying", first, chain.size)
    if bounds[0] > bounds[1]:
        return 1.0, 1.0
    low, high = float(bounds[0]), float(bounds[1])
    return (low, high) if low > 0 else (0.0, max(high, 0.0))  # no super-solution: the upper bound is infinite


def second_moments(
    components: Components, target: Bits, certain: Bits, times: CertifiedTimes, progress: ProgressCallback = no_progress
) -> CertifiedTimes:
    """E[T^2] from every configuration: a step from x costs 2 E[T] - 1."""
    low, high = times.bounds()
    given = target | ~certain
    below, about, above = (np.where(given, 1.0, np.maximum(2 * f - 1, 1.0)) for f in (low, times.values, high))
    return expected_times(components, target, certain, (below, about, above), progress)


def probabilities(
    components: Components,
    target: Bits,
    times: CertifiedTimes,
    boundary: NDArray[np.float64],
    progress: ProgressCallback = no_progress,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The expected value of `boundary` at the configuration where the target is first reached, and a bound of its error.

    If a function differs from its own expectation one step later by at most e, it differs from the truth by at most e
    times the expected number of steps.
    """
    chain = components.chain
    values = np.where(target, boundary, 0.0)
    given = target | np.isinf(times.values)  # after the target there may be states that cannot reach it again
    solve(components, given, np.zeros(chain.size), values, TOLERANCE, progress)
    error = 0.0
    for first in range(0, chain.size, PORTION):
        last = min(chain.size, first + PORTION)
        more = kernel().drift(
            *(first, last, chain.offsets, chain.successors, chain.weights, float(chain.total), given, values)
        )
        error = max(error, float(more))
    bound = np.where(given, 0.0, times.values)  # no error at the target, however wide the certificate is
    return values, np.where(bound > 0, error * times.bounds()[1], 0.0) if error > 0 else bound * 0.0
