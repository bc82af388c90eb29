"""Runs a campaign: assigns missing trials to workers and writes their results into the store.

One process, the supervisor, writes to the store. Results arrive one by one and are committed together, at most half a
second after the first of them. The supervisor may be killed at any time: trials that were not committed are missing, and
are run again by the next sweep, with the same seeds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from princeps.campaign.point import Point
from princeps.campaign.point_queue import PointQueue, tally_of
from princeps.campaign.rows import Row, row_of
from princeps.campaign.store import Store
from princeps.campaign.tasks import Trials
from princeps.campaign.worker_pool import Answer
from princeps.errors import InternalError, PrincepsError
from princeps.model.formatting import counted

COMMIT_SECONDS = 0.5
LARGEST_COMMIT = 5000  # rows


class Workers(Protocol):
    """Local processes (worker_pool.py) or a cluster (cluster.py)."""

    @property
    def size(self) -> int: ...
    def has_room(self, ahead: int = 1) -> bool: ...
    @property
    def busy(self) -> bool: ...
    def assign(self, key: Any, what: Trials, trials: Sequence[int]) -> None: ...
    def answers(self, timeout: float) -> list[Answer]: ...
    def cancel(self, key: Any) -> int: ...
    def stop(self) -> list[Answer]: ...


@dataclass(frozen=True)
class FailedTrial:
    """A trial that was given up, and why."""

    point: Point
    trial: int
    sentence: str
    is_fault: bool = False  # of princeps itself


def _failed(point: Point, trial: int, error: PrincepsError) -> FailedTrial:
    return FailedTrial(point, trial, str(error), isinstance(error, InternalError))


SweepObserver = Callable[["Sweep"], None]


class Sweep:
    """`watch` is called several times a second, and when a point is finished."""

    def __init__(
        self,
        points: Sequence[Point],
        store: Store,
        *,
        trials: int,
        seed: int = 0,
        precision: float | None = None,
        watch: SweepObserver | None = None,
    ) -> None:
        self.points, self.store, self.trials, self.seed = points, store, trials, seed
        self.precision, self.watch = precision, watch
        self.numbers = store.number(points)
        self.active: list[PointQueue] = []
        self.finished: list[PointQueue] = []  # since the observer was last called
        self.points_done = 0
        self.trials_run = 0
        self.workers = 1
        self.failures: list[FailedTrial] = []
        self._abandoned: list[PointQueue] = []
        self._waiting = self._point_queues()
        self._rows: list[Row] = []
        self._expected: dict[tuple[int, int], int] = {}  # rows of each point and seed, where any was added
        self._since = time.monotonic()

    def _point_queues(self) -> Iterator[PointQueue]:
        for point, number in zip(self.points, self.numbers, strict=True):
            yield PointQueue(point, number, point.seed(self.seed), self.trials, self.precision, self.store)

    # -- the loop -----------------------------------------------------------------------------------------------

    def run(self, workers: Workers) -> None:
        """Until no trial is missing. If it ends early, for whatever reason, all results are committed first."""
        try:
            while self._assign(workers) or workers.busy:
                self._process(workers.answers(timeout=0.2), workers)
                self._commit_if_due()
                self._notify()
        except BaseException:
            try:
                self._process(workers.stop(), workers)
            finally:
                self._commit()
                self.store.place.refuse_loss()
            raise
        workers.stop()
        self._commit()
        self.store.refuse_missing(self._expected)
        self._notify()

    def _assign(self, workers: Workers) -> bool:
        """Assign as many trials as the workers take; True while any is left."""
        self.workers = workers.size
        self._remove_finished()
        position = 0
        while True:
            if position == len(self.active):
                following = next(self._waiting, None) if workers.has_room() else None
                if following is None:
                    break
                self.active.append(following)
            queue = self.active[position]
            while workers.has_room(queue.batch_sizes.ahead):
                trials, engine = queue.batch(workers.size)
                if not trials:
                    break
                workers.assign(queue, queue.point.trials(self.seed, engine), trials)
            if not workers.has_room():
                break
            position += 1
        self._remove_finished()
        return bool(self.active)

    def _remove_finished(self) -> None:
        """Points of which no trial is left."""
        if self.precision is not None and any(queue.idle for queue in self.active):
            self._commit()  # the precision is computed from the store
        unfinished = []
        for queue in self.active:
            if queue.is_finished():
                self.finished.append(queue)
                self._abandoned += [queue] if queue.abandoned else []
                self.points_done += 1
            else:
                unfinished.append(queue)
        self.active = unfinished

    @property
    def left_out(self) -> int:
        """Trials that were not run because their points were given up."""
        return sum(queue.wanted - queue.tally.trials - queue.failed for queue in self._abandoned)

    def _process(self, answers: Sequence[Answer], workers: Workers) -> None:
        for answer in answers:
            queue: PointQueue = answer.key
            queue.trial_returned()
            if isinstance(answer.outcome, PrincepsError):
                queue.failed += 1
                self.failures.append(_failed(queue.point, answer.trial, answer.outcome))
                if queue.abandoned:
                    queue.assigned -= workers.cancel(queue)
                continue
            row = row_of(queue.number, answer.outcome, queue.point.limit)
            queue.tally += tally_of(row, queue.point.measure)
            self._expected[queue.number, queue.seed] = queue.tally.trials
            queue.batch_sizes.note(answer.seconds)
            self.trials_run += 1
            if not self._rows:
                self._since = time.monotonic()
            self._rows.append(row)

    def failures_in_words(self) -> str:
        """The first failed trial, the command that runs it alone, and how many others failed or were not run."""
        first = self.failures[0]
        try:
            alone = f" Alone it is: {first.point.command(self.seed, first.trial, self.store.path)}"
        except PrincepsError:  # its graph, say, cannot be drawn
            alone = ""
        count = len(self.failures)
        rest = f" Given up: {counted(count, 'trials')}; not tried: {self.left_out:,} more of the same points."
        return f"{first.point.label}: {first.sentence}{rest if count > 1 or self.left_out else ''}{alone}"

    # -- the store ----------------------------------------------------------------------------------------------

    def _commit_if_due(self) -> None:
        if not self._rows:
            self.store.place.refuse_loss()
        elif time.monotonic() - self._since > COMMIT_SECONDS or len(self._rows) >= LARGEST_COMMIT:
            self._commit()

    def _commit(self) -> None:
        """If Ctrl-C comes in between, the rows are kept, and committed before the sweep ends."""
        rows, self._rows = self._rows, []
        try:
            if rows:
                self.store.add(rows)
        except KeyboardInterrupt:
            self._rows = rows
            raise

    def _notify(self) -> None:
        if self.watch is not None:
            self.watch(self)
        self.finished.clear()
