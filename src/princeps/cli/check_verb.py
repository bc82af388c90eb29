"""princeps check mine.py"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from princeps.cli.completing import protocols
from princeps.cli.frame import DONE, NOT_REACHED, emit, verb
from princeps.model.options import said_of

STYLES = {"ok": "green", "unusual": "yellow", "wrong": "bold red", "not tried": "dim"}

EXAMPLES = (
    "princeps check mine.py",
    "princeps check ./mine.py:Mine --json",
    "princeps check fratricide",
)


@verb
def command(
    name: Annotated[
        str,
        typer.Argument(help=said_of("check", "name"), autocompletion=protocols),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="One object for each finding.")] = False,
) -> int:
    """Read a protocol's file, try every engine against plain Python, prove what can be proved at small sizes."""
    from princeps.api.check import check_shown
    from princeps.api.progress import displayed

    with displayed("princeps check", of_a_verb=True) as display:
        found = check_shown(name, (lambda finding: emit(finding.as_json())) if as_json else show, display)
    if not as_json:
        print(f"{found.protocol}: {found.in_short()}.")
    return NOT_REACHED if found.wrong else DONE


def show(finding: Any) -> None:
    from rich.console import Console
    from rich.markup import escape

    style = STYLES[finding.outcome]
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"[{style}]{finding.outcome:9}[/{style}]  {escape(f'{finding.about}: {finding.text}')}")
    if finding.command and finding.outcome != "ok":
        console.print(f"           {escape(finding.command)}")
