"""What the tests of sweeps share: small sweeps, the rows that they left, workers without processes."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from typing import Any

import princeps as library
from princeps.campaign.results import Results
from princeps.campaign.rows import Row
from princeps.campaign.tasks import Trials
from princeps.campaign.worker import answered
from princeps.campaign.worker_pool import Answer
from tests.conftest import Command, Outcome

REFERENCE = ("--engine", "reference", "--jobs", 1)
Rows = dict[tuple[str, int, int], dict[str, Any]]


def rows_of(store: str, *, seconds: bool = False) -> Rows:
    """Every trial by point, seed and number; with its seconds no two executions are ever equal."""
    columns = Results(store).columns("trials")
    found = {}
    for values in zip(*columns.values(), strict=True):
        row = {name: value for name, value in zip(columns, values, strict=True) if name in Row._fields}
        if not seconds:
            del row["seconds"]
        found[row["point"], row["seed"], row["trial"]] = row
    return found


class Count:
    """A watcher that counts."""

    def __init__(self) -> None:
        self.trials = self.points = self.calls = 0

    def __call__(self, sweep: Any) -> None:
        self.trials, self.points, self.calls = sweep.trials_run, sweep.points_done, self.calls + 1


def swept(name: Any, n: Any, store: str, **options: Any) -> tuple[Results, Count]:
    """The results, and how much was run for them."""
    count = Count()
    found = library.sweep(name, n, **{"store": store, "engine": "reference", "jobs": 1, "watch": count, **options})
    return found, count


class OnTheSpot:
    """Workers that are none: each trial is run when it is lent. Starting a process would take longer than most tests."""

    size, busy = 1, False

    def __init__(self, jobs: int) -> None:
        self.found: list[Answer] = []

    def has_room(self, ahead: int = 1) -> bool:
        return not self.found

    def assign(self, key: Any, what: Trials, trials: Sequence[int]) -> None:
        self.found += [Answer(key, *answer) for answer in answered(what, trials)]
        self.busy = True

    def answers(self, timeout: float) -> list[Answer]:
        found, self.found, self.busy = self.found, [], False
        return found

    def stop(self) -> list[Answer]:
        return self.answers(0)


OWN = """
from princeps.model import Bit, Param, PopulationProtocol, Range

def initial(a, i, n, p):
    a.leader = 1

class Mine(PopulationProtocol):
    k = Param(min=1, default=2)
    leader, x = Bit(), Range(lambda p: p.k + 1)
    starts = {"initial": initial}

    @staticmethod
    def interact(a, b, p):
        a.x = min(a.x + 1, p.k)
        if a.leader == 1 and b.leader == 1 and a.x == p.k:
            b.leader = 0
"""


STORED = ("steps", "converged", "leaders", "leader", "events", "engine", "seed", "trial", "held", "held_steps")


def assert_repeats(quick: Command, outcome: Outcome, store: str) -> None:
    """Each stored trial is what the command of its summary gives."""
    stored = rows_of(store)
    commands = {one["point"]: one["command"] for one in outcome.objects}
    assert commands
    for (point, seed, trial), row in stored.items():
        words = shlex.split(commands[point])
        assert words[-1] == "i"
        assert words[words.index("--seed") + 1] == str(seed)
        again = quick(*words[1:-1], trial, "--json").object
        told = {name: value for name, value in row.items() if name in STORED and name in again}
        assert told == {name: again[name] for name in told}
        more = json.loads(row["more"] or "{}")
        assert [list(fault.values()) for fault in again.get("faults", [])] == more.pop("faults", [])
        assert {name: again[name] for name in more} == more
        assert row["max_steps"] is None or int(row["total_steps"]) <= int(row["max_steps"])
