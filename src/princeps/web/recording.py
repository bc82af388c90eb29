"""A recording: a run as data that a page replays without a server.

Three kinds. "meetings" has every meeting of a run with numbered agents: who met, and what became of them where something
changed, so that any configuration of the run can be made from the start. "frames" has some configurations of a run that
is too large or too long for that. "messages" has every step of a ring algorithm.

"lines" says which lines of the rule a meeting executed, {"sets": [[line..]..], "of": {"a b c d": number of the set}} for
states numbered a, b (initiator, responder) that become c, d; null where there are too many.

"holds" says when the run's goal becomes true and false, {"goal", "changes": [[step, true]..]}; before the first step it is
false; null where this is not known.

A recording is made by a run of its own: the session is asked what was done to it, and is not touched.

    {"about", "states", "kind": "meetings", "n", "first", "steps", "layout": [[name, type, length]..], "data", "events",
     "marks", "lines"}                      "data" is base64 of zlib of the arrays of the layout, one after the other
    {"about", "states", "kind": "frames", "n", "steps", "frames": [..], "marks"}
    {"about", "states": [], "kind": "messages", "n", "steps", "data", "holds", "marks"}       base64 of zlib of JSON [frame..]
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np

from princeps.engines.population import StopCondition
from princeps.engines.registry import REFERENCE
from princeps.engines.rings.session import RingSession
from princeps.engines.session import Session
from princeps.errors import RunError
from princeps.model.goals import Counted
from princeps.model.script import Alive, Cut, Dead, ForcedPair, Heal, Script, ScriptEvent, SetStates, Steps, Torn
from princeps.model.states import State
from princeps.web.about import about
from princeps.web.encoding import compressed
from princeps.web.judging import RING_GOAL, ring_judged
from princeps.web.marks import Changes, Mark, closed_goal_changes, marks_of
from princeps.web.recorded_frames import record_frames
from princeps.web.repeating import repeat
from princeps.web.ring_frame import refuse_large_ring, ring_frame
from princeps.web.rule_lines import lines_of_meeting
from princeps.web.shown_command import recorded_command
from princeps.web.state_table import StateTable

Recording = dict[str, Any]
MAX_MEETINGS = 500_000  # steps of which every meeting is kept
MAX_AGENTS = 10_000  # beyond them, frames
MAX_TRACED = 3_000  # different meetings whose lines are kept
MAX_MESSAGES = 20_000  # steps of a ring algorithm
SAME_PAIRS = ("agents", REFERENCE)  # engines with which a seed means the same meetings


def record(
    session: Session | RingSession,
    last: int | None = None,
    told: dict[str, Any] | None = None,
    marks: list[Mark] | None = None,
    shows: str = "",
) -> Recording:
    """The run up to its present step; of a population only the `last` steps, if that is given.

    `told` and `marks` are what is known of it already: its ABOUT, and what happened when; `shows` is as in ABOUT.
    """
    told = {**about(session, shows), "command": recorded_command(session)} if told is None else told
    if isinstance(session, RingSession):
        return _record_ring(session, told, marks)
    script = session.script
    table = StateTable(session.run.protocol)
    head = {"about": told, "n": str(session.n)}
    length = session.steps if last is None else min(last, session.steps)
    fits = session.n <= MAX_AGENTS and length <= MAX_MEETINGS and session.steps <= 4 * MAX_MEETINGS
    changes = closed_goal_changes(session, script)
    if fits and session.engine in SAME_PAIRS:
        meetings = _Meetings(session, table, session.steps - length)
        body = meetings.record(script)
        changes = meetings.goal_changes if changes is None else changes
    else:
        body, table = record_frames(session, script)
    holds = None if changes is None else {"goal": session.run.until, "changes": changes}
    marks = marks_of(session, script, changes) if marks is None else marks
    return {**head, **body, "states": table.entries(), "holds": holds, "marks": marks}


class _Meetings:
    """Replays a script in plain Python and writes down every meeting from step `first` on."""

    def __init__(self, session: Session, table: StateTable, first: int) -> None:
        self.twin = Session(replace(session.run, engine=REFERENCE))
        self.table, self.first = table, first
        self.left: list[int] = []
        self.right: list[int] = []
        self.changed: list[bool] = []
        self.after: tuple[list[int], list[int]] = ([], [])
        self.events: list[list[Any]] = []
        self.start: Any = None
        self.held = False
        self.goal_changes: Changes | None = [] if isinstance(session.run.goal, Counted) else None
        self.ids: list[int] = []  # the state of each agent now
        self.kinds: dict[tuple[int, int, int, int], None] = {}  # meetings by their states, before and after

    def record(self, script: Script) -> Recording:
        population = self.twin.population
        self._note_start()
        self._judge()
        for event in script.events:
            if isinstance(event, Steps):
                for _ in range(event.count):
                    self._watched(lambda: population.advance(1, StopCondition.NOTHING))
            elif isinstance(event, ForcedPair | Torn):
                self._watched(lambda event=event: self._perform(event))
            else:
                self._perform(event)
                self._judge()
                self._note(event)
        steps = len(self.left)
        wide = "u32" if max(self.twin.n, len(self.table)) > 1 << 16 else "u16"
        arrays = [
            ("start", wide, self.start),
            ("i", wide, self.left),
            ("j", wide, self.right),
            ("changed", "bits", self.changed),
            ("after_i", wide, self.after[0]),
            ("after_j", wide, self.after[1]),
        ]
        return {
            "kind": "meetings",
            "first": str(self.first),
            "steps": steps,
            "layout": [[name, kind, len(values)] for name, kind, values in arrays],
            "data": compressed(b"".join(_bytes(kind, values) for _, kind, values in arrays)),
            "events": self.events,
            "lines": self._lines(),
        }

    def _lines(self) -> dict[str, Any] | None:
        """Which lines of the rule each kind of meeting executes."""
        if len(self.kinds) > MAX_TRACED:
            return None
        protocol, states = self.twin.run.protocol, self.table.states
        sets: dict[tuple[int, ...], int] = {}
        of: dict[str, int] = {}
        for a, b, c, d in self.kinds:
            lines = lines_of_meeting(protocol, (states[a], states[b]), (states[c], states[d])).lines
            of[f"{a} {b} {c} {d}"] = sets.setdefault(lines, len(sets))
        return {"sets": [list(lines) for lines in sets], "of": of}

    def _judge(self) -> None:
        """Has the goal become true or false? Asked of conditions on counts, which are known at every step."""
        if isinstance(self.twin.run.goal, Counted) and self.twin.population.holds() != self.held:
            self.held = not self.held
            assert self.goal_changes is not None
            self.goal_changes.append((self.twin.steps, self.held))

    def _perform(self, event: ScriptEvent) -> None:
        repeat(self.twin, event)

    def _note_start(self) -> None:
        if self.start is None and self.twin.steps >= self.first:
            self.start = self.table.ids(self.twin)
            self.ids = self.start.tolist()
            population = self.twin.population
            self.events = [[self.first, "dead", agent] for agent in sorted(population.dead)]
            self.events += [[self.first, "cut", *arc] for arc in sorted(population.cuts)]

    def _watched(self, act: Any) -> None:
        """One meeting, and what it made of the two."""
        population: Any = self.twin.population
        events = population.events
        act()
        if self.start is None:
            self._note_start()
            return
        i, j = population.last_pair
        self.left.append(i)
        self.right.append(j)
        changed = population.events != events
        if changed:
            self._judge()
        self.changed.append(changed)
        before = after = (self.ids[i], self.ids[j])
        if changed:
            after = (self.table.number_of(population.states[i]), self.table.number_of(population.states[j]))
            self.after[0].append(after[0])
            self.after[1].append(after[1])
            self.ids[i], self.ids[j] = after
        happens = not {i, j} & population.dead and (i, j) not in population.cuts
        if happens and len(self.kinds) <= MAX_TRACED:
            self.kinds[(*before, *after)] = None

    def _note(self, event: ScriptEvent) -> None:
        """An attack, before the meeting that comes next."""
        if self.start is None:
            return
        if self.twin.steps == self.first and not self.left:
            self.start = None  # it belongs to the configuration that the recording begins with
            self._note_start()
            return
        step = self.twin.steps
        match event:
            case SetStates(changes):
                named = [(agent, self._state(agent)) for agent, _ in changes]
                text = f"{len(named)} agents put into other states" if len(named) > 1 else f"agent {named[0][0]} set"
                numbers = [[agent, self.table.number_of(state)] for agent, state in named]
                for agent, number in numbers:
                    self.ids[agent] = number
                self.events.append([step, "set", numbers, text])
            case Dead(agent) | Alive(agent):
                self.events.append([step, "dead" if isinstance(event, Dead) else "alive", agent])
            case Cut(i, j) | Heal(i, j):
                self.events.append([step, "cut" if isinstance(event, Cut) else "heal", i, j])

    def _state(self, agent: int) -> State:
        return self.twin.population.state(agent)


def _bytes(kind: str, values: Any) -> bytes:
    if kind == "bits":
        return np.packbits(np.array(values, np.uint8), bitorder="little").tobytes()
    return np.asarray(values, dtype={"u16": "<u2", "u32": "<u4"}[kind]).tobytes()


def _record_ring(session: RingSession, told: dict[str, Any], marks: list[Mark] | None) -> Recording:
    refuse_large_ring(session)
    if session.steps > MAX_MESSAGES:
        raise RunError(
            f"{session.steps:,} steps of a ring algorithm are too many for one page: go back with goto({MAX_MESSAGES}), or "
            f"save a shorter run."
        )
    twin, frames = RingSession(session.run), list[dict[str, Any]]()
    changes: Changes = []

    def judge() -> None:
        """Has the goal become true or false?"""
        holds = ring_judged(twin)["goals"][RING_GOAL]
        if holds != bool(changes and changes[-1][1]):
            changes.append((twin.steps, holds))

    frames.append(ring_frame(twin))
    judge()
    for event in session.script.events:
        count = event.count if isinstance(event, Steps) else 1
        for k in range(count):
            ends = isinstance(event, Steps) and event.is_one_call and k == count - 1
            part = Steps(1, is_one_call=ends) if isinstance(event, Steps) else event
            before = twin.steps
            repeat(twin, part)
            if twin.steps > before:
                frames.append(ring_frame(twin))
            else:  # something was lost: it is shown at the same step
                frames[-1] = ring_frame(twin)
            judge()
    return {
        "about": told,
        "states": [],
        "kind": "messages",
        "n": str(session.n),
        "steps": len(frames) - 1,
        "data": compressed(json.dumps(frames, separators=(",", ":")).encode()),
        "holds": {"goal": RING_GOAL, "changes": changes},
        "marks": marks_of(session, session.script, None) if marks is None else marks,
    }
