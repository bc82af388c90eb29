"""The estimate of Kaplan and Meier, its variance and its band, by their definitions."""

from __future__ import annotations

import random
import statistics
from fractions import Fraction
from math import exp, inf, log, sqrt

import numpy as np
import pytest

from princeps.campaign.survival import Survival, kaplan_meier
from tests.campaign.statistics_tools import CUT, ENDED, by_hand, numbers
from tests.tables import in_one_test

TIMES = [6, 7, 10, 13, 16, 22, 23]
SHARES = [0.8571, 0.8067, 0.7529, 0.6902, 0.6275, 0.5378, 0.4482]
ERRORS = [0.0764, 0.0869, 0.0963, 0.1068, 0.1141, 0.1282, 0.1346]


def test_the_textbook_s_example_comes_out() -> None:
    found = kaplan_meier(ENDED, CUT)
    assert found.times.tolist() == TIMES
    assert found.share == pytest.approx(SHARES, abs=5e-5)
    for share, error, low, high in zip(SHARES, ERRORS, found.low, found.high, strict=True):
        width = 1.96 * error / (share * abs(log(share)))  # of log(-log S), by Greenwood's formula
        assert low == pytest.approx(share ** exp(width), abs=2e-3)
        assert high == pytest.approx(share ** exp(-width), abs=2e-3)
    assert [found.quantile(q) for q in (0.05, 0.1, 0.25, 0.5)] == [6, 6, 13, 23]
    assert found.quantile(0.75) is None
    assert found.last == 35
    # the area below the steps up to 35 weeks
    exact = [
        1,
        *(Fraction(*pair) for pair in ((6, 7), (96, 119), (64, 85), (176, 255), (32, 51), (64, 119), (160, 357))),
    ]
    area = sum(height * (end - begin) for height, begin, end in zip(exact, [0, *TIMES], [*TIMES, 35], strict=True))
    assert found.restricted_mean == pytest.approx(float(area), rel=1e-12)


@in_one_test("seed", range(8))
def test_the_estimate_is_the_product_of_the_definition(seed: int) -> None:
    source = random.Random(seed)
    ended = [source.randrange(1, 15) for _ in range(source.randrange(1, 30))]
    cut = [source.randrange(1, 15) for _ in range(source.randrange(30))]
    found, expected = kaplan_meier(ended, cut), by_hand(ended, cut)
    assert found.times.tolist() == list(expected)
    assert found.share == pytest.approx([float(value) for value in expected.values()], abs=1e-12)
    assert np.all((found.low <= found.share) & (found.share <= found.high))
    assert np.all((found.low >= 0) & (found.high <= 1))
    mean = sum(
        float(height) * (end - begin)
        for height, begin, end in zip(
            [1, *expected.values()], [0, *expected], [*expected, max(ended + cut)], strict=True
        )
    )
    assert found.restricted_mean == pytest.approx(mean, rel=1e-12)
    for q in (0.05, 0.3, 0.5, 0.9):
        reached = [time for time, share in expected.items() if share <= 1 - Fraction(str(q))]
        assert found.quantile(q) == (reached[0] if reached else None)


def test_the_variance_is_greenwood_s() -> None:
    """Against the sum itself; and without censoring it is that of a binomial share."""
    found = kaplan_meier(ENDED, CUT)
    total = 0.0
    for time, share, low, high in zip(found.times, found.share, found.low, found.high, strict=True):
        deaths, at_risk = ENDED.count(time), sum(value >= time for value in ENDED + CUT)
        total += deaths / (at_risk * (at_risk - deaths))
        width = 1.959963984540054 * sqrt(total) / abs(log(share))
        assert (low, high) == pytest.approx((share ** exp(width), share ** exp(-width)), rel=1e-12)
    plain = kaplan_meier(list(range(1, 11)), [])
    for share, low in zip(plain.share[:-1], plain.low[:-1], strict=True):
        error = sqrt(share * (1 - share) / 10) / (share * abs(log(share)))
        assert low == pytest.approx(share ** exp(1.959963984540054 * error), rel=1e-12)


def test_without_censoring_it_is_the_share_of_larger_values() -> None:
    values = numbers(40, 20)
    found = kaplan_meier(values, [])
    assert found.share == pytest.approx([sum(value > time for value in values) / 40 for time in found.times], abs=1e-12)
    assert found.restricted_mean == pytest.approx(statistics.mean(values), rel=1e-12)
    assert found.share[-1] == pytest.approx(0, abs=1e-12)


def test_it_knows_where_it_ends() -> None:
    everything_cut = kaplan_meier([], [5, 9])
    assert (everything_cut.quantile(0.01), everything_cut.restricted_mean, everything_cut.last) == (None, 9.0, 9.0)
    never = kaplan_meier([2, 4], [inf, inf])
    assert never.share.tolist() == [0.75, 0.5]
    assert (never.quantile(0.5), never.quantile(0.51), never.last) == (4.0, None, 4.0)
    assert never.restricted_mean == 2 + 0.75 * 2
    assert isinstance(kaplan_meier([], []), Survival)


def test_the_band_covers_the_truth_as_often_as_it_says() -> None:
    """Exponential times, of which a third are cut off; at one time, over many samples."""
    source = np.random.default_rng(3)
    hits = 0
    for _ in range(600):
        times, limits = source.exponential(1.0, 60), source.exponential(2.0, 60)
        found = kaplan_meier(times[times <= limits], limits[times > limits])
        k = int(np.searchsorted(found.times, 0.7, side="right")) - 1
        hits += bool(found.low[k] <= exp(-0.7) <= found.high[k])
    assert 0.925 < hits / 600 < 0.975
