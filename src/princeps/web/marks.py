"""What happened when, in a few words, for the slider: changes of the number of leaders, the goal, attacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from princeps.engines.population import StopCondition
from princeps.engines.rings.session import RingSession
from princeps.engines.session import Session
from princeps.model.script import Deliver, ForcedPair, Reset, Script, ScriptEvent, SetStates, Steps, Torn
from princeps.web.repeating import repeat, steps_of
from princeps.web.series import FAULT, GOAL, LEADERS, LOST, Series

Mark = list[Any]  # [step, kind, text]
Changes = list[tuple[int, bool]]  # the steps at which something becomes true or false; before them it is false
MAX_LEADER_MARKS = 200  # in a recording
ARE_STEPS = (ForcedPair, Torn, Deliver, Reset)  # attacks that are a step of the run themselves
MAX_ORDERED = 200  # pairs or messages by order that are attacks
MAX_CHANGES = 20_000  # of who leads that are looked for: some runs change it all the time
MAX_STEPS = 50_000_000  # of a run that is gone through once more for its marks


def marks_of(session: Session | RingSession, script: Script, goal_changes: Changes | None) -> list[Mark]:
    """By a run of its own, with the session's engine. `goal_changes` are the steps at which the goal becomes true or false."""
    series = Series(MAX_LEADER_MARKS)
    if isinstance(session, RingSession) or (session.steps <= MAX_STEPS and session.cut_free):
        mark_changes(series, session, script)
        goal = session.run.until if isinstance(session, Session) else ""
        for step, holds in goal_changes or []:
            series.mark(step, *((GOAL, f"{goal} holds") if holds else (LOST, f"{goal} no longer holds")))
    return [list(mark) for mark in series.marks]


def mark_changes(series: Series, session: Session | RingSession, script: Script) -> None:
    """Changes of who leads, and attacks."""
    if isinstance(session, RingSession):
        _mark_ring(series, session, script)
    else:
        _mark_population(series, session, script)


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
        end = twin.steps + steps_of(event)
        if not isinstance(event, Steps):
            repeat(twin, event)
        elif not held and twin.run_until(None, event.count):
            found.append((twin.steps, held := True))
        if held != twin.holds():
            found.append((twin.steps, held := not held))
        twin.step(max(0, end - twin.steps))
    return found


def _mark_population(series: Series, session: Session, script: Script) -> None:
    """Engines stop where an output changes, as often as it is not too often; attacks are all marked."""
    twin, changes, is_attack = Session(session.run), 0, attacks_in(script)
    for event in script.events:
        if not isinstance(event, Steps):
            leaders = twin.leaders
            repeat(twin, event)
            if is_attack(event):
                series.mark(twin.steps, FAULT, described(event))
            if leaders != twin.leaders:
                series.mark(twin.steps, LEADERS, leaders_in_words(twin.leaders))
            continue
        end = twin.steps + event.count
        while twin.steps < end and changes < MAX_CHANGES:
            if twin.step_to(end - twin.steps, StopCondition.OUTPUT):
                changes += 1
                series.mark(twin.steps, LEADERS, leaders_in_words(twin.leaders))
        if twin.steps < end:
            series.leave_out_changes()
            twin.step(end - twin.steps)


def mark_attacks(series: Series, session: Session | RingSession) -> None:
    """Attacks alone, which the session remembers: nothing is repeated."""
    is_attack = attacks_in(session.script)
    for began, event in session.attacks:
        if is_attack(event):
            series.mark(began + isinstance(event, ARE_STEPS), FAULT, described(event))


def leaders_in_words(leaders: int) -> str:
    return "1 leader" if leaders == 1 else f"{leaders:,} leaders"


def attacks_in(script: Script) -> Callable[[ScriptEvent], bool]:
    """What was done to a run. A few pairs or messages by order are attacks; many of them are its schedule, as of a network."""
    ordered = sum(isinstance(event, ForcedPair | Deliver) for event in script.events)
    plain = (Steps, ForcedPair, Deliver) if ordered > MAX_ORDERED else (Steps,)
    return lambda event: not isinstance(event, plain)


def described(event: ScriptEvent) -> str:
    """An attack in a few words."""
    if isinstance(event, SetStates):
        agents = [agent for agent, _ in event.changes]
        return f"agent {agents[0]} set" if len(agents) == 1 else f"{len(agents):,} agents set"
    kind, *given = event.lines()[0]
    if isinstance(event, ForcedPair):
        return f"{event.i} meets {event.j} by order"
    return " ".join(str(part) for part in (kind, *given) if not isinstance(part, list))


def _mark_ring(series: Series, session: RingSession, script: Script) -> None:
    twin, is_attack = RingSession(session.run), attacks_in(script)
    for event in script.events:
        end = twin.steps + steps_of(event)
        if not isinstance(event, Steps):
            leaders = twin.leaders
            repeat(twin, event)
            if is_attack(event):
                series.mark(twin.steps, FAULT, described(event))
            if leaders != twin.leaders:
                series.mark(twin.steps, LEADERS, leaders_in_words(twin.leaders))
        while twin.steps < end and twin.next_leader_change(max_steps=end - twin.steps):
            series.mark(twin.steps, LEADERS, leaders_in_words(twin.leaders))
        if isinstance(event, Steps):
            twin.step(end - twin.steps)
    if session.over and session.leaders == 1 and not session.violations:
        series.mark(session.steps, GOAL, "one process leads, and everybody knows it")
