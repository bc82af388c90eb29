"""What the papers prove about every step, asserted on every step of random runs from random and adversarial starts.

The notions of P_RL's analysis are written here a second time, straight from their definitions.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import princeps
from princeps.engines.population import Stop, StopCondition
from princeps.engines.reference import Reference
from princeps.errors import InvariantBroken
from princeps.model.reading import make_run
from tests.conftest import Sized
from tests.tables import in_one_test

Ring = list[dict[str, int]]
LIVE = 2


def d_left(u: Ring, i: int) -> int | None:
    return next((j for j in range(len(u)) if u[i - j]["leader"]), None)


def d_right(u: Ring, i: int) -> int | None:
    return next((j for j in range(len(u)) if u[(i + j) % len(u)]["leader"]), None)


def peaceful(u: Ring, i: int) -> bool:
    d = d_left(u, i)
    return d is not None and u[i - d]["shield"] == 1 and all(u[i - j]["signal"] == 0 for j in range(d + 1))


def modest(u: Ring, i: int) -> bool:
    d = d_left(u, i)
    return peaceful(u, i) and all(u[i - j]["distL"] <= (d_left(u, i - j) or 0) for j in range((d or 0) + 1))


def secure(u: Ring, i: int, N: int) -> bool:
    d = d_right(u, i)
    return u[i]["distL"] == 0 if u[i]["leader"] else d is not None and u[i]["distL"] <= N - d


def in_c_pb(u: Ring) -> bool:
    return any(a["leader"] for a in u) and all(peaceful(u, i) for i in range(len(u)) if u[i]["bullet"] == LIVE)


def in_c_ni(u: Ring, N: int) -> bool:
    live_are_modest = all(modest(u, i) for i in range(len(u)) if u[i]["bullet"] == LIVE)
    return in_c_pb(u) and live_are_modest and all(secure(u, i, N) for i in range(len(u)))


def walk(n: int, N: int, start: str, seed: int, steps: int) -> Iterator[tuple[Ring, int, Ring, Reference]]:
    """Configuration, the edge that interacts (i with i+1), configuration after, the population."""
    population = Reference(make_run("p_rl", n, start=start, seed=seed, params={"N": N}))
    name = population.protocol.space.name_values
    before = [name(state) for state in population.states]
    for _ in range(steps):
        assert population.advance(1, StopCondition.NOTHING) is Stop.BUDGET
        assert population.last is not None
        after = [name(state) for state in population.states]
        yield before, population.last[0], after, population
        before = after


WALKS = [
    (n, N, start, seed)
    for n, N in ((2, 2), (5, 5), (6, 9))
    for start in ("random", "all_leaders", "no_leader_bullets", "two_leaders")
    for seed in (1, 2)
]


@pytest.mark.slow
@in_one_test(("n", "N", "start", "seed"), WALKS)
def test_p_rl_keeps_its_lemmas(n: int, N: int, start: str, seed: int) -> None:
    moves: dict[int, int] = {}  # position of a bullet -> how often it has moved
    was_in_c_pb = was_in_c_ni = was_in_s_rl = False
    for u, i, v, population in walk(n, N, start, seed, 1500):
        j = (i + 1) % n
        created = v[j]["leader"] == 1 and u[j]["leader"] == 0
        # Lemma 2, 6, 7, 8
        now_in_c_pb, now_in_c_ni = in_c_pb(v), in_c_ni(v, N)
        assert now_in_c_pb or not was_in_c_pb, "C_PB is left"
        assert now_in_c_ni or not was_in_c_ni, "C_NI is left"
        assert not (created and was_in_c_ni), "a leader is created from C_NI"
        now_in_s_rl = now_in_c_ni and sum(a["leader"] for a in v) == 1
        if was_in_s_rl:
            assert now_in_s_rl, "S_RL is left"
            assert [a["leader"] for a in u] == [a["leader"] for a in v], "an output changes in S_RL"
        was_in_c_pb, was_in_c_ni, was_in_s_rl = now_in_c_pb, now_in_c_ni, now_in_s_rl
        # the protocol's own sets are these
        rules = type(population.protocol).goals
        for name, wanted in (("c_pb", now_in_c_pb), ("c_ni", now_in_c_ni), ("s_rl", now_in_s_rl)):
            found = rules[name].rule(population.configuration(), n, population.protocol.constants)  # type: ignore[call-arg]
            assert bool(found) == wanted, name
        if now_in_s_rl:
            assert rules["safe"].rule(population.configuration(), n, population.protocol.constants)  # type: ignore[call-arg]
        # what became of the bullets at the two agents
        fired_left = u[i]["leader"] == 1 and u[i]["signal"] == 1
        flies = u[i]["bullet"] > 0 or fired_left
        fired_right = created or (u[j]["leader"] == 1 and u[j]["signal"] == 1)
        landed = flies and v[j]["bullet"] > 0 and u[j]["bullet"] == 0 and not fired_right
        travelled = 0 if fired_left else moves.get(i, 0)
        moves.pop(i, None)
        if fired_right:
            moves[j] = 0
        if landed:
            moves[j] = travelled + 1
            assert moves[j] < N, "Lemma 1: a bullet disappears before it has moved N times"
            if v[j]["bullet"] == LIVE and (fired_left or modest(u, i)):
                assert modest(v, j), "Lemma 3 and 4: modest bullets stay modest, new ones are modest"
        if created:
            assert modest(v, j) or v[j]["bullet"] == 0, "Lemma 4"
        for k in range(n):  # Lemma 3, for bullets that did not move
            if k not in (i, j) and u[k]["bullet"] == LIVE and modest(u, k):
                assert modest(v, k), "Lemma 3"
        # Lemma 5
        if all(modest(u, k) for k in range(n) if u[k]["bullet"] == LIVE) and any(a["leader"] for a in u):
            for k in range(n):
                if secure(u, k, N) and not secure(v, k, N):
                    assert k == j, "Lemma 5: only the responder turns insecure"
                    assert not secure(u, i, N), "Lemma 5: only by an insecure left neighbour"


@pytest.mark.medium
def test_the_walks_reach_what_they_are_about() -> None:
    """Bullets fly, leaders fall and are created, and S_RL is reached: the lemmas above are not vacuous."""
    flown = fallen = created = safe = 0
    for n, N, start, seed in WALKS:
        for u, i, v, _ in walk(n, N, start, seed, 1500):
            j = (i + 1) % n
            flown += u[i]["bullet"] == LIVE and v[j]["bullet"] == LIVE and u[j]["bullet"] == 0
            fallen += u[j]["leader"] > v[j]["leader"]
            created += u[j]["leader"] < v[j]["leader"]
        safe += in_c_ni(v, N) and sum(a["leader"] for a in v) == 1
    assert flown > 100
    assert fallen > 20
    assert created > 10
    assert safe > 10


def test_two_interactions_recreate_a_leader_in_the_example_of_section_4_1() -> None:
    population = Reference(make_run("p_rl", 100, start="two_leaders", pairs=[(49, 50), (49, 50)]))
    u = [population.protocol.space.name_values(state) for state in population.states]
    assert [i for i in range(100) if u[i]["leader"]] == [0, 50]
    assert all(secure(u, i, 100) for i in range(100))
    assert in_c_pb(u)
    assert not modest(u, 49)
    seen = []
    for _ in range(2):
        population.advance(1, StopCondition.NOTHING)
        seen.append(population.state(50)[0])
    assert seen == [0, 1]
    assert population.state(0)[0] == 1


@pytest.mark.medium
def test_p_ll_keeps_its_lemmas(sized: Sized) -> None:
    """Lemma 4, 5 and 11, counted from the states themselves; then by the protocol's own invariants."""
    n = sized(16, 40)
    population = Reference(make_run("p_ll", n, seed=5))
    for _ in range(sized(8_000, 20_000)):
        population.advance(1, StopCondition.NOTHING)
        agents = [population.protocol.space.name_values(state) for state in population.states]
        leaders = sum(a["leader"] for a in agents)
        assert leaders >= 1
        assert any(a["status"] == 2 for a in agents)
        if all(a["status"] != 0 for a in agents):
            assert 2 * sum(a["status"] == 1 for a in agents) >= n
            assert 2 * leaders <= n
        assert all(a["init"] == a["epoch"] for a in agents)
    assert {a["epoch"] for a in agents} == {3}


