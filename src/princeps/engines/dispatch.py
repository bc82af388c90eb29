"""One way for every run: a population goes to a population engine, a ring to a ring engine, by their two registries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from princeps.engines.registry import AUTO, ENGINES, Engine, refusal
from princeps.engines.rings.registry import RING_ENGINES, RingEngine, ring_engine_named
from princeps.errors import RunError
from princeps.model.description import Description, read
from princeps.model.options import POPULATION, RING, check_choice
from princeps.model.result import Result
from princeps.model.rings.result import RingResult
from princeps.model.rings.run import RingRun
from princeps.model.run import Run

REGISTRIES: dict[str, Mapping[str, Engine | RingEngine]] = {POPULATION: ENGINES, RING: RING_ENGINES}


def engine_choices(kind: str) -> list[str]:
    """What may be said after --engine for this kind of run."""
    return [AUTO, *REGISTRIES[kind]]


def check_engine(description: Description) -> None:
    """The name of an engine is refused before anything is read, drawn or started."""
    check_choice(description.options.engine, "engine", engine_choices(description.kind))


def read_for_engine(description: Description) -> Run | RingRun:
    """The run that is described, which the engine that it asks for takes."""
    check_engine(description)
    run = read(description)
    if run.engine != AUTO:
        problem = refusal(run.engine, run) if isinstance(run, Run) else ring_engine_named(run.engine).refusal(run)
        if problem is not None:
            raise RunError(problem)
    return run


def simulate(run: Run | RingRun, observer: Callable[[Any], None] | None = None) -> Result | RingResult:
    """The run from beginning to end; an observer is shown its progress from time to time."""
    if isinstance(run, Run):
        from princeps.engines.simulate import simulate as simulate_population

        return simulate_population(run, observer)
    from princeps.engines.rings.simulate import simulate_ring

    return simulate_ring(run, observer)
