"""Every variate against its exact law, by chi-square at significance 1e-6 with fixed seeds."""

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
from tests.tables import in_one_test

SIGNIFICANCE = 1e-6
INF = math.inf
LOW = 2**62


@njit
def fill_hypergeometric(rng: Any, total: Any, good: Any, drawn: Any, out: Any) -> None:
    for i in range(out.size):
        out[i] = variates.hypergeometric(rng, total, good, drawn)


@njit
def fill_binomial(rng: Any, trials: Any, p: Any, out: Any) -> None:
    for i in range(out.size):
        out[i] = variates.binomial(rng, trials, p)


@njit
def fill_run_length(rng: Any, n: Any, most: Any, out: Any) -> None:
    for i in range(out.size):
        out[i] = variates.run_length(rng, n, most)


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


def stream(seed: int) -> Any:
    return np.random.SeedSequence(seed).generate_state(4, np.uint64)


def integers(fill: Any, seed: int, size: int, *parameters: Any) -> Any:
    out = np.empty(size, np.int64)
    fill(stream(seed), *parameters, out)
    return out


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


def statistic(observed: Any, expected: Any, least: float = 10.0) -> tuple[float, int]:
    """Chi-square and its degrees of freedom, after neighbours are merged into bins of `least` expected."""
    total, bins = 0.0, 0
    o = e = 0.0
    left = expected.sum()
    for x, y in zip(observed, expected, strict=True):
        o, e, left = o + x, e + y, left - y
        if e >= least and left >= least:
            total, bins = total + (o - e) ** 2 / e, bins + 1
            o = e = 0.0
    if e > 0:
        total, bins = total + (o - e) ** 2 / e, bins + 1
    else:
        assert o == 0
    return total, bins - 1


def p_value(sample: Any, low: int, law: Any) -> float:
    """The law gives the probabilities of low, low + 1, ...; what it leaves out is nearly impossible."""
    assert abs(law.sum() - 1) < 1e-9
    inside = (sample >= low) & (sample < low + law.size)
    assert inside.all()
    observed = np.bincount(sample - low, minlength=law.size)
    chi, freedom = statistic(observed, law * sample.size)
    return float(stats.chi2.sf(chi, freedom)) if freedom > 0 else 1.0


def fits(sample: Any, low: int, law: Any) -> bool:
    return p_value(sample, low, law) > SIGNIFICANCE


def fits_cdf(sample: Any, cdf: Any, bins: int = 100) -> bool:
    """For a continuous law: the sample's own probabilities are uniform."""
    observed = np.bincount((cdf(np.asarray(sample)) * bins).astype(np.int64), minlength=bins)
    return bool(stats.chisquare(observed).pvalue > SIGNIFICANCE)


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


def run_length_law(n: int) -> Any:
    """P(L = k) for k = 0, 1, ..."""
    reached = [1.0]
    while reached[-1] > 1e-15:
        i = len(reached) - 1
        reached.append(reached[-1] * (n - 2 * i) * (n - 2 * i - 1) / (n * (n - 1)))
    return -np.diff([*reached, 0.0])


def test_unit_is_inside_the_open_interval_and_uniform() -> None:
    sample = continuous(0, 1, 200_000)
    assert sample.min() > 0
    assert sample.max() < 1
    assert fits_cdf(sample, lambda x: x)
    assert len(set((sample * 2**53).astype(np.int64) % 8)) == 8


def test_exponential_is_fine_at_both_ends() -> None:
    sample = continuous(1, 2, 4_000_000)
    assert fits_cdf(sample, lambda x: -np.expm1(-x))
    small, large = sample[sample < 1e-3], sample[sample > 7]
    assert fits_cdf(small, lambda x: np.expm1(-x) / math.expm1(-1e-3), 20)
    assert fits_cdf(large, lambda x: -np.expm1(7 - x), 20)
    mantissa = np.frexp(small)[0] * 2**48 % 8  # bits that a uniform of 53 bits would leave empty below 2^-10
    assert stats.chisquare(np.bincount(mantissa.astype(np.int64), minlength=8)).pvalue > SIGNIFICANCE


def test_normal_and_gamma() -> None:
    assert fits_cdf(continuous(2, 3, 200_000), stats.norm.cdf)
    for shape in (1.0, 7.5, 1e8):
        assert fits_cdf(continuous(3, 4, 200_000, shape), stats.gamma(shape).cdf)


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


def test_hypergeometric_where_nothing_is_small() -> None:
    total, good, drawn = 10**15, 3 * 10**14, 4 * 10**14
    sample = integers(fill_hypergeometric, 6, 300_000, total, good, drawn)
    deviation = math.sqrt(0.3 * 0.7 * 0.4 * 0.6 * total)
    assert fits_cdf((sample + 0.5 - 0.12 * total) / deviation, stats.norm.cdf)  # the skewness is 1e-8
    assert stats.chisquare(np.bincount(sample % 16)).pvalue > SIGNIFICANCE


