"""The rows that a result of a ring algorithm shows, on the command line, at a prompt and in a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from princeps.model.formatting import counted
from princeps.model.report import Report, Table
from princeps.model.result_report import HEADINGS, statistics_of

if TYPE_CHECKING:
    from princeps.model.rings.result import RingResult


def ring_report(result: RingResult) -> Report:
    rows = [
        ("ring", result.ring.short),
        ("leader", _leader(result)),
        ("time", f"{result.time:,}{_beside(result, 'time')}"),
        ("messages", f"{result.messages:,} ({_kinds(result)}){_beside(result, 'messages')}"),
        ("bits", f"{result.max_bits:,} in a process, {result.ring.label_bits} a label{_beside(result, 'max_bits')}"),
    ]
    rows += [("violated", broken.sentence) for broken in result.violations]
    if result.limited:
        rows.append(("stopped", f"after {counted(result.steps, 'actions')} ({result.stopped or 'limit'})"))
    rows += [
        ("schedule", result.schedule),
        ("seed", f"{result.seed}" + (f", trial {result.trial}" if result.trial else "")),
        ("engine", f"{result.engine}, {result.why}" if result.why != "asked for" else result.engine),
        ("seconds", f"{result.seconds:.2f}"),
        ("repeat", result.command),
    ]
    outcome = "elected" if result.converged else "interrupted" if result.interrupted else "not elected"
    return Report(f"{result.protocol}{params_text(result)}, n = {result.n:,}, {outcome}", rows)


def params_text(result: RingResult) -> str:
    return "".join(f", {name} = {value}" for name, value in result.params.items() if name == "k" or value)


def _leader(result: RingResult) -> str:
    if result.leader is None:
        return "nobody" if result.leaders == 0 else f"{result.leaders} processes"
    mark = ", the true leader" if result.elects_true_leader and result.ring.true_leader == result.leader else ""
    return f"process {result.leader}, whose label is {result.leader_label}{mark}"


def _kinds(result: RingResult) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in result.kinds.items())


def _beside(result: RingResult, what: str) -> str:
    if what not in result.bounds:
        return ""
    note = ", whose constant is ours" if what in result.own_constants else ""
    return f"; bound {result.bounds[what]:,.0f}{note}"


def ring_trials_title(results: Sequence[RingResult], wanted: int) -> str:
    first = results[0]
    return f"{first.protocol}{params_text(first)}, n = {first.n:,}, {first.schedule}: {len(results)} of {counted(wanted, 'trials', 'd')} of seed {first.seed}"


def measured_on_rings(results: Sequence[RingResult]) -> list[tuple[str, list[float]]]:
    """What the trials that elected a leader rightly measured."""
    elected = [result for result in results if result.converged]
    rows = [("time", [float(r.time) for r in elected]), ("messages", [float(r.messages) for r in elected])]
    rows += [(f"  {name}", [float(r.kinds[name]) for r in elected]) for name in results[0].kinds]
    return [*rows, ("bits", [float(r.max_bits) for r in elected])]


def ring_trials_table(results: Sequence[RingResult], wanted: int) -> Table:
    missed = sum(1 for result in results if not result.converged)
    below = (
        f"{counted(missed, 'trials', 'd')} elected nobody rightly; the statistics are of the others." if missed else ""
    )
    rows = [[name, *statistics_of(values)] for name, values in measured_on_rings(results)]
    return Table(ring_trials_title(results, wanted), HEADINGS, rows, below=below)
