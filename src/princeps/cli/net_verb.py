"""princeps net NAME"""

from __future__ import annotations

import sys
import time
from typing import Annotated, Any

from princeps.cli.frame import DONE, INTERRUPTED, NOT_REACHED, complain, emit, parameters, verb
from princeps.cli.options import Name, Parameters, given_to, json_option, own, takes
from princeps.model.options import HOW, OF_SIMULATIONS, OUTPUT, NetOptions, RunOptions

EXAMPLES = (
    "princeps net p_rl -n 12 --for 60s --chaos '5s: kill leader' --watch",
    "princeps net timer -n 10 --for 10s --chaos 'loss 10%; 2s: kill leader; garbage 100/s' --json",
    "princeps net p_ll -n 8 --mode conducted --transport memory --seed 3",
)
SHOWN_EVERY = 0.2  # seconds


def print_at_once(text: str) -> None:
    print(text, flush=True)


@verb
@takes(RunOptions, NetOptions, without=OF_SIMULATIONS)
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
    as_json: Annotated[bool, json_option("One object on stdout.")] = False,
    **given: Any,
) -> int:
    """Run a protocol on processes and sockets, one process an agent, and judge the run by a replay.

    On several machines: `princeps net node --join FILE --agent NUMBER` is one agent, and `princeps net judge LOGS` judges.
    """
    from princeps.api.net import net_described
    from princeps.api.net_page import Page
    from princeps.model.announcing import leave_to_others
    from princeps.model.description import Description, with_seed
    from princeps.model.numbers import read_integer

    if watch or given["duration"] is not None:
        leave_to_others()  # it takes as long as it was asked to
    options = given_to(RunOptions, given)
    description = with_seed(Description(name, n, parameters(p or []), options))
    shows = sys.stderr.isatty() and not as_json
    page = None
    if watch or save is not None:
        page = Page(
            watch=watch,
            save=save,
            force=options.force,
            browser=browser,
            host=host,
            port=read_integer(port, "port"),
            say=(lambda address: emit({"address": address})) if as_json else print_at_once,
            tell=lambda text: print(text, file=sys.stderr, flush=True),
            warn=complain,
        )
    result = net_described(description, given_to(NetOptions, given), _Progress() if shows else None, page)
    if shows:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    if as_json:
        emit(result.as_json())
    else:
        print(result.report().text())
    if result.interrupted:
        return INTERRUPTED
    return DONE if result.succeeded else NOT_REACHED


class _Progress:
    """A line on the terminal that says how far the run has come."""

    def __init__(self) -> None:
        self.shown = 0.0

    def __call__(self, observer: Any, seconds: float) -> None:
        now = time.monotonic()
        if now - self.shown >= SHOWN_EVERY:
            self.shown = now
            replay = observer.replay
            text = f"{seconds:.1f} s, {replay.interactions:,} interactions, leaders: {replay.population.leaders:,}"
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
