"""princeps plot STORE -o FIGURE"""

from __future__ import annotations

from typing import Annotated

import typer

from princeps.cli.completing import MEASURES, among, protocols
from princeps.cli.frame import DONE, emit, verb
from princeps.cli.options import Force

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
        typer.Argument(metavar="STORE", help="A store made by princeps sweep, or a recording made by run --record."),
    ],
    output: Annotated[str, typer.Option("--output", "-o", help="The picture: FILE.svg, .pdf or .png.")],
    kind: Annotated[
        str | None,
        typer.Option(
            help="growth, distribution, survival, compare, or leaders of a recording; else what fits.",
            autocompletion=among(KINDS),
        ),
    ] = None,
    measure: Annotated[
        str | None,
        typer.Option(
            help="steps, parallel_time, events, held_steps, recovery_steps or seconds.", autocompletion=among(MEASURES)
        ),
    ] = None,
    protocol: Annotated[str | None, typer.Option(help="Only this protocol.", autocompletion=protocols)] = None,
    by: Annotated[str, typer.Option(help="The x axis: n, a parameter, or a formula like 'ceil(ln N)'.")] = "n",
    smallest: Annotated[str, typer.Option("--from", help="Leave out smaller populations.")] = "0",
    width: Annotated[
        float | None, typer.Option(metavar="INCHES", help="Width of the figure; one column is 3.5.")
    ] = None,
    force: Force = False,
    as_json: Annotated[bool, typer.Option("--json", help="One object on stdout.")] = False,
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
