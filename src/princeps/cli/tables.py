"""Results as tables for people."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, stdev
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table


def pairs_table(rows: Sequence[tuple[str, str]], title: str) -> None:
    """Names and values in two columns; a value is never broken, so that a command can be copied."""
    console = Console()
    console.print(escape(title), style="italic", highlight=False, soft_wrap=True)
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        console.print(f"[bold]{name:{width}}[/bold]  {escape(value)}", highlight=False, soft_wrap=True)


def print_result(result: Any, run: Any) -> None:
    goal = f"reached {result.until}" if result.converged else f"{result.until} not reached"
    rows = [
        (
            "steps",
            f"{result.steps:,}{_ending(result)}",
        ),
        ("parallel time", f"{result.parallel_time:,.2f}"),
        ("leaders", f"{result.leaders:,}"),
        ("leader", _leader(result, run)),
    ]
    if result.events is not None:
        rows.append(("changes", f"{result.events:,} interactions changed a state"))
    rows += [
        (name, {None: "nobody declared", True: "yes", False: "no"}[value]) for name, value in result.verdicts.items()
    ]
    if result.held is not None:
        rows.append(
            ("held", f"{result.held_steps:,} steps, {'still holding' if result.held else 'then the leader was lost'}")
        )
    for fault in result.faults or ():
        after = "never recovered" if fault.recovery_steps is None else f"recovered after {fault.recovery_steps:,} steps"
        rows.append(("fault", f"at step {fault.step:,}, {fault.agents:,} agents: {after}"))
    if result.record is not None:
        rows.append(("recorded", f"{len(result.record['steps'])} samples of {', '.join(result.record)} (see --json)"))
    rows += [
        ("seed", f"{result.seed}" + (f", trial {result.trial}" if result.trial else "")),
        ("engine", f"{result.engine}, {result.why}" if result.why != "asked for" else result.engine),
        ("seconds", f"{result.seconds:.2f}"),
        ("repeat", result.command),
    ]
    pairs_table(rows, f"{result.protocol}, n = {result.n:,}, {goal}")


def _ending(result: Any) -> str:
    if result.converged:
        return ""
    if result.interrupted:
        return " (interrupted)"
    return " (nothing can change any more)" if result.stuck else f" ({result.stopped or 'limit'})"


def _leader(result: Any, run: Any) -> str:
    if result.leader is None:
        if result.leaders == 1:
            return "one agent (counts keep no names)"
        return "nobody" if result.leaders == 0 else "not one"
    if run.ids is not None:
        from princeps.api.run import identifier_of

        return f"agent {result.leader}, whose id is {identifier_of(run, result.leader)}"
    return f"agent {result.leader}"


def quantile(ordered: Sequence[float], q: float) -> float:
    """Linear interpolation between the order statistics."""
    place = q * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def statistics_table(title: str, rows: Sequence[tuple[str, list[float]]]) -> None:
    """A line for each list of values: its mean with its error, and quantiles."""
    console = Console()
    console.print(escape(title), style="italic", highlight=False, soft_wrap=True)
    table = Table(box=None, pad_edge=False)
    for heading in ("", "mean", "std. error", "median", "5 %", "95 %"):
        table.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    for name, values in rows:
        table.add_row(name, *_statistics(values))
    console.print(table, highlight=False)


def print_trials(results: Sequence[Any], wanted: int) -> None:
    first = results[0]
    title = f"{first.protocol}, n = {first.n:,}, until {first.until}: {len(results)} of {wanted} trials of seed {first.seed}"
    console = Console()
    reached = [result for result in results if result.converged]
    rows = [("steps", [float(r.steps) for r in reached]), ("parallel time", [r.parallel_time for r in reached])]
    held = [float(r.held_steps) for r in results if r.held is False]
    if held:
        rows.append(("held steps", held))
    recovered = [float(f.recovery_steps) for r in results for f in r.faults or () if f.recovery_steps is not None]
    if recovered:
        rows.append(("recovery steps", recovered))
    rows += [
        (name, [float(r.verdicts[name]) for r in results if r.verdicts[name] is not None]) for name in first.verdicts
    ]
    statistics_table(title, rows)
    if len(reached) < len(results):
        console.print(f"{len(results) - len(reached)} trials did not reach the goal; the statistics are of the others.")
    still = sum(1 for r in results if r.held)
    if still:
        console.print(f"{still} trials still held their leader at the limit; they are not in the row of held steps.")
    alone = first.command.replace(f" --trial {first.trial}", "", 1) if first.trial else first.command
    console.print(f"trial i alone: {escape(alone)} --trial i", highlight=False, soft_wrap=True)


def _statistics(values: list[float]) -> list[str]:
    if not values:
        return ["-"] * 5
    ordered = sorted(values)
    error = stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return [f"{x:,.6g}" for x in (fmean(values), error, *(quantile(ordered, q) for q in (0.5, 0.05, 0.95)))]
