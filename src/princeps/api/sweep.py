"""Campaigns: sweep, results, fit, merge."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from princeps.api.arguments import (
    a_function_of,
    a_number,
    a_path,
    a_protocol_name,
    a_text,
    or_none,
    protocols,
    reads,
    renamed,
)
from princeps.api.engines import ENGINE_HELP
from princeps.api.progress import displayed, observing_phases, watching_sweep
from princeps.campaign.campaign import Campaign
from princeps.campaign.plan import FIXED_OPTIONS, make_plan
from princeps.campaign.sweep import SweepObserver
from princeps.errors import Interrupted, RunError, WorkerLost
from princeps.model import registry
from princeps.model.announcing import announces
from princeps.model.carried import Carried
from princeps.model.files import FilePath
from princeps.model.interruptions import require_interruption
from princeps.model.modules import refuse_while_loading
from princeps.model.options import (
    OF_ONE_RUN,
    Count,
    RunOptions,
    SweepOptions,
    explained,
    options_of,
    read_texts,
    takes_options,
)
from princeps.model.python_values import each_in_words
from princeps.model.registry import Named
from princeps.model.values import shown

if TYPE_CHECKING:  # numpy is loaded when the results are looked at
    from princeps.campaign.fit import Fit
    from princeps.campaign.merge import Merged
    from princeps.campaign.results import Results

P = ParamSpec("P")
T = TypeVar("T")
NO_RECORDS = dict.fromkeys(("record", "every", "snapshots"), "sweep keeps no records of single runs, princeps.run does")
SWEPT = tuple(name for name in options_of(RunOptions) if name not in OF_ONE_RUN)
REPEATED = tuple(name for name in SWEPT if options_of(RunOptions)[name].repeated)


def in_one_list(function: Callable[P, T]) -> Callable[P, T]:
    """Protocols that are given one by one would be taken for sizes: they are asked for as a list."""

    @wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> T:
        if len(args) > 1 and _is_protocol(args[1]):
            names = ", ".join(one.__name__ if isinstance(one, type) else repr(one) for one in args)
            raise RunError(f"sweep takes several protocols as a list: write sweep([{names}], n=...).")
        return function(*args, **kwargs)

    return called


def _is_protocol(value: Any) -> bool:
    if isinstance(value, str):
        return value in registry.names() or ".py" in value
    return isinstance(value, os.PathLike) or registry.is_protocol(value)


@announces("princeps.sweep", observer="watch")
@in_one_list
@reads(name=protocols, watch=or_none(a_function_of("sweep")), store=or_none(a_path), cluster=or_none(a_text))
@takes_options(RunOptions, without=OF_ONE_RUN, help=ENGINE_HELP, several=True, why_without=NO_RECORDS)
@takes_options(SweepOptions, several=True)
def sweep(
    name: Named | Iterable[Named],
    n: Count | Iterable[Count] | None = None,
    *,
    watch: SweepObserver | None = None,
    progress: bool = True,
    **given: Any,
) -> Results:
    """Run what the store does not hold yet, and give the results of these points.

    `name` is a protocol, a list of them, or the path of a plan (.toml); n, start, until, graph and the parameters may
    be lists, and every combination is a point.
    """
    refuse_while_loading("princeps.sweep")
    names = [name] if isinstance(name, (str, type, Carried)) else list(name)
    rare = bool(given.pop("rare", False))
    how = {option: given.pop(option) for option in options_of(SweepOptions) if option in given}
    options = {option: each_in_words(option, given.pop(option)) for option in SWEPT if option in given}
    read_texts({option: options[option] for option in REPEATED if option in options}, RunOptions)
    campaign = campaign_of(names, given, {"n": n, **options}, SweepOptions(**how))
    try:
        if rare:
            refuse_rare(campaign)
        with displayed("princeps.sweep", progress and watch is None) as display:
            found = campaign.run(watch or watching_sweep(display))
            if rare and not found.failures:
                estimate_holdings(campaign, observing_phases(display))
    except KeyboardInterrupt as error:
        from princeps.campaign.results import Results

        require_interruption(error)
        kept = campaign.results() if os.path.exists(campaign.store) else Results.nothing(campaign.store)
        sentence = f"interrupted; the store {campaign.store!r} holds what was finished, and the same call goes on."
        raise Interrupted(sentence, kept) from None
    if found.failures:
        raise WorkerLost(found.failures_in_words())
    return campaign.results()


def campaign_of(
    names: Sequence[Any], params: Mapping[str, Any], options: Mapping[str, Any], how: SweepOptions
) -> Campaign:
    """What the command line and Python share: a plan, and how it is carried out. Options left out are None."""
    nothing = {name: None for name in FIXED_OPTIONS if options.get(name) is False or _is_empty(options.get(name))}
    settings = {name: value for name, value in vars(how).items() if name != "rare"}
    return Campaign(make_plan(names, params, {**options, **nothing}), **settings)


def refuse_rare(campaign: Campaign) -> None:
    """Before anything is run: what cannot be estimated by splitting."""
    from princeps.api.hold import refuse_hold
    from princeps.model.description import read

    for point in campaign.plan.points:
        if not point.description.options.hold:
            raise RunError("rare says how holding times are found: give hold (--hold), too.")
        refuse_hold(read(point.description))


def estimate_holdings(
    campaign: Campaign, observe: Callable[[str, int, int], None] | None = None
) -> list[dict[str, Any]]:
    """Of every point, as `princeps.hold` from the same start on the same graph; kept in the store, which the plots read."""
    from princeps.api.hold import hold_described
    from princeps.campaign.holdings import keep_holding
    from princeps.campaign.store import open_store

    found = []
    for point in campaign.plan.points:
        given, seed = point.description.options, point.seed(campaign.seed)
        options = RunOptions(start=given.start, graph=given.graph, seed=seed, force=given.force)
        described = replace(point.description, options=options)
        answer = hold_described(described, jobs=campaign.jobs, store=campaign.store, observe=observe).as_json()
        with open_store(campaign.store) as store:
            keep_holding(store, point.id, seed, answer)
        found.append({"point": point.id, **answer})
    return found


def _is_empty(value: Any) -> bool:
    return isinstance(value, list | tuple) and not value


@explained
@announces("princeps.results")
@reads(store=a_path, measure=or_none(a_text), protocol=or_none(a_protocol_name))
def results(store: str, *, measure: str | None = None, protocol: str | None = None) -> Results:
    """What a store holds: a Summary for each point and measure, or a frame."""
    from princeps.campaign.results import Results

    return Results(store, measure=measure, protocol=protocol)


def a_store(value: FilePath | Results, name: str) -> Any:
    """A store by its path, or what was read from one."""
    from princeps.campaign.results import Results

    if isinstance(value, Results):
        return value
    if not isinstance(value, str | os.PathLike):
        raise RunError(
            f"{name} {shown(value)} is not understood: give the path of a store, or what princeps.sweep(..., n=[...]) "
            f"returned, since a law of growth needs several sizes."
        )
    return a_path(value, name)


@explained
@announces("princeps.fit")
@renamed(smallest="from_")
@reads(store=a_store, measure=or_none(a_text), protocol=or_none(a_protocol_name), by=a_text, from_=a_number)
def fit(
    store: str | Results,
    *,
    measure: str | None = None,
    protocol: str | None = None,
    by: str = "n",
    from_: float = 0,
) -> list[Fit]:
    """The law of growth of every series in the store that has at least three sizes."""
    from princeps.campaign.fit import fits
    from princeps.campaign.results import Results

    found = store.of(protocol) if isinstance(store, Results) else Results(store, protocol=protocol)
    return fits(found, measure=measure, by=by, smallest=from_)


@explained
@announces("princeps.merge")
@reads(stores=a_path, output=a_path)
def merge(*stores: str, output: str, sound: bool = False) -> Merged:
    """All trials of several stores in a new one, each of them once; with `sound`, what is sound of damaged stores."""
    from princeps.campaign.merge import merge as merge_stores

    return merge_stores(stores, output, sound)
