"""Many trials of one thing, in this process or over workers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from princeps.campaign.tasks import Trials
from princeps.campaign.worker_pool import BatchSizes, WorkerPool
from princeps.errors import PrincepsError


def run_trials(what: Trials, trials: Sequence[int], jobs: int = 1) -> Iterator[Any]:
    """Results as they finish."""
    if jobs <= 1 or len(trials) <= 1:
        repeat = what.repeater()
        yield from (repeat(trial) for trial in trials)
        return
    pool, batch_sizes, assigned = WorkerPool(min(jobs, len(trials))), BatchSizes(), 0
    try:
        while assigned < len(trials) or pool.busy:
            while assigned < len(trials) and pool.has_room(batch_sizes.ahead):
                size = batch_sizes.batch_size(len(trials) - assigned, pool.size)
                pool.assign(None, what, trials[assigned : assigned + size])
                assigned += size
            for answer in pool.answers(timeout=0.2):
                if isinstance(answer.outcome, PrincepsError):
                    raise answer.outcome
                batch_sizes.note(answer.seconds)
                yield answer.outcome
    except KeyboardInterrupt:
        for answer in pool.stop():  # what the workers had sent already
            if not isinstance(answer.outcome, PrincepsError):
                yield answer.outcome
        raise
    finally:
        pool.stop()
