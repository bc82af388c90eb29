"""What is asked of a ground: is the target reached for certain, after how long, is a set closed, is it safe.

Every answer is plain data; reports and tables are made of them elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from princeps.analysis.chain import Bits
from princeps.analysis.components import Components, components
from princeps.analysis.ground import Ground
from princeps.analysis.hitting import Interval, Times, expected_times, kernel, probabilities, second_moments
from princeps.analysis.schedules import Schedule, at_once, met_from, way_out, way_to, way_to_loud
from princeps.analysis.targets import SAFE

LONGEST = 4000  # digits of a number that Python writes out
QUANTILES = (0.5, 0.9, 0.99)
ROUNDED = 1e-12  # a probability that misses a quantile by less than this reaches it: sums are rounded
TINY = 5e-324
MOST_WORK = 4e11  # steps of the chain that are followed for a distribution


class Journey:
    """The way from every configuration to one set."""

    def __init__(self, ground: Ground, target: str) -> None:
        self.ground, self.name = ground, target
        self.target: Bits = ground.set(target)

    @cached_property
    def parts(self) -> Components:
        """Components of the chain in which the target is not left; the largest safe set is never left anyway."""
        if self.name == SAFE:
            return self.ground.uncut
        return components(self.ground.chain, self.target, self.ground.space.observe)

    @cached_property
    def reaching(self) -> Bits:
        return self.parts.reaching(self.target)

    @cached_property
    def certain(self) -> Bits:
        """From here the target is reached with probability 1."""
        return self.reaching if self.reaching.all() else self.parts.confined(self.reaching)

    @cached_property
    def times(self) -> Times:
        return expected_times(self.parts, self.target, self.certain, None, self.ground.space.observe)

    @cached_property
    def squares(self) -> Times:
        return second_moments(self.parts, self.target, self.certain, self.times, self.ground.space.observe)

    # -- over the starts ----------------------------------------------------------------------------------------------

    @cached_property
    def shares(self) -> NDArray[np.float64] | None:
        """The probability of each configuration under a uniform start; None if there is one start."""
        if self.ground.start is not None:
            return None
        return shares_of(self.ground.multiplicity)

    def average(self, values: NDArray[np.float64]) -> float:
        """Over the start's law."""
        if self.ground.start is not None:
            return float(values[self.ground.start])
        assert self.shares is not None
        if not np.isfinite(values).all():
            return inf
        return float((values * self.shares).sum())

    @property
    def mean(self) -> float:
        return self.average(self.times.values)

    @property
    def mean_interval(self) -> Interval:
        if self.ground.start is not None:
            return self.times.interval(self.mean)
        low, high = self.times.interval(self.mean, self.ground.size)
        return low, high + self.ground.size * TINY * min(float(self.times.values.max()), 1e300)  # shares may underflow

    @cached_property
    def under_way(self) -> Bits:
        """Configurations before or at the target: from a start what lies behind it is not met on the way."""
        if not (self.ground.starts and self.ground.whole):
            return np.ones(self.ground.size, np.bool_)
        return met_from(self.ground, self.target)

    @property
    def is_reached(self) -> bool:
        """From everywhere under way, hence with probability 1."""
        return bool(self.reaching[self.under_way].all())

    @cached_property
    def worst(self) -> float:
        return float(self.times.values[self.under_way].max())

    @cached_property
    def worst_states(self) -> NDArray[np.int64]:
        """All configurations that may be the worst, as far as the certified intervals tell them apart; the one with the
        largest computed value is the first."""
        values = np.where(self.under_way, self.times.values, -1.0)
        if self.worst == inf:
            return np.flatnonzero(np.isinf(values))
        low, high = self.times.bounds()
        found = np.flatnonzero(self.under_way & (high >= low[self.under_way].max()))
        first = int(values.argmax())
        return np.concatenate([[first], found[found != first]])

    def variance(self) -> tuple[float, Interval]:
        """Of the steps from the start's law, with its certified interval."""
        second, mean = self.average(self.squares.values), self.mean
        terms = 1 if self.ground.start is not None else self.ground.size
        low, high = self.squares.interval(second, terms)
        below, above = self.mean_interval
        slack = 2.0**-50 * high
        return second - mean**2, (max(0.0, low - above**2 - slack), high - below**2 + slack)

    def distribution(self) -> dict[str, dict[float, int]]:
        """First step by which the target is reached with these probabilities: from the start's law, from the worst."""
        worst = int(self.worst_states[0])
        chain, ground = self.ground.chain, self.ground
        now = self.target.astype(np.float64)
        after = np.empty_like(now)
        found: dict[str, dict[float, int]] = {"start": {}, "worst": {}}
        steps = 0
        while True:
            seen = {"start": self.average(now), "worst": float(now[worst])}
            for name, reached in seen.items():
                for q in QUANTILES:
                    if q not in found[name] and reached >= q * (1 - ROUNDED):
                        found[name][q] = steps
            if all(len(quantiles) == len(QUANTILES) for quantiles in found.values()):
                return found
            kernel().spread(
                *(chain.offsets, chain.successors, chain.weights, float(chain.total), self.target, now, after)
            )
            now, after = after, now
            steps += 1
            if steps % 64 == 0:
                ground.space.observe("following the distribution", steps, 0)

    def work_of_distribution(self) -> float:
        return 5 * self.worst * (len(self.ground.chain.successors) + self.ground.size)

    def leaders_at_target(self) -> dict[int, tuple[float, float]]:
        """With how many leaders the target is first met from the start's law: probability, and how far it may be off."""
        out: dict[int, tuple[float, float]] = {}
        leaders = self.ground.leaders
        for number in sorted({int(k) for k in np.unique(leaders[self.target])}):
            boundary = (leaders == number).astype(np.float64)
            values, off = probabilities(self.parts, self.target, self.times, boundary, self.ground.space.observe)
            chance = self.average(values)
            if chance > 0:
                rounded = 2.0**-52 * (self.ground.size.bit_length() + 8)  # as in Times.interval
                out[number] = chance, self.average(np.minimum(off, 1.0)) + rounded
        return out

    # -- where it is not reached --------------------------------------------------------------------------------------

    def trap(self) -> Schedule | None:
        """A configuration from which the target cannot be reached; from a start, with the way there."""
        lost = ~self.reaching & self.under_way
        if not lost.any():
            return None
        ground = self.ground
        if ground.start is None:
            return at_once(ground, int(np.flatnonzero(lost)[0]))
        here = np.zeros(ground.size, np.bool_)
        here[ground.start] = True
        return way_to(ground, here, lost, self.target)


