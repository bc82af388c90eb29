"""States, what becomes of two of them, and which of them nothing can tell apart."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import count, product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import princeps as library
from princeps import errors
from princeps.analysis import agent_states as agent_states_module
from princeps.analysis import merging
from princeps.analysis.agent_states import (
    FAILS,
    UNKNOWN,
    AgentStates,
    all_states,
    initiator_of,
    legal_agent_states,
    pack_pair,
    responder_of,
)
from princeps.analysis.merging import StateClasses, merge
from princeps.model import Agent, Bit, Natural, Param, Params, PopulationProtocol, Range
from princeps.model.run import Run
from princeps.model.starts import starting_states
from tests.analysis.brute_force import OPTIMAL, RANKING, brute_classes, legal_states, moore, planned

# -- the agent_states ---------------------------------------------------------------------------------------------------------

P_PL = {"N": 2, "virus_factor": 1, "emit_factor": 1}
SMALL = [
    planned("p_rl", 2, N=3),
    planned("timer", 3, t_max=4),
    planned("majority", 3),
    planned("p_pl", 2, **P_PL),
    planned(RANKING, 4),
    planned(OPTIMAL, 3, r_max=2, d_max=3, e_max=2),
]
LARGE = [planned("p_ll", 2, m=1)]


def name_of(run: Run) -> str:
    return run.protocol.name


def numbered(protocol: PopulationProtocol) -> list[Any]:
    return [protocol.space.numbered_state(k) for k in range(protocol.state_count or 0)]


def entry(agent_states: Any, a: int, b: int) -> tuple[Any, Any] | None:
    """What the table says of two states by number."""
    packed = int(agent_states.table[a, b])
    return None if packed == FAILS else (initiator_of(packed), responder_of(packed))


def is_right(agent_states: AgentStates, a: int, b: int) -> bool:
    after, states = entry(agent_states, a, b), agent_states.states
    return after is not None and (states[after[0]], states[after[1]]) == agent_states.protocol.step(
        states[a], states[b]
    )


@pytest.mark.parametrize("run", [*SMALL, *LARGE], ids=name_of)
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
    found = set(starting_states(run))
    while new := {s for a, b in product(found, repeat=2) for s in run.protocol.step(a, b)} - found:
        found |= new
    agent_states = AgentStates(run.protocol, starting_states(run))
    assert (agent_states.table == UNKNOWN).all()
    assert agent_states.close()
    assert sorted(agent_states.states) == sorted(found)
    assert all(is_right(agent_states, a, b) for a, b in product(range(agent_states.size), repeat=2))
    assert not AgentStates(run.protocol, starting_states(run)).close(max_states=len(found) - 1)
    assert AgentStates(run.protocol, starting_states(run)).close(max_states=len(found))


def test_an_unbounded_alphabet_is_not_closed_but_learned() -> None:
    run = planned("infection", 3)
    agent_states = AgentStates(run.protocol, starting_states(run))
    assert not agent_states.close()
    assert agent_states.size == 3
    agent_states.add_transitions(np.array([0, 2, 1]), np.array([1, 0, 1]))
    assert all(is_right(agent_states, a, b) for a, b in ((0, 1), (2, 0), (1, 1)))
    assert (agent_states.table != UNKNOWN).sum() == 3
    assert len(set(agent_states.states)) == agent_states.size == 5


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


def test_a_rule_that_leaves_its_domain_is_told_where_it_does() -> None:
    protocol = Leaves(3)
    with pytest.raises(errors.ProtocolError, match=r"test_merging\.py:\d+: x = 3 is outside its domain 0\.\.2\."):
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
    asked = count()

    def step(self: Square, a: Any, b: Any) -> Any:
        assert next(asked) < 100
        return PopulationProtocol.step(self, a, b)

    monkeypatch.setattr(Square, "step", step)
    with pytest.raises(errors.PrincepsError):
        library.exact(Square, 2, start=start)


def test_an_alphabet_that_grows_for_ever_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
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


# -- states that are alike ------------------------------------------------------------------------------------------------


def check_classes(agent_states: Any, colour: Sequence[Any], classes: StateClasses, expected: dict[int, int]) -> None:
    """The same partition; its components are told rightly; and meetings respect it, pair by pair."""
    size = len(colour)
    of = classes.class_of.tolist()
    assert len(set(zip(of, expected.values(), strict=True))) == len(set(of)) == len(set(expected.values()))
    assert classes.count == len(set(of))
    assert sorted(set(of)) == list(range(classes.count))
    assert classes.representative.tolist() == [of.index(k) for k in range(classes.count)]
    assert classes.sizes.tolist() == [of.count(k) for k in range(classes.count)]
    for a, b in product(range(size), repeat=2):
        after = entry(agent_states, a, b)
        told = entry(classes, of[a], of[b])
        assert told == (after if after is None else (of[after[0]], of[after[1]]))
    assert all(colour[a] == colour[classes.representative[of[a]]] for a in range(size))


@pytest.mark.parametrize("run", SMALL, ids=name_of)
def test_states_are_merged_as_far_as_possible(run: Run) -> None:
    agent_states = legal_agent_states(run.protocol)
    by_state = brute_classes(run)
    expected = {k: by_state[state] for k, state in enumerate(agent_states.states)}
    check_classes(agent_states, agent_states.leader_mask(), merge(agent_states, agent_states.leader_mask()), expected)


@pytest.mark.parametrize(("N", "count"), [(2, 23), (3, 29), (4, 35), (5, 41)])
def test_classes_of_p_rl(N: int, count: int) -> None:
    run = planned("p_rl", 2, N=N)
    agent_states = legal_agent_states(run.protocol)
    assert merge(agent_states, agent_states.leader_mask()).count == count == len(set(brute_classes(run).values()))


def random_table(draw: random.Random) -> tuple[Any, list[tuple[int, int]]]:
    """Some classes with random meetings, some of which fail; each blown up to several states that behave alike."""
    kinds = draw.randrange(1, 7)
    size = kinds + draw.randrange(0, 9)
    of = [*range(kinds), *(draw.randrange(kinds) for _ in range(size - kinds))]
    members = [[s for s in range(size) if of[s] == k] for k in range(kinds)]
    meets = [[(draw.randrange(kinds), draw.randrange(kinds)) for _ in range(kinds)] for _ in range(kinds)]
    table = np.full((size, size), FAILS, np.int64)
    for a, b in product(range(size), repeat=2):
        u, v = meets[of[a]][of[b]]
        if (u, v) != (0, 0) or kinds < 3:
            table[a, b] = pack_pair(draw.choice(members[u]), draw.choice(members[v]))
    for _ in range(draw.choice([0, 0, 0, 1, 3])):  # some that differ in one meeting only
        other = draw.choice([FAILS, pack_pair(draw.randrange(size), draw.randrange(size))])
        table[draw.randrange(size), draw.randrange(size)] = other
    colours = [(draw.randrange(2), 0) if draw.random() < 0.1 else (of[s] % 2, 0) for s in range(size)]
    return SimpleNamespace(size=size, table=table), colours


def test_random_tables_are_merged_as_far_as_possible() -> None:
    draw, merged = random.Random(2), Counter()
    for _ in range(400):
        agent_states, colours = random_table(draw)
        states = range(agent_states.size)
        expected = moore(
            states,
            lambda a, b, agent_states=agent_states: entry(agent_states, a, b),
            dict(zip(states, colours, strict=True)),
        )
        classes = merge(agent_states, colours)
        check_classes(agent_states, colours, classes, expected)
        merged[classes.count == agent_states.size, classes.count == len(set(colours))] += 1
    assert min(merged[False, False], merged[True, False], merged[False, True]) > 10  # neither trivially fine nor coarse


def test_signatures_that_collide_merge_nothing_wrongly(monkeypatch: pytest.MonkeyPatch) -> None:
    real = merging.kernel()
    fake = SimpleNamespace(signatures=lambda table, colour, out: out.fill(7), is_congruence=real.is_congruence)
    monkeypatch.setattr(merging, "kernel", lambda: fake)
    draw, luck = random.Random(3), Counter()
    for _ in range(400):
        agent_states, colours = random_table(draw)
        states = range(agent_states.size)
        right = moore(
            states, lambda a, b, agent_states=agent_states: entry(agent_states, a, b), dict(enumerate(colours))
        )
        fine = len(set(right.values())) == len(set(colours))  # the colours are already what meetings respect
        check_classes(agent_states, colours, merge(agent_states, colours), right if fine else dict(enumerate(states)))
        luck[fine] += 1
    assert min(luck.values()) > 50
