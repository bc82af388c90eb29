"""Random variates for batches of interactions among up to 10^15 agents, compiled into the kernels that call them.

Each is a function of the stream alone (xoshiro256++, chance.py). A wide integer is a pair (hi, lo) of int64 that
stands for hi 2^62 + lo, 0 <= lo < 2^62: numbers of steps outgrow both 64 bits and the 53 bits of a double.
"""
# mypy: disallow-untyped-decorators=False, disallow-untyped-calls=False, warn-unreachable=False, disable-error-code="call-arg"

from __future__ import annotations

import math
from typing import Any

import numpy as np

from princeps.lowering.hypergeometric import (
    INVERSION_MEAN,
    NO_CELL,
    compiled,
    gamma_ratio,
    hypergeometric,
    inlined,
    next_bits,
    offset,
    unit,
)

__all__ = [
    "binomial",
    "exponential",
    "gamma",
    "geometric_wide",
    "hypergeometric",
    "normal",
    "poisson_wide",
    "run_length",
    "trials_wide",
    "unit",
]

LOW = np.int64(2**62 - 1)  # the lower part of a wide integer


@inlined
def exponential(rng: Any) -> Any:
    """Exponential of mean 1, with the relative precision of a double (2^-48) at both ends."""
    word = next_bits(rng)
    flipped = word >= np.uint64(15 << 60)  # near 1 the logarithm needs the distance to 1, which has more bits
    if flipped:
        word = ~word
    u = float(np.int64(word >> np.uint64(1)))
    if word < np.uint64(2**54):  # too few bits left: append 53
        u += unit(rng)
    u = (u + 2.0**-11) * 2.0**-63
    return -math.log1p(-u) if flipped else -math.log(u)


@inlined
def normal(rng: Any) -> Any:
    """Standard normal, by Marsaglia's polar method."""
    while True:
        x = 2.0 * unit(rng) - 1.0
        y = 2.0 * unit(rng) - 1.0
        square = x * x + y * y
        if 0.0 < square < 1.0:
            return x * math.sqrt(-2.0 * math.log(square) / square)


@inlined
def gamma(rng: Any, shape: Any) -> Any:
    """Gamma of shape >= 1 and scale 1 (Marsaglia and Tsang 2000: A simple method for generating gamma variables)."""
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        x = normal(rng)
        root = 1.0 + c * x
        if root <= 0.0:
            continue
        cube = root * root * root
        u = unit(rng)
        if u < 1.0 - 0.0331 * x * x * x * x or math.log(u) < 0.5 * x * x + d * (1.0 - cube + math.log(cube)):
            return d * cube


@compiled
def wide(hi: Any, lo: Any, count: Any, shift: Any) -> Any:
    """(hi, lo) + count 2^shift as a wide integer, for lo below 2^63 and a shift up to 124."""
    if shift >= 62:
        hi += count << np.int64(shift - 62)
    else:
        hi += count >> np.int64(62 - shift)
        lo += (count << np.int64(shift)) & LOW
    return hi + (lo >> np.int64(62)), lo & LOW


@compiled
def exact_product(x: Any, y: Any) -> Any:
    """A product of doubles and its rounding error (Dekker 1971)."""
    product = x * y
    split = 134217729.0 * x
    x_high = split - (split - x)
    split = 134217729.0 * y
    y_high = split - (split - y)
    x_low, y_low = x - x_high, y - y_high
    return product, ((x_high * y_high - product) + x_high * y_low + x_low * y_high) + x_low * y_low


@inlined
def by_inversion(rng: Any, start: Any, odds: Any, trials: Any) -> Any:
    """Inversion from P(0) = start with P(k)/P(k-1) = odds (trials - k + 1)/k."""
    while True:
        left = unit(rng)
        p = start
        k = np.int64(0)
        while left > p:
            left -= p
            k += 1
            p *= odds * (trials - k + 1.0) / k
            if k > 20 and p < 1e-20:  # past every mean that comes here: the rounding of the sum
                break
        if left <= p:
            return k


@inlined
def binomial(rng: Any, trials: Any, p: Any) -> Any:
    """The successes among `trials` <= 10^15 of probability p."""
    flipped = p > 0.5
    if flipped:
        p = 1.0 - p  # exact
    k = np.int64(0)
    peak, error = exact_product(trials + 1.0, p)
    if peak >= INVERSION_MEAN:
        k = np.int64(peak)
        centre = (peak - k) + error
        a, c = trials - k + 0.5, k + 0.5
        skew, kurt = 1.0 - 2.0 * p, 1.0 - 3.0 * p * (1.0 - p)
        variance, base = peak * (1.0 - p), c * (1.0 - p)
        k += offset(rng, variance, skew, kurt, centre, centre - 0.5, base, a, NO_CELL, c, NO_CELL, 0)[0]
    elif p > 0.0 and trials > 0:
        k = by_inversion(rng, math.exp(trials * math.log1p(-p)), p / (1.0 - p), float(trials))
    return trials - k if flipped else k


