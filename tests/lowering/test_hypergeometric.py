"""The hypergeometric variate obeys its law on every small table and on the largest; its logarithms have fifty digits."""

from __future__ import annotations

import math
from decimal import Decimal, getcontext
from typing import Any

import numpy as np
import pytest
from numba import njit
from scipy import stats

from princeps.lowering import hypergeometric as core
from princeps.lowering import variates
from tests.lowering.variate_tools import (
    SIGNIFICANCE,
    fill_run_length,
    fits,
    fits_cdf,
    integers,
    log_factorial,
    run_length_law,
    statistic,
)
from tests.tables import in_one_test

pytestmark = pytest.mark.medium  # samples, seconds in all

INF = math.inf


@njit
def fill_hypergeometric(rng: Any, total: Any, good: Any, drawn: Any, out: Any) -> None:
    for i in range(out.size):
        out[i] = variates.hypergeometric(rng, total, good, drawn)


def from_ratios(mode: int, least: int, most: int, width: int, ratio: Any) -> tuple[int, Any]:
    """A law from its ratios f(k+1)/f(k), outwards from the mode."""
    low, high = max(least, mode - width), min(most, mode + width)
    up = np.cumprod([ratio(k) for k in range(mode, high)])
    down = np.cumprod([1 / ratio(k) for k in range(mode - 1, low - 1, -1)])
    law = np.concatenate([down[::-1], [1.0], up])
    return low, law / law.sum()


def hypergeometric_law(total: int, good: int, drawn: int) -> tuple[int, Any]:
    least, most = max(0, good + drawn - total), min(good, drawn)
    mode = (good + 1) * (drawn + 1) // (total + 2)
    deviation = math.sqrt(good * drawn * (total - good) * (total - drawn) / total**3)

    def ratio(k: int) -> float:
        return (good - k) * (drawn - k) / ((k + 1) * (total - good - drawn + k + 1))

    return from_ratios(mode, least, most, int(10 * deviation) + 30, ratio)


# -- hypergeometric laws ------------------------------


@pytest.mark.medium
def test_hypergeometric_on_every_small_table() -> None:
    chi, freedom, size = 0.0, 0, 3000
    for total in range(1, 12):
        for good in range(total + 1):
            for drawn in range(total + 1):
                sample = integers(fill_hypergeometric, 1000 * total + 30 * good + drawn, size, total, good, drawn)
                least, most = max(0, good + drawn - total), min(good, drawn)
                ways = [math.comb(good, k) * math.comb(total - good, drawn - k) for k in range(least, most + 1)]
                law = np.array(ways) / math.comb(total, drawn)
                assert least <= sample.min()
                assert sample.max() <= most
                more, bins = statistic(np.bincount(sample - least, minlength=law.size), law * size)
                chi, freedom = chi + more, freedom + bins
    assert stats.chi2.sf(chi, freedom) > SIGNIFICANCE
    assert stats.chi2.cdf(chi, freedom) > SIGNIFICANCE


