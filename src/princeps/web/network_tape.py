"""The tape of a network run: its interactions in the order of the sequential model, in a session, and what was known of
the processes at each step.

It grows by batches, as JSON has them:

    {"seconds": 1.25,                     since the start of the network
     "lines":  [["pair", 0, 1], ..],      lines of a script
     "deaths": [[3, 1], ..],              agents that have died so far, with the incarnation that died last
     "dead": [..], "paused": [..],        agents whose process is gone, or stopped, now
     "cuts": [[i, j], ..]}                arcs that carry nothing now
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

from princeps.engines.rings.session import RingSession
from princeps.engines.session import Session
from princeps.model.reading_scripts import event_of
from princeps.model.script import Reset, Script, SetStates
from princeps.web.branches import Branch, Held
from princeps.web.marks import described, leaders_in_words
from princeps.web.series import FAULT, GOAL, LEADERS, LOST

Batch = dict[str, Any]


@dataclass(frozen=True)
class Processes:
    """Who is dead or stopped, and which arcs carry nothing."""

    dead: tuple[int, ...] = ()
    paused: tuple[int, ...] = ()
    cuts: tuple[tuple[int, int], ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {"dead": list(self.dead), "paused": list(self.paused), "cuts": [list(arc) for arc in self.cuts]}


class Tape:
    """`session` always stands at the end; marks go to the series of `branch`."""

    def __init__(self, session: Held, branch: Branch) -> None:
        self.session, self.branch = session, branch
        self.seconds = 0.0
        self.clock: list[tuple[int, float]] = [(0, 0.0)]  # step, seconds
        self.processes: list[tuple[int, Processes]] = [(0, Processes())]  # step, since then
        self._deaths: dict[int, int] = {}
        self._holds = goal_holds(session)
        self._leaders = session.leaders

    # -- growing ------------------------------------------------------------------------------------------------

    def append(self, batch: Batch) -> None:
        for line in batch["lines"]:
            self._event(line)
        self.seconds, step = batch["seconds"], self.session.steps
        if self.clock[-1][0] == step:
            self.clock.pop()
        self.clock.append((step, self.seconds))
        self._note_processes(batch, step)

    def _event(self, line: list[Any]) -> None:
        event, session = event_of(line), self.session
        session.perform(Script("", None, (event,)))
        if isinstance(event, SetStates):
            for agent, _ in event.changes:
                self._fault(f"agent {agent} comes back in another state")
        elif isinstance(event, Reset):
            self._fault(f"process {event.process} comes back and has forgotten everything")
        elif line[0] in ("torn", "drop"):
            self._fault(described(event))
        series = self.branch.series
        if session.leaders != self._leaders:
            self._leaders = session.leaders
            series.mark(session.steps, LEADERS, leaders_in_words(self._leaders))
        if (holds := goal_holds(session)) != self._holds:
            self._holds = holds
            goal = goal_of(session)
            series.mark(session.steps, *((GOAL, f"the goal {goal} is met") if holds else (LOST, f"{goal} is lost")))
        branch = self.branch
        branch.tested, branch.is_hit_known = session.steps, True
        if holds and not branch.is_met:
            branch.is_met, branch.hit = True, session.steps

    def _fault(self, text: str) -> None:
        self.branch.series.mark(self.session.steps, FAULT, text)
        self.branch.is_met, self.branch.hit = False, None

    def _note_processes(self, batch: Batch, step: int) -> None:
        who = "process" if isinstance(self.session, RingSession) else "agent"
        for agent, incarnation in batch["deaths"]:
            if self._deaths.get(agent) != incarnation:
                self._deaths[agent] = incarnation
                self._fault(f"{who} {agent} is killed")
        now = Processes(
            tuple(batch["dead"]), tuple(batch["paused"]), tuple((first, second) for first, second in batch["cuts"])
        )
        before = self.processes[-1][1]
        if now == before:
            return
        for agent in sorted({*now.paused} - {*before.paused}):
            self._fault(f"{who} {agent} is stopped")
        for agent in sorted({*before.paused} - {*now.paused} - {*now.dead}):
            self._fault(f"{who} {agent} goes on")
        if bool(now.cuts) != bool(before.cuts) or (now.cuts and now.cuts != before.cuts):
            self._fault(f"{len(now.cuts):,} arcs are cut" if now.cuts else "nothing is cut any more")
        if self.processes[-1][0] == step:
            self.processes.pop()
        self.processes.append((step, now))

    # -- asking -------------------------------------------------------------------------------------------------

    def seconds_at(self, step: int) -> float:
        """When the network had come to this step, as far as it was looked at."""
        place = bisect_right(self.clock, step, key=lambda one: one[0])
        return self.clock[place - 1][1] if place else 0.0

    def processes_at(self, step: int) -> Processes:
        return self.processes[max(0, bisect_right(self.processes, step, key=lambda one: one[0]) - 1)][1]


def goal_holds(session: Held) -> bool:
    if isinstance(session, RingSession):
        return session.over and session.leaders == 1 and not session.violations
    return session.population.holds()


def goal_of(session: Held) -> str:
    return session.run.until if isinstance(session, Session) else "leader"
