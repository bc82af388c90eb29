"""The agents of a population as processes that exchange frames."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from princeps.api.arguments import a_path, or_none, reads
from princeps.api.net_trials import Elections
from princeps.errors import RunError
from princeps.model.description import Description, Named, describe
from princeps.model.modules import refuse_while_loading
from princeps.model.options import (
    OF_SIMULATIONS,
    Count,
    NetOptions,
    NetTrialOptions,
    RunOptions,
    explained,
    read_texts,
    split,
    takes_options,
)
from princeps.model.rings.run import RingRun
from princeps.model.run import Run

if TYPE_CHECKING:
    from princeps.network.report import NetResult
    from princeps.network.rings.report import RingNetResult
    from princeps.network.trials import NetTrials

NOT_SIMULATED = dict.fromkeys(OF_SIMULATIONS, "it is an option of simulated runs")
Show = Callable[[Any, float], None]


@reads(store=or_none(a_path), save_script=or_none(a_path))
@takes_options(RunOptions, without=OF_SIMULATIONS, why_without=NOT_SIMULATED)
@takes_options(NetOptions)
@takes_options(NetTrialOptions)
@explained
def net(name: Named, n: Count | None = None, **given: Any) -> NetResult | RingNetResult | NetTrials[Any]:
    """Run a definition on processes and sockets, one process an agent; a NetResult, of a ring algorithm a RingNetResult.

    Every interaction is put into an order and replayed by the reference engine: `replay` says "agrees", or the first
    difference. Without a duration the run ends at its goal. With `trials` there are several, one after the other, and the
    answer is a list that shows their statistics; with `store` they are kept for `results`, `fit` and `plot`.
    """
    refuse_while_loading("princeps.net")
    asked, rest = split(given, NetOptions)
    kept, rest = split(rest, NetTrialOptions)
    options, how = NetOptions(**read_texts(asked, NetOptions)), NetTrialOptions(**read_texts(kept, NetTrialOptions))
    elections = Elections(describe(name, n, **rest), options, how)
    elections.hold(lambda description: net_described(description, options))
    found: NetResult | RingNetResult | NetTrials[Any] = elections.answer()
    return found


def net_described(description: Description, options: NetOptions, show: Show | None = None) -> NetResult | RingNetResult:
    """The one way in: whoever describes the run, it is read and carried out here."""
    from princeps.model.description import read
    from princeps.network.planning import command_of, plan_of
    from princeps.network.running import run_network

    run = read(description)
    if isinstance(run, RingRun):
        from princeps.network.rings.planning import ring_plan_of
        from princeps.network.rings.running import run_ring_network

        if description.options.scheduler is not None:
            raise RunError("who acts next is decided by the network: leave out --scheduler.")
        return run_ring_network(run, ring_plan_of(options, run), command_of(run, options))
    assert isinstance(run, Run)
    return run_network(run, plan_of(options, run), show, command_of(run, options))
