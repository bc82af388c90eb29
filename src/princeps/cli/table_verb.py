"""princeps table [000.1 ...]"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from princeps.cli.completing import tables
from princeps.cli.frame import DONE, INTERRUPTED, complain, emit, verb
from princeps.cli.options import Force
from princeps.model.options import HOW, OUTPUT, said_of

EXAMPLES = (
    "princeps table 000.1",
    "princeps table 003 --full --jobs 2",
    "princeps table --html tables",
)


@verb
def command(
    what: Annotated[
        list[str] | None, typer.Argument(metavar="[TABLE]...", help=said_of("table", "what"), autocompletion=tables)
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Small samples: minutes (the default).", rich_help_panel=HOW)
    ] = False,
    full: Annotated[bool, typer.Option("--full", help=said_of("table", "full"), rich_help_panel=HOW)] = False,
    html: Annotated[
        str | None, typer.Option(help=said_of("table", "html"), rich_help_panel=OUTPUT, metavar="FILE")
    ] = None,
    store: Annotated[
        str, typer.Option(help=said_of("table", "store"), rich_help_panel=OUTPUT, metavar="FILE")
    ] = "tables.db",
    seed: Annotated[str, typer.Option(help=said_of("table", "seed"), rich_help_panel=HOW, metavar="INTEGER")] = "0",
    jobs: Annotated[
        str | None, typer.Option(help=said_of("table", "jobs"), rich_help_panel=HOW, metavar="NUMBER")
    ] = None,
    force: Force = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="One object a row on stdout.", rich_help_panel=OUTPUT)
    ] = False,
) -> int:
    """The papers' comparison tables: each row's claimed time and states beside what was measured."""
    from princeps.api.table import measure_tables
    from princeps.cli.paper_progress import watching_papers
    from princeps.cli.table_lines import print_row
    from princeps.errors import RunError
    from princeps.model.interruptions import require_interruption
    from princeps.model.limits import read_jobs
    from princeps.model.machine import processors

    if quick and full:
        raise RunError("--quick and --full are given together: choose one of them.")
    workers = processors() if jobs is None else read_jobs(jobs)

    def show(row: Any) -> None:
        emit(row.as_json()) if as_json else print_row(row)

    try:
        with watching_papers(as_json) as watch:
            how: dict[str, Any] = {"full": full, "store": store, "seed": seed, "jobs": workers}
            measure_tables(what or [], **how, html=html, force=force, watch=watch, show=show)
    except KeyboardInterrupt as error:
        require_interruption(error)
        complain(f"interrupted; the store {store!r} holds what was finished, the same command goes on.")
        return INTERRUPTED
    return DONE
