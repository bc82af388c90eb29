"""Many trials of one run, in this process or over workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from princeps.campaign.crew import Crew, Pace
from princeps.errors import PrincepsError, RunError
from princeps.model.modules import module_of


def run_trials(description: Mapping[str, Any], trials: Sequence[int], jobs: int = 1) -> Iterator[Any]:
    """Results as they finish; `description` holds the arguments of make_run without the trial."""
    if jobs <= 1 or len(trials) <= 1:
        repeat = repeater(description)
        yield from (repeat(trial) for trial in trials)
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
                pace.note(answer.seconds)
                yield answer.outcome
    finally:
        crew.dismiss()


def repeater(description: Mapping[str, Any]) -> Callable[[int], Any]:
    """Gives the Result of any trial, or the RingResult of a ring algorithm, which is known by its schedule.

    A description may hold the identity of its law, `point`: then it must still be that. A `task` is any function by its
    place: a trial is then what it returns for that number.
    """
    if "task" in description:
        return _task(**description)
    if "schedule" in description:
        from princeps.engines.rings.simulate import simulate_ring
        from princeps.model.rings.run import make_ring_run

        return lambda trial: _finished(simulate_ring(make_ring_run(**description, trial=trial)))
    from princeps.campaign.identity import identity
    from princeps.engines.simulate import simulate
    from princeps.model.run import repeated

    plain = {name: value for name, value in description.items() if name != "point"}
    make, expected = repeated(plain), description.get("point")

    def run(trial: int) -> Any:
        nonlocal expected
        made = make(trial)
        if expected is not None and expected != identity(made):
            raise RunError(
                f"{description['name']}, or a file that it reads, is not what it was when the sweep began: run the same "
                f"command again; what was stored is of the old one, and kept as such."
            )
        expected = None
        return _finished(simulate(made))

    return run


def _task(name: str, task: str, arguments: Mapping[str, Any]) -> Callable[[int], Any]:
    """`module:function`, or `path/of/file.py:function`."""
    place, _, function = task.rpartition(":")
    module = module_of(Path(place)) if place.endswith(".py") else import_module(place)
    return partial(getattr(module, function), **arguments)


def _finished(result: Any) -> Any:
    if result.interrupted:
        raise KeyboardInterrupt
    return result
