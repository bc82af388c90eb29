"""The campaign's verbs from Python: sweep, results, fit, merge."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from princeps.campaign.plan import Plan, distinct, grid, read_plan
from princeps.campaign.store import discard_if_empty, open_store
from princeps.campaign.sweep import Sweep, Watcher, Workers
from princeps.errors import ParameterError, PrincepsError, RunError, WorkerLost
from princeps.model.numbers import read_count, read_integer

if TYPE_CHECKING:  # numpy is loaded when the results are looked at
    from princeps.campaign.fit import Fit
    from princeps.campaign.merge import Merged
    from princeps.campaign.results import Results

MOST = 10**15
STORE, TRIALS, SEED = "results.db", 100, 0


def sweep(
    name: Any,
    n: Any = None,
    *,
    store: str | None = None,
    trials: int | str | None = None,
    seed: int | str | None = None,
    precision: float | str | None = None,
    jobs: int | str | None = None,
    cluster: str | None = None,
    watch: Watcher | None = None,
    start: Any = None,
    until: Any = None,
    graph: Any = None,
    engine: str | None = None,
    max_steps: int | str | float | None = None,
    faults: Sequence[str] | str = (),
    hold: bool = False,
    ids: str | None = None,
    force: bool = False,
    **params: Any,
) -> Results:
    """Run what the store does not hold yet, and give the results of these points.

    `name` is a protocol, a list of them, or the path of a plan (.toml); n, start, until, graph and the parameters may
    be lists, and every combination is a point.
    """
    options = {"n": n, "start": start, "until": until, "graph": graph, "engine": engine, "max_steps": max_steps}
    options |= {"faults": faults or None, "hold": hold or None, "ids": ids, "force": force or None}
    plan = make_plan([name] if isinstance(name, (str, type)) else list(name), params, options)
    conduct = Conduct(plan, store=store, trials=trials, seed=seed, precision=precision, jobs=jobs, cluster=cluster)
    found = conduct.run(watch)
    if found.troubles:
        raise WorkerLost(troubles_in_words(found))
    return conduct.results()


def results(store: str, *, measure: str | None = None, protocol: str | None = None) -> Results:
    """What a store holds: a Summary for each point and measure, or a frame."""
    from princeps.campaign.results import Results

    return Results(store, measure=measure, protocol=protocol)


def fit(
    store: str, *, measure: str | None = None, protocol: str | None = None, by: str = "n", smallest: float = 0
) -> list[Fit]:
    """The law of growth of every series in the store that has at least three sizes."""
    from princeps.campaign.fit import fits
    from princeps.campaign.results import Results

    return fits(Results(store, protocol=protocol), measure=measure, by=by, smallest=smallest)


def merge(*stores: str, output: str) -> Merged:
    """All trials of several stores in a new one, each of them once."""
    from princeps.campaign.merge import merge as merge_stores

    return merge_stores(stores, output)


# -- what the command line shares -------------------------------------------------------------------------------------


def make_plan(names: Sequence[Any], params: Mapping[str, Any], options: Mapping[str, Any]) -> Plan:
    """Of protocols with lists of options, or of a file that says it all."""
    given = {name: value for name, value in options.items() if value is not None}  # 0 and [] are given, and told of
    plans = [name for name in names if isinstance(name, str) and name.endswith(".toml")]
    if not plans:
        return Plan(distinct(grid(names, params, **given)), {})
    if len(names) > 1:
        raise RunError(f"plan {plans[0]!r} says everything itself: name no other protocol or plan beside it.")
    if given or params:
        extra = next(iter([*given, *params]))
        raise RunError(f"{extra!r} is given beside the plan {plans[0]!r}: write it into the plan.")
    return read_plan(plans[0])


class Conduct:
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
        from princeps.engines.crew import Crew

        return Crew(self.jobs)

    def results(self) -> Results:
        from princeps.campaign.results import Results

        return Results(self.store, points=[point.id for point in self.plan.points])


def processors() -> int:
    """That this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def _at_least_one(value: Any, what: str) -> int:
    number = read_count(value, what)
    if not 1 <= number <= MOST:
        raise ParameterError(f"{what} = {number} is out of range: give 1 to {MOST}.")
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


def troubles_in_words(found: Sweep) -> str:
    """The first of them, how to see it alone, and how much is left."""
    first = found.troubles[0]
    try:
        alone = f" Alone it is: {first.point.command(found.seed, first.trial)}"
    except PrincepsError:  # its graph, say, cannot be drawn
        alone = ""
    count = len(found.troubles)
    rest = f" {count:,} trials were given up, and {found.left_out:,} more of the same points were not tried."
    return f"{first.point.label}: {first.sentence}{rest if count > 1 or found.left_out else ''}{alone}"
