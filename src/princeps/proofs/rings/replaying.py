"""A model of the solver executed with the plain rule: only what then happens is told."""

from __future__ import annotations

from typing import Any

from princeps.errors import PrincepsError
from princeps.model.goals import Closed
from princeps.model.lemmas import Never, StaysElected
from princeps.model.protocol import PopulationProtocol
from princeps.model.states import State
from princeps.model.step_facts import Marked
from princeps.proofs.plain import are_legal, has_inputs, oracle_of
from princeps.proofs.rings.plain_marks import breaks_marked
from princeps.proofs.rings.unrolled import Model
from princeps.proofs.verdicts import Counterexample, Statement


def replayed(statement: Statement, model: Model, pair: tuple[int, int] = (0, 1)) -> Counterexample | None:
    """The counterexample, if the plain rule and the functions of the file agree that it is one."""
    cls, n = statement.cls, len(model.states)
    if has_inputs(cls):
        return None
    try:
        protocol = cls(n, **model.params)
    except PrincepsError:
        return None
    states = [tuple(state[name] for name in protocol.space.names) for state in model.states]
    if not are_legal(protocol, states):
        return None
    i, j = pair
    for _, (left, right), draws in protocol.branches(states[i], states[j], oracle_of(protocol, states)):
        after = list(states)
        after[i], after[j] = left, right
        if breaks(statement.what, protocol, states, after, pair):
            return Counterexample(protocol, tuple(states), (pair,), (tuple(draws),) if draws else ())
    return None


def breaks(
    lemma: Any, protocol: PopulationProtocol, before: list[State], after: list[State], pair: tuple[int, int]
) -> bool:
    """Does this interaction break the lemma, by the functions of the file?"""
    if isinstance(lemma, Marked):
        return breaks_marked(lemma, protocol, before, after, pair)
    if isinstance(lemma, Never):
        agent: Any = protocol.agent
        agents = [(agent(before[k]), agent(after[k])) for k in pair]
        happens = any(protocol.ask(lemma.event, old, new, protocol.constants) for old, new in agents)
        return happens and is_member(protocol, lemma.begin, before)
    if not is_member(protocol, lemma.of, before):
        return False
    if not is_member(protocol, lemma.of, after):
        return True
    outputs = [[protocol.leads(state) for state in states] for states in (before, after)]
    return isinstance(lemma, StaysElected) and (outputs[0] != outputs[1] or sum(outputs[0]) != 1)


def is_member(protocol: PopulationProtocol, name: str, states: list[State]) -> bool:
    goal = type(protocol).goals[name]
    assert isinstance(goal, Closed)
    agent: Any = protocol.agent
    return bool(protocol.ask(goal.rule, [agent(one) for one in states], len(states), protocol.constants))
