"""princeps results STORE"""

from __future__ import annotations

from typing import Annotated

import typer

from princeps.cli.completing import MEASURES, among, protocols
from princeps.cli.frame import DONE, emit, verb
from princeps.cli.options import Force
from princeps.model.options import OUTPUT, WHAT, said_of

EXAMPLES = (
    "princeps results results.db",
    "princeps results results.db --csv trials.csv",
    "princeps results results.db --measure parallel_time --json",
)


@verb
def command(
    store: Annotated[str, typer.Argument(help=said_of("results", "store"))],
    csv: Annotated[
        str | None, typer.Option(help="Write every trial into this file.", rich_help_panel=OUTPUT, metavar="FILE")
    ] = None,
    parquet: Annotated[
        str | None, typer.Option(help="The same as Parquet.", rich_help_panel=OUTPUT, metavar="FILE")
    ] = None,
    rows: Annotated[
        str, typer.Option(help="What the files hold: trials or points.", rich_help_panel=OUTPUT, metavar="KIND")
    ] = "trials",
    measure: Annotated[
        str | None,
        typer.Option(
            help=said_of("results", "measure"), autocompletion=among(MEASURES), rich_help_panel=WHAT, metavar="MEASURE"
        ),
    ] = None,
    protocol: Annotated[
        str | None,
        typer.Option(
            help=said_of("results", "protocol"), autocompletion=protocols, rich_help_panel=WHAT, metavar="NAME"
        ),
    ] = None,
    force: Force = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="One object a point on stdout.", rich_help_panel=OUTPUT)
    ] = False,
) -> int:
    """Summarise a store: mean with its interval, median, quantiles."""
    from princeps.api.sweep import results as read
    from princeps.cli.campaign_tables import print_summaries
    from princeps.cli.frame import complain
    from princeps.errors import StoreError
    from princeps.model.files import refuse_same

    refuse_same([csv, parquet])
    found = read(store, measure=measure, protocol=protocol)
    for path, write in ((csv, found.write_csv), (parquet, found.write_parquet)):
        if path is not None:
            complain(f"{write(path, rows, force=force):,} {rows} written to {path}.")
    if as_json:
        for summary in found:
            emit(summary.as_json())
    elif csv is None and parquet is None:
        if not len(found):
            raise StoreError(f"store {store!r} holds no trials yet: run a sweep into it.")
        print_summaries(found)
    return DONE
