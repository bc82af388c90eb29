"""Samples of compiled variates, and the statistics that compare them with a law."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

import numpy as np
from numba import njit
from scipy import stats

from princeps.lowering import variates

SIGNIFICANCE = 1e-6


@njit
def fill_run_length(rng: Any, n: Any, most: Any, out: Any) -> None:
    for i in range(out.size):
        out[i] = variates.run_length(rng, n, most)


def stream(seed: int) -> Any:
    return np.random.SeedSequence(seed).generate_state(4, np.uint64)


def integers(fill: Any, seed: int, size: int, *parameters: Any) -> Any:
    out = np.empty(size, np.int64)
    fill(stream(seed), *parameters, out)
    return out


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


def run_length_law(n: int) -> Any:
    """P(L = k) for k = 0, 1, ..."""
    reached = [1.0]
    while reached[-1] > 1e-15:
        i = len(reached) - 1
        reached.append(reached[-1] * (n - 2 * i) * (n - 2 * i - 1) / (n * (n - 1)))
    return -np.diff([*reached, 0.0])


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
