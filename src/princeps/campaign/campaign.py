"""A plan with the settings of its campaign: the store, the number of trials, the seed, the workers."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from princeps.campaign.evidence import discard_if_empty
from princeps.campaign.plan import Plan
from princeps.campaign.store import open_store
from princeps.campaign.sweep import Sweep, SweepObserver, Workers
from princeps.errors import ParameterError
from princeps.model.machine import processors
from princeps.model.numbers import read_count, read_integer

if TYPE_CHECKING:  # numpy is loaded when the results are looked at
    from princeps.campaign.results import Results

LARGEST_COUNT = 10**15  # of trials or jobs
STORE, TRIALS, SEED = "results.db", 100, 0


class Campaign:
    """How a plan is run. A setting that is not given is the plan's, or else the default."""

    def __init__(self, plan: Plan, **given: Any) -> None:
        settings = {**plan.settings, **{name: value for name, value in given.items() if value is not None}}
        self.plan = plan
        self.store = str(settings.get("store", STORE))
        self.trials = _at_least_one(settings.get("trials", TRIALS), "trials")
        self.seed = read_integer(settings.get("seed", SEED), "seed")
        self.precision = None if settings.get("precision") is None else read_precision(settings["precision"])
        self.jobs = _at_least_one(settings.get("jobs", processors()), "jobs")
        self.cluster = settings.get("cluster")

    def run(self, watch: SweepObserver | None = None) -> Sweep:
        workers = self._workers()  # a cluster that does not answer is refused before a store is made
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
        from princeps.campaign.worker_pool import WorkerPool

        return WorkerPool(self.jobs)

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
