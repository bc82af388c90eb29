"""What is kept of a branch for the plots: leaders and predicates over time, thinned, and marks of exact steps."""

from __future__ import annotations

from bisect import bisect_right, insort
from typing import Any

MAX_POINTS = 1000
MAX_MARKS = 1000  # of leader changes; goals and faults are few
LEADERS, GOAL, LOST, FAULT = "leaders", "goal", "lost", "fault"

Point = tuple[int, int, tuple[int, ...]]  # step, leaders, how many agents satisfy each predicate
Mark = tuple[int, str, str]  # step, kind, text


class Series:
    """Points in the order of their steps. When there are too many, those that lie too close are dropped, and from then on
    the last one gives way to the next that lies as close."""

    def __init__(self) -> None:
        self.points: list[Point] = []
        self.marks: list[Mark] = []
        self._spacing = 0  # steps between two points, at least
        self.is_complete = True  # no change of leaders was left out

    def add(self, point: Point) -> None:
        while self.points and self.points[-1][0] >= point[0]:
            self.points.pop()
        if len(self.points) > 1 and point[0] - self.points[-2][0] < self._spacing:
            self.points.pop()
        self.points.append(point)
        if len(self.points) > MAX_POINTS:
            self._thin()

    def _thin(self) -> None:
        self._spacing = max(1, 2 * (self.points[-1][0] - self.points[0][0]) // MAX_POINTS)
        kept = self.points[:1]
        for point in self.points[1:-1]:
            if point[0] - kept[-1][0] >= self._spacing:
                kept.append(point)
        self.points = [*kept, self.points[-1]]

    def mark(self, step: int, kind: str, text: str) -> None:
        if kind == LEADERS and not self.has_room:
            self.is_complete = False
        elif (step, kind, text) not in self.marks[-4:]:
            insort(self.marks, (step, kind, text), key=lambda mark: mark[0])  # a goal may be found afterwards

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
