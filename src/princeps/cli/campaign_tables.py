"""Stores and fits as tables for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

ABOUT = ("protocol", "n", "graph", "start", "until", "measure")


def table_number(value: float | None) -> str:
    """Readable at a glance: no exponents where digits can be grouped."""
    if value is None:
        return "-"
    return f"{value:,.0f}" if 1e4 <= abs(value) < 1e15 else f"{value:,.6g}"


def half_width(interval: tuple[float, float] | None) -> str:
    if interval is None:
        return "-"
    half = (interval[1] - interval[0]) / 2
    return f"{half:,.0f}" if 100 <= half < 1e15 else f"{half:,.3g}"


def print_whole(table: Table) -> None:
    """No number is ever cut off: on a narrow terminal a line goes on in the next one."""
    console = Console()
    needed = console.measure(table, options=console.options.update(max_width=1000)).maximum
    Console(width=max(console.width, needed)).print(table, highlight=False, soft_wrap=True)


def print_summaries(summaries: Any, path: str) -> None:
    """A line for each point and measure; what all have in common stands above it."""
    rows = list(summaries)
    console = Console()
    trials = sum(row.trials for row in rows if row.measure == rows[0].measure)
    console.print(
        f"{escape(path)}: {len({row.point for row in rows}):,} points, {trials:,} trials",
        style="italic",
        highlight=False,
        soft_wrap=True,
    )
    shown = [name for name in ABOUT if name == "n" or _varies(rows, name)]
    params = list(dict.fromkeys(name for row in rows for name in row.given))
    table = Table(box=None, pad_edge=False)
    for heading in (*shown, *params, "trials", "mean", "+-", "sd", "median", "5 %", "95 %", "cut off"):
        table.add_column(heading, justify="left" if heading in shown and heading != "n" else "right", no_wrap=True)
    for row in rows:
        table.add_row(
            *(f"{row.n:,}" if name == "n" else escape(str(getattr(row, name))) for name in shown),
            *(escape(row.given.get(name, str(row.params.get(name, "")))) for name in params),
            f"{row.trials:,}",
            table_number(row.mean) if row.mean is not None else _at_least(row),
            half_width(row.interval),
            *map(table_number, (row.sd, row.median, row.q05, row.q95)),
            _cut_off(row),
        )
    print_whole(table)
    first = rows[0]
    same = [name for name in ABOUT if name not in shown and len({getattr(row, name) for row in rows}) == 1]
    common = ", ".join(f"{name} {getattr(first, name)}" for name in same)
    if common:
        console.print(escape(common), highlight=False, soft_wrap=True)
    if any(row.censored or row.never for row in rows):
        console.print(
            "With trials that were cut off the mean is only bounded, and the quantiles are Kaplan and Meier's.",
            highlight=False,
            soft_wrap=True,
        )


def _varies(rows: Sequence[Any], name: str) -> bool:
    """Also within one protocol: that each has a start of its own need not be said."""
    if name in ("protocol", "measure"):
        return len({getattr(row, name) for row in rows}) > 1
    return len({(row.protocol, getattr(row, name)) for row in rows}) > len({row.protocol for row in rows})


def _at_least(row: Any) -> str:
    return "-" if row.restricted_mean is None else f">= {table_number(row.restricted_mean)}"


def _cut_off(row: Any) -> str:
    words = {"": row.censored, " never": row.never, " without": row.without}
    return ", ".join(f"{count:,}{word}" for word, count in words.items() if count)


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
