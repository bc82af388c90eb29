"""What an engine cannot do, in a sentence, before anything is compiled."""

from __future__ import annotations

from princeps.model.protocol import Counted
from princeps.model.run import Run
from princeps.model.topology import COMPLETE

MOST_ARCS = 1 << 31


def counts_refusal(run: Run) -> str | None:
    """Why this run has no multiset; None if it has one."""
    if run.topology.kind != COMPLETE:
        return f"--engine counts is for the complete graph, not for {run.topology.text!r}: use --engine events."
    if run.pairs is not None:
        return "--engine counts draws its own pairs: use --engine agents with a given schedule."
    if run.protocol.input_field is not None:
        return (
            f"--engine counts is for anonymous agents, but those of {run.protocol.name} have ids: use --engine agents."
        )
    if not isinstance(run.goal, Counted):
        return f"--engine counts needs a goal on counts, and {run.until!r} is about single agents: use --engine agents."
    return None


def events_refusal(run: Run) -> str | None:
    if run.topology.kind == COMPLETE:
        return (
            f"--engine events keeps a list of pairs, and the complete graph on {run.n} agents has too many: "
            f"use --engine counts, which skips null interactions too."
        )
    if run.pairs is not None:
        return "--engine events draws its own pairs: use --engine agents with a given schedule."
    if run.topology.arc_count >= MOST_ARCS:
        return f"{run.topology.arc_count} arcs are too many for --engine events (2^31): use --engine agents."
    return None
