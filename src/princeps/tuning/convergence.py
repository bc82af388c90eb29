"""How long a protocol takes to elect a leader that it keeps, from the slowest of its starts.

The first step at which one agent leads says little of a loosely-stabilizing protocol: where nobody leads and all timers run
out together, the first leader is soon one of many. What counts is the first step from which on one and the same agent is
the only leader for a window of time in which a population forgets its start.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from math import inf, sqrt
from statistics import fmean, stdev
from typing import Any

from princeps.campaign import evidence
from princeps.campaign.identity import identity
from princeps.campaign.store import Store
from princeps.campaign.tally import interval_of
from princeps.lowering.level_status import LOST
from princeps.model.losses import Level
from princeps.model.run import Run
from princeps.rare.climbing import MIXING, Climber, longest_count
from princeps.rare.losses import losses_of

FEW, MORE, FRESH = (
    6,
    24,
    100,
)  # trials: of every start, of the slowest ones, and of those again for the constants chosen
SLOWEST = 3  # starts
FRESH_FROM = 1 << 20  # trials from this number on took part in no choice
PATIENCE = 100  # n (n + 10 times the longest count-down) times this: steps after which a trial is given up
SHARE_OF_HOLDING = 0.1  # the longest window

Trial = tuple[int, bool]  # steps, and whether a leader was elected that stayed


@dataclass(frozen=True)
class Convergence:
    """Trials of one start; those that were given up count with the steps that they had made."""

    start: str
    steps: tuple[int, ...]
    unfinished: int

    @property
    def mean(self) -> float:
        return fmean(self.steps)

    @property
    def error(self) -> float:
        return stdev(self.steps) / sqrt(len(self.steps)) if len(self.steps) > 1 else inf

    @property
    def interval(self) -> tuple[float, float]:
        sd = stdev(self.steps) if len(self.steps) > 1 else 0.0
        return interval_of(self.mean, sd, len(self.steps)) or (self.mean, self.mean)

    def as_json(self) -> dict[str, Any]:
        low, high = self.interval
        return {
            "start": self.start,
            "mean": self.mean,
            "interval": [low, high],
            "trials": len(self.steps),
            "unfinished": self.unfinished,
        }


class Settling:
    """Trials of any constants and start; with a store, every batch of them is kept."""

    def __init__(self, starts: tuple[str, ...], hold: float, store: Store | None = None) -> None:
        self.starts, self.hold, self.store = starts, hold, store
        self.steps = 0
        if store is not None:
            evidence.create_table(store)

    def window(self, run: Run) -> int:
        """For how many steps the leader must stay."""
        return max(run.n, int(min(MIXING * run.n * longest_count(run), SHARE_OF_HOLDING * self.hold)))

    def slowest(self, run: Run) -> list[Convergence]:
        """The slowest starts, the slowest first; all of them run the same trials."""
        found = [self.measured(run, start, FEW) for start in self.starts]
        found = sorted(found, key=lambda one: one.mean, reverse=True)[:SLOWEST]
        more = [self.measured(run, one.start, MORE) for one in found]
        return sorted(more, key=lambda one: one.mean, reverse=True)

    def afresh(self, run: Run, starts: list[str], trials: int = FRESH) -> Convergence:
        """The slowest of these by trials that took part in no choice."""
        return max((self.measured(run, start, trials, FRESH_FROM) for start in starts), key=lambda one: one.mean)

    def measured(self, run: Run, start: str, trials: int, first: int = 0) -> Convergence:
        run = replace(run, start=start, trial=0)
        window, limit = self.window(run), patience(run)
        asked = [identity(run), run.seed, start, window, limit, first, trials]
        key = hashlib.sha256(json.dumps(["tune convergence", *asked]).encode()).hexdigest()[:32]
        known = {} if self.store is None else evidence.saved_parts(self.store, key, 1)
        if 0 in known:
            rows = known[0]
        else:
            rows = [settled(run, number, window, limit) for number in range(first, first + trials)]
            self.steps += sum(steps for steps, _ in rows)
            if self.store is not None:
                said = {"start": start, "params": run.protocol.params, "first": first, "trials": trials}
                evidence.save_part(self.store, key, 0, "princeps.tuning.convergence:settled", said, rows, 0.0)
        return Convergence(start, tuple(row[0] for row in rows), sum(not row[1] for row in rows))


def patience(run: Run) -> int:
    return PATIENCE * run.n * (run.n + 10 * longest_count(run))


def settled(run: Run, number: int, window: int, limit: int) -> Trial:
    """The step at which one agent leads that is the only leader for the window that follows."""
    level: Level = next(iter(losses_of(run).values())).levels[0]  # it is not looked at: any kernel does
    climber = Climber(replace(run, trial=number), level, "tune", number)
    while climber.elects(limit):
        elected = climber.steps
        if elected > limit:
            break
        if climber.climb(-inf, inf, window) != LOST:
            return elected, True
    return climber.steps, False
