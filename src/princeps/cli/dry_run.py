"""princeps run --dry-run: memory and time before a long run, from the layout and a short measured slice."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from princeps.cli.frame import emit

SLICE_STEPS = 200_000
SLICE_AGENTS = 1_000_000  # the slice runs on at most so many agents, and says so


def estimate(run: Any, trials: int, jobs: int, as_json: bool) -> int:
    from princeps.engines.memory import available_bytes, estimate_bytes, human, refuse_if_too_large
    from princeps.lowering.layout import make_layout
    from princeps.model.protocol import Closed

    layout = make_layout(run.protocol)
    refuse_if_too_large(run, layout)
    rate = _steps_a_second(run)
    expected = run.protocol.expected_steps(run.n, run.protocol.constants)
    if run.until != type(run.protocol).default_goal and isinstance(run.goal, Closed):
        expected = None
    steps = run.max_steps if expected is None else expected if run.max_steps is None else min(expected, run.max_steps)
    seconds = None if steps is None else steps / rate * trials / min(jobs, trials)
    memory = estimate_bytes(run, layout) * min(jobs, trials)
    if as_json:
        emit(
            {
                "protocol": run.protocol.name,
                "params": run.protocol.params,
                "n": run.n,
                "trials": trials,
                "bytes_per_agent": layout.bytes_per_agent,
                "memory": memory,
                "available": available_bytes(),
                "steps": steps,
                "steps_per_second": rate,
                "seconds": seconds,
            }
        )
        return 0
    from princeps.cli.tables import pairs_table

    guess = "nobody knows; give --max-steps" if steps is None else f"about {steps:.3g}"
    rows = [
        ("memory", f"about {human(memory)} ({layout.bytes_per_agent} bytes an agent)"),
        ("speed", f"about {rate:.3g} steps a second, measured on {SLICE_STEPS:,} steps"),
        ("steps", guess + (f" a trial, {trials} trials" if trials > 1 else "")),
        ("time", "unknown" if seconds is None else f"about {_duration(seconds)}"),
    ]
    pairs_table(rows, f"{run.protocol.name}, n = {run.n:,}: an estimate, nothing was run")
    return 0


def _steps_a_second(run: Any) -> float:
    """A slice of the real run if it is small enough, else of a smaller population with the same parameters.

    Where agents are listed one by one (a file of states, a schedule, a graph, ids) the real run is taken in any case.
    """
    from princeps.engines.population import Watch
    from princeps.engines.simulate import make_population
    from princeps.model.topology import Topology

    listed = run.start.startswith("file:") or run.pairs is not None or run.topology.sources or run.ids is not None
    if run.n > SLICE_AGENTS and not listed:
        run = replace(run, n=SLICE_AGENTS, topology=Topology(run.topology.kind, SLICE_AGENTS, run.topology.text))
    population = make_population(run)
    steps = SLICE_STEPS // (100 if population.engine == "reference" else 1)
    population.advance(1, Watch.NOTHING)  # compiles
    began = time.perf_counter()
    population.advance(steps, Watch.NOTHING)
    return max(population.steps - 1, 1) / max(time.perf_counter() - began, 1e-9)


def _duration(seconds: float) -> str:
    for size, unit in ((365.25 * 86400, "years"), (86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.2g} seconds"
