"""The agents of a population as processes that exchange frames."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from princeps.errors import Interrupted, RunError
from princeps.model.description import Description, Named, describe, with_seed
from princeps.model.modules import refuse_while_loading
from princeps.model.options import (
    OF_SIMULATIONS,
    RING,
    Count,
    NetOptions,
    RunOptions,
    explained,
    read_texts,
    split,
    takes_options,
)
from princeps.model.run import Run

if TYPE_CHECKING:
    from princeps.network.report import NetResult

Show = Callable[[Any, float], None]


@takes_options(RunOptions, without=OF_SIMULATIONS)
@takes_options(NetOptions)
@explained
def net(name: Named, n: Count | None = None, **given: Any) -> NetResult:
    """Run a population protocol on processes and sockets, one process an agent; a NetResult.

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


def net_described(description: Description, options: NetOptions, show: Show | None = None) -> NetResult:
    """The one way in: whoever describes the run, it is read and carried out here."""
    from princeps.model.description import read
    from princeps.network.planning import command_of, plan_of
    from princeps.network.running import run_network

    if description.kind == RING:
        raise RunError(f"{description.cls.name} is a ring algorithm: princeps net takes population protocols.")
    run = read(description)
    assert isinstance(run, Run)
    return run_network(run, plan_of(options, run), show, command_of(run, options))
