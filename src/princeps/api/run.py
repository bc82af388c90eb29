"""One run, many trials of it, and what it will cost. The command line calls the same functions with the same words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from princeps.api.arguments import a_function_of, a_path, a_path_or_function_of, or_none, reads, renamed
from princeps.api.engines import ENGINE_HELP
from princeps.api.progress import counting, displayed, observing_run
from princeps.engines.dispatch import check_engine, read_for_engine, simulate
from princeps.errors import Interrupted, RunError
from princeps.model.announcing import announces
from princeps.model.description import Description, Named, describe, with_seed
from princeps.model.formatting import counted
from princeps.model.interruptions import require_interruption
from princeps.model.modules import refuse_while_loading
from princeps.model.options import (
    RING,
    Count,
    RunOptions,
    TraceOptions,
    TrialOptions,
    read_texts,
    refuse_other_kinds,
    takes_options,
)
from princeps.model.result import Result, Trials
from princeps.model.rings.result import RingResult
from princeps.model.rings.run import RingRun
from princeps.model.run import Run

if TYPE_CHECKING:
    from princeps.engines.estimate import Estimate

RunObserver = Callable[[Any], None]
COMPILED_SHUFFLE = 100_000  # agents


@announces("princeps.run", observer="observer")
@reads(
    observer=or_none(a_function_of("progress")),
    trace=or_none(a_path_or_function_of("event")),
    diagram=or_none(a_path),
)
@takes_options(RunOptions, help=ENGINE_HELP)
def run(
    name: Named,
    n: Count | None = None,
    *,
    trace: str | Callable[[Any], None] | None = None,
    diagram: str | None = None,
    window: str | tuple[int, int] | None = None,
    observer: RunObserver | None = None,
    progress: bool = True,
    **given: Any,
) -> Result | RingResult:
    """Simulate one run; without a seed one is chosen, and the result names it.

    A Result; of a ring algorithm, whose ring is given by labels, random, ring (a file) or n, a RingResult. Every event or
    interaction may be shown to `trace` (a function, or a file for JSON lines), and drawn into `diagram` (a file).
    """
    refuse_while_loading("princeps.run")
    shown = TraceOptions(**read_texts({"trace": trace, "diagram": diagram, "window": window}, TraceOptions))
    with displayed("princeps.run", progress and observer is None) as display:
        result = run_described(with_seed(describe(name, n, **given)), shown, observer or observing_run(display))
    if result.interrupted:  # a loop of runs must not go on, nor take it for data
        raise Interrupted(
            f"interrupted after {counted(result.steps, 'steps')}: the result so far is in `partial`.", result
        )
    return result


def read_described(description: Description) -> Run | RingRun:
    """The run, read and checked; whatever is wrong with it is refused before anything is started."""
    return read_for_engine(description)


def run_described(
    description: Description, shown: TraceOptions | None = None, observer: RunObserver | None = None
) -> Result | RingResult:
    """The one way in: whoever describes a run, it is read and simulated here."""
    made = read_described(description)
    if shown is not None:
        refuse_other_kinds(shown, description.kind, description.cls.name)
        if shown.trace is not None or shown.diagram is not None:
            from princeps.api.trace import run_traced

            traced: Result | RingResult = run_traced(made, shown, description)
            return traced
        if shown.window is not None:
            raise RunError(f"--window {shown.window} is for --trace and --diagram: give one of them with it.")
    return simulate(made, observer)


@announces("princeps.trials")
@reads()
@renamed(count="trials")
@takes_options(RunOptions, without=("trial",), help=ENGINE_HELP)
def trials(
    name: Named, n: Count | None = None, *, trials: Count, jobs: Count = 1, progress: bool = True, **given: Any
) -> Trials[Result | RingResult]:
    """Trials 0, 1, ... of one seed, over `jobs` processes; the other arguments are those of `run`."""
    refuse_while_loading("princeps.trials")
    how = TrialOptions(trials=trials, jobs=jobs)
    found: list[Any] = []
    try:
        with displayed("princeps.trials", progress) as display:
            running = trials_described(with_seed(describe(name, n, **given)), how)
            for result in counting(running, how.read()[0], display):
                found.append(result)
    except KeyboardInterrupt as error:
        require_interruption(error)
        sentence = f"interrupted after {len(found)} of {counted(how.read()[0], 'trials', 'd')}: those are in `partial`."
        raise Interrupted(sentence, in_order(found, how.read()[0])) from None
    return in_order(found)


def in_order(found: list[Any], wanted: int | None = None) -> Trials[Result | RingResult]:
    return Trials(sorted(found, key=lambda result: result.trial), wanted)


def trials_described(description: Description, how: TrialOptions) -> Iterator[Any]:
    """The results as they are finished."""
    from princeps.campaign.tasks import DescribedTrials
    from princeps.campaign.trials import run_trials

    check_engine(description)
    count, jobs = how.read()
    what = description if jobs == 1 else description.sendable()
    return run_trials(DescribedTrials(what), range(count), jobs)


@announces("princeps.estimate")
@takes_options(RunOptions, help=ENGINE_HELP)
def estimate(name: Named, n: Count | None = None, *, trials: Count = 1, jobs: Count = 1, **given: Any) -> Estimate:
    """Memory and time before a long run; the other arguments are those of `run`. Nothing but a short slice is run."""
    refuse_while_loading("princeps.estimate")
    return estimate_described(describe(name, n, **given), TrialOptions(trials=trials, jobs=jobs))


def estimate_described(description: Description, how: TrialOptions) -> Estimate:
    from princeps.engines.estimate import estimate as estimate_run

    if description.kind == RING:
        name = description.cls.name
        raise RunError(
            f"{name} is a ring algorithm: --dry-run is not for it. Its paper's bounds are the estimate: "
            f"`princeps show {name}` in a terminal shows them."
        )
    made = read_described(description)
    assert isinstance(made, Run)
    single = description.options.trial is not None
    return estimate_run(made, *(replace(how, trials=1) if single else how).read())


def identifier_of(run: Run, agent: int) -> int:
    """The identifier of a numbered agent; of a large population the shuffle is compiled."""
    assert run.ids is not None
    if run.ids.is_shuffle and run.n > COMPILED_SHUFFLE:
        from princeps.lowering.kernels import shuffled_identifiers

        return int(shuffled_identifiers(run.n, run.seed, run.trial)[agent])
    return run.ids.values(run.stream("ids"))[agent]
