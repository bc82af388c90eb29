"""princeps plot STORE -o FIGURE"""

from __future__ import annotations

from typing import Annotated

import typer

from princeps.cli.completing import MEASURES, among, protocols
from princeps.cli.frame import DONE, emit, verb
from princeps.cli.options import Force
from princeps.model.options import OUTPUT, WHAT, said_of

KINDS = ("growth", "distribution", "survival", "compare", "leaders")

EXAMPLES = (
    "princeps plot results.db -o growth.svg",
    "princeps plot results.db -o times.pdf --kind distribution --width 3.5",
    "princeps plot run.jsonl -o leaders.png --kind leaders",
)


@verb
def command(
    source: Annotated[
        str,
        typer.Argument(metavar="STORE", help=said_of("plot", "source")),
    ],
    output: Annotated[
        str, typer.Option("--output", "-o", help=said_of("plot", "output"), rich_help_panel=OUTPUT, metavar="FILE")
    ],
    kind: Annotated[
        str | None,
        typer.Option(help=said_of("plot", "kind"), autocompletion=among(KINDS), rich_help_panel=WHAT, metavar="KIND"),
    ] = None,
    measure: Annotated[
        str | None,
        typer.Option(
            help=said_of("plot", "measure"), autocompletion=among(MEASURES), rich_help_panel=WHAT, metavar="MEASURE"
        ),
    ] = None,
    protocol: Annotated[
        str | None,
        typer.Option(help=said_of("plot", "protocol"), autocompletion=protocols, rich_help_panel=WHAT, metavar="NAME"),
    ] = None,
    by: Annotated[str, typer.Option(help=said_of("plot", "by"), rich_help_panel=WHAT, metavar="FORMULA")] = "n",
    smallest: Annotated[
        str, typer.Option("--from", help=said_of("plot", "from_"), rich_help_panel=WHAT, metavar="NUMBER")
    ] = "0",
    width: Annotated[
        float | None, typer.Option(metavar="INCHES", help=said_of("plot", "width"), rich_help_panel=OUTPUT)
    ] = None,
    force: Force = False,
    as_json: Annotated[bool, typer.Option("--json", help="One object on stdout.", rich_help_panel=OUTPUT)] = False,
) -> int:
    """Draw a figure for a paper: how it grows, how it is distributed, how long it holds, who is faster."""
    from princeps.api.plot import plot_into
    from princeps.model.numbers import read_count

    drawn = plot_into(
        source,
        output,
        kind=kind,
        measure=measure,
        protocol=protocol,
        by=by,
        from_=read_count(smallest, "from"),
        width=width,
        force=force,
    )
    if as_json:
        emit(drawn.as_json())
    else:
        print(f"the figure is in {drawn.output}: {drawn.kind}, {', '.join(drawn.series)}")
    return DONE
