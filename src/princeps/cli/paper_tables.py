"""Findings for people: a few lines a claim, and how many came out how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape

COLOURS = {
    "proved": "bold green",
    "supported": "green",
    "demonstrated": "green",
    "violated as printed": "yellow",
    "violated": "bold red",
    "inconclusive": "magenta",
    "not testable at this size": "cyan",
}


def print_finding(finding: Any, planted: bool = False) -> None:
    console = Console()

    def say(text: str) -> None:
        console.print(text, highlight=False, soft_wrap=True)

    colour = COLOURS[finding.verdict]
    say(f"[bold]{escape(finding.id)}[/bold]  {escape(finding.says)}  [{colour}]{finding.verdict}[/{colour}]")
    if planted:
        say(f"    planted: {escape(finding.planted)}")
    for part in finding.parts:
        say(f"    {escape(part['says'])}")
        notes = [value_in_words(part["measured"], part["bound"]), part["sample"], part["power"]]
        if any(notes):
            say(f"      [dim]{escape('; '.join(note for note in notes if note))}[/dim]")
    for text in finding.ours:
        say(f"    ours: {escape(text)}")
    for command in finding.commands:
        say(f"    [dim]{escape(command)}[/dim]")
    if planted and not finding.changed:
        say("    [bold red]the planted fault was not noticed[/bold red]")
    elif not planted and not finding.as_recorded:
        say(f"    [bold red]the record says: {escape(finding.recorded or 'that it holds')}[/bold red]")


def value_in_words(measured: Any, bound: Any) -> str:
    """The number and the bound side by side."""
    words = [("measured", measured), ("bound", bound)]
    return ", ".join(
        f"{name} {value if isinstance(value, str) else format(value, '.6g')}"
        for name, value in words
        if value is not None
    )


def print_sum(findings: Sequence[Any], planted: bool = False) -> None:
    counts = Counter(finding.verdict for finding in findings)
    words = ", ".join(f"{counts[verdict]} {verdict}" for verdict in COLOURS if counts[verdict])
    good = sum(finding.changed if planted else finding.as_recorded for finding in findings)
    rest = f"planted faults noticed: {good}" if planted else f"{good} as recorded"
    claims = "1 claim" if len(findings) == 1 else f"{len(findings)} claims"
    Console().print(f"{claims}: {words}; {rest}", style="italic", highlight=False, soft_wrap=True)
