"""princeps watch NAME"""

from __future__ import annotations

import sys
from typing import Annotated, Any

from princeps.cli.ending import leaving_others_behind
from princeps.cli.frame import DONE, complain, parameters, verb
from princeps.cli.options import A_PROTOCOL, Parameters, engine_help, given_to, own, takes
from princeps.errors import RunError
from princeps.model.options import HOW, OUTPUT, RunOptions
from princeps.model.options.run import OF_WHOLE_RUNS

EXAMPLES = (
    "princeps watch p_rl -n 60 --seed 3",
    "princeps watch",
    "princeps watch p_rl -n 60 --save page.html",
)


@verb
@takes(RunOptions, without=OF_WHOLE_RUNS, help=engine_help())
def command(
    name: Annotated[str | None, A_PROTOCOL] = None,
    n: Annotated[str | None, own("-n", metavar="NUMBER", help="How many agents; 1e6 is fine.")] = None,
    p: Parameters = None,
    script: Annotated[
        str | None, own("--script", metavar="FILE", help="A script that a session saved, or the code of a link.")
    ] = None,
    save: Annotated[
        str | None,
        own("--save", metavar="FILE", help="Write one page that replays the run to its goal; no server.", group=OUTPUT),
    ] = None,
    browser: Annotated[
        bool,
        own("--browser/--no-browser", help="Open the browser, or only print the address with its token.", group=HOW),
    ] = True,
    host: Annotated[
        str, own("--host", metavar="ADDRESS", help="Bind to this address; others may then reach it.", group=HOW)
    ] = "127.0.0.1",
    port: Annotated[
        str, own("--port", metavar="PORT", help="Bind to this port; 0 takes any that is free.", group=HOW)
    ] = "0",
    **given: Any,
) -> int:
    """Watch a run in the browser: step it, rewind it, attack it, share it."""
    from princeps.api.watch import saved_page, serve
    from princeps.model.description import Description
    from princeps.model.numbers import read_integer

    options = given_to(RunOptions, given)
    if name is None and (n is not None or p or any(value not in (None, False, []) for value in given.values())):
        raise RunError("which protocol? Give its name, like princeps watch p_rl -n 60, or nothing for the library.")
    description = None if name is None else Description(name, n, parameters(p or []), options)
    if save is not None:
        saved_page(description, script, save=save, force=options.force)
        print(f"the page is in {save}", file=sys.stderr)
        return DONE
    with leaving_others_behind():
        serve(
            description,
            script,
            browser=browser,
            host=host,
            port=read_integer(port, "port"),
            say=lambda address: print(address, flush=True),
            warn=complain,
        )
    return DONE
