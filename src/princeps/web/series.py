"""What is kept of a branch for the plots: leaders and predicates over time, thinned, and marks of exact steps."""

from __future__ import annotations

from bisect import bisect_right, insort
from typing import Any, Generic, TypeVar

MAX_POINTS = 1000
MAX_LEADER_MARKS = 1000
MAX_EVENT_MARKS = 5000  # of goals, and of attacks: a script may have any number
LEADERS, GOAL, LOST, FAULT = "leaders", "goal", "lost", "fault"

Point = tuple[int, int, tuple[int, ...]]  # step, leaders, how many agents satisfy each predicate
Mark = tuple[int, str, str]  # step, kind, text
Item = TypeVar("Item", bound=tuple[Any, ...])


class Thinned(Generic[Item]):
    """Tuples in the order of their steps, which come first. When there are too many, those that lie too close are dropped,
    and from then on the last one gives way to the next that lies as close."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.items: list[Item] = []
        self.is_complete = True
        self._spacing = 0  # steps between two of them, at least

    def add(self, item: Item) -> None:
        if len(self.items) > 1 and 0 <= item[0] - self.items[-2][0] < self._spacing:
            self.items.pop()
        insort(self.items, item, key=lambda one: one[0])
        if len(self.items) > self.most:
            self._thin()

    def _thin(self) -> None:
        self.is_complete = False
        self._spacing = max(1, 2 * (self.items[-1][0] - self.items[0][0]) // self.most)
        kept = self.items[:1]
        for item in self.items[1:-1]:
            if item[0] - kept[-1][0] >= self._spacing:
                kept.append(item)
        self.items = [*kept, self.items[-1]]

    def drop_after(self, step: int) -> None:
        del self.items[bisect_right(self.items, step, key=lambda one: one[0]) :]


class Series:
    """Marks of each kind are thinned for themselves: many changes of leaders leave goals and attacks where they are."""

    def __init__(self, max_leader_marks: int = MAX_LEADER_MARKS) -> None:
        self._points = Thinned[Point](MAX_POINTS)
        self._marks = {kind: Thinned[Mark](MAX_EVENT_MARKS) for kind in (GOAL, LOST, FAULT)}
        self._marks[LEADERS] = Thinned[Mark](max_leader_marks)
        self._marks_all = True

    @property
    def points(self) -> list[Point]:
        return self._points.items

    @property
    def marks(self) -> list[Mark]:
        """In the order of their steps."""
        return sorted((mark for same in self._marks.values() for mark in same.items), key=lambda mark: mark[0])

    def steps_marked(self, kind: str) -> list[int]:
        """In their order; asked ten times a second, so that the many changes of leaders are not sorted for one goal."""
        return [mark[0] for mark in self._marks[kind].items]

    @property
    def is_complete(self) -> bool:
        """Every change of leaders is marked."""
        return self._marks_all and self._marks[LEADERS].is_complete

    def leave_out_changes(self) -> None:
        """Some changes of leaders were not looked at."""
        self._marks_all = False

    def add(self, point: Point) -> None:
        self._points.drop_after(point[0] - 1)
        self._points.add(point)

    def mark(self, step: int, kind: str, text: str) -> None:
        same = self._marks[kind]
        if (step, kind, text) not in same.items[-4:]:
            same.add((step, kind, text))

    def drop_after(self, step: int) -> None:
        """What came after this step is forgotten."""
        for kept in (self._points, *self._marks.values()):
            kept.drop_after(step)  # type: ignore[attr-defined]

    def as_json(self) -> dict[str, Any]:
        return {
            "points": [[str(step), str(leaders), list(map(str, census))] for step, leaders, census in self.points],
            "marks": [[str(step), kind, text] for step, kind, text in self.marks],
            "complete": self.is_complete,
        }
