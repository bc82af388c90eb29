"""The same expectation from the fast engines and from the exact analysis, which do not import each other."""

from __future__ import annotations

from math import copysign, inf, sqrt
from typing import TYPE_CHECKING

from princeps.errors import RunError
from princeps.model.description import describe, with_seed
from princeps.model.goals import AdHoc, Uniform

if TYPE_CHECKING:
    from princeps.analysis.hitting_problem import HittingProblem
    from princeps.analysis.report import Exact, Simulated
    from princeps.analysis.targets import Target
    from princeps.model.run import Run

DRAWN = ("er:", "regular:")  # graphs that every run draws for itself


def refuse_simulation(run: Run, start: str, target: Target) -> None:
    """What the engines cannot draw or cannot recognise is said before anything is computed."""
    cls = type(run.protocol)
    if target.name not in cls.all_goals() and not isinstance(target.goal, AdHoc):
        raise RunError(
            f"simulation stops at goals that {cls.name}'s file states ({', '.join(cls.all_goals())}), and "
            f"{target.name!r} is none of them: choose one with --target, or write a condition on counts."
        )
    if start == "all" and uniform_start(run) is None:
        raise RunError(f"{cls.name} has no uniformly random start to simulate from: choose one with --start.")
    if run.topology.text.startswith(DRAWN):
        raise RunError(
            f"graph {run.topology.text!r} would be another one in every simulated run: write the edges of one graph "
            f"to a file, and give that with --graph."
        )


def uniform_start(run: Run) -> str | None:
    return next((name for name, rule in type(run.protocol).starts.items() if isinstance(rule, Uniform)), None)


def simulated(problem: HittingProblem, exact: Exact, trials: int, seed: int | None, jobs: int) -> Simulated:
    """Runs with the fast engines from the same start to the same target."""
    from princeps.analysis.report import Simulated
    from princeps.campaign.tasks import DescribedTrials
    from princeps.campaign.trials import run_trials

    if exact.mean == inf:
        raise RunError(
            f"{exact.target} is not reached for certain, so that simulated runs may never end: leave "
            f"--against-simulation out to see where it is not."
        )
    run = problem.space.run
    start = uniform_start(run) if exact.start == "all" else run.start
    ids = None if run.ids is None else list(run.ids.values(run.stream("ids")))  # the same in every run
    given = {"start": start, "until": exact.target, "graph": run.topology.text, "ids": ids, "force": run.force}
    what = with_seed(describe(type(run.protocol), run.n, seed=seed, params=run.protocol.given, **given))
    count, mean, squares, engine = 0, 0.0, 0.0, ""
    for result in run_trials(DescribedTrials(what if jobs == 1 else what.sendable()), range(trials), jobs):
        count += 1
        change = result.steps - mean
        mean += change / count
        squares += change * (result.steps - mean)
        engine = result.engine
        if count % 1024 == 0:
            problem.space.progress("simulating", count, trials)
    error = sqrt(squares / (count - 1) / count)
    off = mean - exact.mean
    nothing = abs(off) <= 1e-9 * max(1.0, mean)
    z = off / error if error > 0 else 0.0 if nothing else copysign(inf, off)  # all runs may take the same steps
    return Simulated(count, mean, error, z, engine, int(what.options.seed or 0))
