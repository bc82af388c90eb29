"""The engines: for each its name, what it is for, which runs it takes, what it needs, and how to make its population.

Adding an engine means a file of its own and an entry here. Nothing is imported before an engine is used, so that asking
which engines there are needs neither numpy nor numba.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from princeps.engines import memory, refusals
from princeps.errors import RunError, UnknownName
from princeps.model.run import Run

if TYPE_CHECKING:
    from princeps.engines.population import Population

AUTO = "auto"  # no engine, but the option to let `choice.py` choose one
REFERENCE = "reference"  # the definition, of which more can be asked than of the others: --check


@dataclass(frozen=True)
class Need:
    """Memory of a run: for each agent (0 where it does not depend on n), and in all."""

    bytes_per_agent: int
    total: int


@dataclass(frozen=True)
class Engine:
    """One engine, as the rest of the project sees it."""

    name: str
    help: str
    maker: str  # "module:function" that makes the population of a run
    refusal: Callable[[Run], str | None]  # why it does not take a run, in a sentence; None if it does
    need: Callable[[Run], Need]  # raises TooLarge, if the run does not fit
    draws_as_reference: bool = False  # the same pairs from the same seed: runs are equal state by state
    skips_null_interactions: bool = False  # then its speed says nothing about the time that is left
    slice_steps: Callable[[Run], int] = lambda run: 200_000  # on which its speed is measured
    shrinks_for_slice: bool = True  # it is as fast with fewer agents
    steps_per_second: int | None = None  # roughly, where every interaction takes the same time

    def make(self, run: Run) -> Population:
        problem = self.refusal(run)
        if problem is not None:
            raise RunError(problem)
        module, _, function = self.maker.partition(":")
        population: Population = getattr(import_module(module), function)(run)
        return population


def _takes_all(run: Run) -> str | None:
    return None


def _need_of_objects(run: Run) -> Need:
    memory.refuse_too_many_objects(run)
    each = memory.object_bytes(run)
    return Need(each, memory.PLAIN_BYTES + run.n * each + memory.PLAIN_ARC_BYTES * len(run.topology.sources))


def _need_of_words(run: Run, lists_arcs: bool = False) -> Need:
    from princeps.lowering.layout import make_layout

    layout = make_layout(run.protocol)
    memory.refuse_if_too_large(run, layout, lists_arcs)
    return Need(memory.held_bytes(run, layout), memory.estimate_bytes(run, layout, lists_arcs))


def _need_of_words_and_arcs(run: Run) -> Need:
    return _need_of_words(run, lists_arcs=True)


def _need_of_counts(run: Run) -> Need:
    return Need(0, memory.BASE_BYTES + memory.COUNTS_BYTES)


ENGINES: dict[str, Engine] = {
    engine.name: engine
    for engine in (
        Engine(
            name=REFERENCE,
            help="plain Python, the definition of a run; every other engine is judged by it",
            maker="princeps.engines.checks:make_reference",
            draws_as_reference=True,
            refusal=_takes_all,
            need=_need_of_objects,
            slice_steps=lambda run: 2_000,
            steps_per_second=100_000,
        ),
        Engine(
            name="agents",
            help="every agent in memory, one pair after the other; any graph, any goal, any protocol",
            maker="princeps.engines.agents:Agents",
            draws_as_reference=True,
            refusal=refusals.agents_refusal,
            need=_need_of_words,
            steps_per_second=30_000_000,
        ),
        Engine(
            name="events",
            help="the same for sparse graphs, skipping interactions that change nothing while few are effective",
            maker="princeps.engines.events:Events",
            refusal=refusals.events_refusal,
            need=_need_of_words_and_arcs,
            skips_null_interactions=True,
        ),
        Engine(
            name="counts",
            help="how many agents are in each state; complete graph, goals on counts, up to 10^15 agents",
            maker="princeps.engines.choosing_counts:make_counts",
            refusal=refusals.counts_refusal,
            need=_need_of_counts,
            skips_null_interactions=True,
            slice_steps=lambda run: run.n,
            shrinks_for_slice=False,
        ),
    )
}


def engine_named(name: str) -> Engine:
    if name not in ENGINES:
        raise UnknownName("engine", name, [AUTO, *ENGINES])
    return ENGINES[name]


def refusal(name: str, run: Run) -> str | None:
    """Why this engine does not take this run; None if it does."""
    engine = engine_named(name)
    if run.check and name != REFERENCE:
        return f"--check asserts every step in plain Python: leave out --engine {name}."
    return engine.refusal(run)
