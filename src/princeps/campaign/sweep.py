"""A campaign under way: assign what is missing, write down what comes back, look for more.

One process, the supervisor, writes to the store. Trials come back one by one and are committed together, half a second
after the first of them at the latest. It does not matter when it is killed: what was not committed is missing, and what
is missing is run again, with the same seeds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from princeps.campaign.agenda import Agenda, tally_of
from princeps.campaign.crew import Answer
from princeps.campaign.point import Point
from princeps.campaign.rows import Row, row_of
from princeps.campaign.store import Store
from princeps.campaign.tasks import Trials
from princeps.errors import PrincepsError

COMMIT_SECONDS = 0.5
LARGEST_COMMIT = 5000  # rows


class Workers(Protocol):
    """Local processes (crew.py) or a cluster (cluster.py)."""

    @property
    def size(self) -> int: ...
    def room(self, ahead: int = 1) -> bool: ...
    @property
    def busy(self) -> bool: ...
    def assign(self, key: Any, what: Trials, trials: Sequence[int]) -> None: ...
    def answers(self, patience: float) -> list[Answer]: ...
    def withdraw(self, key: Any) -> int: ...
    def dismiss(self) -> list[Answer]: ...


@dataclass(frozen=True)
class Trouble:
    """A trial that was given up."""

    point: Point
    trial: int
    sentence: str


Watcher = Callable[["Sweep"], None]


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
        watch: Watcher | None = None,
    ) -> None:
        self.points, self.store, self.trials, self.seed = points, store, trials, seed
        self.precision, self.watch = precision, watch
        self.numbers = store.number(points)
        self.active: list[Agenda] = []
        self.finished: list[Agenda] = []  # since the watcher last looked
        self.points_done = 0
        self.trials_run = 0
        self.workers = 1
        self.troubles: list[Trouble] = []
        self._abandoned: list[Agenda] = []
        self._waiting = self._agendas()
        self._rows: list[Row] = []
        self._since = time.monotonic()

    def _agendas(self) -> Iterator[Agenda]:
        for point, number in zip(self.points, self.numbers, strict=True):
            yield Agenda(point, number, point.seed(self.seed), self.trials, self.precision, self.store)

    # -- the loop -----------------------------------------------------------------------------------------------

    def run(self, workers: Workers) -> None:
        """Until nothing is missing. Whatever ends it early, all that had come back is committed first."""
        try:
            while self._assign(workers) or workers.busy:
                self._settle(workers.answers(patience=0.2), workers)
                self._commit_if_due()
                self._look()
        except BaseException:
            try:
                self._settle(workers.dismiss(), workers)
            finally:
                self._commit()
            raise
        workers.dismiss()
        self._commit()
        self._look()

    def _assign(self, workers: Workers) -> bool:
        """Hand out what there is room for; True while anything is left to be done."""
        self.workers = workers.size
        self._retire()
        position = 0
        while True:
            if position == len(self.active):
                following = next(self._waiting, None) if workers.room() else None
                if following is None:
                    break
                self.active.append(following)
            agenda = self.active[position]
            while workers.room(agenda.pace.ahead):
                trials, engine = agenda.batch(workers.size)
                if not trials:
                    break
                workers.assign(agenda, agenda.point.trials(self.seed, engine), trials)
            if not workers.room():
                break
            position += 1
        self._retire()
        return bool(self.active)

    def _retire(self) -> None:
        """Points of which nothing is wanted any more."""
        if self.precision is not None and any(agenda.idle for agenda in self.active):
            self._commit()  # whether more is wanted is read from the store
        going_on = []
        for agenda in self.active:
            if agenda.is_over():
                self.finished.append(agenda)
                self._abandoned += [agenda] if agenda.abandoned else []
                self.points_done += 1
            else:
                going_on.append(agenda)
        self.active = going_on

    @property
    def left_out(self) -> int:
        """Trials that were not run because their points were given up."""
        return sum(agenda.wanted - agenda.tally.trials - agenda.troubles for agenda in self._abandoned)

    def _settle(self, answers: Sequence[Answer], workers: Workers) -> None:
        for answer in answers:
            agenda: Agenda = answer.key
            agenda.settled()
            if isinstance(answer.outcome, PrincepsError):
                agenda.troubles += 1
                self.troubles.append(Trouble(agenda.point, answer.trial, str(answer.outcome)))
                if agenda.abandoned:
                    agenda.assigned -= workers.withdraw(agenda)
                continue
            row = row_of(agenda.number, answer.outcome, agenda.point.limit)
            agenda.tally += tally_of(row, agenda.point.measure)
            agenda.pace.note(answer.seconds)
            self.trials_run += 1
            if not self._rows:
                self._since = time.monotonic()
            self._rows.append(row)

    def failures_in_words(self) -> str:
        """The first trial that was given up, how to see it alone, and how much is left."""
        first = self.troubles[0]
        try:
            alone = f" Alone it is: {first.point.command(self.seed, first.trial)}"
        except PrincepsError:  # its graph, say, cannot be drawn
            alone = ""
        count = len(self.troubles)
        rest = f" {count:,} trials were given up, and {self.left_out:,} more of the same points were not tried."
        return f"{first.point.label}: {first.sentence}{rest if count > 1 or self.left_out else ''}{alone}"

    # -- what it leaves behind ----------------------------------------------------------------------------------

    def _commit_if_due(self) -> None:
        if self._rows and (time.monotonic() - self._since > COMMIT_SECONDS or len(self._rows) >= LARGEST_COMMIT):
            self._commit()

    def _commit(self) -> None:
        """If it is interrupted (Ctrl-C), the rows are kept for the next time, which is at once."""
        rows, self._rows = self._rows, []
        try:
            if rows:
                self.store.add(rows)
        except KeyboardInterrupt:
            self._rows = rows
            raise

    def _look(self) -> None:
        if self.watch is not None:
            self.watch(self)
        self.finished.clear()
