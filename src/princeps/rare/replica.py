"""One replica: an independent, unbiased estimate of the rate of one kind of loss (fixed-effort splitting).

    rate = crossings of the first level a step * sum over levels k of (share that climbs, level by level, to k) *
           (share that is lost from k, before the next level is seen)

A trial that loses the leader before it reaches the next level is a loss, not a failure.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

from princeps.model.description import Description, read
from princeps.model.losses import Level
from princeps.model.run import Run
from princeps.rare.climbing import Climber
from princeps.rare.losses import losses_of
from princeps.rare.pilot import Levels, entrances_at


@dataclass(frozen=True)
class Replica:
    rate: float
    steps: int
    reached: int  # levels
    others: int  # losses of a kind that no declared loss has


def replica(
    number: int,
    *,
    description: Description,
    loss: str,
    level: int,
    floor: float,
    thresholds: list[float],
    effort: int,
) -> dict[str, Any]:
    """For a worker: everything by its name, since functions of a protocol's file cannot be sent."""
    run = read(description)
    assert isinstance(run, Run)
    found = losses_of(run)[loss]
    levels = Levels(floor, tuple(thresholds))
    return vars(one_replica(run, found.levels[level], found.kind, levels, effort, f"{loss} {level}", number))


def one_replica(run: Run, level: Level, kind: str, levels: Levels, effort: int, stream: str, number: int) -> Replica:
    climber = Climber(run, level, f"hold {stream}", number)
    climber.settle()
    floor, thresholds = levels.floor, levels.thresholds
    entrances, steps, direct = entrances_at(climber, floor, thresholds[0], effort)
    rate, flux, reached = direct.get(kind, 0) / steps, effort / steps, 0
    known = {loss.kind for loss in losses_of(run).values()}
    others = sum(number for found, number in direct.items() if found not in known)
    for goal in (*thresholds[1:], inf):
        risen, lost, _ = climber.stage(entrances, effort, floor, goal, kind, effort)
        rate += flux * lost / effort
        flux *= len(risen) / effort
        if not len(risen):
            break
        reached += 1
        entrances = risen
    return Replica(rate, climber.steps, reached, others)
