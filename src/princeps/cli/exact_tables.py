"""Exact results for people."""

from __future__ import annotations

from typing import Any

from princeps.cli.tables import pairs_table
from princeps.model.numbers import in_words


def print_exact(found: Any) -> None:
    report = found.report()
    pairs_table(report.rows, report.title)
    _print_sets(found)
    _print_lemmas(found)


def print_report(found: Any) -> None:
    report = found.report()
    pairs_table(report.rows, report.title)


def configurations_text(number: int) -> str:
    return f"{in_words(number)} configuration{'' if number == 1 else 's'}"


def _print_sets(found: Any) -> None:
    if not found.sets:
        return
    from rich.console import Console
    from rich.markup import escape

    console = Console()
    for one in found.sets:
        words = [configurations_text(one.size), "closed" if one.closed else "not closed"]
        words.append("safe" if one.safe else "not safe")
        if one.is_largest_safe:
            words.append("the largest safe set")
        elif one.share_of_safe is not None:
            words.append(f"{one.share_of_safe:.4g} of the largest safe set")
        console.print(f"[bold]{escape(one.name)}[/bold]: {', '.join(words)}", highlight=False, soft_wrap=True)
        for what, schedule in (("not closed", one.leak), ("not safe", one.danger)):
            if schedule is not None:
                console.print(f"  {what}: {escape(schedule.command)}", highlight=False, soft_wrap=True)


def _print_lemmas(found: Any) -> None:
    if not found.lemmas:
        return
    from rich.console import Console
    from rich.markup import escape

    console = Console()
    colours = {"proved": "green", "refuted": "red", "measured": "cyan"}
    for one in found.lemmas:
        verdict = f"[{colours[one.verdict]}]{one.verdict:8}[/]"
        text = f"[bold]{escape(one.id):8}[/bold] {verdict} {escape(one.says)}: {escape(one.detail)}"
        console.print(text, highlight=False, soft_wrap=True)
        if one.schedule is not None:
            console.print(f"  {escape(one.schedule.command)}", highlight=False, soft_wrap=True)
