"""The exact analysis of the agent with the largest identifier, and the judgements of paper 002's own."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import log

import pytest

from princeps.papers import INCONCLUSIVE, PROVED, SUPPORTED, VIOLATED
from princeps.papers.numbered.leader import (
    agreement,
    declaration,
    error_exponent,
    followers_met,
    harmonic,
    law_of_conversions,
    sum_of_meetings,
    sum_of_waits,
    too_early,
    too_early_at,
    variance_of_followers_met,
)
from princeps.papers.numbered.meetings import exact_sums, fits_law
from princeps.papers.numbered.runs import at_completion, in_parts, settled
from princeps.papers.numbered.trends import falling, rising
from tests.tables import in_one_test

# -- exactly -----------------------------------------------------------------------------------------------------------


def early_by_definition(n: int, m: int) -> Fraction:
    """The walk over (followers, conversions, followers met), state by state and in fractions."""

    @cache
    def from_here(i: int, c: int, f: int) -> Fraction:
        if i == n:
            return Fraction(0)
        if f > m * c and c > 0:
            return Fraction(1)
        own, others, follower = n - i, (i - 1) * (n - i), i - 1
        total = own + others + follower
        answer = own * from_here(i + 1, c + 1, f)
        answer += others * from_here(i + 1, c, f) if others else 0
        answer += follower * from_here(i, c, f + 1) if follower else 0
        return answer / total

    return from_here(1, 0, 0)


@in_one_test("n", [2, 3, 4, 7, 12])
@pytest.mark.parametrize("m", [1, 2, 4])
def test_too_early_is_the_walk(n: int, m: int) -> None:
    assert too_early(n, m) == pytest.approx(float(early_by_definition(n, m)), rel=1e-12, abs=1e-15)


def test_too_early_by_hand() -> None:
    """Of three agents, the leader meets its first follower m + 1 times before the third is converted: 1 to 2 each."""
    assert too_early(3, 1) == pytest.approx(1 / 9)
    assert too_early(3, 4) == pytest.approx(3**-5)
    assert too_early_at(1, 0, cases=[(2, 1), (3, 1)]) == too_early(3, 1)


def test_closed_forms_and_sums() -> None:
    for n in (2, 3, 10, 31):
        assert agreement(n) == pytest.approx(float(sum_of_waits(n)))
        assert float(sum_of_waits(n, selves=True)) == pytest.approx(n * harmonic(n - 1))
        assert followers_met(n) == pytest.approx(float(sum_of_meetings(n)))
    assert exact_sums().verdict == PROVED


def test_the_law_of_conversions() -> None:
    """Cycles of the permutations of three things: 2 of one, 3 of two, 1 of three."""
    assert law_of_conversions(4) == pytest.approx([0, 2 / 6, 3 / 6, 1 / 6])
    law = law_of_conversions(1000)
    assert sum(law) == pytest.approx(1)
    assert sum(k * probability for k, probability in enumerate(law)) == pytest.approx(harmonic(999))


def test_variance_of_followers_met() -> None:
    """At n = 3 all of it comes from two followers: a geometric number of mean 1/2."""
    assert variance_of_followers_met(3) == pytest.approx(0.5 * 1.5)


def test_the_error_falls_with_its_exponent() -> None:
    assert error_exponent(1) == 0
    assert error_exponent(4) == pytest.approx(2 - 5 * 4**-0.8)
    assert all(error_exponent(m) < error_exponent(m + 1) < 1 for m in range(1, 50))
    slope = log(too_early(300, 4) / too_early(3000, 4)) / log(10)
    assert slope == pytest.approx(error_exponent(4), abs=0.05)


def test_declaration_is_later_by_half_an_election_for_each_m() -> None:
    assert declaration(500, 5) - declaration(500, 4) == pytest.approx(250 * harmonic(499))


# -- runs --------------------------------------------------------------------------------------------------------------


def test_parts_are_all_trials_once() -> None:
    assert in_parts(7, 2500, 1000) == [(7, 0, 1000), (7, 1000, 1000), (7, 2000, 500)]


def test_counts_at_completion() -> None:
    """Of two agents the largest converts the other in the first interaction, and has met no follower."""
    assert at_completion(0, 5, protocol="numbered", cases=[(2, 0, 3)]) == [(1, 0)] * 3
    (pair,) = at_completion(0, 5, protocol="numbered", cases=[(30, 2, 1)])
    assert pair == at_completion(0, 5, protocol="numbered", cases=[(30, 0, 3)])[2]
    assert 1 <= pair[0] <= 29


def test_settled_runs_add_up() -> None:
    found = settled(0, 5, protocol="numbered", cases=[(8, 0, 60)], m=1)
    assert found["early"] + found["others"] + len(found["steps"]) == found["trials"] == 60
    assert found["early"] > 0
    assert min(found["steps"]) >= 7


# -- judgements --------------------------------------------------------------------------------------------------------


def test_falling() -> None:
    assert falling([3.0, 2.0, 1.0], "it").verdict == PROVED
    assert falling([3.0, 3.0, 1.0], "it").verdict == VIOLATED


@pytest.mark.parametrize(
    ("values", "verdict"), [((1, 2, 3), SUPPORTED), ((1, 2, 2.1), INCONCLUSIVE), ((1, 2, 1), VIOLATED)]
)
def test_rising(values: tuple[float, ...], verdict: str) -> None:
    assert rising([(f"{k}", value, 0.1) for k, value in enumerate(values)], "it").verdict == verdict


def test_fits_law() -> None:
    law = [0.5, 0.3, 0.2]
    assert fits_law([0] * 50 + [1] * 30 + [2] * 20, law) == pytest.approx(1)
    assert fits_law([0] * 20 + [1] * 30 + [2] * 50, law) < 1e-6
