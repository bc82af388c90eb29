"""What happened when, in a few words, for the slider: changes of the number of leaders, the goal, attacks."""

from __future__ import annotations

from typing import Any

from princeps.engines.population import StopCondition
from princeps.engines.rings.session import RingSession
from princeps.engines.session import Session
from princeps.model.script import ForcedPair, Script, ScriptEvent, SetStates, Steps
from princeps.web.series import FAULT, GOAL, LEADERS, LOST

Mark = list[Any]  # [step, kind, text]
Changes = list[tuple[int, bool]]  # the steps at which something becomes true or false; before them it is false
MAX_GOAL_MARKS = 100
MAX_LEADER_MARKS = 200  # the last ones are kept: early in a run they are dense
MAX_CHANGES = 20_000  # of the number of leaders that are looked for: some runs change it all the time
MAX_STEPS = 50_000_000  # of a run that is gone through once more for its marks


def marks_of(session: Session | RingSession, script: Script, goal_changes: Changes | None) -> list[Mark]:
    """By a run of its own, with the session's engine. `goal_changes` are the steps at which the goal becomes true or false."""
    if isinstance(session, RingSession):
        return _ring_marks(session, script)
    if session.steps > MAX_STEPS or not session.cut_free:
        return []
    marks, goal = _leader_marks(session, script), session.run.until
    for step, holds in (goal_changes or [])[:MAX_GOAL_MARKS]:
        marks.append([step, *((GOAL, f"{goal} holds") if holds else (LOST, f"{goal} no longer holds"))])
    return sorted(marks, key=lambda mark: int(mark[0]))


def closed_goal_changes(session: Session, script: Script) -> Changes | None:
    """Of a goal that the protocol promises to stay true, which only attacks end; None of another one."""
    if (
        not session.run.goal.closed
        or not session.run.keeps_promises
        or session.steps > MAX_STEPS
        or not session.cut_free
    ):
        return None
    twin, found, held = Session(session.run), list[tuple[int, bool]](), False
    for event in (Steps(0), *script.events):
        end = twin.steps + (event.count if isinstance(event, Steps) else 0)
        if not isinstance(event, Steps):
            twin.perform(Script("", None, (event,)))
        elif not held and twin.run_until(None, event.count):
            found.append((twin.steps, held := True))
        if held != twin.holds():
            found.append((twin.steps, held := not held))
        twin.step(max(0, end - twin.steps))
    return found


def _leader_marks(session: Session, script: Script) -> list[Mark]:
    """Engines stop where an output changes; attacks have marks of their own."""
    twin, marks = Session(session.run), list[Mark]()
    faults: list[Mark] = []
    for event in script.events:
        if not isinstance(event, Steps):
            leaders = twin.leaders
            twin.perform(Script("", None, (event,)))
            faults.append([twin.steps, FAULT, described(event)])
            if leaders != twin.leaders:
                marks.append([twin.steps, LEADERS, leaders_in_words(twin.leaders)])
            continue
        end = twin.steps + event.count
        while twin.steps < end:
            leaders = twin.leaders
            if len(marks) >= MAX_CHANGES:
                return [*faults, *marks[-MAX_LEADER_MARKS:]]
            twin.population.advance_exactly(end - twin.steps, StopCondition.OUTPUT)
            if twin.leaders != leaders:
                marks.append([twin.steps, LEADERS, leaders_in_words(twin.leaders)])
    return [*faults, *marks[-MAX_LEADER_MARKS:]]


def leaders_in_words(leaders: int) -> str:
    return "1 leader" if leaders == 1 else f"{leaders:,} leaders"


def described(event: ScriptEvent) -> str:
    """An attack in a few words."""
    if isinstance(event, SetStates):
        agents = [agent for agent, _ in event.changes]
        return f"agent {agents[0]} set" if len(agents) == 1 else f"{len(agents):,} agents set"
    kind, *given = event.lines()[0]
    if isinstance(event, ForcedPair):
        return f"{event.i} meets {event.j} by order"
    return " ".join(str(part) for part in (kind, *given) if not isinstance(part, list))


def _ring_marks(session: RingSession, script: Script) -> list[Mark]:
    twin, marks = RingSession(session.run), list[Mark]()
    for event in script.events:
        end = twin.steps + (event.count if isinstance(event, Steps) else 0)
        if not isinstance(event, Steps):
            twin.perform(Script("", None, (event,)))
            marks.append([twin.steps, FAULT, described(event)])
        while twin.steps < end:
            leaders, before = twin.leaders, twin.steps
            twin.step(1)
            if twin.steps == before:
                break
            if twin.leaders != leaders:
                marks.append([twin.steps, LEADERS, leaders_in_words(twin.leaders)])
    if session.over and session.leaders == 1 and not session.violations:
        marks.append([session.steps, GOAL, "one process leads, and everybody knows it"])
    return marks