@pytest.mark.medium
def test_symmetric_p_ll_has_as_many_heads_as_tails(sized: Sized) -> None:
    population = Reference(make_run("p_ll_symmetric", 30, seed=5))
    most = 0
    for _ in range(sized(12_000, 20_000)):
        population.advance(1, StopCondition.NOTHING)
        coins = [population.protocol.space.name_values(state)["coin"] for state in population.states]
        assert coins.count(3) == coins.count(4)
        most = max(most, coins.count(3))
    assert most >= 10
    assert {population.protocol.space.name_values(state)["epoch"] for state in population.states} == {3}


CHECKED = [
    *("epidemic", "infection", "leader_minion", "lottery", "majority", "michail", "michail_roles"),
    *("numbered", "optimal_silent", "p_ll", "p_ll_symmetric", "p_rl", "silent_ranking"),
]


@pytest.mark.parametrize("name", CHECKED)
def test_checked_runs_pass(name: str) -> None:
    result = princeps.run(name, n=12, seed=2, check=True)
    assert result.engine == "reference"
    assert result.converged


def test_a_checked_run_tells_of_a_broken_promise() -> None:
    from princeps.protocols.p_ll import PLL, never_leaderless
    from princeps.protocols.p_rl import PRL

    class Suicidal(PLL):
        name = "suicidal"
        invariants = {"L11": never_leaderless}

        @staticmethod
        def interact(a0: princeps.model.Agent, a1: princeps.model.Agent, p: princeps.model.Params) -> None:
            PLL.interact(a0, a1, p)
            a0.leader = a1.leader = 0

    with pytest.raises(InvariantBroken, match="L11"):
        princeps.run(Suicidal, n=2, seed=1, check=True)

    class Forgetful(PRL):
        name = "forgetful"

        @staticmethod
        def interact(l: princeps.model.Agent, r: princeps.model.Agent, p: princeps.model.Params) -> None:
            PRL.interact(l, r, p)
            l.distL = p.N - 1  # everybody always believes that the leader is far away

    with pytest.raises(InvariantBroken, match="closed set"):
        princeps.run(Forgetful, n=6, seed=1, check=True)
