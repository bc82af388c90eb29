"""Many trials of one run, in this process or over workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from princeps.engines.crew import Crew, Pace
from princeps.errors import PrincepsError

_repeating: tuple[Mapping[str, Any], Callable[[int], Any]] | None = None  # the description asked last


def run_trials(description: Mapping[str, Any], trials: Sequence[int], jobs: int = 1) -> Iterator[Any]:
    """Results as they finish; `description` holds the arguments of make_run without the trial."""
    if jobs <= 1 or len(trials) <= 1:
        yield from (one_trial(description, trial) for trial in trials)
        return
    crew, pace, lent = Crew(min(jobs, len(trials))), Pace(), 0
    try:
        while lent < len(trials) or crew.busy:
            while lent < len(trials) and crew.room(pace.ahead):
                size = pace.batch(len(trials) - lent, crew.size)
                crew.lease(None, description, trials[lent : lent + size])
                lent += size
            for answer in crew.answers(patience=0.2):
                if isinstance(answer.outcome, PrincepsError):
                    raise answer.outcome
                pace.note(answer.outcome.seconds)
                yield answer.outcome
    finally:
        crew.dismiss()


def one_trial(description: Mapping[str, Any], trial: int) -> Any:
    """A Result, or the RingResult of a ring algorithm, which is known by its schedule."""
    global _repeating
    if _repeating is None or _repeating[0] != description:
        _repeating = dict(description), _repeatable(description)
    result = _repeating[1](trial)
    if result.interrupted:
        raise KeyboardInterrupt
    return result


def _repeatable(description: Mapping[str, Any]) -> Callable[[int], Any]:
    if "schedule" in description:
        from princeps.engines.rings import simulate_ring
        from princeps.model.ring_run import make_ring_run

        return lambda trial: simulate_ring(make_ring_run(**description, trial=trial))
    from princeps.engines.simulate import simulate
    from princeps.model.run import repeated

    make = repeated(description)
    return lambda trial: simulate(make(trial))
