"""Replicas of several level functions, over worker processes or in this one, kept in a store if there is one."""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from princeps.campaign import evidence
from princeps.campaign.store import Store
from princeps.campaign.tasks import FunctionTrials
from princeps.campaign.worker_pool import WorkerPool
from princeps.errors import PrincepsError
from princeps.model.description import Description
from princeps.rare.pilot import Levels
from princeps.rare.replica import replica

PLACE = "princeps.rare.replica:replica"
WORTH_WORKERS = 500_000_000  # steps: a worker takes as long to start as these

Observer = Callable[[str, int, int], None]


@dataclass(eq=False)
class Series:
    """The replicas of one level function."""

    description: Description
    identity: str  # of the run, by content
    loss: str
    level: int
    levels: Levels
    effort: int
    found: dict[int, dict[str, Any]] = field(default_factory=dict)

    @property
    def arguments(self) -> dict[str, Any]:
        return {
            "description": self.description,
            "loss": self.loss,
            "level": self.level,
            "floor": self.levels.floor,
            "thresholds": list(self.levels.thresholds),
            "effort": self.effort,
        }

    @property
    def id(self) -> str:
        """The same for the same run, seed, level function, levels and effort."""
        said = {name: value for name, value in self.arguments.items() if name != "description"}
        seed = self.description.options.seed
        return hashlib.sha256(json.dumps([self.identity, str(seed), said], sort_keys=True).encode()).hexdigest()[:32]

    @property
    def rates(self) -> tuple[float, ...]:
        return tuple(self.found[number]["rate"] for number in sorted(self.found))

    @property
    def steps(self) -> int:
        return sum(one["steps"] for one in self.found.values())

    @property
    def others(self) -> int:
        return sum(one["others"] for one in self.found.values())


class Collector:
    """Runs what is missing. What is finished is kept, whatever happens."""

    def __init__(self, jobs: int, store: Store | None = None, observe: Observer = lambda what, done, all: None) -> None:
        self.jobs, self.store, self.observe = jobs, store, observe
        if store is not None:
            evidence.create_table(store)

    def collect(self, wanted: list[tuple[Series, int]]) -> None:
        """Until every series has so many replicas."""
        todo: deque[tuple[Series, int]] = deque()
        for series, number in wanted:
            if self.store is not None:
                series.found |= evidence.saved_parts(self.store, series.id, number)
            todo.extend((series, k) for k in range(number) if k not in series.found)
        todo = deque(sorted(todo, key=lambda item: item[1]))  # the series in turn
        self.total, self.done = len(todo), 0
        while todo and not self._is_long(todo):
            series, number = todo.popleft()
            self._keep(series, number, replica(number, **series.arguments), 0.0)
        if todo:
            self._by_workers(todo)

    def _is_long(self, todo: deque[tuple[Series, int]]) -> bool:
        """Is it worth starting workers? Judged by the steps of the replicas that are there."""
        known = [series for series, _ in todo if series.found]
        if self.jobs < 2 or len(known) < len(todo):
            return False
        return sum(series.steps / len(series.found) for series in known) > WORTH_WORKERS

    def _by_workers(self, todo: deque[tuple[Series, int]]) -> None:
        pool = WorkerPool(min(self.jobs, len(todo)))
        failure: PrincepsError | None = None
        try:
            while (todo and failure is None) or pool.busy:
                while todo and failure is None and pool.has_room():
                    series, number = todo.popleft()
                    what = FunctionTrials(f"hold {series.loss}", PLACE, self._sent(series))
                    pool.assign(series, what, [number])
                for answer in pool.answers(timeout=0.2):
                    if isinstance(answer.outcome, PrincepsError):
                        failure = failure or answer.outcome
                    else:
                        self._keep(answer.key, answer.trial, answer.outcome, answer.seconds)
        finally:
            for answer in pool.stop():  # after Ctrl-C: what has arrived and is not kept yet
                with suppress(Exception):
                    self._keep(answer.key, answer.trial, answer.outcome, answer.seconds)
        if failure is not None:
            raise failure

    def _sent(self, series: Series) -> dict[str, Any]:
        return {**series.arguments, "description": series.description.sendable()}

    def _keep(self, series: Series, number: int, found: dict[str, Any], seconds: float) -> None:
        series.found[number] = found
        self.done += 1
        self.observe(f"replicas of {series.loss}", self.done, self.total)
        if self.store is not None:
            said = {name: value for name, value in series.arguments.items() if name != "description"}
            evidence.save_part(self.store, series.id, number, PLACE, said, found, seconds)
