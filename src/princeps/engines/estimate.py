"""Memory and time of a run before it is run: from the layout, a rough number of steps, and a short measured slice."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, replace
from typing import Any

from princeps.engines.choice import choose
from princeps.engines.memory import (
    COUNTS_BYTES,
    FIXED,
    estimate_bytes,
    object_bytes,
    refuse_if_too_large,
    refuse_too_many_objects,
)
from princeps.engines.population import Watch
from princeps.engines.simulate import make_population
from princeps.lowering.layout import make_layout
from princeps.model.machine import available_bytes
from princeps.model.protocol import Closed
from princeps.model.run import Run
from princeps.model.topology import Topology

SLICE_STEPS = 200_000
SLICE_AGENTS = 1_000_000  # the slice runs on at most so many agents


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

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def estimate(run: Run, trials: int = 1, jobs: int = 1) -> Estimate:
    engine, why = choose(run)
    if engine == "reference":
        each = object_bytes(run)
        memory = FIXED + run.n * each
        refuse_too_many_objects(run)
    elif engine == "counts":
        each, memory = 0, FIXED + COUNTS_BYTES
    else:
        layout = make_layout(run.protocol)
        each, memory = layout.bytes_per_agent, estimate_bytes(run, layout)
        refuse_if_too_large(run, layout)
    rate, slice_steps, slice_agents = steps_a_second(run)
    expected = run.protocol.expected_steps(run.n, run.protocol.constants)
    if run.until != type(run.protocol).default_goal and isinstance(run.goal, Closed):
        expected = None
    steps = run.max_steps if expected is None else expected if run.max_steps is None else min(expected, run.max_steps)
    at_once = min(jobs, trials)
    return Estimate(
        protocol=run.protocol.name,
        params=run.protocol.params,
        n=run.n,
        trials=trials,
        engine=engine,
        why=why,
        bytes_per_agent=each,
        memory=memory * at_once,
        available=available_bytes(),
        steps=steps,
        steps_per_second=rate,
        slice_steps=slice_steps,
        slice_agents=slice_agents,
        seconds=None if steps is None or engine in ("events", "counts") else steps / rate * trials / at_once,
    )


def steps_a_second(run: Run) -> tuple[float, int, int]:
    """A slice of the real run if it is small enough, else of a smaller population with the same parameters.

    Where agents are listed one by one (states, a schedule, a graph, ids) the real run is taken in any case.
    """
    listed = run.lists_states or run.pairs is not None or run.topology.sources or run.ids is not None
    engine = choose(run)[0]
    run = replace(run, engine=engine)
    if run.n > SLICE_AGENTS and not listed and engine != "counts":
        run = replace(run, n=SLICE_AGENTS, topology=Topology(run.topology.kind, SLICE_AGENTS, run.topology.text))
    population = make_population(run)
    steps = SLICE_STEPS // (100 if engine == "reference" else 1)
    steps = run.n if engine == "counts" else steps
    population.advance(1, Watch.NOTHING)  # compiles
    began = time.perf_counter()
    population.advance(steps, Watch.NOTHING)
    done = max(population.steps - 1, 1)
    return done / max(time.perf_counter() - began, 1e-9), done, run.n
