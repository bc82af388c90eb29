"""Small populations exactly, and all interleavings of small rings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from princeps.api.arguments import a_function_of, or_none, parameters, reads
from princeps.api.progress import displayed, observing_phases
from princeps.errors import Interrupted, RunError
from princeps.model.announcing import announces
from princeps.model.description import Description, Named, describe
from princeps.model.interruptions import require_interruption
from princeps.model.limits import read_jobs, read_trials
from princeps.model.modules import refuse_while_loading
from princeps.model.numbers import read_count, read_integer
from princeps.model.options import (
    OF_RUNS_ONLY,
    RING,
    Count,
    ExactOptions,
    RunOptions,
    read_texts,
    refuse_other_kinds,
    shared_with_exact,
    split,
    takes_options,
)

if TYPE_CHECKING:  # numpy is loaded when something is computed
    from princeps.analysis.fair_report import FairAdversary
    from princeps.analysis.probability_report import ExactProbability
    from princeps.analysis.report import Exact
    from princeps.analysis.rings.report import ExactRing

NOT_SIMULATED = dict.fromkeys(OF_RUNS_ONLY, "it is an option of simulated runs")
DESCRIPTION = "_description"  # the attribute of an answer that says what was asked
PhaseObserver = Callable[[str, int, int], None]  # the phase, how much is done, and of how much


@announces("princeps.exact", observer="observer")
@reads(observer=or_none(a_function_of("phase, done, total")), params=or_none(parameters))
@takes_options(RunOptions, without=OF_RUNS_ONLY, help={"until": "The same as target."}, why_without=NOT_SIMULATED)
@takes_options(ExactOptions)
def exact(
    name: Named, n: Count | None = None, *, observer: PhaseObserver | None = None, progress: bool = True, **given: Any
) -> Exact | ExactRing | ExactProbability | FairAdversary:
    """Everything about a small population, exactly: an Exact. Of a ring algorithm, all interleavings: an ExactRing.

    With `probability`, the answer to one question about time: an ExactProbability. With `scheduler="weakly-fair"`, what an
    adversary can do that schedules every arc infinitely often: a FairAdversary; with "noisy:0.1", the longest expected
    times that one can force if a tenth of the steps is uniform.

    `start` is "all" (every configuration; the default of protocols that recover from any) or a start of the protocol.
    Parameters are given by name; in `params` where one is called like an argument of this function.
    """
    refuse_while_loading("princeps.exact")
    asked, rest = split(given, ExactOptions)
    options = ExactOptions(**read_texts(asked, ExactOptions))
    try:
        with displayed("princeps.exact", progress and observer is None) as display:
            return exact_described(describe(name, n, **rest), options, observer or observing_phases(display))
    except KeyboardInterrupt as error:
        require_interruption(error)
        raise Interrupted("interrupted while nothing was known yet: an exact analysis keeps no part of it.") from None


def exact_described(
    description: Description, options: ExactOptions, observer: PhaseObserver | None = None
) -> Exact | ExactRing | ExactProbability | FairAdversary:
    """The one way in: whoever describes the analysis, it is made here."""
    found = _found(description, options, observer)
    found.__dict__[DESCRIPTION] = description  # for whoever wants to watch what was found
    return found


def analysed(found: Any) -> Description | None:
    """What an answer of `exact` is about; None of anything else."""
    return getattr(found, "__dict__", {}).get(DESCRIPTION) if not isinstance(found, type) else None


def _found(
    description: Description, options: ExactOptions, observer: PhaseObserver | None
) -> Exact | ExactRing | ExactProbability | FairAdversary:
    about, name = description.options, description.cls.name
    for given in (options, about):
        refuse_other_kinds(given, description.kind, name)
    shared = shared_with_exact(about, description.kind)
    if description.kind == RING:
        from princeps.analysis.rings.report import exact_ring

        params, what = description.params, description.protocol
        return exact_ring(what, description.n, **shared, params=params, limit=options.limit, progress=observer)
    return _exact_population(description, shared, options, observer)


def _exact_population(
    description: Description, shared: dict[str, Any], options: ExactOptions, observer: PhaseObserver | None
) -> Exact | ExactProbability | FairAdversary:
    from princeps.analysis.adversaries import fair_adversary
    from princeps.analysis.analysis import analyse, answer, prepare
    from princeps.analysis.options import AnalysisOptions
    from princeps.analysis.progress import no_progress
    from princeps.analysis.targets import find_target
    from princeps.api.compare import refuse_simulation, simulated

    asks_fairness = _asks_fairness(options)
    until = shared.pop("until")
    if until is not None and options.target is None and options.probability is not None:
        raise RunError("--probability is a question of its own: leave --until out, or ask for it without.")
    options = _with_target(options, until)
    given = shared.pop("seed")  # of the simulation
    seed = None if given is None else read_integer(given, "seed")
    run, start = prepare(description.protocol, description.n, **shared, params=description.params)  # type: ignore[arg-type]
    trials, jobs = _simulation(options)
    if trials:
        refuse_simulation(run, start, find_target(run.protocol, options.target))
    asked = AnalysisOptions(
        **vars(options), inputs=tuple(description.inputs), stated=trials > 0, progress=observer or no_progress
    )
    if asks_fairness:
        return fair_adversary(run, start, asked)
    if options.probability is not None:
        return answer(run, start, asked)
    result, problem = analyse(run, start, options.target, asked)
    if trials:
        result.simulation = simulated(problem, result, trials, seed, jobs)
    return result


def _asks_fairness(options: ExactOptions) -> bool:
    """Is the scheduler the weakly fair adversary? What is no scheduler of an analysis is refused."""
    from princeps.analysis.adversaries import UNIFORM, read_adversary

    given = options.scheduler
    if given is None or given == UNIFORM:
        return False
    if not isinstance(given, str):
        raise RunError(f"--scheduler {given!r} is not a name: exact takes uniform, weakly-fair and noisy:EPS.")
    return read_adversary(given) is None


def _with_target(options: ExactOptions, until: str | None) -> ExactOptions:
    """What a run goes on until is the target here, under either name."""
    if until is None or until == options.target:
        return options
    if options.target is not None:
        raise RunError(f"--target {options.target!r} and --until {until!r} mean the same thing: give one of them.")
    return replace(options, target=until)


def _simulation(options: ExactOptions) -> tuple[int, int]:
    """Of how many runs, over how many processes."""
    trials = read_count(options.against_simulation, "--against-simulation")
    if trials < 0 or trials == 1:
        raise RunError(f"--against-simulation = {trials} is too small: give at least 2 runs, or leave it out.")
    return read_trials(trials) if trials else 0, read_jobs(options.jobs)
