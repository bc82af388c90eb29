"""Agent states, and the table of their transitions."""

from __future__ import annotations

import random
from functools import cache
from itertools import count, product
from typing import Any

import numpy as np
import pytest

import princeps as library
from princeps import errors
from princeps.analysis import agent_states as agent_states_module
from princeps.analysis.agent_states import (
    AgentStates,
    all_states,
    legal_agent_states,
)
from princeps.analysis.codes import FAILS, UNKNOWN
from princeps.model import Agent, Bit, Natural, Param, Params, PopulationProtocol, Range
from princeps.model.run import Run
from princeps.model.starts import starting_states
from tests.analysis.brute_force import OPTIMAL, legal_states, planned
from tests.analysis.state_examples import P_PL, SMALL, entry, name_of
from tests.conftest import with_slow

LARGE = [planned("p_ll", 2, m=1)]


def numbered(protocol: PopulationProtocol) -> list[Any]:
    return [protocol.space.numbered_state(k) for k in range(protocol.state_count or 0)]


def is_right(agent_states: AgentStates, a: int, b: int) -> bool:
    after, states = entry(agent_states, a, b), agent_states.states
    return after is not None and (states[after[0]], states[after[1]]) == agent_states.protocol.step(
        states[a], states[b]
    )


@pytest.mark.parametrize("run", with_slow([*SMALL, *LARGE], LARGE.__contains__), ids=name_of)
def test_all_legal_states_and_their_meetings(run: Run) -> None:
    agent_states = legal_agent_states(run.protocol)
    assert sorted(agent_states.states) == sorted(numbered(run.protocol) if run in LARGE else legal_states(run.protocol))
    assert len(agent_states.states) == len(set(agent_states.states)) == run.protocol.state_count
    assert [agent_states.number[state] for state in agent_states.states] == list(range(agent_states.size))
    assert agent_states.is_closed
    assert agent_states.leader_mask().tolist() == [run.protocol.leads(state) for state in agent_states.states]
    draw, some = random.Random(1), range(agent_states.size)
    pairs = product(some, some) if run not in LARGE else zip(*(draw.choices(some, k=10_000) for _ in "ab"), strict=True)
    assert all(is_right(agent_states, a, b) for a, b in pairs)


CLOSURES = [
    planned("p_rl", 3, start="all_leaders"),
    planned("p_rl", 3, start="no_leader"),
    planned(OPTIMAL, 3, start="leaderless"),
    planned("p_pl", 2, start="all_leaders", **P_PL),
    planned("fratricide", 3),
    planned("majority", 3),
]


@pytest.mark.parametrize("run", CLOSURES, ids=lambda run: f"{name_of(run)}-{run.start}")
def test_the_closure_of_a_start(run: Run) -> None:
    found, step = set(starting_states(run)), cache(run.protocol.step)
    while new := {s for a, b in product(found, repeat=2) for s in step(a, b)} - found:
        found |= new
    agent_states = AgentStates(run.protocol, starting_states(run))
    assert (agent_states.table == UNKNOWN).all()
    assert agent_states.close()
    assert sorted(agent_states.states) == sorted(found)
    assert all(is_right(agent_states, a, b) for a, b in product(range(agent_states.size), repeat=2))
    assert not AgentStates(run.protocol, starting_states(run)).close(max_states=len(found) - 1)
    assert AgentStates(run.protocol, starting_states(run)).close(max_states=len(found))


def test_unbounded_states_are_not_closed_but_added_as_they_arise() -> None:
    run = planned("infection", 3)
    agent_states = AgentStates(run.protocol, starting_states(run))
    assert not agent_states.close()
    assert agent_states.size == 3
    agent_states.add_transitions(np.array([0, 2, 1]), np.array([1, 0, 1]))
    assert all(is_right(agent_states, a, b) for a, b in ((0, 1), (2, 0), (1, 1)))
    assert (agent_states.table != UNKNOWN).sum() == 3
    assert len(set(agent_states.states)) == agent_states.size == 5


