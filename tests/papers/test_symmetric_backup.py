"""The symmetric BackUp on its own, and what every protocol must wait for."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest

from princeps.model.reading import make_run
from princeps.model.starts import starting_states
from princeps.papers.p_ll.compared import all_but_one_met
from princeps.papers.p_ll.symmetric_backup import F0, F1, elected, in_backup, match
from tests.tables import in_one_test


@in_one_test(("n", "leaders"), [(8, 2), (9, 2), (9, 4), (16, 8), (7, 3)])
def test_the_start_of_backup(n: int, leaders: int) -> None:
    rule = make_run("p_ll_symmetric", n).protocol
    text = in_backup(n, leaders, 5, list(rule.fields))
    agents = [rule.agent(state) for state in starting_states(make_run("p_ll_symmetric", n, start=text))]  # type: ignore[call-arg]
    assert sum(agent.leader for agent in agents) == leaders
    assert sum(agent.coin == F0 for agent in agents) == sum(agent.coin == F1 for agent in agents) >= (n - leaders) // 2
    assert sum(agent.coin > 0 for agent in agents) == n - leaders
    assert {agent.epoch for agent in agents} == {3}
    assert {agent.levelB for agent in agents if agent.status == 2} == {5}
    assert sum(agent.status == 3 for agent in agents) == n // 2


@in_one_test("n", [3, 5, 12])
def test_match_is_the_chain_of_two_states(n: int) -> None:
    """By going on with the chain until hardly anything is left of it, over all ordered pairs of agents 0 and 1 of n."""
    pairs = list(permutations(range(n), 2))
    together = sum({i, j} == {0, 1} for i, j in pairs) / len(pairs)
    one = sum(len({i, j} & {0, 1}) == 1 for i, j in pairs) / len(pairs)
    equal, different, expected = 1.0, 0.0, 0.0
    while equal + different > 1e-13:
        expected += equal + different
        equal, different = equal * (1 - one) + different * one, equal * one + different * (1 - one - together)
    assert match(n) == pytest.approx(expected, rel=1e-9)


@pytest.mark.medium
def test_two_leaders_take_as_long_as_that() -> None:
    steps = elected(0, 5, protocol="p_ll_symmetric", cases=[(8, 2, True, 400)])
    assert sum(steps) / len(steps) == pytest.approx(match(8), rel=0.3)  # six standard errors


def test_until_all_but_one_have_met() -> None:
    """Of four agents two have met nobody after the first meeting; then 2 of 12 pairs are those two, and 8 one of them."""
    assert [all_but_one_met(n) for n in (2, 3)] == [1, 1]
    assert all_but_one_met(4) == 1 + Fraction(12, 10)
    assert float(all_but_one_met(1000)) == pytest.approx(500 * (6.9 + 0.58 + 0.69 - 1), rel=0.12)
