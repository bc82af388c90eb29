"""The plot of a run that is opened after some of its steps, by a link or with a story: what came before is repeated.

Points first, by going through the past once; if that is quick, the exact steps at which the number of leaders changed,
the goal was met and somebody attacked are found as well; otherwise the attacks alone, which the script names. How quick
it is, is the processor's time: other programs that are busy leave no marks out. The session itself stays where it is.
"""

from __future__ import annotations

from time import perf_counter, thread_time

from princeps.engines.opening import at_start
from princeps.engines.rings.session import RingSession
from princeps.engines.session import Session
from princeps.model.script import Script, Steps
from princeps.web.branches import Branch, Held
from princeps.web.marks import MAX_STEPS, attacks_in, mark_attacks, mark_changes
from princeps.web.repeating import repeat, steps_of
from princeps.web.series import GOAL, Point

POINTS = 250
POINTS_SECONDS = 4.0  # then the rest is left out
MARKS_SECONDS = 1.0  # of the processor that points took, up to which marks are looked for


def recall(branch: Branch, session: Held) -> None:
    """Fills the series of a branch up to the present step, and finds the first hit of its goal."""
    if session.steps == 0:
        return
    began, spent = perf_counter(), thread_time()
    twin = session.fork()
    for place in range(POINTS + 1):
        branch.series.add(point_of(twin.goto(twin.standing_points(session.steps * place // POINTS)[0])))
        if perf_counter() - began > POINTS_SECONDS:
            break
    if thread_time() - spent > MARKS_SECONDS or (isinstance(session, Session) and not _is_searched(session)):
        mark_attacks(branch.series, session)
        branch.series.leave_out_changes()
        branch.is_hit_known = False
        return
    mark_changes(branch.series, session, session.script)
    if isinstance(session, Session):
        hits, branch.hit = _hits(session, session.script)
        branch.is_met = branch.hit is not None
        for step in hits:
            branch.series.mark(step, GOAL, f"the goal {session.run.until} is met")


def point_of(session: Held) -> Point:
    census = () if isinstance(session, RingSession) else tuple(session.census.values())
    return session.steps, session.leaders, census


def _is_searched(session: Session) -> bool:
    """The run can be gone through once more, step by step."""
    return session.steps <= MAX_STEPS and session.cut_free


def _hits(session: Session, script: Script) -> tuple[list[int], int | None]:
    """The steps at which the goal was met first, after the start and after each attack; the last of them that counts."""
    twin, found = at_start(session), list[int]()
    assert isinstance(twin, Session)
    hit: int | None = None
    is_attack = attacks_in(script)
    for event in (Steps(0), *script.events):
        end = twin.steps + steps_of(event)
        held = False
        if not isinstance(event, Steps):
            held = twin.holds()
            repeat(twin, event)
            end = twin.steps
            hit = None if is_attack(event) else hit
        if hit is None and twin.run_until(None, end - twin.steps):
            hit = twin.steps
            found += [] if held else [hit]
        twin.step(end - twin.steps)
    return found, hit
