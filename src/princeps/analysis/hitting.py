"""Expected steps until the target, from every configuration, with a proof of how far the floating-point answer is off.

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
from princeps.analysis.progress import Observer, silence
from princeps.lowering.cache import kernel_module

PORTION = 1 << 22
TOLERANCE = 1e-13
WANTED = 1e-9  # relative width with which we are content
PATIENCE = 200  # sweeps of a component before another way is tried
LARGEST_ELIMINATED = 4_000  # states of a component that are eliminated one by one (seconds)
LARGEST_FACTORISED = 8_000  # states of one that is factorised, less accurately, as a start for more sweeps
MOST_UPDATES = 20_000_000_000  # of single values in one component: minutes

Interval = tuple[float, float]
Costs = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]
NONE: NDArray[np.float64] = np.zeros(0)


def kernel() -> Any:
    return kernel_module("princeps.analysis.hitting_kernel")


@dataclass(frozen=True)
class Times:
    """`values[x]`, infinite where the target may never be reached; the truth is in values / high .. values / low."""

    values: NDArray[np.float64]
    low: float
    high: float
    sweeps: int  # the most that a component took, added up over attempts

    def interval(self, value: float, terms: int = 1) -> Interval:
        """Where the true value is, for a computed one or a weighted mean of `terms` of them."""
        if value in (0.0, inf):
            return value, value
        slack = 2.0**-52 * (terms.bit_length() + 8)  # numpy adds in pairs
        return (
            nextafter(value / self.high * (1 - slack), 0.0),
            nextafter(value / self.low * (1 + slack), inf) if self.low > 0 else inf,
        )

    def bounds(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Where the true values of all configurations are."""
        above = self.values / self.low * (1 + 2.0**-51) if self.low > 0 else np.full_like(self.values, inf)
        return self.values / self.high * (1 - 2.0**-51), above


def expected_times(
    parts: Components,
    target: Bits,
    certain: Bits,
    costs: Costs | None = None,
    observer: Observer = silence,
) -> Times:
    """The certified solution; `certain`: states from which the target is reached with probability 1.

    A state costs 1 a step, or about as much as is given, with bounds below and above.
    """
    low, middle, high = costs or (NONE, NONE, NONE)
    values = np.ones(parts.chain.size)
    values[target] = 0.0
    values[~certain] = inf
    solved = target | ~certain
    sweeps, tolerance = 0, TOLERANCE
    for attempt in range(4):
        sweeps += _solve(parts, solved, middle, values, tolerance, observer)
        bounds = certify(parts.chain, solved, values, (low, high), observer)
        noise = 2.0**-46 * float(values[certain].max(initial=1.0))  # no solution in double precision is better
        if bounds[1] - bounds[0] <= max(WANTED, noise) or attempt == 3:
            break
        tolerance /= 30
    return Times(values, *bounds, sweeps)


