"""Where the events of a space-time diagram are drawn: their rows, and the history of every process.

Events come in rows. A new row begins with a new time unit, and within a unit whenever a process acts again or takes a
message that was sent in this row: rows are in the order of the steps, and every arrow goes down. The last row of a unit
lies on its line. So a unit in which much happens in sequence is taller than others, and under the synchronous schedule
every unit is one row, unless links go both ways.

A picture may show a part of the execution. Then the last event of each process before it says how the process enters the
picture, and messages come from its upper edge or leave at its lower one. In a long picture a row is left free for the
headings now and then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from princeps.model.rings.algorithm import RingAlgorithm, Sent
from princeps.model.rings.event import Event
from princeps.model.rings.ring import Ring
from princeps.model.window import Window

# Of an event, from bottom to top: a process that is elected may be done and halt with the same event.
MARKS = ("halted", "elected", "done")
MARGIN = 0.7  # rows above and below
HEADINGS_EVERY = 30  # rows, in a picture of more than
LONG = 60


class Around(NamedTuple):
    """What is known of the events before and after those in the picture, which begins at the time `first`."""

    first: int = 0
    earlier: dict[int, tuple[Event, int]] = {}  # of each process: its last event before, and its phase
    late: Sequence[Event] = ()  # that receive what was sent in the picture


NOTHING_AROUND = Around()


class Rows(NamedTuple):
    """Where things are: the row of every step, the last row of every time unit, and the rows of repeated headings."""

    of: dict[int, int]
    ends: dict[int, int]
    headings: tuple[int, ...] = ()

    def sent(self, step: int) -> float:
        """Where a message comes from that was sent in this step."""
        return self.of.get(step, -MARGIN)

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
    row: float
    phase: int
    before: dict[str, str]
    after: dict[str, str]

    def marks(self) -> list[str]:
        flags = {"elected": "isLeader", "done": "done"}
        found = {mark for mark, flag in flags.items() if self.before[flag] != "1" and self.after[flag] == "1"}
        return [mark for mark in MARKS if mark in found or (mark == "halted" and self.event.local.halted)]


def with_headings(rows: Sequence[int]) -> tuple[dict[int, int], tuple[int, ...]]:
    """New places for rows in a long picture, and those of the headings."""
    last = max(rows, default=0)
    if last < LONG:
        return {row: row for row in rows}, ()
    free = range(HEADINGS_EVERY, last + 1 + last // HEADINGS_EVERY, HEADINGS_EVERY + 1)
    return {row: row + row // HEADINGS_EVERY for row in rows}, tuple(free)


def place(events: Sequence[Event], first: int = 0) -> Rows:
    """The rows, from the time `first` on; a unit without events has one as well."""
    rows = _place(events, first)
    moved, headings = with_headings([*rows.of.values(), *rows.ends.values()])
    return Rows(
        {step: moved[row] for step, row in rows.of.items()},
        {time: moved[row] for time, row in rows.ends.items()},
        headings,
    )


def _place(events: Sequence[Event], first: int) -> Rows:
    row, time, busy = 0, first, set[int]()
    rows = Rows({}, {first: 0})
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


def histories_of(
    events: Sequence[Event], algorithm: RingAlgorithm, ring: Ring, rows: Rows, around: Around = NOTHING_AROUND
) -> list[list[Moment]]:
    """The events of every process, with its phase and its variables; the last one before the picture is at its upper edge."""
    ends = {action.name for action in algorithm.phase_ends}
    histories: list[list[Moment]] = [[] for _ in range(ring.n)]
    initial = algorithm.show(algorithm.initial())
    for process, (event, phase) in around.earlier.items():
        shown = algorithm.show(event.local)
        histories[process].append(Moment(event, -MARGIN, phase, shown, shown))
    for event in events:
        history = histories[event.process]
        phase = (history[-1].phase if history else 1) + (event.action in ends)
        before = history[-1].after if history else initial
        history.append(Moment(event, rows.of[event.step], phase, before, algorithm.show(event.local)))
    return histories


def lost(events: Sequence[Event], late: Sequence[Event] = ()) -> Iterator[tuple[Event, Sent]]:
    """What was sent and not received: links are FIFO, so it is the rest of what an event sent to a side."""
    taken = Counter((event.sent_in, event.received.side) for event in [*events, *late] if event.received is not None)
    for event in events:
        for content in event.sent:
            taken[event.step, content.side] -= 1
            if taken[event.step, content.side] < 0:
                yield event, content


class Excerpt:
    """Collects what a picture of a window needs, while the execution goes on."""

    def __init__(self, algorithm: RingAlgorithm, window: Window) -> None:
        self.window = window
        self.ends = {action.name for action in algorithm.phase_ends}
        self.events: list[Event] = []
        self._late: list[Event] = []
        self.around = Around(window.first, {}, self._late)
        self._steps: set[int] = set()

    def add(self, event: Event) -> None:
        if self.window.has(event.time):
            self.events.append(event)
            self._steps.add(event.step)
        elif event.time < self.window.first:
            _, phase = self.around.earlier.get(event.process, (event, 1))
            self.around.earlier[event.process] = event, phase + (event.action in self.ends)
        elif event.sent_in in self._steps:
            self._late.append(event)


def intervals_of_equal_value(
    history: Sequence[Moment], values: Sequence[Any], rows: Rows
) -> Iterator[tuple[Moment, float, Any]]:
    """The longest intervals of a history with the same value: their first moment, the row of their end, and the value."""
    end = history[-1].row if history and history[-1].event.local.halted else rows.last + MARGIN
    borders = [*(float(moment.row) for moment in history), end]
    changes = [i for i, value in enumerate(values) if i == 0 or value != values[i - 1]]
    for i, j in pairwise([*changes, len(history)]):
        yield history[i], borders[j], values[i]
