"""Levels for splitting, from a pilot whose trials are thrown away.

An estimate is unbiased only if its levels do not depend on the trials that it counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, inf, nextafter
from typing import Any

import numpy as np

from princeps.errors import RunError
from princeps.lowering.level_status import DOWN, LOST, RAN, UP
from princeps.model.losses import Level
from princeps.model.run import Run
from princeps.rare.climbing import Climber, longest_count

SAMPLES = 400  # of the level of a population that has settled
EXCURSIONS = 300  # above its median
FIRST_SHARE = 0.1  # of the excursions that reach the first level
TRIALS = 400  # at each level
SHARE = 0.3  # of the trials that reach the next level
MAX_LEVELS = 400
PATIENCE = 2_000  # n times the longest count-down times this: steps without an excursion


class NoWayUp(RunError):
    """The pilot found no higher level: nothing is estimated."""


@dataclass(frozen=True)
class Levels:
    """Thresholds: below the first the population has forgotten; from the last it climbs to the loss."""

    floor: float
    thresholds: tuple[float, ...]


def levels_by_pilot(run: Run, level: Level, kind: str) -> Levels:
    climber = Climber(run, level, f"pilot {kind}", 0)
    climber.settle()
    floor = _median(climber)
    peaks = [_excursion(climber, floor) for _ in range(EXCURSIONS)]
    thresholds = [_first(floor, peaks)]
    entrances = entrances_at(climber, floor, thresholds[0], TRIALS)[0]
    while len(thresholds) < MAX_LEVELS:
        found = climber.stage(entrances, TRIALS, floor, inf, kind, 0)[2]
        reached = np.sort(found)[::-1]
        goal = float(reached[ceil(SHARE * TRIALS) - 1])
        if goal == inf:
            return Levels(floor, tuple(thresholds))
        if goal <= thresholds[-1]:
            higher = reached[(reached > thresholds[-1]) & (reached < inf)]
            if not len(higher):
                if reached[0] == inf:  # from here on, some are lost at once, and nothing lies between
                    return Levels(floor, tuple(thresholds))
                raise NoWayUp(f"of {TRIALS} trials none rose above level {len(thresholds)}")
            goal = float(higher[-1])
        thresholds.append(goal)
        entrances = _risen(climber, entrances, floor, goal, kind)
    raise NoWayUp(f"more than {MAX_LEVELS} levels and no loss")


def _median(climber: Climber) -> float:
    """Of the level: the lower one of the two in the middle."""
    values: list[float] = []
    while len(values) < SAMPLES:
        if climber.climb(-inf, inf, climber.run.n) == LOST:
            climber.settle()
        values.append(climber.value)
    return float(np.sort(values)[(SAMPLES - 1) // 2])


def _excursion(climber: Climber, floor: float) -> float:
    """The peak of one, from the first step above the floor."""
    budget = PATIENCE * climber.run.n * longest_count(climber.run)
    while True:
        status = climber.climb(-inf, nextafter(floor, inf), budget)
        if status == RAN:
            raise NoWayUp(f"the level did not rise above its median within {budget:,} steps")
        if status == UP and climber.climb(floor, inf) == DOWN:
            return climber.peak
        climber.settle()


def _first(floor: float, peaks: list[float]) -> float:
    ordered = sorted(peaks, reverse=True)
    return max(ordered[ceil(FIRST_SHARE * len(ordered)) - 1], nextafter(floor, inf))


def _risen(climber: Climber, entrances: Any, floor: float, goal: float, kind: str) -> Any:
    kept: list[Any] = []
    for _ in range(20):
        kept.extend(climber.stage(entrances, TRIALS, floor, goal, kind, TRIALS)[0])
        if len(kept) >= TRIALS // 2:
            break
    if not kept:
        raise NoWayUp("no trial of the pilot reached its own next level again")
    return np.array(kept)


def entrances_at(climber: Climber, floor: float, goal: float, number: int) -> tuple[Any, int, dict[str, int]]:
    """Configurations at the moments of crossing a level since the last visit to the floor, in one long run.

    Second the steps that this took with a unique leader; third the losses on the way, by kind, before a crossing: those
    after one are the later levels' business.
    """
    found = np.empty((number, *climber.agents.shape), climber.agents.dtype)
    stored = steps = 0
    direct: dict[str, int] = {}
    _return(climber, floor)
    while stored < number:
        begun = climber.steps
        status = climber.climb(-inf, goal)
        if status == UP:
            found[stored] = climber.agents
            stored += 1
            status = climber.climb(floor, inf) if stored < number else DOWN
        elif status == LOST:
            direct[climber.lost_as] = direct.get(climber.lost_as, 0) + 1
        steps += climber.steps - begun
        if status == LOST:
            climber.settle()
            _return(climber, floor)
    return found, steps, direct


def _return(climber: Climber, floor: float) -> None:
    """To the floor, so that the next crossing is one."""
    while climber.climb(floor, inf) == LOST:
        climber.settle()
