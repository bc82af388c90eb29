"""How long the evidence took that was asked for: the store keeps it of every trial and of every part of a measurement."""

from __future__ import annotations

from dataclasses import dataclass, field

from princeps.campaign.point import Point
from princeps.campaign.store import Store
from princeps.papers.pending import MeasuringTask


@dataclass
class UsedEvidence:
    """What checks have asked for; several of them may share it, and it counts once."""

    trials: dict[tuple[str, int], int] = field(default_factory=dict)  # by point and seed: how many
    parts: dict[str, int] = field(default_factory=dict)  # by task

    def note_trials(self, point: Point, seed: int, trials: int) -> None:
        key = point.id, point.seed(seed)
        self.trials[key] = max(trials, self.trials.get(key, 0))

    def note_task(self, task: MeasuringTask) -> None:
        self.parts[task.id] = task.parts

    def taken(self, store: Store) -> float:
        """Seconds, one after the other; what is asked for from now on is counted anew."""
        found = 0.0
        for (id, seed), trials in self.trials.items():
            rows = store.select(
                "SELECT total(seconds) FROM trials JOIN points ON point = number WHERE id = ? AND seed = ? AND trial < ?",
                (id, seed, trials),
            )
            found += sum(seconds for (seconds,) in rows)
        for id, parts in self.parts.items():
            rows = store.select("SELECT total(seconds) FROM evidence WHERE id = ? AND part < ?", (id, parts))
            found += sum(seconds for (seconds,) in rows)
        self.trials.clear()
        self.parts.clear()
        return found
