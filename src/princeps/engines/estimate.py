"""Memory and time of a run before it is run: from the layout, a rough number of steps, and a short measured slice."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, replace
from typing import Any

from princeps.engines.choice import choose
from princeps.engines.moments import snapshot_sizes
from princeps.engines.registry import engine_named
from princeps.lowering.status import StopCondition
from princeps.model.goals import AdHoc, Closed
from princeps.model.machine import available_bytes
from princeps.model.protocol import usual_steps
from princeps.model.run import Run
from princeps.model.topology import Topology

SLICE_AGENTS = 1_000_000  # the slice runs on at most this many


@dataclass(frozen=True)
class Estimate:
    """`steps` and `seconds` are None where nobody knows how long the protocol takes and no limit is given.

    Nor are `seconds` known where null interactions are skipped: a run gets faster as it converges.
    """

    protocol: str
    params: dict[str, int]
    n: int
    trials: int
    engine: str
    why: str
    bytes_per_agent: int
    memory: int
    available: int | None
    steps: float | None
    steps_per_second: float
    slice_steps: int  # on which the speed was measured
    slice_agents: int
    seconds: float | None

    @property
    def skips_null_interactions(self) -> bool:
        return engine_named(self.engine).skips_null_interactions

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def estimate(run: Run, trials: int = 1, jobs: int = 1) -> Estimate:
    name, why = choose(run)
    engine = engine_named(name)
    need = engine.need(run)
    rate, slice_steps, slice_agents = steps_a_second(run)
    expected = usual_steps(run.protocol, run.n)
    if run.until != type(run.protocol).default_goal and isinstance(run.goal, (Closed, AdHoc)):
        expected = None
    steps = run.max_steps if expected is None else expected if run.max_steps is None else min(expected, run.max_steps)
    at_once = min(jobs, trials)
    count, each = snapshot_sizes(run)
    kept = count * run.n * each if need.bytes_per_agent else 0  # an engine that only counts keeps counts
    return Estimate(
        protocol=run.protocol.name,
        params=run.protocol.params,
        n=run.n,
        trials=trials,
        engine=name,
        why=why,
        bytes_per_agent=need.bytes_per_agent,
        memory=(need.total + kept) * at_once,
        available=available_bytes(),
        steps=steps,
        steps_per_second=rate,
        slice_steps=slice_steps,
        slice_agents=slice_agents,
        seconds=None if steps is None or engine.skips_null_interactions else steps / rate * trials / at_once,
    )


def steps_a_second(run: Run) -> tuple[float, int, int]:
    """A slice of the real run if it is small enough, else of a smaller population with the same parameters.

    Where agents are listed one by one (states, a schedule, a graph, ids) the real run is taken in any case.
    """
    listed = run.lists_states or not run.scheduler.draws_uniform_arcs or run.topology.sources or run.ids is not None
    engine = engine_named(choose(run)[0])
    run = replace(run, engine=engine.name)
    if run.n > SLICE_AGENTS and not listed and engine.shrinks_for_slice:
        run = replace(run, n=SLICE_AGENTS, topology=Topology(run.topology.kind, SLICE_AGENTS, run.topology.text))
    population = engine.make(run)
    steps = engine.slice_steps(run)
    population.advance_exactly(1)  # compiles
    began = time.perf_counter()
    population.advance(steps, StopCondition.NOTHING)  # an engine that stops early has done enough to be measured
    done = max(population.steps - 1, 1)
    return done / max(time.perf_counter() - began, 1e-9), done, run.n
