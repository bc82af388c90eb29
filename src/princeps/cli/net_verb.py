"""princeps net NAME"""

from __future__ import annotations

import sys
import time
from typing import Annotated, Any

from princeps.cli.frame import DONE, INTERRUPTED, NOT_REACHED, complain, emit, parameters, verb
from princeps.cli.options import Name, Parameters, given_to, json_option, own, takes
from princeps.model.options import HOW, OF_SIMULATIONS, OUTPUT, NetOptions, NetTrialOptions, RunOptions

EXAMPLES = (
    "princeps net p_rl -n 12 --for 60s --chaos '5s: kill leader' --watch",
    "princeps net timer -n 10 --for 10s --chaos 'loss 10%; 2s: kill leader; garbage 100/s' --json",
    "princeps net fratricide -n 5 --trials 20 --transport memory --store results.db",
)
SHOWN_EVERY = 0.2  # seconds


def print_at_once(text: str) -> None:
    print(text, flush=True)


@verb
@takes(RunOptions, NetOptions, NetTrialOptions, without=OF_SIMULATIONS)
def command(
    name: Name,
    n: Annotated[str | None, own("-n", metavar="NUMBER", help="How many agents.")] = None,
    p: Parameters = None,
    watch: Annotated[
        bool, own("--watch", help="Show the run in the browser while it goes on, until Ctrl-C.", group=OUTPUT)
    ] = False,
    save: Annotated[
        str | None, own("--save", metavar="FILE", help="Write one page that replays the run.", group=OUTPUT)
    ] = None,
    browser: Annotated[
        bool,
        own("--browser/--no-browser", help="With --watch: open the browser, or only print the address.", group=HOW),
    ] = True,
    host: Annotated[
        str,
        own(
            "--host", metavar="ADDRESS", help="With --watch: bind to this address; others may then reach it.", group=HOW
        ),
    ] = "127.0.0.1",
    port: Annotated[
        str, own("--port", metavar="PORT", help="With --watch: bind to this port; 0 takes any that is free.", group=HOW)
    ] = "0",
    as_json: Annotated[bool, json_option("One object a run on stdout.")] = False,
    **given: Any,
) -> int:
    """Run a protocol on processes and sockets, one process an agent, and judge the run by a replay.

    On several machines: `princeps net node --join FILE --agent NUMBER` is one agent, and `princeps net judge LOGS` judges.
    """
    from princeps.api.net import net_described, refuse_page_of_many
    from princeps.api.net_page import Page
    from princeps.api.net_trials import Elections
    from princeps.model.announcing import leave_to_others
    from princeps.model.description import Description
    from princeps.model.numbers import read_integer

    if watch:
        leave_to_others()
    options, how = given_to(NetOptions, given), given_to(NetTrialOptions, given)
    elections = Elections(Description(name, n, parameters(p or []), given_to(RunOptions, given)), options, how)
    shows = sys.stderr.isatty() and not as_json
    progress = _Progress("" if elections.is_single else f" of {len(elections.trials):,}") if shows else None
    page = None
    if watch or save is not None:
        refuse_page_of_many(elections.is_single)
        page = Page(
            watch=watch,
            save=save,
            force=elections.description.options.force,
            inputs=elections.description.inputs,
            browser=browser,
            host=host,
            port=read_integer(port, "port"),
            say=(lambda address: emit({"address": address})) if as_json else print_at_once,
            tell=lambda text: print(text, file=sys.stderr, flush=True),
            warn=complain,
        )
    results = elections.hold(
        lambda description: net_described(description, options, progress, page),
        lambda result: emit(result.as_json()) if as_json else None,
    )
    if shows:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    if not as_json:
        print(results[0].report().text() if elections.is_single and results else results)
    if elections.interrupted:
        return INTERRUPTED
    return DONE if all(result.succeeded for result in results) else NOT_REACHED


class _Progress:
    """A line on the terminal that says how far the run has come."""

    def __init__(self, of_trials: str = "") -> None:
        self.shown, self.of_trials = 0.0, of_trials

    def __call__(self, observer: Any, seconds: float) -> None:
        now = time.monotonic()
        if now - self.shown >= SHOWN_EVERY:
            self.shown = now
            replay = observer.replay
            text = f"{seconds:.1f} s, {replay.interactions:,} interactions, leaders: {replay.leaders:,}"
            trial = f"trial {observer.run.trial + 1:,}{self.of_trials}: " if self.of_trials else ""
            print(f"\r\x1b[K{trial}{text}", end="", file=sys.stderr, flush=True)
