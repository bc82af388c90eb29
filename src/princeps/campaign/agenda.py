"""What is still to be done: trials that the store does not hold, a few at a time, so that a plan of any size fits."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import islice
from math import ceil

from princeps.campaign.crew import Pace
from princeps.campaign.point import Point
from princeps.campaign.rows import HAS_ENDED, WAS_CUT, Row
from princeps.campaign.store import Store, reaches
from princeps.campaign.tally import Tally

BLOCK = 4096  # trials that are looked up at once
FIRST_LOOK = 32  # trials after which an adaptive campaign first asks how precise the mean is
TROUBLES_ALLOWED = 3  # trials of a point that may be given up before the point is


class Agenda:
    """One point: how many trials it wants, which of them are missing, what is known so far.

    With a precision, the number of trials wanted grows by steps, each decided from the trials 0..wanted-1 alone: the
    same on every machine, in whatever order they finish.
    """

    def __init__(self, point: Point, number: int, seed: int, most: int, precision: float | None, store: Store) -> None:
        self.point, self.number, self.seed, self.most, self.precision = point, number, seed, most, precision
        self.store = store
        self.wanted = most if precision is None else min(most, FIRST_LOOK)
        self.looked_up = 0  # trials below this have been looked up in the store
        self.missing: deque[tuple[int, str | None]] = deque()  # trials, and the engine that began them if one did
        self.assigned = 0
        self.troubles = 0
        self.tally = store_tally(store, point, number, seed, self.wanted)
        self.pace = Pace(self.tally.trials, self.tally.seconds)

    @property
    def abandoned(self) -> bool:
        return self.troubles >= TROUBLES_ALLOWED

    def batch(self, workers: int) -> tuple[list[int], str | None]:
        """The next trials to run, and the engine that must go on with them; none if all are assigned, done or given up."""
        if self.abandoned:
            return [], None
        self._look_up()
        left = max(0, self.wanted - self.looked_up) + len(self.missing)
        size = self.pace.batch_size(left, workers)
        engine = self.missing[0][1] if self.missing else None
        trials: list[int] = []
        while self.missing and self.missing[0][1] == engine and len(trials) < size:
            trials.append(self.missing.popleft()[0])
        self.assigned += len(trials)
        return trials, engine

    def settled(self) -> None:
        """A assigned trial has come back, or has been given up."""
        self.assigned -= 1

    @property
    def idle(self) -> bool:
        return self.assigned == 0 and not self.missing and self.looked_up >= self.wanted

    def is_over(self) -> bool:
        """Nothing more is wanted; asks for more trials where the precision is not reached (all rows are stored)."""
        while self.idle and not self.abandoned:
            if self.precision is None or self.wanted >= self.most:
                return True
            so_far = store_tally(self.store, self.point, self.number, self.seed, self.wanted)
            if so_far.precision <= self.precision:
                return True
            needed = self.wanted * (so_far.precision / self.precision) ** 2 if so_far.is_complete else self.most
            self.wanted = min(self.most, max(ceil(1.1 * self.wanted), ceil(min(2 * self.wanted, needed))))
            self.tally = store_tally(self.store, self.point, self.number, self.seed, self.wanted)
            self._look_up()
        return self.abandoned and self.assigned == 0

    def _look_up(self) -> None:
        while not self.missing and self.looked_up < self.wanted:
            end = min(self.looked_up + BLOCK, self.wanted)
            there = self.store.standing(self.number, self.seed, self.looked_up, end, self.point.limit)
            for trial in range(self.looked_up, end):
                if trial not in there or there[trial] is not None:
                    self.missing.append((trial, there.get(trial)))
            self.looked_up = end


def store_tally(store: Store, point: Point, number: int, seed: int, end: int) -> Tally:
    """Of the trials below `end`, except those that were cut off earlier than the point's limit: they are run again."""
    rows = store.select(
        f"SELECT {point.measure}, {HAS_ENDED[point.measure]}, {WAS_CUT[point.measure]}, censored, max_steps, seconds"
        " FROM trials WHERE point = ? AND seed = ? AND trial < ?",
        (number, seed, end),
    )
    total = Tally()
    while chunk := list(islice(rows, BLOCK)):
        kept = [row for row in chunk if not row[3] or reaches(row[4], point.limit)]
        total += sum_of([(row[0], bool(row[1]), bool(row[2])) for row in kept], sum(row[5] for row in kept))
    return total


def tally_of(row: Row, measure: str) -> Tally:
    return sum_of([(getattr(row, measure), row.has_ended(measure), row.was_cut(measure))], row.seconds)


def sum_of(trials: Sequence[tuple[str | None, bool, bool]], seconds: float) -> Tally:
    """Each with its value, whether it ended, and whether it was cut off; one that did neither never will."""
    values = [int(value or 0) for value, ended, cut in trials if ended or cut]
    return Tally(
        *(len(trials), sum(cut for _, _, cut in trials), sum(not ended and not cut for _, ended, cut in trials)),
        *(sum(values), sum(value * value for value in values), seconds),
    )
