"""Where the events of a space-time diagram are drawn: their rows, and the history of every process.

Events come in rows. A new row begins with a new time unit, and within a unit whenever a process acts again or takes a
message that was sent in this row: rows are in the order of the steps, and every arrow goes down. The last row of a unit
lies on its line. So a unit in which much happens in sequence is taller than others, and under the synchronous schedule
every unit is one row, unless links go both ways.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from princeps.model.rings.algorithm import RingAlgorithm, Sent
from princeps.model.rings.event import Event
from princeps.model.rings.ring import Ring

# Of an event, from bottom to top: a process that is elected may be done and halt with the same event.
MARKS = ("halted", "elected", "done")
MARGIN = 0.7  # rows above and below


class Rows(NamedTuple):
    """Where things are: the row of every step, and the last row of every time unit."""

    of: dict[int, int]
    ends: dict[int, int]

    @property
    def last(self) -> int:
        return max(self.ends.values())

    @property
    def inches(self) -> float:
        """The height of a row; in long pictures letters just fit."""
        return min(0.3, max(0.22, 15 / (self.last + 1)))


class Moment(NamedTuple):
    """An event in the history of its process: in which row, in which phase, and the variables before and after as text."""

    event: Event
    row: int
    phase: int
    before: dict[str, str]
    after: dict[str, str]

    def marks(self) -> list[str]:
        flags = {"elected": "isLeader", "done": "done"}
        found = {mark for mark, flag in flags.items() if self.before[flag] != "1" and self.after[flag] == "1"}
        return [mark for mark in MARKS if mark in found or (mark == "halted" and self.event.local.halted)]


def place(events: Sequence[Event]) -> Rows:
    """The rows; a unit without events has one as well."""
    row, time, busy = 0, 0, set[int]()
    rows = Rows({}, {0: 0})
    for event in events:
        crowded = event.time == time and (event.process in busy or rows.of.get(event.sent_in) == row)
        while time < event.time:
            time, row, busy = time + 1, row + 1, set()
            rows.ends[time] = row
        if crowded:
            row, busy = row + 1, set()
        busy.add(event.process)
        rows.of[event.step] = rows.ends[time] = row
    return rows


def histories_of(events: Sequence[Event], algorithm: RingAlgorithm, ring: Ring, rows: Rows) -> list[list[Moment]]:
    """The events of every process, with its phase and its variables."""
    ends = {action.name for action in algorithm.phase_ends}
    histories: list[list[Moment]] = [[] for _ in range(ring.n)]
    initial = algorithm.show(algorithm.initial())
    for event in events:
        history = histories[event.process]
        phase = (history[-1].phase if history else 1) + (event.action in ends)
        before = history[-1].after if history else initial
        history.append(Moment(event, rows.of[event.step], phase, before, algorithm.show(event.local)))
    return histories


def lost(events: Sequence[Event]) -> Iterator[tuple[Event, Sent]]:
    """What was sent and not received: links are FIFO, so it is the rest of what an event sent to a side."""
    taken = Counter((event.sent_in, event.received.side) for event in events if event.received is not None)
    for event in events:
        for content in event.sent:
            taken[event.step, content.side] -= 1
            if taken[event.step, content.side] < 0:
                yield event, content


def intervals_of_equal_value(
    history: Sequence[Moment], values: Sequence[Any], rows: Rows
) -> Iterator[tuple[Moment, float, Any]]:
    """The longest intervals of a history with the same value: their first moment, the row of their end, and the value."""
    end = history[-1].row if history and history[-1].event.local.halted else rows.last + MARGIN
    borders = [*(float(moment.row) for moment in history), end]
    changes = [i for i, value in enumerate(values) if i == 0 or value != values[i - 1]]
    for i, j in pairwise([*changes, len(history)]):
        yield history[i], borders[j], values[i]
