"""What happened when, in a few words, for the slider: changes of the number of leaders, the goal, attacks."""

from __future__ import annotations

from typing import Any

from princeps.engines.population import StopCondition
from princeps.engines.rings.session import RingSession
from princeps.engines.session import Session
from princeps.model.script import ForcedPair, Script, ScriptEvent, SetStates, Steps

Mark = list[Any]  # [step, kind, text]
MAX_LEADER_MARKS = 200  # the last ones are kept: early in a run they are dense
MAX_CHANGES = 20_000  # of the number of leaders that are looked for: some runs change it all the time
MAX_STEPS = 50_000_000  # of a run that is gone through once more for its marks


def marks_of(session: Session | RingSession, script: Script) -> list[Mark]:
    """By a run of its own, with the session's engine."""
    if isinstance(session, RingSession):
        return _ring_marks(session, script)
    if session.steps > MAX_STEPS or not session.cut_free:
        return []
    twin, goal, marks = Session(session.run), session.run.until, list[Mark]()
    if twin.holds():
        marks.append([0, "goal", f"{goal} holds from the start"])
    for event in script.events:
        held, leaders = twin.holds(), twin.leaders
        if not isinstance(event, Steps):
            twin.perform(Script("", None, (event,)))
            marks.append([twin.steps, "fault", described(event)])
            _note(marks, twin, held, leaders)
            continue
        end = twin.steps + event.count
        if not held and twin.run_until(goal, end - twin.steps):
            marks.append([twin.steps, "goal", f"{goal} holds"])
        twin.step(end - twin.steps)
    marks += _leader_marks(session, script)
    return sorted(marks, key=lambda mark: int(mark[0]))


def _note(marks: list[Mark], twin: Session, held: bool, leaders: int) -> None:
    if held != twin.holds():
        marks.append([twin.steps, "goal", f"{twin.run.until} {'no longer holds' if held else 'holds'}"])
    if leaders != twin.leaders:
        marks.append([twin.steps, "leaders", leaders_in_words(twin.leaders)])


def _leader_marks(session: Session, script: Script) -> list[Mark]:
    """Engines stop where an output changes."""
    twin, marks = Session(session.run), list[Mark]()
    for event in script.events:
        if not isinstance(event, Steps):
            twin.perform(Script("", None, (event,)))
            continue
        end = twin.steps + event.count
        while twin.steps < end:
            leaders = twin.leaders
            if len(marks) >= MAX_CHANGES:
                return marks[-MAX_LEADER_MARKS:]
            twin.population.advance_exactly(end - twin.steps, StopCondition.OUTPUT)
            if twin.leaders != leaders:
                marks.append([twin.steps, "leaders", leaders_in_words(twin.leaders)])
    return marks[-MAX_LEADER_MARKS:]


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
            marks.append([twin.steps, "fault", described(event)])
        while twin.steps < end:
            leaders, before = twin.leaders, twin.steps
            twin.step(1)
            if twin.steps == before:
                break
            if twin.leaders != leaders:
                marks.append([twin.steps, "leaders", leaders_in_words(twin.leaders)])
    if session.over and session.leaders == 1 and not session.violations:
        marks.append([session.steps, "goal", "one process leads, and everybody knows it"])
    return marks
