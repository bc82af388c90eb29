"""Expected times of small populations, as fractions: by `princeps.exact`, by the second transcription, and as recorded."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import princeps
from tests.conftest import with_slow
from tests.protocols.rational_chain import Outcomes, State, certain, expected_steps, moves, multiset, one_of
from tests.protocols.sampling import pairs_of_states
from tests.protocols.transcription import (
    leader_minion,
    loose_ids,
    lottery,
    michail,
    michail_roles,
    optimal_silent,
    silent_ranking,
)

pytestmark = pytest.mark.medium  # seconds in all

Start = Callable[[State], State]
Leads = Callable[[State], bool]
Rule = tuple[Outcomes, Start, Leads]

RULES: dict[str, Rule] = {
    "leader_minion": (certain(leader_minion.delta), leader_minion.initial, leader_minion.leads),
    "lottery": (certain(lottery.delta), lottery.initial, lottery.leads),
    "michail": (michail.outcomes, michail.initial, michail.leads),
    "michail_roles": (certain(michail_roles.delta), michail_roles.initial, michail_roles.leads),
}
FROM_INITIAL: list[tuple[str, int, dict[str, int], str]] = [
    ("leader_minion", 3, {"m": 1}, "9"),
    ("leader_minion", 3, {"m": 2}, "17/2"),
    ("leader_minion", 3, {"m": 8}, "1979867/354294"),
    ("leader_minion", 4, {"m": 1}, "319/16"),
    ("leader_minion", 4, {"m": 2}, "23393/1456"),
    ("lottery", 2, {"m": 1}, "7"),
    ("lottery", 2, {"m": 2}, "9"),
    ("lottery", 3, {"m": 1}, "15450561016/1162261467"),
    ("michail", 3, {"tau": 2, "c_max": 2, "e_max": 1}, "1819/576"),
    ("michail", 3, {"tau": 3, "c_max": 1, "e_max": 1}, "475/162"),
    ("michail_roles", 2, {"bits": 2, "c_max": 2, "e_max": 1}, "2"),
    ("michail_roles", 3, {"bits": 1, "c_max": 2, "e_max": 1}, "49/16"),
    ("michail_roles", 4, {"bits": 1, "c_max": 1, "e_max": 1}, "655489/115200"),
]


@pytest.mark.parametrize("name", RULES)
def test_the_expected_time_from_the_start_is_this_fraction(name: str) -> None:
    outcomes, initial, leads = RULES[name]
    rows = [row[1:] for row in FROM_INITIAL if row[0] == name]
    assert rows
    for n, given, wanted in rows:
        params = princeps.protocol(name, n=n, **given).params
        by_hand = expected_steps(outcomes, params, [initial(params)] * n, one_of(leads))
        found = princeps.exact(name, n, start="initial", target="leader", rational=True, **given)
        assert (found.mean_exact, by_hand) == (Fraction(wanted), Fraction(wanted)), (n, given)


RANKED: list[tuple[str, int, dict[str, int], str, str, str]] = [
    ("silent_ranking", 3, {}, "safe", "7", "3"),
    ("silent_ranking", 4, {}, "safe", "22", "2287/256"),
    ("silent_ranking", 3, {}, "ranked", "7", "34/9"),
    ("optimal_silent", 2, {"r_max": 1, "d_max": 1, "e_max": 1}, "ranked", "4", "107/49"),
]


def settled(agents: list[State]) -> bool:
    """Silent ranking: one leader, and for every k at most n - k agents of rank k or more."""
    ranks = sorted(x["rank"] for x in agents)
    return ranks[0] == 0 and all(1 <= ranks[k] <= k for k in range(1, len(ranks)))


def all_ranked(agents: list[State]) -> bool:
    return len({x["rank"] for x in agents} - {0} if "role" in agents[0] else {x["rank"] for x in agents}) == len(agents)


@pytest.mark.parametrize(("name", "n", "given", "target", "worst", "mean"), RANKED)
def test_the_expected_time_from_everywhere_is_this_fraction(
    name: str, n: int, given: dict[str, int], target: str, worst: str, mean: str
) -> None:
    """The mean is over all configurations, each equally likely."""
    module = {"silent_ranking": silent_ranking, "optimal_silent": optimal_silent}[name]
    done = settled if target == "safe" else all_ranked
    params = princeps.protocol(name, n=n, **given).params
    starts = Counter(multiset(agents) for agents in product(module.states(params), repeat=n))
    times = {one: expected_steps(certain(module.delta), params, [dict(x) for x in one], done) for one in starts}
    average = sum(times[one] * starts[one] for one in starts) / starts.total()
    found = princeps.exact(name, n, target=target, rational=True, **given)
    assert (found.worst_exact, found.mean_exact) == (max(times.values()), average)
    assert (str(found.worst_exact), str(found.mean_exact)) == (worst, mean)


def test_two_contenders_alone_stay_equal() -> None:
    with pytest.raises(princeps.errors.ParameterError, match="Take n=3 or more"):
        princeps.run("leader_minion", n=2)
    state, rule = {"contender": 1, "value": 1}, princeps.protocol("leader_minion", n=3, m=4)
    seen = []
    for _ in range(12):
        state, other = rule.delta(state, state)
        assert state == other
        seen.append(state["value"])
    assert seen == [2, 3, 4, 5, 4, 5, 4, 5, 4, 5, 4, 5]


def test_leader_minion_does_not_ask_who_initiates() -> None:
    protocol = princeps.protocol("leader_minion", n=3, m=4)
    for a, b in pairs_of_states(protocol, 0):
        assert protocol.step(a, b) == protocol.step(b, a)[::-1]


PROVED: list[tuple[str, tuple[int, ...], dict[str, int]]] = [
    ("leader_minion", (3, 4), {"m": 2}),
    ("silent_ranking", (2, 3, 4), {}),
    ("optimal_silent", (2, 3), {"r_max": 1, "d_max": 1, "e_max": 1}),
    ("lottery", (2, 3), {"m": 1}),
    ("michail", (2,), {"tau": 2, "c_max": 2, "e_max": 1}),
    ("michail_roles", (2, 3), {"bits": 1, "c_max": 2, "e_max": 1}),
]
AT_ONCE = ("leader_minion", "silent_ranking", "optimal_silent")  # the sets of the others take seconds to compile


@pytest.mark.parametrize("row", with_slow(PROVED, lambda row: row[0] not in AT_ONCE), ids=lambda row: row[0])
def test_what_the_files_claim_is_proved(row: tuple[str, tuple[int, ...], dict[str, int]]) -> None:
    name, sizes, params = row
    for n in sizes:
        lemmas = princeps.exact(name, n, start="all", lemmas=True, **params).lemmas
        assert lemmas
        assert {one.verdict for one in lemmas} <= {"proved", "measured"}, n  # measured: an order, no bound
        assert any(one.verdict == "proved" for one in lemmas)


# -- loose_ids, whose configurations cannot be listed by `exact`: identifiers have no bound --------------------------


@pytest.mark.parametrize(("n", "t_max"), [(2, 1), (2, 3), (3, 1), (3, 2)])
def test_from_everywhere_all_may_come_to_follow_one_agent_that_exists(n: int, t_max: int) -> None:
    """Every configuration of the transcription, backwards from those in which all follow the same agent."""
    p = {"bound": n, "t_max": t_max}
    everything = [multiset(agents) for agents in product(*(loose_ids.states(p, aid) for aid in range(1, n + 1)))]
    before = defaultdict(set)
    for here in everything:
        for there in moves(here, certain(loose_ids.delta), p):
            before[there].add(here)
    good = [one for one in everything if len({dict(x)["lid"] for x in one}) == 1 and dict(one[0])["lid"] > 0]
    assert len(good) == n * (t_max + 1) ** n
    found, todo = set(good), list(good)
    while todo:
        new = before[todo.pop()] - found
        found |= new
        todo += new
    assert len(found) == len(everything) == ((n + 1) * (t_max + 1)) ** n


def test_a_phantom_is_forgotten_after_these_times() -> None:
    for n, t_max, wanted in ((2, 2, "3"), (2, 16, "17"), (3, 2, "44/9")):
        params = {"bound": n, "t_max": t_max}
        start = [{"aid": aid, "lid": 0, "timer": t_max} for aid in range(1, n + 1)]
        by_hand = expected_steps(certain(loose_ids.delta), params, start, one_of(loose_ids.leads))
        found = princeps.exact("loose_ids", n, start="phantom", t_max=t_max, rational=True)
        assert (found.mean_exact, by_hand) == (Fraction(wanted), Fraction(wanted))


def test_three_agents_keep_their_leader_exponentially_long() -> None:
    """From the worst place in which one leads it takes exactly 3^t_max steps on average until that is over."""
    for t_max in (1, 2, 3, 4):
        found = princeps.exact("loose_ids", 3, start="all_leaders", t_max=t_max, hold=True, past_target=True).holding
        assert found is not None
        assert found.shortest == pytest.approx(3**t_max, rel=1e-9)


@pytest.mark.parametrize("graph", ["ring", "path", "star", "grid:3x3"])
def test_identifiers_elect_on_any_graph(graph: str) -> None:
    run: dict[str, Any] = {"n": 9, "graph": graph, "seed": 4, "engine": "reference", "start": "phantom", "t_max": 36}
    result = princeps.run("loose_ids", until="complete", **run)
    assert result.converged
    assert result.leaders == 1


def test_an_identifier_beyond_the_bound_is_refused() -> None:
    with pytest.raises(princeps.errors.RunError, match="the largest id is 9, but bound = 3"):
        princeps.run("loose_ids", n=3, ids=[1, 2, 9])
