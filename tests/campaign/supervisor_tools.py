"""What the tests of supervisor and workers share: trials as they are lent, and what came back."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from princeps.campaign.tasks import DescribedTrials
from princeps.campaign.worker_pool import (
    Answer,
    WorkerPool,
)
from princeps.errors import PrincepsError
from princeps.model.description import describe


def described(name: str, n: int = 4, **more: Any) -> DescribedTrials:
    return DescribedTrials(describe(name, n, seed=4, engine="reference", **more))


def gathered(pool: WorkerPool) -> list[Answer]:
    """Everything until nobody is busy; what takes for ever is a failure."""
    deadline, found = time.monotonic() + 120, []
    while pool.busy:
        assert time.monotonic() < deadline, "the pool never finishes"
        found += pool.answers(timeout=0.2)
    return found


def outcomes(answers: Sequence[Answer]) -> dict[int, Any]:
    """By trial: how many steps it took, or the sentence of what went wrong. No trial is answered twice."""
    found = {
        answer.trial: str(answer.outcome) if isinstance(answer.outcome, PrincepsError) else answer.outcome.steps
        for answer in answers
    }
    assert len(found) == len(answers)
    return found