def shares_of(multiplicity: NDArray[Any]) -> NDArray[np.float64]:
    """Each as a part of their sum."""
    total = int(multiplicity.sum())
    if total >= 2**53:
        return np.array([int(m) / total for m in multiplicity], np.float64)
    return np.asarray(multiplicity.astype(np.float64) / float(total))


def whole(value: int) -> int | str:
    """As it is; beyond some thousand digits, which nobody reads, its size."""
    return value if value.bit_length() < 3 * LONGEST else f"about 2^{value.bit_length()}"


@dataclass(frozen=True)
class SetReport:
    """A set of configurations: how large, closed, safe; and what shows the contrary."""

    name: str
    size: int
    share_of_safe: float | None  # how much of the largest safe set it is, if it is part of it
    closed: bool
    safe: bool
    leak: Schedule | None
    danger: Schedule | None
    is_largest_safe: bool

    def as_json(self, names: tuple[str, ...]) -> dict[str, Any]:
        return {
            "set": self.name,
            "size": whole(self.size),
            "closed": self.closed,
            "safe": self.safe,
            "is_largest_safe": self.is_largest_safe,
            "share_of_largest_safe": self.share_of_safe,
            "leak": None if self.leak is None else self.leak.as_json(names),
            "danger": None if self.danger is None else self.danger.as_json(names),
        }


def report_set(ground: Ground, name: str) -> SetReport:
    chosen, safe = ground.set(name), ground.safe
    inside = not (chosen & ~safe).any()
    size, largest = ground.originals(chosen), ground.originals(safe)
    return SetReport(
        name=name,
        size=size,
        share_of_safe=size / largest if inside and largest else None,
        closed=(leak := way_out(ground, chosen)) is None,
        safe=inside,
        leak=leak,
        danger=None if inside else danger(ground, chosen),
        is_largest_safe=bool((chosen == safe).all()),
    )


def danger(ground: Ground, chosen: Bits) -> Schedule | None:
    """The shortest way from the set to where not exactly one agent leads, or to where the leader changes."""
    several = chosen & (ground.leaders != 1)
    if several.any():
        return at_once(ground, int(np.flatnonzero(several)[0]))
    return way_to_loud(ground, chosen)
