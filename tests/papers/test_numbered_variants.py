"""Paper 002 beyond its theorems: a minimum of meetings, a known largest number, agents that meet themselves."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from princeps.errors import RunError
from princeps.papers.altered import altered
from princeps.papers.numbered.known_largest import KnowsWhenItActs, heard
from princeps.papers.numbered.leader import sum_of_waits, too_early
from princeps.papers.numbered.minimum import errors
from princeps.papers.numbered.self_meetings import expected_agreement
from princeps.papers.sources import place_of
from princeps.papers.walks import walk
from tests.tables import in_one_test

ONLY_INITIATORS = ("for a in (a_i, a_j):", "for a in (a_i,):")
BOTH_WAYS = ("elif a_i.leader < a_j.leader:", "elif a_i.leader < a_j.leader and a_i.isLeader == 1:")


def early_by_definition(n: int, m: int, minimum: int) -> Fraction:
    """The walk over (followers, conversions, followers met): tested where a follower is met, as the rule does."""

    @cache
    def from_here(i: int, c: int, f: int) -> Fraction:
        if i == n:
            return Fraction(0)
        own, others, follower = n - i, (i - 1) * (n - i), i - 1
        answer = own * from_here(i + 1, c + 1, f)
        answer += others * from_here(i + 1, c, f) if others else 0
        if follower:
            declares = f + 1 > m * c and c + f + 1 >= minimum
            answer += follower * (Fraction(1) if declares else from_here(i, c, f + 1))
        return answer / (own + others + follower)

    return from_here(1, 0, 0)


@in_one_test("n", [2, 3, 5, 9])
@pytest.mark.parametrize(("m", "minimum"), [(1, 4), (4, 0), (4, 3), (4, 7), (4, 12), (2, 17)])
def test_too_early_with_a_minimum_is_the_walk(n: int, m: int, minimum: int) -> None:
    assert too_early(n, m, minimum) == pytest.approx(float(early_by_definition(n, m, minimum)), rel=1e-11, abs=1e-15)


def test_a_minimum_helps() -> None:
    found = [errors(part, 0, cases=[(20, 0), (20, 8), (20, 17)], m=4) for part in range(3)]
    assert found[0] == too_early(20, 4)
    assert found[0] > 2 * found[1] > 20 * found[2] > 0


def test_the_news_of_two_agents_takes_one_meeting() -> None:
    assert heard(0, 5, protocol="known_bound", n=2, trials=4) == [1] * 4
    (only,) = heard(2, 5, protocol="known_bound", n=9, trials=1)
    assert only == heard(0, 5, protocol="known_bound", n=9, trials=3)[2] >= 8  # a trial is the same in every part


@in_one_test(("edits", "breaches"), [((), False), ((ONLY_INITIATORS,), True)])
def test_whoever_has_acted_knows(edits: tuple[tuple[str, str], ...], breaches: bool, tmp_path: Path) -> None:
    place = place_of(KnowsWhenItActs)
    protocol = altered("known_bound", edits, tmp_path) if edits else "known_bound"
    found = walk(0, 5, protocol=protocol, cases=[{"n": 6, "steps": 40}], watchers=[place])[place]
    assert found["cases"] >= 40
    assert bool(found["breaches"]) == breaches


def test_expected_steps_with_self_meetings(tmp_path: Path) -> None:
    """Of two agents, half of the meetings are of an agent with itself: two steps."""
    sizes = (2, 3, 4)
    found = [expected_agreement(part, 5, protocol="infection", sizes=sizes)[0] for part in range(3)]
    assert [Fraction(steps) for steps in found] == [sum_of_waits(n, selves=True) for n in sizes]
    assert found[:2] == ["2", "9/2"]
    slower = altered("infection", [BOTH_WAYS], tmp_path)
    assert Fraction(expected_agreement(1, 5, protocol=slower, sizes=sizes)[0]) > Fraction(9, 2)


def test_a_rule_that_stops_early_is_reported(tmp_path: Path) -> None:
    stuck = altered("infection", [("a_j.leader = a_i.leader", "pass"), ("a_i.leader = a_j.leader", "pass")], tmp_path)
    with pytest.raises(RunError, match="no agent follows a larger number"):
        expected_agreement(0, 5, protocol=stuck, sizes=(3,))
