"""Lemmas on states, in plain Python: what a solver proposes as a counterexample is executed before it is believed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from princeps.errors import ProtocolError
from princeps.model.fields import Counts
from princeps.model.goals import Counted
from princeps.model.lemmas import EVERYTHING, EveryAgent, EveryMeeting, Never, StaysElected, Symmetric
from princeps.model.predicates import read_predicates
from princeps.model.protocol import PopulationProtocol
from princeps.model.states import State
from princeps.proofs.verdicts import Statement

Configuration = tuple[State, ...]
Broken = tuple[Configuration, tuple[int, ...]]  # the agents after the meeting, and what was drawn


def numbers_of(protocol: PopulationProtocol, states: Sequence[State]) -> Counts:
    agents: list[Any] = [protocol.agent(state) for state in states]  # type: ignore[call-arg]
    known = type(protocol).all_predicates()
    found = {
        name: sum(bool(protocol.ask(rule, agent, protocol.constants)) for agent in agents)
        for name, rule in known.items()
    }
    return Counts({**found, "n": len(states)})


def oracle_of(protocol: PopulationProtocol, states: Sequence[State]) -> int:
    """What the oracle says of these agents; 0 stands for no oracle."""
    if protocol.oracle is None:
        return 0
    return int(bool(protocol.ask(protocol.oracle.rule, numbers_of(protocol, states), protocol.constants)))


def are_legal(protocol: PopulationProtocol, states: Sequence[State]) -> bool:
    """A solver may know less of the legal states than the file says."""
    return all(protocol.space.is_legal(tuple(state)) for state in states)


def has_inputs(cls: type[PopulationProtocol]) -> bool:
    """Agents differ by more than their states: by identifiers, which no counterexample here gives them."""
    return any(field.is_input for field in cls.fields_.values())


def is_inside(protocol: PopulationProtocol, name: str, states: Sequence[State]) -> bool:
    """Of a set as lemmas name it, if it is a condition on numbers of agents."""
    if name == EVERYTHING:
        return True
    goal = type(protocol).all_goals().get(name)
    if isinstance(goal, Counted):
        return bool(protocol.ask(goal.rule, numbers_of(protocol, states), protocol.constants))
    quantifier, _, text = name.partition(":")
    predicate = read_predicates(protocol, {"here": text.strip()})["here"]
    agents: list[Any] = [protocol.agent(state) for state in states]  # type: ignore[call-arg]
    held = [bool(protocol.ask(predicate, agent, protocol.constants)) for agent in agents]
    return {"some": any(held), "all": all(held), "none": not any(held)}[quantifier]


def results(protocol: PopulationProtocol, states: Configuration, pair: tuple[int, int]) -> list[Broken]:
    """All that a meeting of these two agents can lead to."""
    i, j = pair
    found = []
    for _, (one, other), draws in protocol.branches(states[i], states[j], oracle_of(protocol, states)):
        after = list(states)
        after[i], after[j] = one, other
        found.append((tuple(after), draws))
    return found


def breaking(
    statement: Statement, protocol: PopulationProtocol, states: Configuration, pair: tuple[int, int]
) -> tuple[int, ...] | None:
    """The draws with which this meeting breaks the lemma; None if it does not."""
    if not are_legal(protocol, states):
        return None
    try:
        found = results(protocol, states, pair)
    except ProtocolError:  # a value leaves its domain
        return () if statement.what is None else None
    for after, draws in found:
        if _is_broken(statement, protocol, states, after, pair):
            return draws
    return None


def _is_broken(
    statement: Statement,
    protocol: PopulationProtocol,
    before: Configuration,
    after: Configuration,
    pair: tuple[int, int],
) -> bool:
    what, (i, j) = statement.what, pair
    agent: Callable[[State], Any] = protocol.agent
    constants = protocol.constants
    if what is None:
        return not all(protocol.space.is_legal(after[k]) for k in pair)
    if statement.kind == "invariant":
        return not protocol.ask(what, numbers_of(protocol, after), constants)
    if isinstance(what, EveryAgent):
        return not all(protocol.ask(what.holds, agent(state), constants) for state in after)
    if isinstance(what, EveryMeeting):
        states = (before[i], before[j], after[i], after[j])
        return not protocol.ask(what.holds, *map(agent, states), constants)
    if isinstance(what, Symmetric):
        turned = {(one, other) for _, (other, one), _ in protocol.branches(before[j], before[i])}
        return (after[i], after[j]) not in turned
    inside = is_inside(protocol, what.begin if isinstance(what, Never) else what.of, before)
    if not inside:
        return False
    if isinstance(what, Never):
        return any(protocol.ask(what.event, agent(before[k]), agent(after[k]), constants) for k in pair)
    if not is_inside(protocol, what.of, after):
        return True
    leads = [[protocol.leads(state) for state in states] for states in (before, after)]
    return isinstance(what, StaysElected) and (sum(leads[0]) != 1 or leads[0] != leads[1])
