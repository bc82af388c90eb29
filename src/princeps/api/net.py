"""The agents of a population as processes that exchange frames."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from princeps.api.arguments import a_path, a_text, or_none, reads
from princeps.api.net_trials import Elections
from princeps.errors import RunError
from princeps.model.announcing import announces, asked_to_take
from princeps.model.description import Description, Named, describe
from princeps.model.modules import refuse_while_loading
from princeps.model.numbers import read_integer, read_seconds
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
    from princeps.api.net_page import Page
    from princeps.network.report import NetResult
    from princeps.network.rings.report import RingNetResult
    from princeps.network.trials import NetTrials

    CarryOut = Callable[..., NetResult | RingNetResult]  # with the argument `onlooker`

HOST = "127.0.0.1"
NOT_SIMULATED = dict.fromkeys(OF_SIMULATIONS, "it is an option of simulated runs")
Show = Callable[[Any, float], None]


@announces("princeps.net")
@reads(store=or_none(a_path), save_script=or_none(a_path), save=or_none(a_path), host=a_text)
@takes_options(RunOptions, without=OF_SIMULATIONS, why_without=NOT_SIMULATED)
@takes_options(NetOptions)
@takes_options(NetTrialOptions)
@explained
def net(
    name: Named,
    n: Count | None = None,
    *,
    watch: bool = False,
    save: str | None = None,
    browser: bool = True,
    host: str = HOST,
    port: int = 0,
    **given: Any,
) -> NetResult | RingNetResult | NetTrials[Any]:
    """Run a definition on processes and sockets, one process an agent; a NetResult, of a ring algorithm a RingNetResult.

    Every interaction is put into an order and replayed by the reference engine: `replay` says "agrees", or the first
    difference. Without a duration the run ends at its goal. With `trials` there are several, one after the other, and the
    answer is a list that shows their statistics; with `store` they are kept for `results`, `fit` and `plot`. With `watch`
    a page shows the run live, until Ctrl-C.
    """
    refuse_while_loading("princeps.net")
    asked, rest = split(given, NetOptions)
    kept, rest = split(rest, NetTrialOptions)
    options, how = NetOptions(**read_texts(asked, NetOptions)), NetTrialOptions(**read_texts(kept, NetTrialOptions))
    elections = Elections(describe(name, n, **rest), options, how)
    page = None
    if watch or save is not None:
        from princeps.api.net_page import Page

        forced = bool(rest.get("force", False))
        inputs = elections.description.inputs
        page = Page(watch, save, forced, inputs, browser, host, read_integer(port, "port"))
        refuse_page_of_many(elections.is_single)
    elections.hold(lambda description: net_described(description, options, page=page))
    found: NetResult | RingNetResult | NetTrials[Any] = elections.answer()
    return found


def refuse_page_of_many(is_single: bool) -> None:
    if not is_single:
        raise RunError("a page shows one run: leave out --trials, and choose it with --trial.")


def net_described(
    description: Description, options: NetOptions, show: Show | None = None, page: Page | None = None
) -> NetResult | RingNetResult:
    """The one way in: whoever describes the run, it is read and carried out here, and shown on a page if there is one."""
    from princeps.model.description import read
    from princeps.network.planning import command_of, plan_of
    from princeps.network.running import refuse_unfit, run_network

    run = read(description)
    command = command_of(run, options)
    if isinstance(run, RingRun):
        from princeps.network.rings.planning import ring_plan_of
        from princeps.network.rings.running import run_ring_network

        if description.options.scheduler is not None:
            raise RunError("who acts next is decided by the network: leave out --scheduler.")
        ring_plan = ring_plan_of(options, run)
        return _shown(
            run, options, ring_plan.transport, command, page, partial(run_ring_network, run, ring_plan, command)
        )
    assert isinstance(run, Run)
    plan = plan_of(options, run)
    refuse_unfit(run, plan)  # before there is a page
    return _shown(run, options, plan.transport, command, page, partial(run_network, run, plan, show, command))


def _shown(
    run: Run | RingRun, options: NetOptions, transport: str, command: str, page: Page | None, carry_out: CarryOut
) -> NetResult | RingNetResult:
    """The run, and what a page shows of it."""
    from princeps.network.planning import MEMORY

    if options.duration is not None and transport != MEMORY:  # virtual time says nothing about the clock
        asked_to_take(read_seconds(options.duration, "duration"))
    if page is None:
        return carry_out(onlooker=None)
    from princeps.api.net_batches import told_of
    from princeps.api.net_page import shown_on

    with shown_on(page, run, told_of(options, transport, command)) as (onlooker, end):
        result = carry_out(onlooker=onlooker)
        end(result)
    return result
