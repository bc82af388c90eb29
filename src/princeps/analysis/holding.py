"""How long a unique leader is held: expected steps until an output changes.

In the chain that is solved here, every step that changes an output leads to one additional state, `lost`. Where no
output can ever change, the time is infinite.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np

from princeps.analysis.chain import Bits, Chain
from princeps.analysis.components import find_components
from princeps.analysis.hitting_problem import normalised
from princeps.analysis.hitting_times import Interval, expected_times
from princeps.analysis.state_space import StateSpace


@dataclass(frozen=True)
class Holding:
    """Over the configurations of a set that have exactly one leader: shortest and mean expected holding time."""

    starts: int  # how many these are
    shortest: float
    shortest_interval: Interval
    shortest_start: int | None  # the number of a configuration that attains it
    mean: float
    mean_interval: Interval


def holding(space: StateSpace, chosen: Bits) -> Holding:
    chain, lost = space.chain, space.size
    offsets = np.append(chain.offsets, chain.offsets[-1])
    successors = np.where(chain.changes_output == 1, np.int32(lost), chain.successors)
    no_changes = np.zeros(len(successors), np.uint8)
    until_lost = Chain(offsets, successors, chain.weights, no_changes, chain.total)
    target = np.append(space.leaders != 1, True)  # of these only `lost` is reached from a configuration with one leader
    components = find_components(until_lost, target, space.progress)
    certain = components.reaches_only(components.can_reach(target))
    times = expected_times(components, target, certain, None, space.progress)
    starts = np.flatnonzero(chosen & (space.leaders == 1))
    if not len(starts):
        return Holding(0, inf, (inf, inf), None, inf, (inf, inf))
    values = times.values[starts]
    shortest = float(values.min())
    mean = float((values * normalised(space.multiplicity[starts])).sum()) if np.isfinite(values).all() else inf
    return Holding(
        starts=int(space.multiplicity[starts].sum()),
        shortest=shortest,
        shortest_interval=times.interval(shortest),
        shortest_start=int(starts[values.argmin()]),
        mean=mean,
        mean_interval=times.interval(mean, len(starts)),
    )
