"""Evidence gathered in the process that asks for it: an altered rule is compiled once for all claims, and no worker starts."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from princeps.campaign.tasks import Trials
from princeps.campaign.worker import answered
from princeps.campaign.worker_pool import Answer


class InThisProcess:
    """In place of a pool of worker processes; whoever started this process ends it if a trial does not."""

    size = 1

    def __init__(self) -> None:
        self.batches: deque[tuple[Any, Trials, Sequence[int]]] = deque()

    @property
    def busy(self) -> bool:
        return bool(self.batches)

    def has_room(self, ahead: int = 1) -> bool:
        return not self.batches

    def assign(self, key: Any, what: Trials, trials: Sequence[int]) -> None:
        self.batches.append((key, what, list(trials)))

    def answers(self, timeout: float) -> list[Answer]:
        """Those of one batch."""
        if not self.batches:
            return []
        key, what, trials = self.batches.popleft()
        return [Answer(key, trial, outcome, seconds) for trial, outcome, seconds in answered(what, trials)]

    def cancel(self, key: Any) -> int:
        """How many trials are not run."""
        left = sum(len(trials) for one, _, trials in self.batches if one is key)
        self.batches = deque(batch for batch in self.batches if batch[0] is not key)
        return left

    def stop(self) -> list[Answer]:
        return []

    def end(self) -> list[Answer]:
        return []
