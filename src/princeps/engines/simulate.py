"""One run from beginning to end, by the engine that it asks for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from princeps.engines.choice import choose
from princeps.engines.conduct import Conductor, ProgressObserver, conduct, finish
from princeps.engines.population import Population
from princeps.engines.registry import engine_named
from princeps.model.announcing import compiles
from princeps.model.result import Result
from princeps.model.run import Run

COMPILING = {"agents": 3, "events": 5, "counts": 10}  # seconds of a processor for all kernels of an engine
# Of a run that is only repeated.
UNRECORDED: dict[str, Any] = {"record": (), "record_states": False, "snapshots": ()}


def make_population(run: Run) -> Population:
    """The population on the engine that the run asks for, or on the one that suits it."""
    compiles(run.protocol.name)
    name, why = choose(run)
    compiles(f"{run.protocol.name} for engine {name}", COMPILING.get(name))
    population = engine_named(name).make(run)
    population.why = why
    return population


def simulate(
    run: Run, observer: ProgressObserver | None = None, make: Callable[[Run], Population] = make_population
) -> Result:
    conductor = Conductor(run, make(run), observer)
    result = finish(conductor)
    for name, verdict in type(run.protocol).verdicts.items():
        if verdict.at != run.until and conductor.population.is_cut_free:
            # the same seed gives the same run: go through it again, to the goal that matters
            again = replace(run, until=verdict.at, max_steps=result.total_steps, hold=False, check=False, **UNRECORDED)
            judged = conduct(again, make(again)).verdicts[name]
            result = replace(result, verdicts={**result.verdicts, name: judged})
    return result
