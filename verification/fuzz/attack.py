"""The attack: all categories side by side, in worker processes, until the inputs or the time are used up."""

from __future__ import annotations

import os
import select
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fuzz.inputs import KINDS, Category
from fuzz.workers import Report, Worker

POLL_SECONDS = 0.2
Watch = Callable[["Tally", Report | None], None]


@dataclass
class Tally:
    """What was tried of a category, and what went wrong."""

    category: Category
    wanted: int
    tried: int = 0
    issued: int = 0
    announced: int = 0
    seconds: float = 0.0
    troubles: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    done: list[tuple[int, int]] = field(default_factory=list)  # numbers of inputs that were tried, from and to
    found: list[int] = field(default_factory=list)  # numbers of those that found something

    def as_json(self) -> dict[str, Any]:
        numbers = {"tried": self.tried, "announced": self.announced, "seconds": round(self.seconds, 1)}
        return {**numbers, "troubles": self.troubles, "done": joined(self.done), "found": self.found}

    def restore(self, known: dict[str, Any]) -> None:
        """As it was when `as_json` was asked."""
        self.tried, self.announced, self.seconds = known["tried"], known["announced"], known["seconds"]
        self.troubles, self.done = known["troubles"], [(first, end) for first, end in known["done"]]
        self.found = list(known["found"])
        self.issued = max((end for _, end in self.done), default=0)

    def try_again(self) -> None:
        """What found something is tried once more, as if it had not been tried: on a tree that was repaired since."""
        for number in self.found:
            self.done = [
                part
                for first, end in self.done
                for part in ([(first, number), (number + 1, end)] if first <= number < end else [(first, end)])
                if part[0] < part[1]
            ]
        self.tried -= len(self.found)
        self.found, self.troubles = [], dict.fromkeys(KINDS, 0)

    def left_out(self) -> list[tuple[int, int]]:
        """Numbers below those that were issued last which nobody has tried."""
        ends, found = 0, []
        for first, end in joined(self.done):
            found += [(ends, first)] if first > ends else []
            ends = end
        return found + ([(ends, self.issued)] if ends < self.issued else [])

    @property
    def is_clean(self) -> bool:
        return not any(self.troubles.values())

    @property
    def progress(self) -> float:
        return self.issued / max(1, self.wanted)

    def note(self, reports: Sequence[Report]) -> None:
        for report in reports:
            self.found += [report.number] if report.troubles else []
            for kind in {trouble.kind for trouble in report.troubles}:
                self.troubles[kind] += 1


class Attack:
    """`folder` holds the good files; a worker has a folder in it."""

    def __init__(self, tallies: Sequence[Tally], seed: int, folder: Path, jobs: int, deadline: float) -> None:
        self.tallies, self.seed, self.folder, self.jobs, self.deadline = tallies, seed, folder, jobs, deadline
        self.workers: dict[Worker, tuple[Tally, float]] = {}
        # inputs behind one that ended its worker, and those that an earlier part of the attack has left out
        self.returned = [(tally, *gap) for tally in tallies for gap in tally.left_out()]
        self.places = [folder / f"worker{k}" for k in range(jobs)]

    def run(self, watch: Watch) -> None:
        try:
            while True:
                self._fill()
                if not self.workers:
                    return
                self._wait()
                for worker in list(self.workers):
                    if not worker.look():
                        self._finish(worker, watch)
        finally:
            for worker, (tally, began) in self.workers.items():
                worker.kill()
                self._count(worker, tally, began)

    def _fill(self) -> None:
        while self.places and (following := self._next()) is not None:
            tally, first, end = following
            place = self.places.pop()
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir(parents=True)
            worker = Worker(tally.category, self.seed, first, end, place)
            worker.start()
            self.workers[worker] = tally, time.monotonic()

    def _next(self) -> tuple[Tally, int, int] | None:
        """A batch of the category that is furthest behind; none when the time is over."""
        if time.monotonic() > self.deadline:
            return None
        if self.returned:
            return self.returned.pop()
        waiting = [tally for tally in self.tallies if tally.issued < tally.wanted]
        if not waiting:
            return None
        tally = min(waiting, key=lambda one: one.progress)
        first = tally.issued
        tally.issued = min(tally.wanted, first + tally.category.batch)
        return tally, first, tally.issued

    def _wait(self) -> None:
        select.select([worker.pipe for worker in self.workers], [], [], POLL_SECONDS)

    def _finish(self, worker: Worker, watch: Watch) -> None:
        tally, began = self.workers.pop(worker)
        self._count(worker, tally, began)
        following = worker.first + worker.done
        if following < worker.end:
            self.returned.append((tally, following, worker.end))
        self.places.append(worker.folder)
        for report in worker.reports:
            watch(tally, report)
        watch(tally, None)

    def _count(self, worker: Worker, tally: Tally, began: float) -> None:
        tally.tried += worker.done
        tally.announced += worker.announced
        tally.seconds += time.monotonic() - began
        tally.note(worker.reports)
        if worker.done:
            tally.done.append((worker.first, worker.first + worker.done))


def joined(ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """In order, and those that touch as one."""
    found: list[tuple[int, int]] = []
    for first, end in sorted(ranges):
        if found and first <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((first, end))
    return found


def processors() -> int:
    return len(os.sched_getaffinity(0))