@pytest.mark.medium
def test_the_legal_states_group_by_group() -> None:
    protocol = library.protocol("p_ll_symmetric", 3, m=2)
    assert sorted(all_states(protocol)) == sorted(numbered(protocol))
    assert len(set(filter(protocol.space.is_legal, all_states(protocol)))) == 25_936


def calm(a: Agent, i: int, n: int, p: Params) -> None:
    """everyone at 0"""
    a.x = 0


class Leaves(PopulationProtocol):
    """Two agents at 2 want to be at 3."""

    leader, x = Bit(), Range(3)
    starts = {"initial": calm}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        a.x = max(a.x, b.x) + (a.x == 2 and b.x == 2)  # the mistake


class Strays(PopulationProtocol):
    """A follower at 1 is illegal, and yet arises."""

    leader, x = Bit(), Range(2)
    starts = {"initial": calm}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.leader == 1 and b.leader == 1:
            b.leader = 0

    @staticmethod
    def groups(p: Params) -> list[dict[str, int | range]]:
        return [{"leader": 1, "x": range(2)}, {"leader": 0}]


@pytest.mark.slow
def test_a_rule_that_leaves_its_domain_is_told_where_it_does() -> None:
    protocol = Leaves(3)
    with pytest.raises(errors.ProtocolError, match=r"test_agent_states\.py:\d+: x = 3 is outside its domain 0\.\.2\."):
        legal_agent_states(protocol)
    agent_states = AgentStates(protocol, legal_states(protocol))
    assert agent_states.close()
    failing = {(agent_states.states[a], agent_states.states[b]) for a, b in np.argwhere(agent_states.table == FAILS)}
    assert failing == {((k, 2), (m, 2)) for k, m in product(range(2), repeat=2)}
    for start in ("states:0,2;0,0;0,0", "states:0,2;0,1;0,0"):
        assert library.exact(Leaves, 3, start=start, target="some:x == 2").reduced == 1  # nobody gets so far
        with pytest.raises(errors.ProtocolError, match=r"x = 3 is outside"):
            library.exact(Leaves, 3, start=start, target="leader")


def test_a_rule_that_leads_to_an_illegal_state_is_told() -> None:
    sentence = r"an interaction leads to {'leader': 0, 'x': 1}, which is in no group of legal states\.$"
    with pytest.raises(errors.ProtocolError, match=sentence):
        legal_agent_states(Strays(3))


class Square(PopulationProtocol):
    """Its square need not fit into 64 bits."""

    big = Param(default=3_100_000_000)
    leader, x = Bit(), Range(2)
    starts = {"initial": calm}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        a.x = 1 if p.big * p.big > p.big else 2


class Climb(PopulationProtocol):
    """Two agents count together, for ever."""

    leader, x = Bit(), Natural(random_below=2)
    starts = {"initial": calm}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        a.x += 1
        b.x = a.x


@pytest.mark.parametrize("start", ["all", "initial"])
def test_compiled_rules_that_overflow_do_not_go_round_for_ever(start: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table says that the rule fails, and plain Python that it does not."""
    calls = count()

    def step(self: Square, a: Any, b: Any) -> Any:
        assert next(calls) < 100
        return PopulationProtocol.step(self, a, b)

    monkeypatch.setattr(Square, "step", step)
    with pytest.raises(errors.PrincepsError):
        library.exact(Square, 2, start=start)


def test_states_that_grow_for_ever_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long before its table fills the memory, or the number of a state no longer fits into 16 bits."""
    monkeypatch.setattr(agent_states_module, "available_bytes", lambda: 10**6)

    def progress(phase: str, done: int, total: int) -> None:
        assert total < 1000

    with pytest.raises(errors.TooLarge):
        library.exact(Climb, 2, observer=progress)


def test_too_many_states_are_refused() -> None:
    sentence = "timer has 6,002 states with these parameters, more than the 6,000 whose meetings are tabulated: choose"
    with pytest.raises(errors.TooLarge, match=sentence):
        legal_agent_states(library.protocol("timer", 3, t_max=3000))
