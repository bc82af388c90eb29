"""Snapshots along a run, from which any point of it is reached by a short replay; thinned as the run grows.

There are at most LIMIT of them, fewer where they are large. When there is no room, every second is dropped and the
distance to the next is doubled: they stay evenly spaced by the work that lies between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

MEMORY = 128 * 2**20  # bytes for all of them
LIMIT = 512

TimelinePosition = tuple[int, int]  # in a timeline: the number of an event, and how much of it is done


@dataclass(frozen=True)
class Checkpoint:
    position: TimelinePosition
    work: int
    snapshot: Any


class Checkpoints:
    """The first is the start of the run and is never dropped."""

    def __init__(self, start: Checkpoint, spacing: int) -> None:
        self.kept = [start]
        self.spacing = spacing

    def copy(self) -> Checkpoints:
        """Another list of the same snapshots."""
        twin = Checkpoints(self.kept[0], self.spacing)
        twin.kept = list(self.kept)
        return twin

    def work_to_next(self, work: int) -> int:
        """Work until a checkpoint is due."""
        return self.kept[-1].work + self.spacing - work

    def add(self, checkpoint: Checkpoint, size: int) -> None:
        """Each lies after all others; `size` is about what it takes in bytes."""
        self.kept.append(checkpoint)
        if len(self.kept) > max(2, min(LIMIT, MEMORY // max(1, size))):
            self.kept = [self.kept[0], *self.kept[2::2]]
            self.spacing *= 2

    def before(self, position: TimelinePosition) -> Checkpoint:
        """The last one that is not after the position."""
        return next(one for one in reversed(self.kept) if one.position <= position)

    def drop_after(self, position: TimelinePosition) -> None:
        self.kept = [one for one in self.kept if one.position <= position]
