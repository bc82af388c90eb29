"""Some configurations of a run whose meetings are too many to keep: states of agents, their colours, or counts, as the
size allows. States can be coloured by any field afterwards, colours cannot.

An engine that draws batches is shown where the session stood; any other at steps that are evenly spaced.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from princeps.engines.session import Session
from princeps.model.script import Script, Steps
from princeps.web.commonest import commonest
from princeps.web.encoding import compressed
from princeps.web.pixels import nibbles
from princeps.web.repeating import repeat
from princeps.web.state_table import StateTable

MAX_FRAMES = 200
MIN_FRAMES = 12
MAX_BYTES = 3_000_000  # of all frames together: a page stays under 5 MB
MAX_DRAWN = 1_000_000  # agents that are kept one by one; of more of them, counts
MAX_BARS = 64  # the commonest states
STATES, COLORS, COUNTS = "states", "colours", "counts"  # what is kept of each agent
BYTES = {STATES: 1.0, COLORS: 0.5, COUNTS: 0.0}  # an agent, about
STATE_BYTES = 150  # an entry of the state table, about
WIDTHS = (("u8", "<u1", 1 << 8), ("u16", "<u2", 1 << 16), ("u32", "<u4", 1 << 32))

Frame = dict[str, Any]


def record_frames(session: Session, script: Script) -> tuple[dict[str, Any], StateTable]:
    """By a run of its own with the session's engine, and the states that it speaks of; states if they fit, otherwise colours."""
    can_be_drawn = session.population.numbers_agents and session.n <= MAX_DRAWN
    for kept in (STATES, COLORS, COUNTS) if can_be_drawn else (COUNTS,):
        made = _Frames(session, kept)
        made.record(script)
        if made.fits():
            break
    return {"kind": "frames", "steps": str(session.steps), "frames": made.frames}, made.table


class _Frames:
    """Frames of one kind."""

    def __init__(self, session: Session, kept: str) -> None:
        self.twin, self.steps, self.kept = Session(session.run), session.steps, kept
        self.table = StateTable(session.run.protocol)
        self.colors = (
            self.table if kept == STATES else StateTable(session.run.protocol)
        )  # knows more than the page must
        self.count = int(min(MAX_FRAMES, max(MIN_FRAMES, MAX_BYTES // (BYTES[kept] * session.n + 1000))))
        self.frames: list[Frame] = []

    def record(self, script: Script) -> None:
        self.frames = [self._frame()]
        size = 0
        for _ in _stops(self.twin, script, max(1, -(-self.steps // self.count))):
            self.frames.append(self._frame())
            size += len(self.frames[-1].get("data", ""))
            if self.kept == STATES and MIN_FRAMES * size // len(self.frames) + self._table_size() > 2 * MAX_BYTES:
                return  # too large, however few of them are kept
        # an engine that draws batches may have stood everywhere
        self._thin(max(1, -(-len(self.frames) // (2 * self.count))))
        while len(self.frames) >= 2 * MIN_FRAMES and self._size() > MAX_BYTES:
            self._thin(2)

    def fits(self) -> bool:
        return self.kept == COUNTS or self._size() <= MAX_BYTES

    def _thin(self, every: int) -> None:
        last = len(self.frames) - 1
        self.frames = [frame for k, frame in enumerate(self.frames) if k % every == 0 or k == last]

    def _size(self) -> int:
        """In bytes; base64 makes four thirds of them."""
        return sum(len(frame.get("data", "")) for frame in self.frames) * 3 // 4 + self._table_size()

    def _table_size(self) -> int:
        return len(self.table) * STATE_BYTES

    def _frame(self) -> Frame:
        """The configuration at which the twin stands."""
        session, population = self.twin, self.twin.population
        bars, others = bars_of(session, self.table)
        head: Frame = {
            "kind": "counts",
            "step": str(session.steps),
            "leaders": str(session.leaders),
            "pair": None,
            "dead": sorted(population.dead),
            "cuts": sorted(map(list, population.cuts)),
            "bars": bars,
            "others": others,
        }
        if self.kept == COUNTS:
            return head
        numbers = self.colors.ids(session)
        head["width"] = int(np.ceil(np.sqrt(session.n)))
        if self.kept == STATES:
            name, kind = next((name, kind) for name, kind, limit in WIDTHS if len(self.table) <= limit)
            return {**head, "kind": "agents", "ids": name, "data": compressed(numbers.astype(kind).tobytes())}
        choice = self.colors.look.choice(None).name
        classes = self.colors.classes(choice)[numbers]
        return {
            **head,
            "kind": "pixels",
            "bits": 4,
            "choice": choice,
            "classes": self.colors.class_labels(choice),
            "data": compressed(nibbles(classes)),
        }


def _stops(twin: Session, script: Script, spacing: int) -> Iterator[None]:
    for event in script.events:
        if not isinstance(event, Steps) or not twin.cut_free:
            repeat(twin, event)
            yield
            continue
        end = twin.steps + event.count
        while twin.steps < end:
            twin.step(min(spacing - twin.steps % spacing, end - twin.steps))
            yield


def bars_of(session: Session, table: StateTable) -> tuple[list[list[Any]], str]:
    """The commonest states with their counts, and how many agents are in others."""
    top, others = commonest(session.population, MAX_BARS)
    top.sort(key=lambda found: (-found[1], found[0]))
    return [[table.number_of(tuple(map(int, state))), str(count)] for state, count in top], str(others)
