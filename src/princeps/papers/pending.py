"""Evidence that was asked for and is not in the store yet, and evidence that could not be had."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from princeps.campaign.point import Point


class NotReady(Exception):
    """The evidence is not in the store; it has been noted as missing."""


class EvidenceFailed(Exception):
    """The evidence could not be collected; the sentence says why."""


@dataclass(frozen=True)
class MeasuringTask:
    """A function, by its module and name, that is called for the parts 0..parts-1."""

    id: str
    place: str
    arguments: dict[str, Any]
    parts: int
    name: str


@dataclass
class MissingEvidence:
    """What has been asked for and is not stored yet, and what failed. Several labs may share it."""

    sweeps: dict[tuple[str, int], tuple[Point, int]] = field(default_factory=dict)  # points with their trials
    tasks: dict[str, MeasuringTask] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)  # ids of points and tasks, and the sentences

    def clear(self) -> None:
        """All of it has been tried."""
        self.sweeps.clear()
        self.tasks.clear()
