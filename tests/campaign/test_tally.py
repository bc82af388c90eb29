"""Mean, deviation and interval of a tally are exact, in whatever order it was filled."""

from __future__ import annotations

import statistics
from fractions import Fraction
from math import inf

import numpy as np
import pytest
from scipy import stats

from princeps.campaign.tally import Tally
from tests.campaign.statistics_tools import numbers
from tests.tables import in_one_test


@in_one_test("most", [2, 1000, 10**9, 10**30])
def test_a_tally_knows_mean_and_deviation_exactly(most: int) -> None:
    values = numbers(50, most)
    tally = Tally.of(values)
    exact = [Fraction(value) for value in values]
    mean = sum(exact) / 50
    variance = sum((value - mean) ** 2 for value in exact) / 49
    assert (tally.trials, tally.total, tally.squares) == (50, sum(values), sum(value**2 for value in values))
    assert tally.mean == float(mean)
    assert tally.sd is not None
    assert tally.sd**2 == pytest.approx(float(variance), rel=1e-14)
    assert tally.sd == pytest.approx(statistics.stdev(values), rel=1e-14)


def test_a_tally_of_huge_numbers_close_together_loses_nothing() -> None:
    """The mean of the squares less the square of the mean would be nothing but rounding, in floating point."""
    tally = Tally.of([10**30, 10**30 + 1, 10**30 + 2])
    assert tally.sd == 1.0
    assert Tally.of([10**30] * 5).sd == 0.0


def test_tallies_add_up_in_any_order() -> None:
    values = numbers(60)
    a, b, c = (Tally.of(values[k::3]) for k in range(3))
    whole = Tally.of(values)
    assert (a + b) + c == a + (b + c) == c + a + b == whole
    assert sum([a, b, c], Tally()) == whole
    assert whole + Tally() == Tally() + whole == whole
    mixed = Tally(3, 1, 1, 10, 50, 0.5) + Tally(2, 0, 1, 5, 13, 0.25)
    assert mixed == Tally(5, 1, 2, 15, 63, 0.75)


def test_the_interval_of_a_tally_is_student_s() -> None:
    values = numbers(20)
    tally = Tally.of(values)
    assert tally.mean is not None
    low, high = stats.t.interval(0.95, 19, np.mean(values), stats.sem(values))
    assert tally.interval == pytest.approx((low, high), rel=1e-9)
    assert tally.precision == pytest.approx((high - low) / 2 / tally.mean, rel=1e-9)


def test_the_interval_covers_the_truth_as_often_as_it_says() -> None:
    source = np.random.default_rng(1)
    values = source.integers(0, 1001, (2000, 12))
    hits = 0
    for row in values.tolist():
        interval = Tally.of(row).interval
        assert interval is not None
        hits += interval[0] <= 500 <= interval[1]
    assert 0.93 < hits / 2000 < 0.97


def test_a_tally_says_where_it_knows_nothing() -> None:
    nothing, one = Tally(), Tally.of([5])
    assert (nothing.mean, nothing.sd, nothing.interval, nothing.precision) == (None, None, None, inf)
    assert (one.mean, one.sd, one.interval, one.precision) == (5.0, None, None, inf)
    cut = Tally.of([5, 6]) + Tally(trials=1, censored=1, total=9, squares=81)
    assert cut.mean == pytest.approx(20 / 3)  # a lower bound
    assert (cut.sd, cut.interval, cut.precision, cut.is_complete) == (None, None, inf, False)
    never = Tally.of([5, 6]) + Tally(trials=1, never=1)
    assert (never.mean, never.sd, never.precision, never.is_complete) == (inf, None, inf, False)
    assert Tally.of([0, 0]).precision == 0.0
    assert Tally.of([-1, 1]).precision == inf
