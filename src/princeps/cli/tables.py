"""Results as tables for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from princeps.cli.styles import BOLD, ITALIC, styled
from princeps.model.formatting import counted
from princeps.model.result_report import HEADINGS, measured, statistics_of


def pairs_table(rows: Sequence[tuple[str, str]], title: str) -> None:
    """Names and values in two columns; a value is never broken, so that a command can be copied."""
    print(styled(title, ITALIC))
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        print(f"{styled(f'{name:{width}}', BOLD)}  {styled(value)}")


def print_result(result: Any, run: Any) -> None:
    identifier = None
    if result.leader is not None and run.ids is not None:
        from princeps.api.run import identifier_of

        identifier = identifier_of(run, result.leader)
    report = result.report(identifier)
    pairs_table(report.rows, report.title)


def statistics_table(title: str, rows: Sequence[tuple[str, list[float]]]) -> None:
    """A line for each list of values: its mean with its error, and quantiles."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console()
    console.print(escape(title), style="italic", highlight=False, soft_wrap=True)
    table = Table(box=None, pad_edge=False)
    for heading in HEADINGS:
        table.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    for name, values in rows:
        table.add_row(name, *statistics_of(values))
    console.print(table, highlight=False)


def print_trials(results: Sequence[Any], wanted: int) -> None:
    from rich.console import Console
    from rich.markup import escape

    first = results[0]
    title = f"{first.protocol}, n = {first.n:,}, until {first.until}: {len(results)} of {counted(wanted, 'trials', 'd')} of seed {first.seed}"
    console = Console()
    reached = [result for result in results if result.converged]
    rows = measured(results)
    statistics_table(title, rows)
    if len(reached) < len(results):
        console.print(
            f"{counted(len(results) - len(reached), 'trials', 'd')} did not reach the goal; the statistics are of the others."
        )
    still = sum(1 for r in results if r.held)
    if still:
        console.print(
            f"{counted(still, 'trials', 'd')} still held their leader at the limit; they are not in the row of held steps."
        )
    alone = first.command.replace(f" --trial {first.trial}", "", 1) if first.trial else first.command
    console.print(f"trial i alone: {escape(alone)} --trial i", highlight=False, soft_wrap=True)
