"""Many trials of one thing, in this process or over workers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from princeps.campaign.crew import Crew, Pace
from princeps.campaign.tasks import Trials
from princeps.errors import PrincepsError


def run_trials(what: Trials, trials: Sequence[int], jobs: int = 1) -> Iterator[Any]:
    """Results as they finish."""
    if jobs <= 1 or len(trials) <= 1:
        repeat = what.repeater()
        yield from (repeat(trial) for trial in trials)
        return
    crew, pace, assigned = Crew(min(jobs, len(trials))), Pace(), 0
    try:
        while assigned < len(trials) or crew.busy:
            while assigned < len(trials) and crew.room(pace.ahead):
                size = pace.batch_size(len(trials) - assigned, crew.size)
                crew.assign(None, what, trials[assigned : assigned + size])
                assigned += size
            for answer in crew.answers(patience=0.2):
                if isinstance(answer.outcome, PrincepsError):
                    raise answer.outcome
                pace.note(answer.seconds)
                yield answer.outcome
    finally:
        crew.dismiss()
