"""How long a unique leader is held: expected steps until an output changes.

In the chain that is solved here, every step that changes an output leads to one additional state, `lost`. Where no
output can ever change, the time is infinite. Short times are certified as all hitting times are; where that leaves too
few digits, or would take too long, survival.py encloses them without a subtraction.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nextafter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from princeps.analysis.chain import Bits, Chain
from princeps.analysis.components import Components, find_components
from princeps.analysis.hitting_problem import normalised
from princeps.analysis.hitting_times import WIDTH_WANTED, Interval, expected_times
from princeps.analysis.solver import MAX_ELIMINATED
from princeps.analysis.state_space import StateSpace
from princeps.analysis.survival import Survival, survival

CREATED, FALLEN, MOVED = "created", "fallen", "moved"  # more than one leader, none, or another one
KINDS = (CREATED, FALLEN, MOVED)

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Holding:
    """Over the configurations of a set that have exactly one leader: shortest and mean expected holding time."""

    starts: int  # how many these are
    shortest: float
    shortest_interval: Interval
    shortest_start: int | None  # the number of a configuration that attains it
    mean: float
    mean_interval: Interval


@dataclass(frozen=True)
class UntilLost:
    """The chain in which a change of an output leads to `lost`, the last state; with what the graph of steps decides."""

    components: Components
    target: Bits
    certain: Bits  # states from which an output changes with probability 1
    losses: Floats  # by kind: weight of the steps from each state that change an output

    @property
    def chosen(self) -> Bits:
        return self.certain & ~self.target

    @property
    def largest(self) -> int:
        """States of the largest component from which there is something to solve."""
        of = self.components.component_of[self.chosen]
        return int(np.bincount(of).max(initial=0)) if len(of) else 0


def until_lost(space: StateSpace) -> UntilLost:
    chain, lost = space.chain, space.size
    offsets = np.append(chain.offsets, chain.offsets[-1])
    is_loss = chain.changes_output == 1
    successors = np.where(is_loss, np.int32(lost), chain.successors)
    until = Chain(offsets, successors, chain.weights, np.zeros(len(successors), np.uint8), chain.total)
    target = np.append(space.leaders != 1, True)  # of these only `lost` is reached from a configuration with one leader
    components = find_components(until, target, space.progress)
    certain = components.reaches_only(components.can_reach(target))
    return UntilLost(components, target, certain, _losses(space, is_loss))


def _losses(space: StateSpace, is_loss: Bits) -> Floats:
    chain = space.chain
    places = np.flatnonzero(is_loss)
    sources = np.searchsorted(chain.offsets, places, side="right") - 1
    weights = chain.weights[places].astype(np.float64) if len(chain.weights) else np.ones(len(places))
    after = space.leaders[chain.successors[places]]
    kinds = np.where(after > 1, KINDS.index(CREATED), np.where(after == 0, KINDS.index(FALLEN), KINDS.index(MOVED)))
    out = np.zeros((len(KINDS), space.size + 1))
    np.add.at(out, (kinds, sources), weights)
    return out


def holding(space: StateSpace, chosen: Bits) -> Holding:
    starts = np.flatnonzero(chosen & (space.leaders == 1))
    if not len(starts):
        return Holding(0, inf, (inf, inf), None, inf, (inf, inf))
    until = until_lost(space)
    weights = normalised(space.multiplicity[starts])
    found = None
    if until.largest <= MAX_ELIMINATED:  # else sweeps take as long as the leader is held
        times = expected_times(until.components, until.target, until.certain, None, space.progress)
        found = _summary(space, starts, weights, times.values, times.interval)
    if found is None or _is_wide(found.shortest_interval) or _is_wide(found.mean_interval):
        enclosed = survival(until.components, until.chosen, until.losses, space.progress)
        other = _enclosed(space, starts, weights, until.certain, enclosed)
        if found is None or _width(other.mean_interval) < _width(found.mean_interval):
            return other
    return found


def _summary(space: StateSpace, starts: Any, weights: Floats, all_values: Floats, interval: Any) -> Holding:
    values = all_values[starts]
    shortest = float(values.min())
    mean = float((values * weights).sum()) if np.isfinite(values).all() else inf
    return Holding(
        starts=int(space.multiplicity[starts].sum()),
        shortest=shortest,
        shortest_interval=interval(shortest),
        shortest_start=int(starts[values.argmin()]),
        mean=mean,
        mean_interval=interval(mean, len(starts)),
    )


def _enclosed(space: StateSpace, starts: Any, weights: Floats, certain: Bits, found: Survival) -> Holding:
    low, high = (np.where(certain, side, inf)[starts] for side in (found.low, found.high))
    slack = 2.0**-52 * (len(starts).bit_length() + 8)
    middle = np.where(np.isfinite(high), low + (high - low) / 2, low)
    shortest, below, above = (float(values.min()) for values in (middle, low, high))
    mean, mean_low, mean_high = (
        float((values * weights).sum()) if np.isfinite(values).all() else inf for values in (middle, low, high)
    )
    return Holding(
        starts=int(space.multiplicity[starts].sum()),
        shortest=shortest,
        shortest_interval=(nextafter(below, 0.0), nextafter(above, inf)),
        shortest_start=int(starts[middle.argmin()]),
        mean=mean,
        mean_interval=(mean_low * (1 - slack), mean_high * (1 + slack)),
    )


def _width(interval: Interval) -> float:
    low, high = interval
    return 0.0 if low == high else high / low - 1 if low > 0 else inf


def _is_wide(interval: Interval) -> bool:
    return _width(interval) > WIDTH_WANTED
