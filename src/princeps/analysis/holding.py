"""How long a unique leader is held: expected steps until an output changes.

A chain of its own: whatever changes an output leads to one more state, LOST. Where a leader can never be lost, the time
is infinite.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np

from princeps.analysis.chain import Bits, Chain
from princeps.analysis.components import components
from princeps.analysis.ground import Ground
from princeps.analysis.hitting import Interval, expected_times
from princeps.analysis.questions import shares_of


@dataclass(frozen=True)
class Holding:
    """Over the configurations of a set that have exactly one leader: shortest and mean expected time to hold it."""

    starts: int  # how many these are
    shortest: float
    shortest_interval: Interval
    shortest_start: int | None  # the number of a configuration that attains it
    mean: float
    mean_interval: Interval


def holding(ground: Ground, chosen: Bits) -> Holding:
    observe = ground.space.observe
    chain, size = ground.chain, ground.size
    lost = size
    ends = np.append(chain.offsets, chain.offsets[-1])
    successors = np.where(chain.loud == 1, np.int32(lost), chain.successors)
    led = Chain(ends, successors, chain.weights, np.zeros(len(successors), np.uint8), chain.total)
    target = np.append(ground.leaders != 1, True)  # others are never met on the way: outputs change at LOST only
    parts = components(led, target, observe)
    reaching = parts.reaching(target)
    certain = parts.confined(reaching)
    times = expected_times(parts, target, certain, None, observe)
    starts = np.flatnonzero(chosen & (ground.leaders == 1))
    if not len(starts):
        return Holding(0, inf, (inf, inf), None, inf, (inf, inf))
    values = times.values[starts]
    shortest = float(values.min())
    mean = float((values * shares_of(ground.multiplicity[starts])).sum()) if np.isfinite(values).all() else inf
    return Holding(
        starts=int(ground.multiplicity[starts].sum()),
        shortest=shortest,
        shortest_interval=times.interval(shortest),
        shortest_start=int(starts[values.argmin()]),
        mean=mean,
        mean_interval=times.interval(mean, len(starts)),
    )
