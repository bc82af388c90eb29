"""Compiled variates obey their laws, beyond the range of doubles as well."""

from __future__ import annotations

import math
from decimal import Decimal, getcontext
from typing import Any

import numpy as np
import pytest
from numba import njit
from scipy import stats

from princeps.lowering import variates
from tests.lowering.variate_tools import (
    SIGNIFICANCE,
    fill_run_length,
    fits,
    fits_cdf,
    integers,
    log_factorial,
    run_length_law,
    stream,
)
from tests.tables import in_one_test

pytestmark = pytest.mark.medium  # samples, seconds in all

LOW = 2**62


@njit
def fill_binomial(rng: Any, trials: Any, p: Any, out: Any) -> None:
    for i in range(out.size):
        out[i] = variates.binomial(rng, trials, p)


@njit
def fill_wide(rng: Any, kind: int, successes: Any, x: Any, hi: Any, lo: Any) -> None:
    for i in range(hi.size):
        if kind == 0:
            hi[i], lo[i] = variates.poisson_wide(rng, x)
        elif kind == 1:
            hi[i], lo[i] = variates.geometric_wide(rng, x)
        else:
            hi[i], lo[i] = variates.trials_wide(rng, successes, x)


@njit
def fill_continuous(rng: Any, kind: int, shape: Any, out: Any) -> None:
    for i in range(out.size):
        if kind == 0:
            out[i] = variates.unit(rng)
        elif kind == 1:
            out[i] = variates.exponential(rng)
        elif kind == 2:
            out[i] = variates.normal(rng)
        else:
            out[i] = variates.gamma(rng, shape)


def continuous(kind: int, seed: int, size: int, shape: float = 1.0) -> Any:
    out = np.empty(size)
    fill_continuous(stream(seed), kind, shape, out)
    return out


def wide(kind: int, seed: int, size: int, successes: int, x: float) -> Any:
    hi, lo = np.empty(size, np.int64), np.empty(size, np.int64)
    fill_wide(stream(seed), kind, successes, x, hi, lo)
    assert (hi >= 0).all()
    assert (lo >= 0).all()
    assert (lo < LOW).all()
    return hi, lo


def narrow(kind: int, seed: int, size: int, successes: int, x: float) -> Any:
    hi, lo = wide(kind, seed, size, successes, x)
    assert not hi.any()
    return lo


def as_integers(hi: Any, lo: Any) -> list[int]:
    return [h * LOW + l for h, l in zip(hi.tolist(), lo.tolist(), strict=True)]


# -- continuous laws ------------------------------


@pytest.mark.medium
def test_unit_is_inside_the_open_interval_and_uniform() -> None:
    sample = continuous(0, 1, 200_000)
    assert sample.min() > 0
    assert sample.max() < 1
    assert fits_cdf(sample, lambda x: x)
    assert len(set((sample * 2**53).astype(np.int64) % 8)) == 8


@pytest.mark.medium
def test_exponential_is_fine_at_both_ends() -> None:
    sample = continuous(1, 2, 4_000_000)
    assert fits_cdf(sample, lambda x: -np.expm1(-x))
    small, large = sample[sample < 1e-3], sample[sample > 7]
    assert fits_cdf(small, lambda x: np.expm1(-x) / math.expm1(-1e-3), 20)
    assert fits_cdf(large, lambda x: -np.expm1(7 - x), 20)
    mantissa = np.frexp(small)[0] * 2**48 % 8  # bits that a uniform of 53 bits would leave empty below 2^-10
    assert stats.chisquare(np.bincount(mantissa.astype(np.int64), minlength=8)).pvalue > SIGNIFICANCE


@pytest.mark.medium
def test_normal_and_gamma() -> None:
    assert fits_cdf(continuous(2, 3, 200_000), stats.norm.cdf)
    for shape in (1.0, 7.5, 1e8):
        assert fits_cdf(continuous(3, 4, 200_000, shape), stats.gamma(shape).cdf)


# -- binomial, Poisson, geometric ------------------------------


@pytest.mark.medium
@in_one_test(
    ("trials", "p"),
    [(1, 0.3), (10, 0.5), (50, 0.9), (43, 0.5), (10**6, 1.1e-5), (10**6, 1.3e-5), (10**9, 1e-5), (300, 0.7)],
)
def test_binomial(trials: int, p: float) -> None:
    sample = integers(fill_binomial, 8, 300_000, trials, p)
    low = max(0, int(trials * p - 12 * math.sqrt(trials * p) - 30))
    law = stats.binom.pmf(np.arange(low, min(trials, int(trials * p + 12 * math.sqrt(trials * p) + 30)) + 1), trials, p)
    assert fits(sample, low, law)


@pytest.mark.medium
def test_binomial_at_the_ends_and_at_the_largest() -> None:
    for trials, p, always in ((0, 0.5, 0), (10, 0.0, 0), (10, 1.0, 10)):
        assert (integers(fill_binomial, 9, 10, trials, p) == always).all()
    sample = integers(fill_binomial, 9, 300_000, 10**15, 0.25)
    assert fits_cdf((sample + 0.5 - 0.25 * 10**15) / math.sqrt(0.1875 * 10**15), stats.norm.cdf)


@pytest.mark.medium
@in_one_test("mean", [1e-3, 0.7, 11.9, 12.1, 37.25, 1e3, 123456.75])
def test_poisson(mean: float) -> None:
    sample = narrow(0, 10, 300_000, 1, mean)
    low = max(0, int(mean - 12 * math.sqrt(mean)))
    law = stats.poisson.pmf(np.arange(low, int(mean + 12 * math.sqrt(mean) + 40)), mean)
    assert fits(sample, low, law)


