"""The hitting time of one set of configurations: is it finite, its mean, worst start, variance and distribution."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from princeps.analysis import rational
from princeps.analysis.chain import Bits
from princeps.analysis.components import Components, find_components
from princeps.analysis.counterexamples import Counterexample, path_to, reachable_before, single_configuration
from princeps.analysis.hitting_times import (
    CertifiedTimes,
    Interval,
    expected_times,
    kernel,
    probabilities,
    second_moments,
)
from princeps.analysis.state_space import StateSpace
from princeps.analysis.targets import SAFE

QUANTILES = (0.5, 0.9, 0.99)
QUANTILE_SLACK = 1e-12  # relative: sums of probabilities are rounded
SMALLEST_FLOAT = 5e-324


class HittingProblem:
    """The hitting time of one set from every configuration. Nothing is computed before it is asked for."""

    def __init__(self, space: StateSpace, target: str) -> None:
        self.space, self.name = space, target
        self.target: Bits = space.members(target)

    @cached_property
    def components(self) -> Components:
        """Components of the chain in which the target is absorbing; no step leaves the largest safe set anyway."""
        if self.name == SAFE:
            return self.space.components
        return find_components(self.space.chain, self.target, self.space.progress)

    @cached_property
    def can_reach(self) -> Bits:
        """Configurations from which the target can be reached."""
        return self.components.can_reach(self.target)

    @cached_property
    def certain(self) -> Bits:
        """Configurations from which the target is reached with probability 1."""
        return self.can_reach if self.can_reach.all() else self.components.reaches_only(self.can_reach)

    @cached_property
    def times(self) -> CertifiedTimes:
        return expected_times(self.components, self.target, self.certain, None, self.space.progress)

    @cached_property
    def second_moments(self) -> CertifiedTimes:
        return second_moments(self.components, self.target, self.certain, self.times, self.space.progress)

    # -- over the starts ----------------------------------------------------------------------------------------------

    @cached_property
    def start_distribution(self) -> NDArray[np.float64] | None:
        """The probability of each configuration under a uniform start; None if there is one start."""
        if self.space.start is not None:
            return None
        return normalised(self.space.multiplicity)

    def average(self, values: NDArray[np.float64]) -> float:
        """The expected value at the start."""
        if self.space.start is not None:
            return float(values[self.space.start])
        assert self.start_distribution is not None
        if not np.isfinite(values).all():
            return inf
        return float((values * self.start_distribution).sum())

    @property
    def mean(self) -> float:
        return self.average(self.times.values)

    @property
    def mean_interval(self) -> Interval:
        if self.space.start is not None:
            return self.times.interval(self.mean)
        low, high = self.times.interval(self.mean, self.space.size)
        underflow = self.space.size * SMALLEST_FLOAT * min(float(self.times.values.max()), 1e300)
        return low, high + underflow  # probabilities of single configurations may underflow

    @cached_property
    def visited(self) -> Bits:
        """Configurations that occur before or at the target; from a start this excludes what comes only after it."""
        if not (self.space.starts and self.space.complete):
            return np.ones(self.space.size, np.bool_)
        return reachable_before(self.space, self.target)

    @property
    def is_reached(self) -> bool:
        """The target can be reached from every visited configuration, hence it is reached with probability 1."""
        return bool(self.can_reach[self.visited].all())

    @cached_property
    def worst(self) -> float:
        return float(self.times.values[self.visited].max())

    @cached_property
    def worst_states(self) -> NDArray[np.int64]:
        """All configurations that may be the worst, as far as their certified intervals overlap; the one with the
        largest computed value comes first."""
        values = np.where(self.visited, self.times.values, -1.0)
        if self.worst == inf:
            return np.flatnonzero(np.isinf(values))
        low, high = self.times.bounds()
        found = np.flatnonzero(self.visited & (high >= low[self.visited].max()))
        first = int(values.argmax())
        return np.concatenate([[first], found[found != first]])

    def variance(self) -> tuple[float, Interval]:
        """Of the hitting time from the start, with its certified interval."""
        second, mean = self.average(self.second_moments.values), self.mean
        terms = 1 if self.space.start is not None else self.space.size
        low, high = self.second_moments.interval(second, terms)
        below, above = self.mean_interval
        slack = 2.0**-50 * high
        return second - mean**2, (max(0.0, low - above**2 - slack), high - below**2 + slack)

    def quantiles(self) -> dict[str, dict[float, int]]:
        """The first step by which the target is reached with these probabilities: from the start, from the worst."""
        worst = int(self.worst_states[0])
        chain = self.space.chain
        within = self.target.astype(np.float64)  # the probability to reach the target within `steps`
        following = np.empty_like(within)
        found: dict[str, dict[float, int]] = {"start": {}, "worst": {}}
        steps = 0
        while True:
            reached = {"start": self.average(within), "worst": float(within[worst])}
            for name, probability in reached.items():
                for q in QUANTILES:
                    if q not in found[name] and probability >= q * (1 - QUANTILE_SLACK):
                        found[name][q] = steps
            if all(len(quantiles) == len(QUANTILES) for quantiles in found.values()):
                return found
            kernel().one_more_step(
                *(chain.offsets, chain.successors, chain.weights, float(chain.total), self.target, within, following)
            )
            within, following = following, within
            steps += 1
            if steps % 64 == 0:
                self.space.progress("following the distribution", steps, 0)

    def quantiles_work(self) -> float:
        """About how many steps of the chain are followed for the quantiles."""
        return 5 * self.worst * (len(self.space.chain.successors) + self.space.size)

    def leaders_at_target(self) -> dict[int, tuple[float, float]]:
        """The number of leaders when the target is reached from the start: its probability, and a bound of the error."""
        out: dict[int, tuple[float, float]] = {}
        leaders = self.space.leaders
        for number in sorted({int(k) for k in np.unique(leaders[self.target])}):
            boundary = (leaders == number).astype(np.float64)
            values, errors = probabilities(self.components, self.target, self.times, boundary, self.space.progress)
            probability = self.average(values)
            if probability > 0:
                rounding = 2.0**-52 * (self.space.size.bit_length() + 8)  # as in CertifiedTimes.interval
                out[number] = probability, self.average(np.minimum(errors, 1.0)) + rounding
        return out

    def fractions(self, progress: Callable[[int, int], None] | None = None) -> list[Fraction]:
        """The expected steps from every configuration that reaches the target for certain."""
        absorbing = np.asarray(self.target | ~self.certain)
        return rational.hitting_times(self.space.chain, absorbing, self.components.component_of, progress)

    def trap(self) -> Counterexample | None:
        """A configuration from which the target cannot be reached; from a start, with a path to it."""
        lost = ~self.can_reach & self.visited
        if not lost.any():
            return None
        space = self.space
        if space.start is None:
            return single_configuration(space, int(np.flatnonzero(lost)[0]))
        start = np.zeros(space.size, np.bool_)
        start[space.start] = True
        return path_to(space, start, lost, self.target)


def normalised(multiplicity: NDArray[Any]) -> NDArray[np.float64]:
    """Each number divided by their sum, which may be too large for a float."""
    total = int(multiplicity.sum())
    if total >= 2**53:
        return np.array([int(m) / total for m in multiplicity], np.float64)
    return np.asarray(multiplicity.astype(np.float64) / float(total))
