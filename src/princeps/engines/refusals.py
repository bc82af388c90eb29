"""What an engine cannot do, in a sentence, before anything is compiled."""

from __future__ import annotations

from princeps.model.protocol import Counted
from princeps.model.run import Run
from princeps.model.topology import COMPLETE

MAX_ARCS = 1 << 31


def counts_refusal(run: Run) -> str | None:
    """Why this run has no multiset; None if it has one."""
    if run.topology.kind != COMPLETE:
        able = "events" if events_refusal(run) is None else _able(run)
        return f"--engine counts is for the complete graph, not for {run.topology.text!r}: use --engine {able}."
    if not run.scheduler.draws_uniform_arcs:
        return _draws_uniformly("counts", run)
    if run.tears:
        return "--engine counts draws interactions in batches, and cannot tear one of them: use --engine agents."
    if run.protocol.input_field is not None:
        return (
            f"--engine counts is for anonymous agents, but those of {run.protocol.name} have ids: use --engine agents."
        )
    if not isinstance(run.goal, Counted):
        return f"--engine counts needs a goal on counts, and {run.until!r} is about single agents: use --engine agents."
    return None


def events_refusal(run: Run) -> str | None:
    if run.topology.kind == COMPLETE:
        able = counts_refusal(run) is None
        return (
            f"--engine events keeps a list of the arcs, which the complete graph on {run.n} agents does not have: "
            + ("use --engine counts, which skips null interactions too." if able else f"use --engine {_able(run)}.")
        )
    if not run.scheduler.draws_uniform_arcs:
        return _draws_uniformly("events", run)
    if run.topology.arc_count >= MAX_ARCS:
        return f"{run.topology.arc_count} arcs are too many for --engine events (2^31): use --engine agents."
    return None


def agents_refusal(run: Run) -> str | None:
    if run.scheduler.sees_configuration:
        return "this scheduler sees the configuration, which only plain Python can show it: use --engine reference."
    if run.scheduler.draws:
        return "pairs whose draws are given are followed in plain Python: use --engine reference."
    return None


def _draws_uniformly(engine: str, run: Run) -> str:
    if run.scheduler.listed is not None:
        return f"--engine {engine} draws its own pairs: use --engine agents with a given schedule."
    named = f" {run.scheduler.text!r}" if run.scheduler.text else ""
    return f"--engine {engine} draws all arcs alike, and the scheduler{named} does not: use --engine {_able(run)}."


def _able(run: Run) -> str:
    """An engine that takes this run, whatever its graph, goal and protocol."""
    return "agents" if agents_refusal(run) is None else "reference"