def _solve(parts: Components, solved: Bits, costs: Any, values: Any, tolerance: float, observer: Observer) -> int:
    """Sweeps; a component that takes too many of them is solved directly, or given up if it is too large for that."""
    chain, at = parts.chain, np.zeros(3, np.int64)
    patience, slow = PATIENCE, -1
    while True:
        status = kernel().solve(
            *(parts.begins, parts.order, chain.offsets, chain.successors, chain.weights, float(chain.total)),
            *(costs, solved, values, tolerance, at, patience, PORTION),
        )
        if status == 1:
            return int(at[2])
        part = int(at[0])
        observer("solving", int(parts.begins[part]), chain.size)
        if part != slow:
            patience = PATIENCE  # the one that had more of it is done
        if status == 0:
            continue
        size = int(parts.begins[part + 1] - parts.begins[part])
        if size <= LARGEST_ELIMINATED:
            _eliminate(parts, part, solved, costs, values)
        elif part != slow:
            if size <= LARGEST_FACTORISED:
                _factorise(parts, part, solved, costs, values)
            slow, patience = part, max(2 * PATIENCE, MOST_UPDATES // size)
            continue
        at[0], at[1], patience = part + 1, 0, PATIENCE  # as good as it gets: the certificate tells how good


def _eliminate(parts: Components, part: int, solved: Bits, costs: Any, values: Any) -> None:
    chain = parts.chain
    states = parts.order[parts.begins[part] : parts.begins[part + 1]]
    states = states[~solved[states]]
    place = np.full(chain.size, -1, np.int32)
    place[states] = np.arange(len(states), dtype=np.int32)
    inside = np.zeros((len(states), len(states)))
    kernel().eliminate(
        *(states, place, chain.offsets, chain.successors, chain.weights, float(chain.total), costs, values, inside)
    )


def _factorise(parts: Components, part: int, solved: Bits, costs: Any, values: Any) -> None:
    """One component by a sparse factorisation, where sweeping would take long; the sweeps that follow polish it."""
    from scipy.sparse import csc_matrix
    from scipy.sparse.linalg import splu

    chain = parts.chain
    states = parts.order[parts.begins[part] : parts.begins[part + 1]]
    states = states[~solved[states]]
    place = {int(x): k for k, x in enumerate(states)}
    rows, columns, entries = [], [], []
    right = np.empty(len(states))
    for k, x in enumerate(states):
        leaving = 0
        right[k] = chain.total * (costs[x] if len(costs) else 1.0)
        for y, w in chain.steps(int(x)):
            leaving += w
            if y in place:
                rows.append(k)
                columns.append(place[y])
                entries.append(-float(w))
            else:
                right[k] += w * values[y]
        rows.append(k)
        columns.append(k)
        entries.append(float(leaving))
    matrix = csc_matrix((entries, (rows, columns)), shape=(len(states), len(states)))
    try:
        found = splu(matrix).solve(right)
    except RuntimeError:  # singular as far as rounding can tell: sweeping goes on from where it was
        return
    if np.isfinite(found).all() and (found >= 0).all():
        values[states] = found


def certify(
    chain: Chain, solved: Bits, values: NDArray[np.float64], costs: tuple[Any, Any], observer: Observer = silence
) -> Interval:
    """The smallest and largest g of all states that are not given; (1, 1) if there are none."""
    bounds = np.array([inf, -inf])
    for first in range(0, chain.size, PORTION):
        kernel().residuals(
            *(first, min(chain.size, first + PORTION), chain.offsets, chain.successors, chain.weights),
            *(float(chain.total), *costs, solved, values, bounds),
        )
        observer("certifying", first, chain.size)
    if bounds[0] > bounds[1]:
        return 1.0, 1.0
    low, high = float(bounds[0]), float(bounds[1])
    return (low, high) if low > 0 else (0.0, max(high, 0.0))  # no super-solution: the upper bound is infinite


def second_moments(parts: Components, target: Bits, certain: Bits, times: Times, observer: Observer = silence) -> Times:
    """E[T^2] from every configuration: a step from x costs 2 E[T] - 1."""
    low, high = times.bounds()
    given = target | ~certain
    below, about, above = (np.where(given, 1.0, np.maximum(2 * f - 1, 1.0)) for f in (low, times.values, high))
    return expected_times(parts, target, certain, (below, about, above), observer)


def probabilities(
    parts: Components, target: Bits, times: Times, boundary: NDArray[np.float64], observer: Observer = silence
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The expected value of `boundary` at the configuration where the target is first met, and how far it may be off.

    If a function differs from its own expectation one step later by at most e, it differs from the truth by at most e
    times the expected number of steps.
    """
    chain = parts.chain
    values = np.where(target, boundary, 0.0)
    given = target | np.isinf(times.values)  # behind the target there may be no way to it
    _solve(parts, given, np.zeros(chain.size), values, TOLERANCE, observer)
    off = 0.0
    for first in range(0, chain.size, PORTION):
        last = min(chain.size, first + PORTION)
        more = kernel().drift(
            *(first, last, chain.offsets, chain.successors, chain.weights, float(chain.total), given, values)
        )
        off = max(off, float(more))
    bound = np.where(given, 0.0, times.values)  # 0 off at the target, however wide the certificate is
    return values, np.where(bound > 0, off * times.bounds()[1], 0.0) if off > 0 else bound * 0.0
