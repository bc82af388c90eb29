"""princeps impossible NAME: two leaders, by construction."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from princeps.cli.frame import emit, parameters, verb
from princeps.cli.options import Parameters, RingName, takes
from princeps.model.options import LimitOptions, said_of

LONGEST_TABLE = 40  # steps

EXAMPLES = (
    "princeps impossible a_k -p k=2",
    "princeps impossible b_k -p k=3 -n 5",
    "princeps impossible ./mine.py:Mine -p k=2 --json",
)


@verb
@takes(LimitOptions, help={"limit": said_of("impossible", "limit")})
def command(
    name: RingName,
    p: Parameters = None,
    n: Annotated[str, typer.Option("-n", metavar="N", help=said_of("impossible", "n"))] = "3",
    as_json: Annotated[bool, typer.Option("--json", help="One object.")] = False,
    **options: Any,
) -> int:
    """Build the ring of Lemma 1, on which an algorithm with a too small k elects two leaders, and run it."""
    from princeps.api.rings import impossible
    from princeps.model.numbers import read_count

    found = impossible(name, read_count(n, "n"), **options, params=parameters(p or []))
    if as_json:
        emit(found.as_json())
    else:
        _print(found)
    return 0


def _print(found: Any) -> None:
    from princeps.cli.tables import pairs_table

    report = found.report()
    pairs_table(report.rows, report.title)
    _print_execution(found)


def _print_execution(found: Any) -> None:
    """The three processes beside one another, step by step; of a long execution the end."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title="step by step, the same", title_justify="left", box=None, pad_edge=False)
    table.add_column("step", justify="right", no_wrap=True)
    for heading in (
        f"small ring, process {found.leader}",
        f"large ring, process {found.first}",
        f"process {found.second}",
    ):
        table.add_column(heading, no_wrap=True)
    last = found.execution[-LONGEST_TABLE:]
    if len(last) < len(found.execution):
        table.add_row("...")
    for row in last:
        table.add_row(str(row["step"]), row["small"], row["first"], row["second"])
    Console().print()
    Console().print(table, highlight=False)
