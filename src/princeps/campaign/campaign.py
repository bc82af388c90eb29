"""A plan and how it is carried out: the store, the number of trials, the seed, the workers."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from princeps.campaign.plan import Plan
from princeps.campaign.store import discard_if_empty, open_store
from princeps.campaign.sweep import Sweep, Watcher, Workers
from princeps.errors import ParameterError
from princeps.model.machine import processors
from princeps.model.numbers import read_count, read_integer

if TYPE_CHECKING:  # numpy is loaded when the results are looked at
    from princeps.campaign.results import Results

LARGEST_COUNT = 10**15  # of trials or jobs
STORE, TRIALS, SEED = "results.db", 100, 0


class Campaign:
    """How a plan is carried out; what the call leaves open the plan may say."""

    def __init__(self, plan: Plan, **given: Any) -> None:
        said = {**plan.conduct, **{name: value for name, value in given.items() if value is not None}}
        self.plan = plan
        self.store = str(said.get("store", STORE))
        self.trials = _at_least_one(said.get("trials", TRIALS), "trials")
        self.seed = read_integer(said.get("seed", SEED), "seed")
        self.precision = None if said.get("precision") is None else read_precision(said["precision"])
        self.jobs = _at_least_one(said.get("jobs", processors()), "jobs")
        self.cluster = said.get("cluster")

    def run(self, watch: Watcher | None = None) -> Sweep:
        workers = self._workers()  # a cluster that is not there is told before a store is made
        is_new = not os.path.lexists(self.store)
        try:
            with open_store(self.store) as store:
                found = Sweep(
                    *(self.plan.points, store),
                    trials=self.trials,
                    seed=self.seed,
                    precision=self.precision,
                    watch=watch,
                )
                found.run(workers)
        finally:
            if is_new:
                discard_if_empty(self.store)
        return found

    def _workers(self) -> Workers:
        if self.cluster is not None:
            from princeps.campaign.cluster import Cluster

            return Cluster(str(self.cluster))
        from princeps.campaign.crew import Crew

        return Crew(self.jobs)

    def results(self) -> Results:
        from princeps.campaign.results import Results

        return Results(self.store, points=[point.id for point in self.plan.points])


def _at_least_one(value: Any, what: str) -> int:
    number = read_count(value, what)
    if not 1 <= number <= LARGEST_COUNT:
        raise ParameterError(f"{what} = {number} is out of range: give 1 to {LARGEST_COUNT}.")
    return number


def read_precision(value: float | str) -> float:
    """`1%` or 0.01."""
    text = str(value).strip()
    try:
        number = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        number = -1.0
    if not 0 < number < 1:
        raise ParameterError(f"precision = {text!r} is not understood: write it like 1% or 0.01.")
    return number
