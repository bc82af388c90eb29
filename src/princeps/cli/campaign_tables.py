"""Stores and fits as tables for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table


def print_whole(table: Table) -> None:
    """No number is ever cut off: on a narrow terminal a line goes on in the next one."""
    console = Console()
    needed = console.measure(table, options=console.options.update(max_width=1000)).maximum
    Console(width=max(console.width, needed)).print(table, highlight=False, soft_wrap=True)


def print_summaries(results: Any) -> None:
    """A line for each point and measure."""
    console, found = Console(), results.table()
    console.print(escape(found.title), style="italic", highlight=False, soft_wrap=True)
    table = Table(box=None, pad_edge=False)
    for heading in found.headings:
        table.add_column(heading, justify="left" if heading in found.left else "right", no_wrap=True)
    for row in found.rows:
        table.add_row(*map(escape, row))
    print_whole(table)
    for line in found.below.splitlines():
        console.print(escape(line), highlight=False, soft_wrap=True)


def print_holdings(holdings: Sequence[Any]) -> None:
    """A line for each point whose holding time was estimated by splitting."""
    for one in holdings:
        about = ", ".join([f"n = {one['n']:,}", *(f"{name} = {value}" for name, value in one["params"].items())])
        text = one["verdict"]
        if one["mean"] is not None:
            low, high = one["interval"]
            ends = " to ".join("infinity" if end is None else f"{end:.3g}" for end in (low, high))
            text = f"{one['mean']:.3g} steps by splitting, 95 % {ends}"
        Console().print(escape(f"{one['protocol']}, {about}: held for {text}"), highlight=False, soft_wrap=True)


def print_fits(fits: Sequence[Any]) -> None:
    console = Console()
    for fit in fits:
        what = fit.measure.replace("_", " ") if fit.statistic == "mean" else f"median {fit.measure.replace('_', ' ')}"
        console.print(
            f"{escape(fit.series)}, {what} against {escape(fit.by)}", style="italic", highlight=False, soft_wrap=True
        )
        console.print(escape(fit.verdict), style="bold", highlight=False, soft_wrap=True)
        low, high = fit.exponent_interval
        console.print(f"free power: {fit.exponent:.3f} ({low:.3f} to {high:.3f})", highlight=False)
        table = Table(box=None, pad_edge=False)
        for heading in ("law", "coefficient", "95 % interval", "misfit", "bootstrap"):
            table.add_column(heading, justify="left" if heading == "law" else "right", no_wrap=True)
        own = {"law": fit.law, "coefficient": fit.coefficient, "interval": fit.interval, "misfit": fit.misfit}
        for law in [{**own, "support": fit.best.support}, *fit.rivals[:4]]:
            low, high = law["interval"]
            table.add_row(
                *(escape(law["law"]), f"{law['coefficient']:.4g}", f"{low:.4g} to {high:.4g}"),
                *(f"{law['misfit']:.2f}", f"{law['support']:.0%}" if law["support"] else ""),
            )
        print_whole(table)
