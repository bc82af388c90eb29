"""What somebody does to a run from the page: each attack as a sentence for the plots, and what it does to a session."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from princeps.engines.given_states import without_collecting
from princeps.engines.rings.session import RingSession
from princeps.engines.session import Session
from princeps.engines.simulate import make_population
from princeps.errors import RunError, UnknownName
from princeps.model.starts import starting_states
from princeps.model.states import State
from princeps.web.branches import Held
from princeps.web.pixels import Pixels
from princeps.web.state_table import StateTable

MAX_CHANGED = 1_000_000  # agents that one attack may put into other states, each a line of the script
LEADERS = "leaders"
COMPILED = "agents"  # the engine that works out the start of a million agents in a moment

Attack = tuple[str, Callable[[Any], Any]]  # what it is, and what it does


def attack_of(session: Held, kind: str, given: dict[str, Any]) -> Attack:
    """Refused where this session has no such thing; an attack is checked when it is done."""
    match kind:
        case "corrupt" if given.get("agents") is not None:
            agents = given["agents"]
            _population(session, kind)
            named = f"agent {agents[0]}" if len(agents) == 1 else f"{len(agents):,} chosen agents"
            return f"corrupt {named}", lambda one: one.corrupt(agents)
        case "corrupt":
            refuse_many(session, given["count"])
            return f"corrupt {given['count']:,}", lambda one: one.corrupt(given["count"])
        case "corrupt_leaders":
            found = leaders_of(_population(session, kind))
            return "corrupt the leaders", lambda one: one.corrupt(found)
        case "start":
            states = _start(_population(session, kind), given["name"])
            return f"everybody into {given['name']}", lambda one: one.put(states)
        case "set":
            agent, fields = given["agent"], given["fields"]
            shown = " ".join(f"{name}={value}" for name, value in fields.items())
            return f"agent {agent}: {shown}", lambda one: one.set(agent, **fields)
        case "dead":
            return f"agent {given['agent']} dies", lambda one: one.dead(given["agent"])
        case "alive":
            return f"agent {given['agent']} lives again", lambda one: one.alive(given["agent"])
        case "cut" | "heal" | "meet":
            i, j = given["i"], given["j"]
            words = {"cut": "the arc {}-{} is cut", "heal": "the arc {}-{} is healed", "meet": "{} meets {}"}
            return words[kind].format(i, j), lambda one: getattr(one, kind)(i, j)
        case "torn":
            i, j, side = given["i"], given["j"], given["side"]
            return f"{i} meets {j}, torn: only the {side} changes", lambda one: one.torn(i, j, side)
        case "deliver" | "drop":
            process, side = given["process"], given["side"]
            words = {"deliver": "delivered to", "drop": "lost before"}
            return f"{words[kind]} process {process}, {side}", lambda one: getattr(one, kind)(process, side)
        case _:
            return f"process {given['process']} starts again", lambda one: one.reset(given["process"])


def refuse_many(session: Held, count: int) -> None:
    if count > min(MAX_CHANGED, session.n):
        if count > session.n:
            raise RunError(f"{count:,} agents are more than there are: at most {session.n:,} can be hit.")
        raise RunError(
            f"{count:,} agents are too many for one attack: each is a line of the script, even where the engine only counts "
            f"agents, so at most {MAX_CHANGED:,} are hit at once. Choose fewer, or a smaller population."
        )


def leaders_of(session: Session) -> list[int]:
    """The agents that lead, by number; the engine `counts` numbers them by their states."""
    refuse_many(session, session.leaders)
    if session.leaders == 0:
        raise RunError("nobody leads: there is no leader to corrupt.")
    if session.population.numbers_agents:
        pixels = Pixels(StateTable(session.run.protocol))
        dead = session.dead_agents
        return [int(one) for one in pixels.classes(session, LEADERS).nonzero()[0] if int(one) not in dead]
    found: list[int] = []
    first = 0
    for state, size in session.population.tally():
        if session.run.protocol.leads(state):
            found += range(first, first + size)
        first += size
    return found


def _start(session: Session, name: str) -> list[State]:
    """Of a start of the protocol; drawn from a trial of its own, where it is random."""
    run = session.run
    starts = type(run.protocol).starts
    if name not in starts:
        raise UnknownName("start", name, list(starts))
    refuse_many(session, session.n)
    there = replace(run, start=name, trial=run.trial + 1 + session.steps, states=None)
    if session.engine != COMPILED:
        return starting_states(there)
    columns = make_population(there).fields()
    with without_collecting():
        return list(zip(*(columns[field].tolist() for field in run.protocol.space.names), strict=True))


def _population(session: Held, kind: str) -> Session:
    if isinstance(session, RingSession):
        raise RunError(f"{kind} is for populations: a process of a ring starts anew with reset.")
    return session
