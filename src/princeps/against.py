"""Simulation meets theory: the same expectation from the fast engines and from the exact analysis.

Like api.py it stands above the rooms: engines and exact do not see one another.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from princeps.errors import RunError
from princeps.model.protocol import Uniform

if TYPE_CHECKING:
    from princeps.exact.questions import Journey
    from princeps.exact.report import Exact, Simulated
    from princeps.model.run import Run


def refuse_simulation(run: Run, start: str, target: str) -> None:
    """What the engines cannot draw or cannot recognise is said before anything is computed."""
    cls = type(run.protocol)
    if target not in cls.all_goals():
        raise RunError(
            f"simulation stops at goals that {cls.name}'s file states ({', '.join(cls.all_goals())}), and {target!r} "
            f"is none of them: choose one with --target."
        )
    if start == "all" and uniform_start(run) is None:
        raise RunError(f"{cls.name} has no uniformly random start to simulate from: choose one with --start.")


def uniform_start(run: Run) -> str | None:
    return next((name for name, rule in type(run.protocol).starts.items() if isinstance(rule, Uniform)), None)


def simulated(journey: Journey, exact: Exact, trials: int, seed: int, jobs: int) -> Simulated:
    """So many runs with the fast engines from the same start to the same target."""
    from princeps.engines.trials import run_trials
    from princeps.exact.report import Simulated

    run = journey.ground.run
    start = uniform_start(run) if exact.start == "all" else run.start
    description = {
        "name": run.spec,
        "n": run.n,
        "seed": seed,
        "params": run.protocol.given,
        "start": start,
        "until": exact.target,
        "graph": run.topology.text,
        "ids": run.ids_text or None,
        "force": run.force,
    }
    count, mean, squares, engine = 0, 0.0, 0.0, ""
    for result in run_trials(description, range(trials), jobs):
        count += 1
        change = result.steps - mean
        mean += change / count
        squares += change * (result.steps - mean)
        engine = result.engine
        if count % 1024 == 0:
            journey.ground.space.observe("simulating", count, trials)
    error = sqrt(squares / (count - 1) / count)
    if error > 0:
        z = (mean - exact.mean) / error
    else:  # every run took the same number of steps
        z = 0.0 if abs(mean - exact.mean) <= 1e-9 * max(1.0, mean) else float("inf")
    return Simulated(count, mean, error, z, engine, seed)
