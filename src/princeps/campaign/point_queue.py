"""The trials of a point that the store does not hold yet, looked up in blocks, so that a plan of any size fits."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import islice
from math import ceil

from princeps.campaign.point import Point
from princeps.campaign.rows import COLUMN, HAS_ENDED, WAS_CUT, Row
from princeps.campaign.store import Store, reaches
from princeps.campaign.tally import Tally
from princeps.campaign.worker_pool import BatchSizes

BLOCK = 4096  # trials that are looked up at once
INITIAL_TRIALS = 32  # after which a campaign with a precision first looks how precise the mean is
FAILURES_ALLOWED = 3  # failed trials of a point after which the point is given up


class PointQueue:
    """The pending trials of one point, and what is known of the others.

    With a precision, the number of trials wanted grows by steps, each decided from the trials 0..wanted-1 alone: the
    same on every machine, in whatever order they finish.
    """

    def __init__(
        self, point: Point, number: int, seed: int, max_trials: int, precision: float | None, store: Store
    ) -> None:
        self.point, self.number, self.seed, self.max_trials, self.precision = point, number, seed, max_trials, precision
        self.store = store
        self.wanted = max_trials if precision is None else min(max_trials, INITIAL_TRIALS)
        self.looked_up = 0  # trials below this have been looked up in the store
        self.pending: deque[tuple[int, str | None]] = deque()  # trials; with the engine, if a censored one is run again
        self.assigned = 0
        self.failed = 0
        self.tally = store_tally(store, point, number, seed, self.wanted)
        self.batch_sizes = BatchSizes(self.tally.trials, self.tally.seconds)

    @property
    def abandoned(self) -> bool:
        return self.failed >= FAILURES_ALLOWED

    def batch(self, workers: int) -> tuple[list[int], str | None]:
        """The next trials to run, and the engine that they must be run by; none if all are assigned, done or given up."""
        if self.abandoned:
            return [], None
        self._look_up()
        left = max(0, self.wanted - self.looked_up) + len(self.pending)
        size = self.batch_sizes.batch_size(left, workers)
        engine = self.pending[0][1] if self.pending else None
        trials: list[int] = []
        while self.pending and self.pending[0][1] == engine and len(trials) < size:
            trials.append(self.pending.popleft()[0])
        self.assigned += len(trials)
        return trials, engine

    def trial_returned(self) -> None:
        """An assigned trial has a result, or has failed."""
        self.assigned -= 1

    @property
    def idle(self) -> bool:
        return self.assigned == 0 and not self.pending and self.looked_up >= self.wanted

    def is_finished(self) -> bool:
        """No trial is left; where the precision is not reached, more of them are added (all rows must be stored)."""
        while self.idle and not self.abandoned:
            if self.precision is None or self.wanted >= self.max_trials:
                return True
            so_far = store_tally(self.store, self.point, self.number, self.seed, self.wanted)
            if so_far.precision <= self.precision:
                return True
            needed = self.wanted * (so_far.precision / self.precision) ** 2 if so_far.is_complete else self.max_trials
            self.wanted = min(self.max_trials, max(ceil(1.1 * self.wanted), ceil(min(2 * self.wanted, needed))))
            self.tally = store_tally(self.store, self.point, self.number, self.seed, self.wanted)
            self._look_up()
        return self.abandoned and self.assigned == 0

    def _look_up(self) -> None:
        while not self.pending and self.looked_up < self.wanted:
            end = min(self.looked_up + BLOCK, self.wanted)
            stored = self.store.stored_trials(self.number, self.seed, self.looked_up, end, self.point.limit)
            for trial in range(self.looked_up, end):
                if trial not in stored or stored[trial] is not None:
                    self.pending.append((trial, stored.get(trial)))
            self.looked_up = end


def store_tally(store: Store, point: Point, number: int, seed: int, end: int) -> Tally:
    """Of the trials below `end`, without those that were censored below the point's limit: these are run again."""
    rows = store.select(
        f"SELECT {COLUMN.get(point.measure, point.measure)}, {HAS_ENDED[point.measure]}, {WAS_CUT[point.measure]}, censored, max_steps, seconds"
        " FROM trials WHERE point = ? AND seed = ? AND trial < ?",
        (number, seed, end),
    )
    total = Tally()
    while chunk := list(islice(rows, BLOCK)):
        kept = [row for row in chunk if not row[3] or reaches(row[4], point.limit)]
        total += sum_of([(row[0], bool(row[1]), bool(row[2])) for row in kept], sum(row[5] for row in kept))
    return total


def tally_of(row: Row, measure: str) -> Tally:
    return sum_of([(row.value(measure), row.has_ended(measure), row.was_cut(measure))], row.seconds)


def sum_of(trials: Sequence[tuple[str | None, bool, bool]], seconds: float) -> Tally:
    """Each with its value, whether it ended, and whether it was censored; a trial that did neither never ends."""
    values = [int(value or 0) for value, ended, cut in trials if ended or cut]
    return Tally(
        *(len(trials), sum(cut for _, _, cut in trials), sum(not ended and not cut for _, ended, cut in trials)),
        *(sum(values), sum(value * value for value in values), seconds),
    )
