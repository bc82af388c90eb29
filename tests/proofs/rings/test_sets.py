"""The scans read out of the goals' loops are the goals, on every small configuration and on random ones."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from princeps.lowering.symbolic import Symbols
from princeps.model import Agent, Bit, Closed, Config, Params, PopulationProtocol, registry
from princeps.model.randomness import Stream
from princeps.model.states import State
from princeps.proofs.rings.reading import read_set
from princeps.proofs.rings.replaying import is_member
from princeps.proofs.rings.sets import NotAScan
from tests.proofs.rings.plain_scans import PlainSet

pytest.importorskip("z3")

SETS = [
    *(("p_rl", name) for name in ("c_pb", "c_ni", "s_rl", "safe")),
    *(("p_rl_oracle", name) for name in ("c_pb", "s_rl", "safe")),
    ("fischer_jiang", "safe"),
]
SIZES: dict[str, list[tuple[int, dict[str, int]]]] = {
    "p_rl": [(n, {"N": n + more}) for n in range(2, 8) for more in (0, 2)],
    "p_rl_oracle": [(n, {}) for n in range(2, 8)],
    "fischer_jiang": [(n, {}) for n in range(3, 8)],
}


def configurations(protocol: PopulationProtocol, n: int, times: int, random: Stream) -> Iterator[tuple[State, ...]]:
    """Random ones of few leaders and small fields, which are often members."""
    sizes = protocol.space.sizes
    for _ in range(times):
        states = []
        for i in range(n):
            state = [random.below(size) if random.below(3) == 0 else 0 for size in sizes]
            where = protocol.space.names.index("leader")
            state[where] = int(i == 0 or random.below(6) == 0)
            states.append(tuple(state))
        turn = random.below(n)
        yield tuple(states[turn:] + states[:turn])


@pytest.mark.parametrize(("name", "goal"), SETS)
def test_scans_are_the_set(name: str, goal: str) -> None:
    cls = registry.find(name)
    symbols = Symbols(cls)
    found = cls.goals[goal]
    assert isinstance(found, Closed)
    plain = PlainSet(symbols, read_set(symbols, goal, found.rule))
    members = cases = 0
    random = Stream.of(7, 0, goal)
    for n, params in SIZES[name]:
        protocol = cls(n, **params)
        for states in configurations(protocol, n, 150, random):
            expected = is_member(protocol, goal, list(states))
            assert plain.has(protocol, states) == expected, (n, params, states)
            members, cases = members + expected, cases + 1
    assert members > 20
    assert cases - members > 20


@pytest.mark.medium
@pytest.mark.parametrize("goal", ["c_pb", "c_ni", "s_rl", "safe"])
def test_scans_are_the_set_on_all_configurations_of_two_agents(goal: str) -> None:
    cls = registry.find("p_rl")
    symbols = Symbols(cls)
    found = cls.goals[goal]
    assert isinstance(found, Closed)
    plain = PlainSet(symbols, read_set(symbols, goal, found.rule))
    for N in (2, 3):
        protocol = cls(2, N=N)
        every = list(product(*(range(size) for size in protocol.space.sizes)))
        for states in product(every, repeat=2):
            assert plain.has(protocol, states) == is_member(protocol, goal, list(states)), states


# -- loops that are no scans -----------------------------------------------------------------------------------------


def from_the_first(u: Config, n: int, p: Params) -> int:
    """depends on which leader is the first: the number of steps from it is asked"""
    k = -1
    for i in range(n):
        if u[i].leader == 1:
            k = i
    if k < 0:
        return 0
    for d in range(n):
        if u[(k + d) % n].mark == 1 and d > 1:
            return 0
    return 1


def neighbours(u: Config, n: int, p: Params) -> int:
    """no two neighbours are marked"""
    for i in range(n):
        if u[i].mark == 1 and u[(i + 1) % n].mark == 1:
            return 0
    return 1


class Marked(PopulationProtocol):
    name = "marked"
    topology = "ring"
    leader, mark = Bit(), Bit()
    goals = {"first": Closed(from_the_first), "neighbours": Closed(neighbours)}

    @staticmethod
    def interact(l: Agent, r: Agent, p: Params) -> None:
        r.mark = l.mark


@pytest.mark.parametrize("goal", ["first", "neighbours"])
def test_what_is_no_scan_is_refused(goal: str) -> None:
    found = Marked.goals[goal]
    assert isinstance(found, Closed)
    with pytest.raises(NotAScan):
        read_set(Symbols(Marked), goal, found.rule)
