"""The agents of a population as processes that exchange frames."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING, Any

from princeps.errors import Interrupted, RunError
from princeps.model.description import Description, Named, describe, with_seed
from princeps.model.modules import refuse_while_loading
from princeps.model.numbers import read_count, read_seconds
from princeps.model.options import (
    OF_SIMULATIONS,
    Count,
    NetOptions,
    RunOptions,
    check_choice,
    explained,
    options_of,
    read_texts,
    split,
    takes_options,
)
from princeps.model.rings.run import RingRun
from princeps.model.run import Run
from princeps.wording import either

if TYPE_CHECKING:
    from princeps.network.report import NetResult
    from princeps.network.rings.report import RingNetResult
    from princeps.network.running import Plan

Show = Callable[[Any, float], None]


@takes_options(RunOptions, without=OF_SIMULATIONS)
@takes_options(NetOptions)
@explained
def net(name: Named, n: Count | None = None, **given: Any) -> NetResult | RingNetResult:
    """Run a definition on processes and sockets, one process an agent; a NetResult, of a ring algorithm a RingNetResult.

    Every interaction is put into an order and replayed by the reference engine: `replay` says "agrees", or the first
    difference. Without a duration the run ends at its goal.
    """
    refuse_while_loading("princeps.net")
    asked, rest = split(given, NetOptions)
    options = NetOptions(**read_texts(asked, NetOptions))
    result = net_described(with_seed(describe(name, n, **rest)), options)
    if result.interrupted:
        raise Interrupted(f"interrupted after {result.all_interactions:,} interactions: see `partial`.", result)
    return result


def net_described(description: Description, options: NetOptions, show: Show | None = None) -> NetResult | RingNetResult:
    """The one way in: whoever describes the run, it is read and carried out here."""
    from princeps.model.description import read
    from princeps.network.running import run_network

    run = read(description)
    if isinstance(run, RingRun):
        if description.options.scheduler is not None:
            raise RunError("who acts next is decided by the network: leave out --scheduler.")
        return _ring_network(run, options)
    assert isinstance(run, Run)
    return run_network(run, plan_of(options, run), show, command_of(run, options))


def plan_of(options: NetOptions, run: Run) -> Plan:
    from princeps.network import running
    from princeps.network.chaos import read_chaos

    mode = check_choice(options.mode, "mode", (running.FREE, running.CONDUCTED))
    return running.Plan(
        mode=mode,
        transport=check_choice(options.transport or running.UDP, "transport", (running.UDP, running.MEMORY)),
        rate=_positive(options.rate, either("--rate", "rate")),
        duration=None if options.duration is None else read_seconds(options.duration, either("--for", "duration")),
        lease=inf if options.lease is None else read_seconds(options.lease, either("--lease", "lease")),
        per_process=max(1, read_count(options.per_process, "per_process")),
        chaos=read_chaos(options.chaos, run.n),
        restart=check_choice(
            options.restart or running.RANDOM, "restart", (running.RANDOM, running.INITIAL, running.NONE)
        ),
    )


def _ring_network(run: RingRun, options: NetOptions) -> RingNetResult:
    from princeps.network.rings import running
    from princeps.network.rings.chaos import read_ring_chaos
    from princeps.network.rings.report import MEMORY, TCP
    from princeps.network.rings.restart import RESTARTS

    for name in ("mode", "rate", "lease", "per_process"):
        if str(getattr(options, name)) != str(options_of(NetOptions)[name].default):
            option = either(f"--{name.replace('_', '-')}", name)
            raise RunError(f"{option} is for population protocols: leave it out for {run.algorithm.name}.")
    restart = check_choice(options.restart or running.NONE, "restart", (running.NONE, *RESTARTS))
    plan = running.RingPlan(
        transport=check_choice(options.transport or TCP, "transport", (TCP, MEMORY)),
        faults=read_ring_chaos(options.chaos, run.ring.n, "" if restart == running.NONE else restart),
        duration=None if options.duration is None else read_seconds(options.duration, either("--for", "duration")),
    )
    return running.run_ring_network(run, plan, command_of(run, options))


def _positive(value: Any, what: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = 0.0
    if not 0 < number < inf:
        raise RunError(f"{what} {value!r} is not understood: give a number of requests a second, like 50.")
    return number


def command_of(run: Run | RingRun, options: NetOptions) -> str:
    """The command line that carries the run out again; processes do not repeat their pairs, conducted ones do."""
    words = ["princeps", "net", *shlex.split(run.words())[2:]]
    if isinstance(run, RingRun):  # the network is the scheduler
        place = words.index("--schedule")
        del words[place : place + 2]
    for declared in options_of(NetOptions).values():
        value = getattr(options, declared.name)
        if value is not None and str(value) != str(declared.default):
            words += [declared.flags[-1], str(value)]
    return shlex.join(words)