@inlined
def poisson_wide(rng: Any, mean: Any) -> Any:
    """Poisson of mean up to 10^37, as a wide integer with random bits down to the last."""
    if mean <= 0.0:
        return np.int64(0), np.int64(0)
    if mean < INVERSION_MEAN:
        left, k, p = unit(rng), np.int64(0), math.exp(-mean)
        while left > p:
            left -= p
            k += 1
            p *= mean / k
            if k > 20 and p < 1e-20:  # the rounding of the sum
                left, k, p = unit(rng), np.int64(0), math.exp(-mean)
        return np.int64(0), k
    mode = np.floor(mean)  # a double: math.floor would be an int64 here
    centre = mean - mode
    c = mode + 0.5
    shift = max(0, math.frexp(mean)[1] // 2 - 32)
    block, bits = offset(rng, mean, 1.0, 1.0, centre, centre - 0.5, c, NO_CELL, NO_CELL, c, NO_CELL, shift)
    hi = np.int64(math.floor(mode * 2.0**-62))
    lo = np.int64(mode - hi * 2.0**62)
    return wide(hi, lo + bits, block, shift)


@inlined
def geometric_wide(rng: Any, p: Any) -> Any:
    """The trials up to and including the first success of probability p, 1e-30 <= p <= 1, as a wide integer.

    Where one double has too few bits, G - 1 = 2^s Q + R with 2^s about 1/(4p): P(G - 1 = 2^s q + r) is a product of a
    function of q and one of r, so Q (the whole blocks without success) and R (uniform s bits, accepted with
    probability (1-p)^R) are independent.
    """
    if p >= 1.0:
        return np.int64(0), np.int64(1)
    rate = -math.log1p(-p)
    if p >= 2.0**-30:
        return np.int64(0), np.int64(1) + np.int64(exponential(rng) / rate)
    shift = -math.frexp(p)[1] - 2
    blocks = np.int64(exponential(rng) / math.ldexp(rate, shift))
    while True:
        hi, lo = np.int64(0), np.int64(0)
        if shift > 62:
            hi = np.int64(next_bits(rng) >> np.uint64(126 - shift))
        lo = np.int64(next_bits(rng) >> np.uint64(64 - min(shift, 62)))
        decay = rate * (hi * 2.0**62 + lo)
        u = unit(rng)
        if u <= 1.0 - decay or u <= math.exp(-decay):
            return wide(hi, lo + 1, blocks, shift)


@inlined
def trials_wide(rng: Any, successes: Any, p: Any) -> Any:
    """The trials up to and including the `successes`-th success of probability p, as a wide integer.

    1 <= successes <= 10^8, 1e-30 <= p <= 1, successes/p below 10^37.
    """
    if p >= 1.0:
        return np.int64(0), np.int64(successes)
    # The last success is waited for in whole trials, with all their bits. The failures before the others are Poisson
    # of a Gamma mean m, a double: its grain m 2^-53 is below the Poisson's own spread sqrt(m) up to m = 10^31, and
    # always 2^26 times finer than the 1/p of the last wait, so the sum shows nothing of it.
    hi, lo = geometric_wide(rng, p)
    if successes <= 5:  # a geometric costs a fifth of Gamma and Poisson
        for _ in range(successes - 1):
            more_hi, more_lo = geometric_wide(rng, p)
            hi, lo = wide(hi + more_hi, lo + more_lo, np.int64(0), 0)
        return hi, lo
    more_hi, more_lo = poisson_wide(rng, gamma(rng, successes - 1.0) * ((1.0 - p) / p))
    hi, lo = wide(hi + more_hi, lo + more_lo, np.int64(0), 0)
    return wide(hi, lo, np.int64(successes - 1), 0)


@compiled
def minus_log_survival(n: Any, k: Any) -> Any:
    """-log P(L >= k) for `run_length`, n >= 64: n!/(n - 2k)! against (n(n-1))^k, around n + 1/2."""
    z = n + 0.5
    i = 1.0 / z  # the mean of -log(n/z) and -log((n-1)/z), a series in i: 2k times its error is below 1e-12
    tail = i * (0.640625 + i * (0.7625 + i * (0.950520833333333 + i * 1.220982142857143)))
    slope = i * (1.0 + i * (0.625 + i * (7 / 12 + tail)))
    m = 2.0 * k
    return gamma_ratio(z, -m) - m * slope


@inlined
def run_length(rng: Any, n: Any, most: Any) -> Any:
    """min(L, most), L the steps (ordered pairs of distinct agents out of n <= 10^15) before one meets a met agent.

    P(L >= k) is the product of (n-2i)(n-2i-1)/(n(n-1)) over i < k; L is the last k where it is at least a uniform.
    """
    if n < 64:
        left = unit(rng)
        k = np.int64(0)
        pairs = float(n) * (n - 1.0)
        p = 1.0
        while p >= left and k < most:
            k += 1
            p *= (n - 2.0 * k) * (n - 2.0 * k - 1.0) / pairs
        return k
    wait = exponential(rng)
    # -log P(L >= m/2) = (m^2/2 - m)/n + m^3/(6 n^2) + ...
    root = math.sqrt(1.0 + 2.0 * n * wait)
    guess = 0.5 * (1.0 + root - wait / 3.0)
    k = np.int64(guess)
    # The guess is too large by at most 0.08 (1 + wait)^1.5/sqrt(n) (measured, n from 10^2 to 10^8, wait up to 40): the
    # law is evaluated only where that could reach across an integer, one call in 10^4 at n = 10^8.
    doubt = 0.2 * (1.0 + wait) * (1.0 + root / math.sqrt(float(n))) / math.sqrt(float(n)) + 1e-7
    if guess - k < doubt or guess - k > 1.0 - doubt:
        k = min(max(k, np.int64(1)), n // 2)
        while minus_log_survival(n, k + 1) <= wait:
            k += 1
        while k > 1 and minus_log_survival(n, k) > wait:
            k -= 1
    return min(k, most)
