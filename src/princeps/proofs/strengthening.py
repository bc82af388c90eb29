"""Facts of every agent that nobody stated: implications between small fields, seen in sampled runs, then proved.

Sampling only proposes. What a meeting can break is dropped, again and again, until what is left is kept by every
meeting together (Houdini).
"""

from __future__ import annotations

from itertools import permutations
from typing import Any

from princeps.model.goals import Blocks, Uniform
from princeps.model.protocol import PopulationProtocol
from princeps.model.randomness import Stream
from princeps.model.states import State
from princeps.proofs.clauses import FAILS, HOLDS, Clause, ask
from princeps.proofs.meeting import Meeting, example_of, start_of

SMALL_FIELD = 6  # values
AGENTS, STEPS = 5, 10_000  # what too few steps propose in vain is dropped: it costs rounds, not proofs
ROUNDS = 400


def proposals(cls: type[PopulationProtocol]) -> list[str]:
    """Equalities and implications that are true of all sampled states, as expressions."""
    protocol = example_of(cls)
    states = sampled_states(protocol)
    names = protocol.space.names
    small = [
        name
        for name, field in cls.fields_.items()
        if not field.is_scratch and isinstance(field.size, int) and field.size <= SMALL_FIELD
    ]
    place = {name: names.index(name) for name in small}
    seen = {name: {state[place[name]] for state in states} for name in small}
    found = [f"{name} == {min(values)}" for name, values in seen.items() if len(values) == 1]
    varying = [name for name, values in seen.items() if len(values) > 1]
    for k, one in enumerate(varying):
        for other in varying[:k]:
            if all(state[place[one]] == state[place[other]] for state in states):
                found.append(f"{one} == {other}")
    for one, other in permutations(varying, 2):
        for value in sorted(seen[one]):
            follows = {state[place[other]] for state in states if state[place[one]] == value}
            if len(follows) == 1:
                found.append(f"{one} != {value} or {other} == {follows.pop()}")
    return found


def sampled_states(protocol: PopulationProtocol) -> list[State]:
    """All states of some runs of a few agents from the default start."""
    cls = type(protocol)
    rule = cls.start_rule(cls.default_start) if cls.starts else Uniform()
    stream = Stream.of(1, 0, "proofs")
    if isinstance(rule, Uniform):
        return []
    if isinstance(rule, Blocks):
        blocks: Any = protocol.ask(rule.rule, AGENTS, protocol.constants)
        if not isinstance(blocks, list) or not all(isinstance(state, dict) for _, state in blocks):
            return []
        agents = [
            protocol.space.read({**dict.fromkeys(protocol.space.names, 0), **state})
            for size, state in blocks
            for _ in range(size)
        ]
    else:
        agents = []
        for i in range(AGENTS):
            blank = tuple(i + 1 if name == protocol.input_field else 0 for name in protocol.space.names)
            own: Any = protocol.agent(blank)  # type: ignore[call-arg]
            protocol.ask(rule, own, i, AGENTS, protocol.constants)
            agents.append(protocol.values_of(own))
    seen = dict.fromkeys(agents)
    for _ in range(STEPS):
        i, j = stream.sample(AGENTS, 2)
        agents[i], agents[j] = protocol.step(agents[i], agents[j], stream, stream.below(2) if cls.oracle else 0)
        seen[agents[i]] = seen[agents[j]] = None
    return list(seen)


def inductive_facts(cls: type[PopulationProtocol], meeting: Meeting) -> tuple[str, ...]:
    """Those of the proposals that are true at the start and that every meeting keeps, all together."""
    left = proposals(cls)
    terms, start = meeting.terms, start_of(meeting)
    if start.is_any:
        return ()
    rules = dict(zip(left, meeting.facts_as_predicates(left), strict=True))
    for agent, _ in start.blocks:
        left = [
            one
            for one in left
            if ask(terms, Clause("", start.given, meeting.predicate(rules[one], agent))).outcome == HOLDS
        ]
    of = {
        name: [meeting.predicate(rules[name], agent) for agent in (meeting.a, meeting.b, meeting.x, meeting.y)]
        for name in left
    }
    for _ in range(ROUNDS):
        known = [term for name in left for term in of[name][:2]]
        shown = terms.both(*(term for name in left for term in of[name][2:]))
        answer = ask(terms, Clause("", (*meeting.given, *known), shown))
        if answer.outcome == HOLDS:
            return tuple(left)
        if answer.outcome != FAILS:
            return ()
        left = [name for name in left if all(answer.value(terms, term) for term in of[name][2:])]
    return ()
