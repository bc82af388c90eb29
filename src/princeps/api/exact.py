"""Small populations exactly, and all interleavings of small rings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from princeps.errors import ParameterError, RunError
from princeps.model.description import Description, Named, describe
from princeps.model.modules import refuse_while_loading
from princeps.model.numbers import read_count, read_integer
from princeps.model.options import (
    RING,
    Count,
    ExactOptions,
    RunOptions,
    options_of,
    refuse_other_kinds,
    split,
    takes_options,
)

PhaseObserver = Callable[[str, int, int], None]  # the phase, how much is done, and of how much
OF_RUNS_ONLY = tuple(option.name for option in options_of(RunOptions).values() if not option.exact)


@takes_options(RunOptions, without=OF_RUNS_ONLY)
@takes_options(ExactOptions)
def exact(name: Named, n: Count | None = None, *, observer: PhaseObserver | None = None, **given: Any) -> Any:
    """Everything about a small population, exactly: an Exact. Of a ring algorithm, all interleavings: an ExactRing.

    `start` is "all" (every configuration; the default of protocols that recover from any) or a start of the protocol.
    Parameters are given by name; in `params` where one is called like an argument of this function.
    """
    refuse_while_loading("princeps.exact")
    asked, rest = split(given, ExactOptions)
    foreign = {option: rest.pop(option) for option in OF_RUNS_ONLY if option in rest}  # parameters nobody has
    rest["params"] = {**(rest.get("params") or {}), **foreign}
    return exact_described(describe(name, n, **rest), ExactOptions(**asked), observer)


def exact_described(description: Description, options: ExactOptions, observer: PhaseObserver | None = None) -> Any:
    """The one way in: whoever describes the analysis, it is made here."""
    about, name = description.options, description.cls.name
    for given in (options, about):
        refuse_other_kinds(given, description.kind, name)
    seed = None if about.seed is None else read_integer(about.seed, "seed")
    if description.kind == RING:
        from princeps.analysis.rings.report import exact_ring

        ring = {"labels": about.labels, "random": about.random, "ring": about.ring, "force": about.force}
        params, what = description.params, description.protocol
        return exact_ring(what, description.n, **ring, seed=seed or 0, params=params, progress=observer)
    return _exact_population(description, options, seed, observer)


def _exact_population(
    description: Description, options: ExactOptions, seed: int | None, observer: PhaseObserver | None
) -> Any:
    from princeps.analysis.analysis import analyse, prepare
    from princeps.analysis.options import AnalysisOptions
    from princeps.analysis.progress import no_progress
    from princeps.analysis.targets import find_target
    from princeps.api.compare import refuse_simulation, simulated

    about = description.options
    how: dict[str, Any] = {"start": about.start, "graph": about.graph, "ids": about.ids, "force": about.force}
    run, start = prepare(description.protocol, description.n, **how, params=description.params)  # type: ignore[arg-type]
    trials, jobs = _simulation(options)
    if trials:
        refuse_simulation(run, start, find_target(run.protocol, options.target).name)
    asked = AnalysisOptions(**vars(options), stated=trials > 0, progress=observer or no_progress)
    result, problem = analyse(run, start, options.target, asked)
    if trials:
        result.simulation = simulated(problem, result, trials, seed, jobs)
    return result


def _simulation(options: ExactOptions) -> tuple[int, int]:
    """Of how many runs, over how many processes."""
    trials, jobs = read_count(options.against_simulation, "against-simulation"), read_count(options.jobs, "jobs")
    if trials < 0 or trials == 1:
        raise RunError(f"against-simulation = {trials} is too small: give at least 2 runs, or leave it out.")
    if jobs < 1:
        raise ParameterError(f"jobs = {jobs} is too small: give at least 1.")
    return trials, jobs
