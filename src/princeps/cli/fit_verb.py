"""princeps fit STORE"""

from __future__ import annotations

from typing import Annotated

import typer

from princeps.cli.completing import MEASURES, among, protocols
from princeps.cli.frame import DONE, emit, verb

EXAMPLES = (
    "princeps fit results.db",
    "princeps fit results.db --measure parallel_time --from 100",
    "princeps fit results.db --by 'ceil(ln N)' --protocol p_rl",
)


@verb
def command(
    store: Annotated[str, typer.Argument(help="A store made by princeps sweep.")],
    measure: Annotated[
        str | None,
        typer.Option(
            help="steps, parallel_time, events, held_steps or recovery_steps.", autocompletion=among(MEASURES)
        ),
    ] = None,
    by: Annotated[str, typer.Option(help="What it grows in: n, a parameter, or a formula like 'ceil(ln N)'.")] = "n",
    protocol: Annotated[str | None, typer.Option(help="Only this protocol.", autocompletion=protocols)] = None,
    smallest: Annotated[str, typer.Option("--from", help="Leave out smaller populations.")] = "0",
    as_json: Annotated[bool, typer.Option("--json", help="One object a series on stdout.")] = False,
) -> int:
    """How does it grow? The law that fits best, its coefficient, and its rivals. Logarithms are natural."""
    from princeps.api.sweep import fit
    from princeps.cli.campaign_tables import print_fits
    from princeps.model.numbers import read_count

    found = fit(store, measure=measure, protocol=protocol, by=by, from_=read_count(smallest, "from"))
    if as_json:
        for one in found:
            emit(one.as_json())
    else:
        print_fits(found)
    return DONE