def test_the_same_test_rejects_a_parameter_off_by_one() -> None:
    sample = integers(fill_hypergeometric, 7, 1_000_000, 600, 300, 200)
    assert fits(sample, *hypergeometric_law(600, 300, 200))
    assert not fits(sample, *hypergeometric_law(600, 301, 200))
    assert not fits(sample, *hypergeometric_law(602, 300, 200))
    law = run_length_law(50)
    sample = integers(fill_run_length, 7, 1_000_000, 50, 10**9)
    assert fits(sample, 0, law)
    assert not fits(sample, 0, run_length_law(51))


@in_one_test(
    ("trials", "p"),
    [(1, 0.3), (10, 0.5), (50, 0.9), (43, 0.5), (10**6, 1.1e-5), (10**6, 1.3e-5), (10**9, 1e-5), (300, 0.7)],
)
def test_binomial(trials: int, p: float) -> None:
    sample = integers(fill_binomial, 8, 300_000, trials, p)
    low = max(0, int(trials * p - 12 * math.sqrt(trials * p) - 30))
    law = stats.binom.pmf(np.arange(low, min(trials, int(trials * p + 12 * math.sqrt(trials * p) + 30)) + 1), trials, p)
    assert fits(sample, low, law)


def test_binomial_at_the_ends_and_at_the_largest() -> None:
    for trials, p, always in ((0, 0.5, 0), (10, 0.0, 0), (10, 1.0, 10)):
        assert (integers(fill_binomial, 9, 10, trials, p) == always).all()
    sample = integers(fill_binomial, 9, 300_000, 10**15, 0.25)
    assert fits_cdf((sample + 0.5 - 0.25 * 10**15) / math.sqrt(0.1875 * 10**15), stats.norm.cdf)


@in_one_test("mean", [1e-3, 0.7, 11.9, 12.1, 37.25, 1e3, 123456.75])
def test_poisson(mean: float) -> None:
    sample = narrow(0, 10, 300_000, 1, mean)
    low = max(0, int(mean - 12 * math.sqrt(mean)))
    law = stats.poisson.pmf(np.arange(low, int(mean + 12 * math.sqrt(mean) + 40)), mean)
    assert fits(sample, low, law)


@in_one_test("mean", [3e18, 7e20, 1e26, 1e31, 1e37])
def test_poisson_beyond_doubles(mean: float) -> None:
    numbers = as_integers(*wide(0, 11, 100_000, 1, mean))
    centre = int(mean)
    assert fits_cdf([(x - centre) / math.sqrt(mean) for x in numbers], stats.norm.cdf)
    for modulus in (2, 7, 64):
        assert stats.chisquare(np.bincount([x % modulus for x in numbers])).pvalue > SIGNIFICANCE
    assert (wide(0, 11, 10, 1, 0.0)[1] == 0).all()


@in_one_test("p", [1.0, 0.5, 0.1, 1e-3])
def test_geometric(p: float) -> None:
    law = stats.geom.pmf(np.arange(int(40 / p) + 2), p)
    assert fits(narrow(1, 12, 300_000, 1, p), 0, law)


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


def test_fatigue_is_the_logarithm_of_the_product() -> None:
    for n in (64, 100, 1001, 10**5):
        product = 1.0
        for k in range(1, min(n // 2, 400) + 1):
            product *= (n - 2 * k + 2) * (n - 2 * k + 1) / (n * (n - 1))
            assert abs(variates.minus_log_survival(n, k) + math.log(product)) < 1e-11
    n, k = 10**15, 20_000_000
    getcontext().prec = 50
    exact = k * (Decimal(n).ln() + Decimal(n - 1).ln()) - log_factorial(n) + log_factorial(n - 2 * k)
    assert abs(variates.minus_log_survival(n, k) - float(exact)) < 1e-14


def log_factorial(n: int) -> Decimal:
    """With 50 digits, by Stirling's series from 100 upwards."""
    if n < 100:
        return Decimal(math.factorial(n)).ln()
    x = Decimal(n + 1)
    total = (
        (x - Decimal("0.5")) * x.ln()
        - x
        + (2 * Decimal("3.14159265358979323846264338327950288419716939937511")).ln() / 2
    )
    bernoulli = [(1, 6), (-1, 30), (1, 42), (-1, 30), (5, 66), (-691, 2730), (7, 6), (-3617, 510), (43867, 798)]
    for i, (top, bottom) in enumerate(bernoulli, 1):
        total += Decimal(top) / bottom / (2 * i * (2 * i - 1)) / x ** (2 * i - 1)
    return total


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


def test_the_hat_covers_every_law_and_the_squeeze_none_too_many() -> None:
    """The two bounds in V, on a grid of V and of the place of k* between two integers: see core's docstring."""
    for s in [*np.linspace(math.sqrt(core.INVERSION_VARIANCE) - 0.2, 12, 120), *np.geomspace(12, 3000, 25)]:
        v = s * s
        a, b, height, edge, squeeze = core.hat.py_func(s)
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
