"""Network runs in the store of campaigns: their point, and a row for each."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from princeps import __version__
from princeps.campaign.formula import whole_number
from princeps.campaign.network_point import NETWORK, NetworkPoint, network_point
from princeps.campaign.point import make_point
from princeps.campaign.rows import MAX_FAULTS, OVER_NETWORK, Row, row_of
from princeps.errors import RunError
from princeps.model.description import Description, read
from princeps.model.numbers import read_count, read_seconds
from princeps.model.options import RING, NetOptions, RunOptions, is_given, options_of
from princeps.model.reading import AUTO
from princeps.model.rings.run import RingRun
from princeps.network.planning import FREE, RANDOM, plan_of
from princeps.network.replay import AGREES
from princeps.network.report import NetResult
from princeps.network.rings.planning import NONE, ring_plan_of
from princeps.network.rings.report import RingNetResult

OF_A_TRIAL = ("seed", "trial")
READ_AS_SECONDS = ("duration", "lease")


def point_of(description: Description, options: NetOptions) -> NetworkPoint:
    """Whatever is wrong with the run is refused here, before anything is run."""
    if description.options.pairs is not None:
        raise RunError("a store holds samples of a law, and --pairs is one schedule: leave out --store, or --pairs.")
    network = _network(options, description)
    size = None if description.n is None else read_count(description.n, "n")
    typed = {name: str(value) for name, value in description.params.items() if str(value) != AUTO}
    numbers = {name: whole_number(text, name, size) for name, text in typed.items()}
    known, said = options_of(RunOptions), vars(description.options)
    given = {name: said[name] for name in known if name not in OF_A_TRIAL and is_given(said[name], known[name])}
    usual = {"start": None, "until": None, "graph": None, "hold": False, "force": False}
    simulated = make_point(description.protocol, size, numbers, {**usual, **given}, typed)
    if description.kind == RING:  # the network is the scheduler
        simulated = replace(simulated, options={**simulated.options, "scheduler": None})
    return network_point(simulated, network)


def _network(options: NetOptions, description: Description) -> dict[str, str]:
    """The options that make the law, one text for each way of writing them."""
    run = read(description, 0)
    if isinstance(run, RingRun):
        usual, found = NONE, {"mode": FREE, "transport": ring_plan_of(options, run).transport}
    else:
        plan = plan_of(options, run)
        usual, found = RANDOM, {"mode": plan.mode, "transport": plan.transport}
    for name, declared in options_of(NetOptions).items():
        value = getattr(options, name)
        if name not in found and is_given(value, declared) and not (name == "restart" and value == usual):
            found[name] = _text(name, value)
    known = options_of(NetOptions)
    return {
        name: text for name, text in found.items() if name in ("mode", "transport") or text != str(known[name].default)
    }


def _text(name: str, value: Any) -> str:
    if name in READ_AS_SECONDS:
        return f"{read_seconds(value, name):.10g}s"
    if name == "chaos":
        return "; ".join(sorted(" ".join(part.split()) for part in str(value).split(";") if part.strip()))
    return str(float(value)) if name == "rate" else str(value)


def row_of_network(number: int, result: NetResult | RingNetResult, limit: int | None) -> Row:
    """`number` is the point's in its store. A run whose replay disagrees is neither ended nor cut off."""
    agrees = result.replay == AGREES
    network = {"replay": result.replay, **result.counters}
    if isinstance(result, RingNetResult):
        row = row_of(number, result.result, limit)
        ring = {**json.loads(row.more or "{}")["ring"], "time": result.time}
        network |= {"deaths": len(result.deaths), "lost": result.drops}
        unfinished = agrees and not result.converged
        return row._replace(
            converged=int(result.converged),
            censored=int(unfinished and result.limited),
            silent=int(unfinished and not result.limited),
            more=json.dumps({"ring": ring, NETWORK: network}),
            engine=OVER_NETWORK,
            seconds=result.seconds,
        )
    hits = [one for one in result.recoveries if one["restarted_at"] is not None]
    recovery = hits[-1]["interactions"] if hits else None
    more: dict[str, Any] = {NETWORK: {**network, "pairs_p_value": result.pairs_p_value}}
    if hits:
        more["faults"] = [[one["restarted_at"], 1, one["interactions"]] for one in hits[-MAX_FAULTS:]]
    return Row(
        point=number,
        seed=result.seed,
        trial=result.trial,
        steps=str(result.all_interactions if result.steps is None else result.steps),
        converged=int(agrees and result.steps is not None),
        censored=int(agrees and (result.steps is None or (bool(hits) and recovery is None))),
        silent=0,
        leaders=result.leaders,
        leader=result.leader,
        events=None,
        held=None,
        held_steps=None,
        recovery_steps=None if recovery is None else str(recovery),
        total_steps=str(result.all_interactions),
        max_steps=None if limit is None else str(limit),
        more=json.dumps(more),
        engine=OVER_NETWORK,
        version=__version__,
        seconds=result.seconds,
    )
