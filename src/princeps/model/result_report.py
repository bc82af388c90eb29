"""The rows that a result of a population shows, on the command line, at a prompt and in a notebook."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, stdev
from typing import TYPE_CHECKING

from princeps.model.formatting import counted
from princeps.model.report import Report, Table
from princeps.wording import either, reworded

if TYPE_CHECKING:
    from princeps.model.result import Result

HEADINGS = ("", "mean", "std. error", "median", "5 %", "95 %")


def report_on(result: Result, identifier: int | None = None) -> Report:
    """`identifier`: the id of a leader that has one."""
    goal = f"reached {result.until}" if result.converged else f"{result.until} not reached"
    rows = [
        ("steps", f"{result.steps:,}{_ending(result)}"),
        ("parallel time", f"{result.parallel_time:,.2f}"),
        ("leaders", f"{result.leaders:,}"),
        ("leader", _leader(result, identifier)),
    ]
    if result.events is not None:
        rows.append(("changes", f"{counted(result.events, 'interactions')} changed a state"))
    rows += [
        (name, {None: "nobody declared", True: "yes", False: "no"}[value]) for name, value in result.verdicts.items()
    ]
    if result.held is not None:
        after = "still holding" if result.held else "then the leader was lost"
        rows.append(("held", f"{counted(result.held_steps or 0, 'steps')}, {after}"))
    for fault in result.faults or ():
        after = (
            "never recovered"
            if fault.recovery_steps is None
            else f"recovered after {counted(fault.recovery_steps, 'steps')}"
        )
        what = counted(fault.agents, "agents") if fault.torn is None else f"torn, only the {fault.torn} changed"
        rows.append(("fault", f"at step {fault.step:,}, {what}: {after}"))
    if result.record is not None:
        rows.append(
            (
                "recorded",
                f"{counted(len(result.record['steps']), 'samples')} of {', '.join(result.record)}{_see('record')}",
            )
        )
    if result.states is not None:
        moments = f"{counted(len(result.states), 'moments')} of {counted(len(result.states.states), 'states')}"
        rows.append(("states", moments + _see("states")))
    if result.snapshots is not None:
        rows.append(("snapshots", result.snapshots.in_words() + (_see("snapshots") if result.snapshots else "")))
    rows += [
        ("seed", f"{result.seed}" + (f", trial {result.trial}" if result.trial else "")),
        ("engine", f"{result.engine}, {reworded(result.why)}" if result.why != "asked for" else result.engine),
        ("seconds", f"{result.seconds:.2f}"),
        ("repeat", result.command or f"not by a command: {result.not_repeatable or 'no command line says it'}"),
    ]
    return Report(f"{result.protocol}, n = {result.n:,}, {goal}", rows)


def _see(attribute: str) -> str:
    """Where all of it is."""
    return f" (see {either('--json', f'.{attribute}')})"


def _ending(result: Result) -> str:
    if result.interrupted:  # with the goal met: while it was held, or while a fault was recovered from
        return ", then interrupted" if result.converged else " (interrupted)"
    if result.converged:
        return ""
    return " (nothing can change any more)" if result.stuck else f" ({result.stopped or 'limit'})"


def _leader(result: Result, identifier: int | None) -> str:
    if result.leader is None:
        if result.leaders == 1:
            return "one agent (counts keep no names)"
        return "nobody" if result.leaders == 0 else "not one"
    return f"agent {result.leader}" + ("" if identifier is None else f", whose id is {identifier}")


# -- trials ---------------------------------------------------------------------------------------------------------


def quantile(ordered: Sequence[float], q: float) -> float:
    """Linear interpolation between the order statistics."""
    place = q * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def statistics_of(values: list[float]) -> list[str]:
    """Mean, its standard error, and quantiles."""
    if not values:
        return ["-"] * 5
    ordered = sorted(values)
    error = f"{stdev(values) / math.sqrt(len(values)):,.6g}" if len(values) > 1 else "-"  # nobody knows it from one
    mean, *quantiles = (f"{x:,.6g}" for x in (fmean(values), *(quantile(ordered, q) for q in (0.5, 0.05, 0.95))))
    return [mean, error, *quantiles]


def measured(results: Sequence[Result]) -> list[tuple[str, list[float]]]:
    """What the trials measured, of those that have it."""
    reached = [result for result in results if result.converged]
    rows = [("steps", [float(r.steps) for r in reached]), ("parallel time", [r.parallel_time for r in reached])]
    held = [float(r.held_steps) for r in results if r.held is False and r.held_steps is not None]
    if held:
        rows.append(("held steps", held))
    recovered = [float(f.recovery_steps) for r in results for f in r.faults or () if f.recovery_steps is not None]
    if recovered:
        rows.append(("recovery steps", recovered))
    for name in results[0].verdicts:
        said = [r.verdicts[name] for r in results]
        rows.append((name, [float(one) for one in said if one is not None]))
    return rows


def trials_table(results: Sequence[Result], wanted: int) -> Table:
    first = results[0]
    title = f"{first.protocol}, n = {first.n:,}, until {first.until}: {len(results)} of {counted(wanted, 'trials', 'd')} of seed {first.seed}"
    missed = sum(1 for result in results if not result.converged)
    below = (
        f"{counted(missed, 'trials', 'd')} did not reach the goal; the statistics are of the others." if missed else ""
    )
    rows = [[name, *statistics_of(values)] for name, values in measured(results)]
    return Table(title, HEADINGS, rows, below=below)
