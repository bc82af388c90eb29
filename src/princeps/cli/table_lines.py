"""Rows of comparison tables for people: a few lines each."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.markup import escape

COLOURS = {"measured": "green", "reconstruction": "yellow", "cited": "dim"}
MARKS = {"reconstruction": "reconstruction measured", "cited": "cited only"}


def print_row(row: Any) -> None:
    console = Console()

    def say(text: str) -> None:
        console.print(text, highlight=False, soft_wrap=True)

    colour, mark = COLOURS[row.status], MARKS.get(row.status, row.status)
    say(f"[bold]{row.table}[/bold]  {escape(row.row)}  [{colour}]{mark}[/{colour}]")
    say(
        f"    claimed: {escape(row.claimed_time)} time, {escape(row.claimed_states)} space; assumes {escape(row.assumes)}"
    )
    for line in row.in_words:
        say(f"    {escape(line)}")
