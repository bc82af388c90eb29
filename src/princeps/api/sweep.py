"""Campaigns from Python: sweep, results, fit, merge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from princeps.campaign.campaign import Campaign, describe_failures
from princeps.campaign.plan import make_plan
from princeps.campaign.sweep import Watcher
from princeps.errors import WorkerLost

if TYPE_CHECKING:  # numpy is loaded when the results are looked at
    from princeps.campaign.fit import Fit
    from princeps.campaign.merge import Merged
    from princeps.campaign.results import Results


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
    campaign = Campaign(plan, store=store, trials=trials, seed=seed, precision=precision, jobs=jobs, cluster=cluster)
    found = campaign.run(watch)
    if found.troubles:
        raise WorkerLost(describe_failures(found))
    return campaign.results()


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
