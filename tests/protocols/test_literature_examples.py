"""The two silent rankings of the library: every state, every configuration, and the examples that build upon them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations_with_replacement, permutations, product
from math import factorial
from pathlib import Path
from typing import Any

import pytest

import princeps as library
from princeps import errors
from princeps.model.protocol import PopulationProtocol
from princeps.model.states import State
from tests.conftest import Command
from tests.protocols.transcription.optimal_silent import all_roles, as_fields, optimal_silent
from tests.tables import in_one_test

pytestmark = pytest.mark.medium  # samples, seconds in all

EXAMPLES = Path(__file__).parents[2] / "examples"
RANKING, OPTIMAL = "silent_ranking", "optimal_silent"
BOTH = pytest.mark.parametrize("spec", [RANKING, OPTIMAL])


def states_of(protocol: PopulationProtocol) -> list[State]:
    assert protocol.state_count is not None
    return [protocol.space.numbered_state(k) for k in range(protocol.state_count)]


# -- second transcriptions ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 3, 7])
def test_silent_ranking_is_its_one_rule(n: int) -> None:
    protocol = library.protocol(RANKING, n=n)
    assert protocol.state_count == n
    for i, j in product(range(n), repeat=2):
        after = ((i,), ((i + 1) % n,)) if i == j else ((i,), (j,))
        assert protocol.step((i,), (j,)) == after
    assert [protocol.leads((i,)) for i in range(n)] == [True] + [False] * (n - 1)


@in_one_test("constants", [(2, 1, 1, 1), (3, 1, 1, 1), (3, 2, 1, 2), (4, 1, 2, 2), (6, 3, 2, 4)])
def test_optimal_silent_agrees_with_a_second_transcription(constants: tuple[int, int, int, int]) -> None:
    n, r_max, d_max, e_max = constants
    protocol = library.protocol(OPTIMAL, n=n, r_max=r_max, d_max=d_max, e_max=e_max)
    roles = all_roles(*constants)
    assert protocol.state_count == len(roles) == 3 * n + (e_max + 1) + 2 * r_max + 2 * (d_max + 1)
    for x, y in product(roles, repeat=2):
        expected = tuple(as_fields(z) for z in optimal_silent(x, y, *constants))
        assert protocol.delta(as_fields(x), as_fields(y)) == expected, (x, y)
    assert [x for x in roles if protocol.output(as_fields(x)) == "L"] == [("settled", 1, c) for c in range(3)]


# -- from every configuration -------------------------------------------------------------------------------------

Configuration = tuple[int, ...]  # the numbers of the agents' states, in ascending order


class Everything:
    """All configurations of n agents: how they lead to one another, and in which the leader is settled for ever."""

    def __init__(self, protocol: PopulationProtocol, n: int) -> None:
        self.protocol, self.states = protocol, states_of(protocol)
        number = {state: k for k, state in enumerate(self.states)}
        leads = [protocol.leads(state) for state in self.states]
        pairs = product(range(len(self.states)), repeat=2)
        after = {(i, j): protocol.step(self.states[i], self.states[j]) for i, j in pairs}
        rule = {pair: (number[x], number[y]) for pair, (x, y) in after.items()}  # KeyError: not a legal state
        self.all = list(combinations_with_replacement(range(len(self.states)), n))
        self.before: dict[Configuration, set[Configuration]] = defaultdict(set)
        self.silent: set[Configuration] = set(self.all)
        unsteady = {c for c in self.all if sum(leads[i] for i in c) != 1}
        for c in self.all:
            for a, b in permutations(range(n), 2):
                x, y = rule[c[a], c[b]]
                if (x, y) != (c[a], c[b]):
                    self.silent.discard(c)
                    d = [*c]
                    d[a], d[b] = x, y
                    self.before[tuple(sorted(d))].add(c)
                    if (leads[x], leads[y]) != (leads[c[a]], leads[c[b]]):
                        unsteady.add(c)
        self.safe = set(self.all) - self.leading_to(unsteady)

    def leading_to(self, goal: Iterable[Configuration]) -> set[Configuration]:
        found, todo = set(goal), list(goal)
        while todo:
            new = self.before[todo.pop()] - found
            found |= new
            todo += new
        return found

    def stabilizes(self) -> bool:
        return bool(self.safe) and len(self.leading_to(self.safe)) == len(self.all)

    def meeting(self, goal: str) -> set[Configuration]:
        rule, p = type(self.protocol).goals[goal].rule, self.protocol.constants
        configurations = {c: [self.protocol.agent(self.states[i]) for i in c] for c in self.all}  # type: ignore[call-arg]
        return {c for c, u in configurations.items() if rule(u, len(u), p)}  # type: ignore[call-arg]


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_silent_ranking_stabilizes_and_its_election_may_be_over_before_the_ranking(n: int) -> None:
    everything = Everything(library.protocol(RANKING, n=n), n)
    assert everything.stabilizes()
    assert everything.silent == everything.meeting("ranked") == {tuple(range(n))}
    assert everything.safe == everything.meeting("safe")
    parked = {c for c in everything.all if c[0] == 0 and all(1 <= c[i] <= i for i in range(1, n))}
    assert everything.safe == parked
    named = [sum(tuple(sorted(u)) in goal for u in product(range(n), repeat=n)) for goal in (parked, everything.silent)]
    assert named == [n ** (n - 1), factorial(n)]


@in_one_test("constants", [(1, 1, 1), (1, 2, 1), (2, 1, 3), (2, 2, 2)])
@pytest.mark.parametrize("n", [2, 3])
def test_optimal_silent_stabilizes_with_small_constants(n: int, constants: tuple[int, int, int]) -> None:
    given = dict(zip(("r_max", "d_max", "e_max"), constants, strict=True))
    everything = Everything(library.protocol(OPTIMAL, n=n, **given), n)
    assert everything.stabilizes()
    ranked = everything.meeting("ranked")
    assert everything.silent == ranked
    assert len(ranked) == 3**n  # each with 0..2 children
    assert everything.safe == ranked if n > 2 else everything.safe > ranked


def test_optimal_silent_stabilizes_with_the_smallest_constants_at_four() -> None:
    everything = Everything(library.protocol(OPTIMAL, n=4, r_max=1, d_max=1, e_max=1), 4)
    assert everything.stabilizes()
    assert everything.safe == everything.silent == everything.meeting("ranked")


@BOTH
@pytest.mark.parametrize("size", [2, 4])
def test_a_size_that_is_not_n_is_no_use(spec: str, size: int) -> None:
    small = {} if spec == RANKING else {"r_max": 1, "d_max": 1, "e_max": 1}
    assert not Everything(library.protocol(spec, size=size, **small), 3).stabilizes()  # no n, no refusal


# -- runs ---------------------------------------------------------------------------------------------------------


@BOTH
def test_a_wrong_size_is_refused_with_a_sentence(quick: Command, spec: str) -> None:
    outcome = quick("run", spec, "-n", 20, "-p", "size=19")
    sentence = "n = 20, but the agents believe in size = 19: they must know n exactly. Say -p size=20."
    assert (outcome.code, outcome.stdout, outcome.stderr) == (2, "", f"princeps: {sentence}\n")


@pytest.mark.parametrize("name", ["r_max", "d_max", "e_max"])
def test_no_constant_may_be_0(name: str) -> None:
    with pytest.raises(errors.ParameterError, match=name):
        library.protocol(OPTIMAL, n=3, **{name: 0})


@pytest.mark.medium
@BOTH
def test_the_engines_run_it_alike_from_every_start(quick: Command, spec: str) -> None:
    assert quick("show", spec, "-n", 20, "--json").object["guarantee"] == "self-stabilizing"
    for start in type(library.protocol(spec, n=20)).starts:
        words = ("run", spec, "-n", 20, "--seed", 1, "--start", start, "--json")
        fast, plain = quick(*words).object, quick(*words, "--engine", "reference").object
        assert (fast["engine"], plain["engine"]) == ("agents", "reference")
        assert fast["converged"]
        assert fast["leaders"] == 1
        for key in ("steps", "leader", "events", "params"):
            assert fast[key] == plain[key]


@BOTH
def test_a_checked_run_keeps_its_promises(spec: str) -> None:
    assert library.run(spec, n=8, seed=2, check=True).converged


def test_the_ranking_takes_longer_than_the_election() -> None:
    ranked, safe = (library.run(RANKING, n=60, seed=3, start="all_zero", until=goal) for goal in ("ranked", "safe"))
    assert safe.converged
    assert ranked.converged
    assert 10 * safe.steps < ranked.steps  # about n^2 and n^3 / 2


@pytest.mark.slow
def test_optimal_silent_is_faster_where_it_counts() -> None:
    slow, fast = (library.run(spec, n=200, seed=4) for spec in (RANKING, OPTIMAL))
    assert slow.converged
    assert fast.converged
    assert 5 * fast.steps < slow.steps  # about n^3 / 2 and 3 n^2


@BOTH
def test_the_example_of_this_name_builds_upon_it(spec: str) -> None:
    given: dict[str, Any] = {"n": 12, "seed": 3, "engine": "reference"}
    own, there = library.run(str(EXAMPLES / f"{spec}.py"), **given), library.run(spec, **given)
    assert own.converged
    assert (own.steps, own.leader, own.params) == (there.steps, there.leader, there.params)
