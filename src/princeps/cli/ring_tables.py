"""Runs and rings as tables for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from princeps.cli.styles import styled
from princeps.cli.tables import pairs_table, statistics_table
from princeps.model.formatting import counted
from princeps.model.rings.result_report import measured_on_rings, ring_trials_title

if TYPE_CHECKING:
    from princeps.model.rings.facts import RingFacts

SPECIFIED = ("isLeader", "leader", "done")


def print_ring_result(result: Any) -> None:
    report = result.report()
    pairs_table(report.rows, report.title)


def print_ring_trials(results: Sequence[Any], wanted: int) -> None:
    first = results[0]
    elected = [r for r in results if r.converged]
    statistics_table(ring_trials_title(results, wanted), measured_on_rings(results))
    if first.bounds:
        notes = dict.fromkeys(first.own_constants, " (its constant is ours)")
        texts = [
            f"{what.removeprefix('max_')} {bound:,.0f}{notes.get(what, '')}" for what, bound in first.bounds.items()
        ]
        print("bounds:", ", ".join(texts))
    alone = first.command.replace(f" --trial {first.trial}", "", 1) if first.trial else first.command
    print(styled(f"trial i alone: {alone} --trial i"))
    if len(elected) < len(results):
        print(
            f"{counted(len(results) - len(elected), 'trials', 'd')} elected nobody rightly; the statistics are of the others."
        )


# -- traces ------------------------------------------------------------------------------------------------------


def trace_heading(run: Any) -> str:
    return (
        f"{'time':>5}  {_width('process', _names(run))}  action  receives and sends  | state of the process afterwards"
    )


def event_line(run: Any, event: Any) -> str:
    """One event: when, who, which action, what came and what went, and the process afterwards."""
    who = f"{event.process} ({run.ring.labels[event.process]})"
    received = "" if event.received is None else str(event.received)
    sent = " ".join(("<-" if content.side == "left" else "") + str(content) for content in event.sent)
    what = f"{received:>{_message(run)}} -> {sent}" if sent else f"{received:>{_message(run)}}"
    state = run.algorithm.show(event.local)
    own = [f"{name}={value}" for name, value in state.items() if name not in SPECIFIED]
    flags = [name for name in ("isLeader", "done") if state[name] == "1"] + (["halted"] if event.local.halted else [])
    if state["leader"] != "-":
        flags.append(f"leader={state['leader']}")
    if not event.action:
        own = ["no action is enabled:", *own]
    return f"{event.time:5}  {_width(who, _names(run))}  {event.action or '-':<6}  {what:<{2 * _message(run) + 4}}  | {' '.join([*own, *flags])}"


def _names(run: Any) -> int:
    return max(7, len(str(run.ring.n)) + 3 + max(len(str(label)) for label in run.ring.labels))


def _message(run: Any) -> int:
    label = max(len(str(label)) for label in run.ring.labels)
    return max((len(m.show(["x" * label] * len(m.values))) for m in run.algorithm.messages_), default=0)


def _width(text: str, width: int) -> str:
    return f"{text:<{width}}"


# -- rings -------------------------------------------------------------------------------------------------------


def print_ring_facts(facts: RingFacts) -> None:
    report = facts.report()
    pairs_table(report.rows, report.title)
    if facts.symmetric:
        print("no deterministic algorithm elects one leader on a symmetric ring.")