@pytest.mark.medium
@pytest.mark.parametrize("total", [160, 300, 1000])
def test_hypergeometric_on_medium_tables(total: int) -> None:
    chi, freedom, size = 0.0, 0, 20_000
    for good in {total * i // 12 for i in range(1, 12)} | {3, total - 7}:
        for drawn in {total * i // 12 for i in range(1, 12)} | {5, total - 2}:
            sample = integers(fill_hypergeometric, 10_000 * good + drawn, size, total, good, drawn)
            low, law = hypergeometric_law(total, good, drawn)
            more, bins = statistic(np.bincount(sample - low, minlength=law.size), law * size)
            chi, freedom = chi + more, freedom + bins
    assert stats.chi2.sf(chi, freedom) > SIGNIFICANCE


@pytest.mark.medium
@in_one_test(
    ("total", "good", "drawn"),
    [
        (10**6, 1, 630),
        (10**6, 1000, 630),  # mean 0.6
        (10**6, 18_900, 630),  # mean 11.9: inversion
        (10**6, 19_200, 630),  # mean 12.1: rejection
        (10**6, 500_000, 630),
        (10**6, 999_000, 630),
        (640, 320, 320),
        (20_000, 3, 15_000),
        (20_000, 6_000, 19_000),
        (20_000_000, 700, 9_000_000),
        (10**9, 10**7, 19_922),
        (10**12, 10**8, 630_000),
        (10**12, 10**12 - 5 * 10**7, 630_000),
        (10**15, 10**15 // 3, 19_922_349),
        (10**15, 10**6, 19_922_349),  # mean 0.02
        (10**15, 10**9, 19_922_349),
        (10**15, 10**15 - 10**9, 10**15 - 19_922_349),
    ],
)
def test_hypergeometric_up_to_the_largest(total: int, good: int, drawn: int) -> None:
    sample = integers(fill_hypergeometric, 5, 300_000, total, good, drawn)
    assert fits(sample, *hypergeometric_law(total, good, drawn))


@pytest.mark.medium
def test_hypergeometric_where_nothing_is_small() -> None:
    total, good, drawn = 10**15, 3 * 10**14, 4 * 10**14
    sample = integers(fill_hypergeometric, 6, 300_000, total, good, drawn)
    deviation = math.sqrt(0.3 * 0.7 * 0.4 * 0.6 * total)
    assert fits_cdf((sample + 0.5 - 0.12 * total) / deviation, stats.norm.cdf)  # the skewness is 1e-8
    assert stats.chisquare(np.bincount(sample % 16)).pvalue > SIGNIFICANCE


@pytest.mark.medium
def test_the_same_test_rejects_a_parameter_off_by_one() -> None:
    sample = integers(fill_hypergeometric, 7, 1_000_000, 600, 300, 200)
    assert fits(sample, *hypergeometric_law(600, 300, 200))
    assert not fits(sample, *hypergeometric_law(600, 301, 200))
    assert not fits(sample, *hypergeometric_law(602, 300, 200))
    law = run_length_law(50)
    sample = integers(fill_run_length, 7, 1_000_000, 50, 10**9)
    assert fits(sample, 0, law)
    assert not fits(sample, 0, run_length_law(51))


# -- logarithms of ratios ------------------------------


def cells(total: int, good: int, drawn: int) -> tuple[int, float, float, list[float]]:
    mode = (good + 1) * (drawn + 1) // (total + 2)
    a, b, c, e = good - mode, drawn - mode, mode, total - good - drawn + mode
    gap = (2 * ((good + 1) * (drawn + 1) - mode * (total + 2)) - total - 2) / 2
    return mode, gap, (c + 0.5) * (e + 0.5), [a + 0.5, b + 0.5, c + 0.5, e + 0.5]


TABLES = [
    (160, 80, 80),
    (1000, 20, 480),
    (1000, 300, 200),
    (10**6, 16_500, 630),
    (10**6, 500_000, 630),
    (10**9, 10**8, 19_922),
    (10**12, 10**9, 630_000),
    (10**15, 10**15 // 3, 19_922_349),
    (10**15, 3 * 10**14, 4 * 10**14),
    (10**15, 5 * 10**14 - 1, 5 * 10**14),
    (10**15, 5 * 10**14, 10**6),
    (10**15, 6 * 10**8, 19_922_349),
]


@in_one_test(("total", "good", "drawn"), TABLES)
def test_log_ratios_against_fifty_digits(total: int, good: int, drawn: int) -> None:
    getcontext().prec = 50
    mode, gap, base, (a, b, c, e) = cells(total, good, drawn)
    p, q = (good + 1) / (total + 2), (drawn + 1) / (total + 2)
    variance = (total + 2) * p * (1 - p) * q * (1 - q)
    skew, kurt = (1 - 2 * p) * (1 - 2 * q), (1 - 3 * p * (1 - p)) * (1 - 3 * q * (1 - q))
    start = gap / (total + 2)

    def logarithm(k: int) -> Decimal:
        return -sum(map(log_factorial, (k, good - k, drawn - k, total - good - drawn + k)), Decimal(0))

    middle = logarithm(mode)
    for deviations in (0.01, 0.1, 0.5, 1, 2, 3, 4, 6, 8):
        for sign in (-1, 1):
            j = sign * max(1, round(deviations * math.sqrt(variance)))
            if not 0 <= mode + j <= min(good, drawn):
                continue
            exact = float(logarithm(mode + j) - middle)
            assert abs(core.log_ratio(float(j), gap, base, a, b, c, e) - exact) < 1e-11
            reach = abs(j) + 1
            if 2 * reach < variance:  # what the bracket claims: -start is the centre less a half
                three = core.log_ratio_series(j - start, 1 / variance, skew, kurt) - core.log_ratio_series(
                    -start, 1 / variance, skew, kurt
                )
                assert abs(three - exact) <= 0.1 * reach**5 / variance**4 + 1e-13


def test_log_ratios_of_binomial_and_poisson() -> None:
    getcontext().prec = 50
    mean = 1e31
    for j in (-(10**16), 12345, 3 * 10**15):
        c = int(mean) + 0.5
        value = core.log_ratio(float(j), -0.5, c, INF, INF, c, INF)
        exact = j * Decimal(mean).ln() - sum_of_logs(int(mean), j)
        assert abs(value - float(exact)) < 1e-11
    mean, mode = 1234.625, 1234
    for j in (-150, -1, 40, 200):
        value = core.log_ratio(float(j), 0.125, mode + 0.5, INF, INF, mode + 0.5, INF)
        assert abs(value - float(j * Decimal(mean).ln() - log_factorial(mode + j) + log_factorial(mode))) < 1e-11
    trials, p = 10**6, 0.25
    mode, gap = 250_000, 0.25 - 0.5
    for j in (-1500, 3, 900):
        value = core.log_ratio(float(j), gap, (mode + 0.5) * (1 - p), trials - mode + 0.5, INF, mode + 0.5, INF)
        exact = -j * Decimal(3).ln() + log_factorial(mode) + log_factorial(trials - mode)
        exact -= log_factorial(mode + j) + log_factorial(trials - mode - j)
        assert abs(value - float(exact)) < 1e-11


def sum_of_logs(n: int, j: int) -> Decimal:
    """log (n + j)!/n! with enough digits for 10^31."""
    getcontext().prec = 70
    return log_factorial(n + j) - log_factorial(n)


@pytest.mark.medium
def test_the_hat_covers_every_law_and_the_squeeze_none_too_many() -> None:
    """The two bounds in V, on a grid of V and of the place of k* between two integers: see core's docstring."""
    for s in [*np.linspace(math.sqrt(core.INVERSION_VARIANCE) - 0.2, 12, 120), *np.geomspace(12, 3000, 25)]:
        v = s * s
        a, b, height, edge, squeeze = core.hat.py_func(s)  # type: ignore[attr-defined]
        i = np.arange(int(10 * s + 40))
        for start in np.linspace(0, 1, 21):
            # steps at distance start, start + 1, ...; after j of them the proposals lie in [start + j - 1, start + j)
            above = np.exp(np.concatenate([[0.0], -np.cumsum(np.log1p((start + i) / v))]))
            with np.errstate(divide="ignore"):
                below = np.exp(np.concatenate([[0.0], np.cumsum(np.log(np.maximum(0, 1 - (start + i) / v)))]))
            far = start + np.arange(above.size)
            near = np.maximum(far - 1, 0)
            slopes = []
            for y in (far, near):
                middle = y + 2 * a - b / 2
                us = (np.sqrt(middle * middle + 4 * a * b) - middle) / (2 * b)
                slopes.append((us, a / us**2 + b))
            assert (above * slopes[0][1]).max() < height * 0.999
            assert (below * slopes[1][1])[slopes[1][0] >= edge].min() > squeeze * height * 1.001
