"""`princeps.hold`: how long a unique leader is held, where no simulation sees it lost."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from princeps.api.arguments import or_none, parameters, reads
from princeps.api.progress import displayed, observing_phases
from princeps.errors import Interrupted, ParameterError, RunError
from princeps.model.announcing import announces
from princeps.model.description import Description, Named, describe, with_seed
from princeps.model.interruptions import require_interruption
from princeps.model.limits import read_jobs
from princeps.model.machine import processors
from princeps.model.modules import refuse_while_loading
from princeps.model.numbers import Count, Integer, read_count
from princeps.model.options import RING, explained

if TYPE_CHECKING:
    from princeps.rare.report import HoldResult

PRECISION, EFFORT, MIN_EFFORT, MAX_EFFORT = "5%", 2000, 50, 1_000_000
FINEST, COARSEST = 0.001, 0.3


@explained
@announces("princeps.hold")
@reads(params=or_none(parameters))
def hold(
    name: Named,
    n: Count | None = None,
    *,
    precision: float | str = PRECISION,
    effort: Count = EFFORT,
    start: Any = None,
    graph: Any = None,
    seed: Integer | None = None,
    jobs: Count | None = None,
    store: str | None = None,
    compare: bool = True,
    progress: bool = True,
    params: Any = None,
    **more: Any,
) -> HoldResult:
    """Estimate how long a unique leader is held, by splitting: a HoldResult, with its interval or why there is none.

    mean is 1 / the quasi-stationary rate of a loss. Two level functions for each way of losing the leader must agree, and
    the same estimator is compared with the exact rate in a small population. Parameters are given by name.
    """
    refuse_while_loading("princeps.hold")
    about = {"start": start, "graph": graph, "seed": seed, "params": params}
    description = describe(name, n, **{key: value for key, value in about.items() if value is not None}, **more)
    with displayed("princeps.hold", progress) as display:
        observe = observing_phases(display)
        return hold_described(description, precision, effort, jobs, store, compare=compare, observe=observe)


def hold_described(
    description: Description,
    precision: float | str = PRECISION,
    effort: Count = EFFORT,
    jobs: Count | None = None,
    store: str | None = None,
    *,
    compare: bool = True,
    observe: Callable[[str, int, int], None] | None = None,
) -> HoldResult:
    """The one way in. Ctrl-C keeps the replicas that are finished: `partial` of the error, and the store."""
    if description.kind == RING:
        raise RunError(f"{description.cls.name} is a ring algorithm, which keeps its leader for ever.")
    from princeps.campaign.store import open_store
    from princeps.rare.holding import Estimation, Question

    question = Question(
        with_seed(description),
        read_precision(precision),
        _effort(effort),
        processors() if jobs is None else read_jobs(jobs),
        compare,
    )
    with nullcontext() if store is None else open_store(store) as kept:
        estimation = Estimation(question, kept, observe or (lambda what, done, all: None))
        try:
            return estimation.estimate()
        except KeyboardInterrupt as error:
            require_interruption(error)
            partial = estimation.result()
            number = sum(len(one.rate.replicas) for mode in partial.modes for one in mode.estimates)
            raise Interrupted(f"interrupted: .partial has the {number} replicas that were finished.", partial) from None


def refuse_hold(run: object) -> None:
    """Before anything is run: what `hold` cannot do, in one sentence."""
    from princeps.model.run import Run

    if not isinstance(run, Run):
        raise RunError("a ring algorithm keeps its leader for ever: leave --hold and --rare out.")
    from princeps.rare.holding import refuse

    refuse(run)


def read_precision(given: float | str) -> float:
    """A relative standard error: "5%", 0.05."""
    text = str(given).strip()
    try:
        value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        value = float("nan")
    if not FINEST <= value <= COARSEST:
        raise ParameterError(
            f"precision {given!r} is no relative standard error between {100 * FINEST:g}% and {100 * COARSEST:g}%: "
            f"give one like 5%."
        )
    return value


def _effort(given: Count) -> int:
    effort = read_count(given, "effort")
    if not MIN_EFFORT <= effort <= MAX_EFFORT:
        raise ParameterError(f"effort = {effort:,} is outside {MIN_EFFORT} to {MAX_EFFORT:,}: {EFFORT} is usual.")
    return effort
