"""princeps fit STORE"""

from __future__ import annotations

from typing import Annotated

import typer

from princeps.cli.completing import MEASURES, among, protocols
from princeps.cli.frame import DONE, emit, verb
from princeps.model.options import OUTPUT, WHAT, said_of

EXAMPLES = (
    "princeps fit results.db",
    "princeps fit results.db --measure parallel_time --from 100",
    "princeps fit results.db --by 'ceil(ln N)' --protocol p_rl",
)


@verb
def command(
    store: Annotated[str, typer.Argument(help=said_of("fit", "store"))],
    measure: Annotated[
        str | None,
        typer.Option(
            help=said_of("fit", "measure"), autocompletion=among(MEASURES), rich_help_panel=WHAT, metavar="MEASURE"
        ),
    ] = None,
    by: Annotated[str, typer.Option(help=said_of("fit", "by"), rich_help_panel=WHAT, metavar="FORMULA")] = "n",
    protocol: Annotated[
        str | None,
        typer.Option(help=said_of("fit", "protocol"), autocompletion=protocols, rich_help_panel=WHAT, metavar="NAME"),
    ] = None,
    smallest: Annotated[
        str, typer.Option("--from", help=said_of("fit", "from_"), rich_help_panel=WHAT, metavar="NUMBER")
    ] = "0",
    as_json: Annotated[
        bool, typer.Option("--json", help="One object a series on stdout.", rich_help_panel=OUTPUT)
    ] = False,
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
