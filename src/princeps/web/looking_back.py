"""What came before the moment that is shown: the last meetings of an agent, the lines that the last meeting executed,
the last steps of a ring algorithm.

A second session goes back and forth, so that the one that is watched stays where it is.
"""

from __future__ import annotations

from typing import Any

from princeps.engines.rings.session import RingSession
from princeps.engines.session import Session
from princeps.engines.timeline import among
from princeps.errors import PrincepsError
from princeps.web.bound_look import look_of
from princeps.web.branches import Held
from princeps.web.ring_frame import happened, processes_of
from princeps.web.rule_lines import lines_of_meeting
from princeps.web.state_table import as_json

MAX_AGENTS = 10_000  # in a population that is gone back in
STEPS_BACK = 600
MEETINGS = 8
FRAMES = 150  # of a ring algorithm


def card(session: Held, agent: int) -> dict[str, Any]:
    """The fields of an agent, and its last meetings."""
    if isinstance(session, RingSession):
        process = among(agent, session.n, "process")
        return {"agent": process, "process": processes_of(session)[process], "meetings": []}
    state = session.state(agent)
    look, values = look_of(session.run.protocol), session.population.state(agent)
    return {
        "agent": agent,
        "fields": {name: as_json(value) for name, value in state.items()},
        "text": look.text_of(tuple(values)),
        "leader": bool(session.run.protocol.leads(values)) and agent not in session.dead_agents,
        "dead": agent in session.dead_agents,
        "meetings": last_meetings(session, agent),
    }


def last_meetings(session: Session, agent: int) -> list[dict[str, Any]] | None:
    """The latest first; None where it takes too long to look."""
    if not session.population.numbers_agents or session.n > MAX_AGENTS:
        return None
    look = look_of(session.run.protocol)
    twin = session.fork()
    end = twin.steps
    twin.goto(max(0, end - max(STEPS_BACK, 4 * session.n if session.n < 500 else 0)))
    found: list[dict[str, Any]] = []
    while twin.steps < end:
        before = tuple(twin.population.state(agent))
        twin.step()
        pair = twin.last_pair
        if pair is not None and agent in pair:
            after = tuple(twin.population.state(agent))
            found.append(
                {
                    "step": str(twin.steps),
                    "with": pair[1] if pair[0] == agent else pair[0],
                    "role": "initiator" if pair[0] == agent else "responder",
                    "before": look.text_of(before),
                    "after": look.text_of(after),
                }
            )
    return found[: -MEETINGS - 1 : -1]


def frames_before(session: Held, count: int) -> list[dict[str, Any]]:
    """What happened in the last steps of a ring algorithm before the present one, and what was on the links."""
    if not isinstance(session, RingSession):
        return []
    twin, end = session.fork(), session.steps
    twin.goto(max(0, end - min(count, FRAMES)))
    found: list[dict[str, Any]] = []
    while twin.steps < end:
        found.append(happened(twin))
        twin.step()
    return found


def last_lines(session: Held) -> dict[str, Any]:
    """The lines of the rule that the last meeting executed, and the states of its two agents; of a ring the action."""
    if isinstance(session, RingSession):
        event = session.last_event
        return {"pair": None, "lines": [], "paper": [], "action": None if event is None else event.action}
    nothing: dict[str, Any] = {"pair": None, "lines": [], "paper": [], "before": None, "after": None}
    if not session.population.numbers_agents or session.n > MAX_AGENTS or session.steps == 0:
        return nothing
    pair = session.last_pair
    if pair is None:
        return nothing
    look, protocol = look_of(session.run.protocol), session.run.protocol
    twin = session.fork()
    twin.goto(session.steps - 1)
    before = tuple(twin.population.state(pair[0])), tuple(twin.population.state(pair[1]))
    after = tuple(session.population.state(pair[0])), tuple(session.population.state(pair[1]))
    shown: dict[str, Any] = {
        "pair": list(pair),
        "before": [look.text_of(state) for state in before],
        "after": [look.text_of(state) for state in after],
    }
    if set(pair) & session.dead_agents or pair in session.cut_arcs:
        return {**nothing, **shown}
    try:
        return {**lines_of_meeting(protocol, before, after).as_json(), **shown}
    except PrincepsError:  # the agents were changed after they met
        try:
            return {**lines_of_meeting(protocol, before).as_json(), **shown}
        except PrincepsError:
            return {**nothing, **shown}
