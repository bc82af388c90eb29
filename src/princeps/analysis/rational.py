"""Expected hitting times and probabilities as exact fractions.

The equations are solved one strongly connected component after the other, sinks first; see linear_systems.py for how
the equations of one component are solved.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from princeps.analysis.chain import Bits, Chain
from princeps.analysis.linear_systems import LinearSystem, solution
from princeps.errors import TooLarge

MAX_COMPONENT = 6_000  # states: seconds with small weights, two minutes on a grid with weights up to 1000


def hitting_times(
    chain: Chain,
    target: Bits,
    component_of: NDArray[np.int32],
    progress: Callable[[int, int], None] | None = None,
    given: Sequence[Fraction] | None = None,
) -> list[Fraction]:
    """Expected steps until the target, which every state must reach; no step leads to a component of a higher number.

    If values of the target's states are given, their expectation where the target is first reached, and steps cost
    nothing.
    """
    states = np.flatnonzero(~target)
    largest_size = int(np.bincount(component_of[states]).max(initial=0))
    if largest_size > MAX_COMPONENT:
        raise TooLarge(
            f"the largest component has {largest_size:,} configurations, too many for exact fractions "
            f"(at most {MAX_COMPONENT:,}): leave --rational out for a certified interval."
        )
    states = states[np.argsort(component_of[states], kind="stable")]
    cuts = [*np.unique(component_of[states], return_index=True)[1].tolist(), len(states)]
    equations, percent = _Equations(chain, given), 0
    for begin, end in pairwise(cuts):
        equations.solve(states[begin:end].tolist())
        if progress is not None and 100 * end // len(states) > percent:
            percent = 100 * end // len(states)
            progress(end, len(states))
    return equations.times


class _Equations:
    """The equations of all hitting times, solved component by component."""

    def __init__(self, chain: Chain, given: Sequence[Fraction] | None) -> None:
        self.cost = chain.total if given is None else 0
        self.offsets: list[int] = chain.offsets.tolist()
        self.successors: list[int] = chain.successors.tolist()
        self.weights: list[int] = chain.weights.tolist() or [1] * len(self.successors)
        self.times = [Fraction(0)] * chain.size if given is None else list(given)

    def solve(self, states: list[int]) -> None:
        """Compute the times of the states of one component; those of the states it leads to are known."""
        index = {x: i for i, x in enumerate(states)}
        rows: list[dict[int, int]] = [{} for _ in states]
        exits: list[dict[int, int]] = [{} for _ in states]
        for i, x in enumerate(states):
            for k in range(self.offsets[x], self.offsets[x + 1]):
                y = self.successors[k]
                if y != x:
                    side, key = (rows[i], index[y]) if y in index else (exits[i], y)
                    side[key] = side.get(key, 0) + self.weights[k]
        diagonal = [sum(row.values()) + sum(out.values()) for row, out in zip(rows, exits, strict=True)]
        # Where all exits have the same time, the time until the exit does not depend on it: far smaller numbers.
        after = {y: self.times[y] for out in exits for y in out}
        first = next(iter(after.values()), Fraction(0))
        if all(time == first for time in after.values()):
            if not self.cost:
                for x in states:
                    self.times[x] = first
                return
            scale, right = 1, [self.cost] * len(states)
        else:
            first = Fraction(0)
            scale = math.lcm(*{time.denominator for time in after.values()})
            scaled = {y: time.numerator * (scale // time.denominator) for y, time in after.items()}
            right = [self.cost * scale + sum(w * scaled[y] for y, w in out.items()) for out in exits]
        numerators, denominator = solution(LinearSystem(rows, diagonal, right))
        for x, numerator in zip(states, numerators, strict=True):
            time = Fraction(numerator, denominator * scale)
            self.times[x] = time + first if first else time


def largest(values: Sequence[Fraction]) -> Fraction:
    """The maximum. Their integer parts after 64 binary places decide almost always, without products of long numbers."""
    keys = [(value.numerator << 64) // value.denominator for value in values]
    highest = max(keys)
    return max(value for value, key in zip(values, keys, strict=True) if key == highest)


def weighted_mean(values: Sequence[Fraction], multiplicities: Sequence[int] | NDArray[Any]) -> Fraction:
    """Equal denominators are summed first, then denominators next to each other in size: they share most factors."""
    sums: dict[int, int] = {}
    for value, times in zip(values, multiplicities, strict=True):
        sums[value.denominator] = sums.get(value.denominator, 0) + int(times) * value.numerator
    fractions = sorted(sums.items())
    while len(fractions) > 1:
        added = map(_sum, fractions[::2], fractions[1::2])
        fractions = [*added, *fractions[len(fractions) & ~1 :]]
    denominator, numerator = fractions[0]
    return Fraction(numerator, denominator * sum(map(int, multiplicities)))


def _sum(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """Of two fractions, each a denominator and a numerator."""
    common = math.lcm(one[0], other[0])
    return common, one[1] * (common // one[0]) + other[1] * (common // other[0])
