"""What is kept of a branch for the plots: leaders and predicates over time, thinned, and marks of exact steps."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

MAX_POINTS = 1000
MAX_MARKS = 1000  # of leader changes; goals and faults are few
LEADERS, GOAL, FAULT = "leaders", "goal", "fault"

Point = tuple[int, int, tuple[int, ...]]  # step, leaders, how many agents satisfy each predicate
Mark = tuple[int, str, str]  # step, kind, text


class Series:
    """Points in the order of their steps: when there are too many, every second one is dropped."""

    def __init__(self) -> None:
        self.points: list[Point] = []
        self.marks: list[Mark] = []
        self.is_complete = True  # no change of leaders was left out

    def add(self, point: Point) -> None:
        if self.points and self.points[-1][0] >= point[0]:
            self.drop_after(point[0] - 1)
        self.points.append(point)
        if len(self.points) > MAX_POINTS:
            self.points = [*self.points[:-1:2], self.points[-1]]

    def mark(self, step: int, kind: str, text: str) -> None:
        if kind == LEADERS and not self.has_room:
            self.is_complete = False
        elif (step, kind, text) not in self.marks[-4:]:
            self.marks.append((step, kind, text))

    @property
    def has_room(self) -> bool:
        return len(self.marks) < MAX_MARKS

    def drop_after(self, step: int) -> None:
        """What came after this step is forgotten."""
        del self.points[bisect_right([point[0] for point in self.points], step) :]
        self.marks = [mark for mark in self.marks if mark[0] <= step]

    def as_json(self) -> dict[str, Any]:
        return {
            "points": [[str(step), str(leaders), list(map(str, census))] for step, leaders, census in self.points],
            "marks": [[str(step), kind, text] for step, kind, text in self.marks],
            "complete": self.is_complete,
        }
