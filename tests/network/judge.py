"""Whether what agents wrote down and remember is the outcome of whole interactions and restarts in some order.

Written without looking at princeps.network.linearize, which is compared with it.
"""

from __future__ import annotations

import json
from itertools import product
from typing import Any, NamedTuple

from princeps.network.handshake import ASKING, COMMITTING, GRANTED
from princeps.network.linearize import BEGIN, PAIR, SET, Linearizer

State = tuple[int, ...]


class Local(NamedTuple):
    """An agent's memory and its log."""

    incarnation: int
    state: State
    version: int
    mode: int
    counter: int
    partner: int
    partner_incarnation: int
    x: tuple[int, int]
    frame: bytes
    tables: Any
    log: tuple[str, ...]


def judge(agents: list[Local], protocol: Any, linearized: bool = True) -> str:
    """What is wrong; empty if nothing is. The linearizer is asked, too, unless it is not for these nodes."""
    lines = [[json.loads(text) for text in agent.log] for agent in agents]
    meets = {(m[1], m[2], m[4]): m for own in lines for m in own if m[0] == "meet"}
    taken = {(t[4], t[5], t[6]) for own in lines for t in own if t[0] == "take"}
    unknown = [x for x in meets if x not in taken]
    why = "nothing explains it"
    for choice in product((False, True), repeat=len(unknown)):
        happened = {x: meets[x] for x in meets if x in taken or dict(zip(unknown, choice, strict=True)).get(x)}
        why = _explained(agents, lines, happened, protocol)
        if not why:
            return _linearized(agents, lines, protocol) if linearized else ""
    return why


def _explained(agents: list[Local], lines: list[list[Any]], happened: dict[Any, Any], protocol: Any) -> str:
    """Why these interactions, and no others, cannot be all that happened."""
    slots: dict[tuple[int, int], dict[int, Any]] = {}
    for x, m in happened.items():
        for agent, incarnation, version in ((m[1], m[2], m[3]), (m[5], m[6], m[7])):
            own = slots.setdefault((agent, incarnation), {})
            if version in own:
                return f"agent {agent} is in two interactions at version {version}"
            own[version] = x
    for (agent, _), own in slots.items():
        if sorted(own) != list(range(len(own))):
            return f"agent {agent} went on from an interaction that did not happen"
    for number, agent in enumerate(agents):
        met = len(slots.get((number, agent.incarnation), ()))
        holds = (agent.partner, *agent.x) if agent.mode == GRANTED else (number, agent.incarnation, agent.counter)
        allowed = {agent.version}
        if agent.mode == GRANTED and holds in happened and happened[holds][6] == agent.incarnation:
            allowed = {agent.version + 1}  # it will take the state
        if agent.mode == ASKING and holds in happened:
            allowed = {agent.version + 1}  # of two messages: it will take the state
        if agent.mode == COMMITTING and holds not in happened:
            allowed = {agent.version - 1}  # nobody has seen its state
        if met not in allowed:
            return f"agent {number} has applied {agent.version} interactions, and {met} happened"
    return _replayed(agents, lines, happened, slots, protocol)


def _replayed(agents: list[Local], lines: list[list[Any]], happened: dict[Any, Any], slots: Any, protocol: Any) -> str:
    """All in an order in which both sides are at their versions; every state that was written down must come out."""
    starts = [[tuple(line[3]) for line in own if line[0] == "start"] for own in lines]
    takes = {(t[4], t[5], t[6]): tuple(t[7]) for own in lines for t in own if t[0] == "take"}
    at = [(1, 0)] * len(agents)
    states = [own[0] for own in starts]
    waiting = dict(happened)
    while True:
        for number, (incarnation, version) in enumerate(at):  # an incarnation that has met all it met is over
            while incarnation < agents[number].incarnation and version == len(slots.get((number, incarnation), ())):
                incarnation, version = incarnation + 1, 0
                at[number], states[number] = (incarnation, 0), starts[number][incarnation - 1]
        ready = [x for x, m in waiting.items() if at[m[1]] == (m[2], m[3]) and at[m[5]] == (m[6], m[7])]
        if not ready:
            break
        m = waiting.pop(ready[0])
        i, j = m[1], m[5]
        states[i], states[j] = protocol.step(states[i], states[j])
        if (states[i], states[j]) != (tuple(m[8]), tuple(m[9])) or takes.get(ready[0], states[j]) != states[j]:
            return f"interaction {ready[0]} gives other states than the log says"
        at[i], at[j] = (m[2], m[3] + 1), (m[6], m[7] + 1)
    return "there is no order of the interactions" if waiting else ""


def _linearized(agents: list[Local], lines: list[list[Any]], protocol: Any) -> str:
    """The linearizer must come to the same: nothing torn, and every state as the rule gives it, however lines arrive."""
    counters = []
    for own in (lines, lines[::-1]):
        linearizer = Linearizer(len(agents))
        events = linearizer.feed_all(line for one in own for line in one) + linearizer.finish()
        counters.append(linearizer.counters)
        states: dict[int, State] = {}
        for event in events:
            if event.kind in (BEGIN, SET):
                states[event.i] = event.first
            elif event.kind != PAIR:
                return "the linearizer calls it torn"
            else:
                states[event.i], states[event.j] = protocol.step(states[event.i], states[event.j])
                if (states[event.i], states[event.j]) != (event.first, event.second):
                    return "the linearizer's order gives other states than the log says"
    if counters[0] != counters[1] or not counters[0].adds_up or counters[0].torn:
        return f"the counters do not add up: {counters}"
    return ""
