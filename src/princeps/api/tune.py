"""`princeps.tune`: constants that hold a leader long enough, or keep everybody together, and are fast."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from math import isfinite
from typing import TYPE_CHECKING, Any

from princeps.api.arguments import a_path, or_none, parameters, reads
from princeps.api.hold import _effort
from princeps.api.progress import displayed, observing_phases
from princeps.errors import Interrupted, ParameterError, RunError
from princeps.model.announcing import announces
from princeps.model.description import Description, Named, describe, with_seed
from princeps.model.files import FIGURE, FilePath, Output, store_files
from princeps.model.interruptions import require_interruption
from princeps.model.limits import read_jobs
from princeps.model.machine import processors
from princeps.model.modules import refuse_while_loading
from princeps.model.numbers import Count, Integer
from princeps.model.options import RING, explained

if TYPE_CHECKING:
    from princeps.tuning.clock_report import ClockResult
    from princeps.tuning.report import TuneResult

EFFORT = 5000
SHORTEST, LONGEST = 1e3, 1e30  # holding times
RAREST, COMMONEST = 1e-5, 0.5  # failures of a clock


@explained
@announces("princeps.tune")
@reads(params=or_none(parameters), output=or_none(a_path))
def tune(
    name: Named,
    n: Count | None = None,
    *,
    hold: float | str | None = None,
    failure: float | str | None = None,
    effort: Count = EFFORT,
    start: Any = None,
    seed: Integer | None = None,
    jobs: Count | None = None,
    store: str | None = None,
    output: FilePath | None = None,
    progress: bool = True,
    params: Any = None,
    **more: Any,
) -> TuneResult | ClockResult:
    """Find the fastest constants that hold a unique leader for `hold` steps: a TuneResult.

    The claim is a bound at 95 %, by simulation with fresh seeds, and no proof. With `failure`, the fastest clock that keeps
    everybody together but for this probability: a ClockResult. Parameters that are given by name are not tuned.
    """
    refuse_while_loading("princeps.tune")
    about = {"start": start, "seed": seed, "params": params}
    description = describe(name, n, **{key: value for key, value in about.items() if value is not None}, **more)
    with displayed("princeps.tune", progress) as display:
        observe = observing_phases(display)
        return tune_described(description, hold, failure, effort, jobs, store, output, observe=observe)


def tune_described(
    description: Description,
    hold: float | str | None,
    failure: float | str | None = None,
    effort: Count = EFFORT,
    jobs: Count | None = None,
    store: str | None = None,
    output: FilePath | None = None,
    *,
    observe: Callable[[str, int, int], None] | None = None,
) -> TuneResult | ClockResult:
    """The one way in. Ctrl-C keeps what was found: `partial` of the error; and with a store, every finished part of it."""
    if description.kind == RING:
        raise RunError(f"{description.cls.name} is a ring algorithm, which has no constants to tune.")
    if (hold is None) == (failure is None):
        raise RunError("say what the constants are for: either hold (--hold 1e12 steps) or failure (--failure 0.001).")
    trials, workers = _effort(effort), processors() if jobs is None else read_jobs(jobs)
    target = None if hold is None else _number("hold", hold, SHORTEST, LONGEST, "1e12, in steps")
    share = None if failure is None else _number("failure", failure, RAREST, COMMONEST, "0.001, a probability")
    read = (*description.inputs, *(() if store is None else store_files(store)))
    picture = None if output is None else Output(str(output), FIGURE, read)
    if picture is not None:
        if failure is not None:
            raise RunError("output is a figure of holding times: leave it out with failure.")
        from princeps.figures.output import check

        check(picture)
    from princeps.campaign.store import open_store

    noted = observe or (lambda what, done, all: None)
    described = with_seed(description)
    with nullcontext() if store is None else open_store(store) as kept:
        asked: Any
        if share is not None:
            from princeps.tuning.clock import ClockTuner

            asked = ClockTuner(described, share, kept, noted)
        else:
            from princeps.tuning.tuner import Tuner, Wanted

            assert target is not None
            given = described.options.start
            asked = Tuner(Wanted(described, target, trials, workers, given), kept, noted)
        try:
            found: Any = asked.tune()
        except KeyboardInterrupt as error:
            require_interruption(error)
            partial = asked.result()
            raise Interrupted(
                "interrupted: .partial has what was found; nothing of it is certified.", partial
            ) from None
    if picture is not None:
        from princeps.figures.tuning import write

        write(found, picture)
    return found  # type: ignore[no-any-return]


def _number(name: str, given: float | str, least: float, most: float, example: str) -> float:
    try:
        value = float(str(given).replace(",", ""))
    except ValueError:
        value = float("nan")
    if not (isfinite(value) and least <= value <= most):
        raise ParameterError(f"{name} {given!r} is no number between {least:g} and {most:g}: give one like {example}.")
    return value