@pytest.mark.medium
@in_one_test("mean", [3e18, 7e20, 1e26, 1e31, 1e37])
def test_poisson_beyond_doubles(mean: float) -> None:
    numbers = as_integers(*wide(0, 11, 100_000, 1, mean))
    centre = int(mean)
    assert fits_cdf([(x - centre) / math.sqrt(mean) for x in numbers], stats.norm.cdf)
    for modulus in (2, 7, 64):
        assert stats.chisquare(np.bincount([x % modulus for x in numbers])).pvalue > SIGNIFICANCE
    assert (wide(0, 11, 10, 1, 0.0)[1] == 0).all()


@pytest.mark.medium
@in_one_test("p", [1.0, 0.5, 0.1, 1e-3])
def test_geometric(p: float) -> None:
    law = stats.geom.pmf(np.arange(int(40 / p) + 2), p)
    assert fits(narrow(1, 12, 300_000, 1, p), 0, law)


@pytest.mark.medium
@in_one_test("p", [1e-9, 2.0**-30, 0.99 * 2.0**-30, 1e-12, 3e-19, 1e-20, 1e-30])
def test_geometric_beyond_doubles(p: float) -> None:
    numbers = as_integers(*wide(1, 13, 100_000, 1, p))
    assert min(numbers) >= 1
    assert fits_cdf([p * (x - 0.5) for x in numbers], lambda x: -np.expm1(-x), 200)
    for modulus in (2, 7, 64):
        assert stats.chisquare(np.bincount([x % modulus for x in numbers])).pvalue > SIGNIFICANCE


@in_one_test("successes", [1, 2, 5, 6, 40])
@pytest.mark.parametrize("p", [1.0, 0.97, 0.3, 0.01])
def test_trials_until_the_last_success(successes: int, p: float) -> None:
    sample = narrow(2, 14, 100_000, successes, p)
    law = stats.nbinom.pmf(np.arange(int((successes + 12 * math.sqrt(successes) + 30) / p)), successes, p)
    assert fits(sample - successes, 0, law)


@in_one_test(("successes", "p"), [(3, 1e-20), (100, 1e-12), (1000, 1e-29), (10**8, 1e-20)])
def test_trials_beyond_doubles(successes: int, p: float) -> None:
    numbers = as_integers(*wide(2, 15, 50_000, successes, p))
    assert fits_cdf([p * x for x in numbers], stats.gamma(successes).cdf)
    for modulus in (2, 7, 64):
        assert stats.chisquare(np.bincount([x % modulus for x in numbers])).pvalue > SIGNIFICANCE
    scaled = np.array([(p * x - successes) / math.sqrt(successes) for x in numbers])
    assert abs(scaled.mean()) < 5 / math.sqrt(scaled.size)
    assert abs(scaled.var() - 1) < 5 * math.sqrt((2 + 6 / successes) / scaled.size)


# -- run lengths ------------------------------


@pytest.mark.medium
@in_one_test("n", [*range(2, 13), 63, 64, 65, 100, 1000, 10**6])
def test_run_length(n: int) -> None:
    sample = integers(fill_run_length, 16, 300_000, n, 10**9)
    assert sample.min() >= 1
    assert sample.max() <= n // 2
    assert fits(sample, 0, run_length_law(n))
    assert (integers(fill_run_length, 16, 300_000, n, 3) == np.minimum(sample, 3)).all()


def test_run_length_among_a_thousand_million_million() -> None:
    n = 10**15
    sample = integers(fill_run_length, 17, 300_000, n, n)
    # P(L >= k) = exp(-(m^2/2 - m)/n - m^3/(6 n^2) - ...), m = 2k
    m = 2.0 * sample + 1.0
    assert fits_cdf(m, lambda m: -np.expm1(-(m * m / 2 - m) / n - m**3 / (6 * n * n)))
    assert stats.chisquare(np.bincount(sample % 16)).pvalue > SIGNIFICANCE


def test_run_length_is_the_inverse_of_its_law() -> None:
    """For each wait: the law is passed between the length and the next, also where it is not evaluated."""
    for n in (64, 101, 1000, 12_345, 10**6, 10**9, 10**15):
        lengths = integers(fill_run_length, 18, 2000, n, n)
        waits = continuous(1, 18, 2000)
        for k, wait in zip(lengths.tolist(), waits.tolist(), strict=True):
            assert variates.minus_log_survival(n, k) <= wait * (1 + 1e-12)
            assert k == n // 2 or variates.minus_log_survival(n, k + 1) > wait * (1 - 1e-12)


def test_minus_log_survival_is_the_logarithm_of_the_product() -> None:
    for n in (64, 100, 1001, 10**5):
        product = 1.0
        for k in range(1, min(n // 2, 400) + 1):
            product *= (n - 2 * k + 2) * (n - 2 * k + 1) / (n * (n - 1))
            assert abs(variates.minus_log_survival(n, k) + math.log(product)) < 1e-11
    n, k = 10**15, 20_000_000
    getcontext().prec = 50
    exact = k * (Decimal(n).ln() + Decimal(n - 1).ln()) - log_factorial(n) + log_factorial(n - 2 * k)
    assert abs(variates.minus_log_survival(n, k) - float(exact)) < 1e-14
