"""A plan with the settings of its campaign: the store, the number of trials, the seed, the workers."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

from princeps.campaign.evidence import discard_if_empty
from princeps.campaign.plan import Plan
from princeps.campaign.rescue import rescued_if_lost
from princeps.campaign.store import open_store
from princeps.campaign.sweep import Sweep, SweepObserver, Workers
from princeps.errors import LostStore, ParameterError, StoreError
from princeps.model.limits import read_jobs
from princeps.model.machine import processors
from princeps.model.numbers import bytes_in_words, read_count, read_integer

if TYPE_CHECKING:  # numpy is loaded when the results are looked at
    from princeps.campaign.results import Results

MAX_TRIALS = 10**9  # of a point
ROW_BYTES = 70  # of a trial in a store, at least
STORE, TRIALS, SEED = "results.db", 100, 0


class Campaign:
    """How a plan is run. A setting that is not given is the plan's, or else the default."""

    def __init__(self, plan: Plan, **given: Any) -> None:
        settings = {**plan.settings, **{name: value for name, value in given.items() if value is not None}}
        self.plan = plan
        self.store = str(settings.get("store", STORE))
        self.trials = _at_least_one(settings.get("trials", TRIALS), "trials", MAX_TRIALS)
        self.seed = read_integer(settings.get("seed", SEED), "seed")
        self.precision = None if settings.get("precision") is None else read_precision(settings["precision"])
        self.jobs = read_jobs(settings.get("jobs", processors()))
        self.cluster = settings.get("cluster")

    def run(self, watch: SweepObserver | None = None) -> Sweep:
        self._refuse_a_full_disk()
        workers = self._workers()  # a cluster that does not answer is refused before a store is made
        is_new = not os.path.lexists(self.store)
        try:
            with open_store(self.store) as store, rescued_if_lost(store):
                found = Sweep(
                    *(self.plan.points, store),
                    trials=self.trials,
                    seed=self.seed,
                    precision=self.precision,
                    watch=watch,
                )
                found.run(workers)
        except LostStore:
            is_new = False  # what is at the path now is not ours
            raise
        finally:
            if is_new:
                discard_if_empty(self.store)
        return found

    def _refuse_a_full_disk(self) -> None:
        """Of a sweep that stops at a precision nobody knows beforehand how long it is."""
        try:
            free = shutil.disk_usage(os.path.dirname(os.path.abspath(self.store))).free
        except (OSError, ValueError):
            return  # the store itself will be refused
        rows = self.trials * len(self.plan.points)
        needed = rows * ROW_BYTES - (os.path.getsize(self.store) if os.path.isfile(self.store) else 0)
        if self.precision is None and needed > free:
            raise StoreError(
                f"{rows:,} trials take at least {bytes_in_words(rows * ROW_BYTES)} in the store {self.store!r}, and "
                f"{bytes_in_words(free)} are free there: lower --trials, or give --precision, or choose another disk."
            )

    def _workers(self) -> Workers:
        if self.cluster is not None:
            from princeps.campaign.cluster import Cluster

            return Cluster(str(self.cluster))
        from princeps.campaign.worker_pool import WorkerPool

        return WorkerPool(self.jobs)

    def results(self) -> Results:
        from princeps.campaign.results import Results

        return Results(self.store, points=[point.id for point in self.plan.points], seed=self.seed)


def _at_least_one(value: Any, what: str, most: int) -> int:
    number = read_count(value, what)
    if not 1 <= number <= most:
        raise ParameterError(f"{what} = {number} is out of range: give 1 to {most:,}.")
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
