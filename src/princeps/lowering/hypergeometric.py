"""Hypergeometric variates of up to 10^15 items, and the rejection they share with the binomial and Poisson laws.

The three laws have one shape. Written with the cells of their table (items of the law that are in or out of the
sample: four for the hypergeometric, two for the binomial, one for Poisson), the ratio of neighbours r(k) = log
f(k+1)/f(k) falls with slope 1/phi, where 1/phi is the sum of 1/cell. At the real k* where r = 0 put V = phi. Each
cell moves by one with k, so phi' is a sum of +-w^2 over weights w that sum to 1: |phi'| <= 1, hence at distance t
from k* V - t <= phi <= V + t, and -log(1 - t/V) >= |r| >= log(1 + t/V). So V alone bounds every law of the three from
above and from below, and one hat and one squeeze in V are valid for all of them: see `hat`.
"""
# mypy: disallow-untyped-decorators=False, disallow-untyped-calls=False, warn-unreachable=False, disable-error-code="call-arg"

from __future__ import annotations

import math
from typing import Any

import numpy as np

from princeps.lowering.chance import multiply_high, next_word
from princeps.lowering.jit import njit

# Without a test for zero before each division. Functions that take the stream are inlined, because each call would count
# a reference to the array, atomically: 8 instead of 19 ns for the shortest calls, 48 instead of 57 for most.
compiled = njit(error_model="numpy")
inlined = njit(error_model="numpy", forceinline=True)
INVERSION_MEAN, INVERSION_VARIANCE = 12.0, 5.0  # below, inversion is faster than rejection, whose hat needs V >= 4
NO_CELL = np.inf  # a cell that a law does not have
# log n! less Stirling's formula around n + 1/2: what the series in `remainder` gives only for larger n
STIRLING_ERRORS = np.array(
    [math.lgamma(n + 1) - (n + 0.5) * (math.log(n + 0.5) - 1) - 0.5 * math.log(2 * math.pi) for n in range(16)]
)


@inlined
def next_bits(rng: Any) -> Any:
    """The next word of the stream."""
    word, rng[0], rng[1], rng[2], rng[3] = next_word(rng[0], rng[1], rng[2], rng[3])
    return word


@inlined
def unit(rng: Any) -> Any:
    """Uniform in the open interval (0, 1), a multiple of 2^-53."""
    while True:
        high = np.int64(next_bits(rng) >> np.uint64(11))
        if high != 0:
            return high * 2.0**-53


@inlined
def below(rng: Any, bound: Any) -> Any:
    """The draws of chance.next_below, but its remainder is computed only when it can matter: 2x faster."""
    size = np.uint64(bound)
    while True:
        word = next_bits(rng)
        if word * size >= size or word * size >= (np.uint64(0) - size) % size:
            return np.int64(multiply_high(word, size))


@compiled
def remainder(w: Any) -> Any:
    """log Gamma(w + 1/2) - (w log w - w + log(2 pi)/2) for w = 1/2, 3/2, ...; the series is good to 1e-12."""
    if w < 16.0:
        return STIRLING_ERRORS[np.int64(w)]
    inverse = 1.0 / w
    square = inverse * inverse
    return inverse * (-1 / 24 + square * (7 / 2880 - square * (31 / 40320)))


@compiled
def log_sum(base: Any, gap: Any) -> Any:
    """log(1 + gap/base), mostly by a few terms of the series of artanh: 3x faster than the library's."""
    t = gap / (base + base + gap)
    if abs(t) > 0.05:
        return math.log1p(gap / base)
    s = t * t
    return 2.0 * t * (1.0 + s * (1 / 3 + s * (1 / 5 + s * (1 / 7 + s * (1 / 9 + s * (1 / 11))))))


@compiled
def gamma_ratio(z: Any, j: Any) -> Any:
    """log Gamma(z + j + 1/2) - log Gamma(z + 1/2) - j log z, without cancellation, for half-integer z and integer j."""
    w = z + j
    if w <= 0.0:
        return np.inf
    t = j / (z + w)
    if abs(t) < 0.05:  # (1 + x) log(1 + x) - x with log(1 + x) = 2 artanh t: absolute error below 1e-17 j
        s = t * t
        main = j * (t + (1.0 + t) * s * (1 / 3 + s * (1 / 5 + s * (1 / 7 + s * (1 / 9 + s * (1 / 11))))))
    else:  # here j exceeds z/10, so j^2/z < 100, all that matters, leaves no room for a large j to cancel
        main = w * math.log(w / z) - j
    if w > 1000.0 and z > 1000.0:
        return main + j / (24.0 * w * z)
    return main + remainder(w) - remainder(z)


@compiled
def log_ratio(j: Any, gap: Any, base: Any, a: Any, b: Any, c: Any, e: Any) -> Any:
    """log f(M + j)/f(M) for cells a, b that shrink and c, e that grow with k, each plus a half, at k = M.

    gap/base is (a b - c e)/(c e), which the caller knows without cancellation.
    """
    return j * log_sum(base, gap) - gamma_ratio(a, -j) - gamma_ratio(b, -j) - gamma_ratio(c, j) - gamma_ratio(e, j)


@compiled
def hat(s: Any) -> Any:
    """The parameters of the transformed rejection for V = s^2 >= 4: a, b, height, edge and squeeze.

    Hormann's transformed rejection (1993: The transformed rejection method for generating Poisson random variables):
    with u uniform in (-1/2, 1/2) and y(u) = (2a/(1/2 - |u|) + b) u, propose the floor of y plus the centre, and accept
    with probability f y'(u)/height, where f(M) = 1. It needs f y' <= height everywhere; and as f y' >= squeeze * height
    for 1/2 - |u| >= edge, a second uniform below `squeeze` accepts there at once. His constants are for one law each;
    these hold for all laws between the two bounds in V of this file's head, with 0.13 % to spare for the height and
    0.5 % for the squeeze (test_variates.py checks both on a grid of V and of the place of k* between two integers; the
    limit is the normal law, with 2.8212 s and 0.937). Accepted are 67 % of proposals at V = 5, 83 % at 100 and 88 % in
    the limit; 20, 57 and 79 % are accepted without f or a logarithm.
    """
    i = 1.0 / s
    return 0.066 * s, 2.52 * s + 1.5, 2.825 * s + 1.7 + 0.75 * i, 0.075 + 0.4 * i, 0.932 - i * (2.02 - 1.9 * i)


@compiled
def log_ratio_series(t: Any, inverse: Any, skew: Any, kurt: Any) -> Any:
    """The sum of the first three terms of r over steps that end at t + 1/2 (its Euler-Maclaurin form is finite)."""
    s, x = t * t, t * inverse
    return x * (-0.5 * t + inverse * (skew * (s * (1 / 6) - 1 / 24) - kurt * x * (s * (1 / 12) - 1 / 24)))


@inlined
def offset(
    rng: Any,
    variance: Any,
    skew: Any,
    kurt: Any,
    centre: Any,
    gap: Any,
    base: Any,
    a: Any,
    b: Any,
    c: Any,
    e: Any,
    shift: Any,
) -> Any:
    """k - M for one of the three laws (see `log_ratio`), as a multiple of 2^shift and the bits below it.

    A double's 53 bits resolve s = sqrt(V) up to some 2^32: above, the caller shifts. Then all numbers of a block of
    2^shift are proposed alike and accepted by their own f: nothing is approximated.
    """
    s = math.sqrt(variance)
    narrow, wide, height, edge, squeeze = hat(s)
    inverse = 1.0 / variance
    while True:
        u = unit(rng) - 0.5
        v = unit(rng)
        us = 0.5 - abs(u)
        y = (2.0 * narrow / us + wide) * u + centre
        bits = np.int64(0)
        block = np.int64(math.floor(y))
        j = float(block)
        if shift > 0:
            bits = np.int64(next_bits(rng) >> np.uint64(64 - shift))
            block = np.int64(math.floor(math.ldexp(y, -shift)))
            j = math.ldexp(float(block), shift) + bits
        if us >= edge and v <= squeeze:
            return block, bits
        if us < 1e-6:  # beyond 60000 s, where f < 1e-100 and no v is as small
            continue
        slope = narrow / (us * us) + wide
        # r'(t) = -sum of 1/(cell +- t) is a power series in t/V with coefficients of at most 1: three terms of it,
        # summed over the steps of j, give log f within `band`. Of the proposals that come here this leaves to the four
        # logarithms below 27 % at V = 20, 9 % at 100 and 2 % at 10^4.
        reach = abs(j) + 1.0
        band = 0.1 * reach * (reach * reach * inverse * inverse) ** 2
        if reach + reach < variance and band < 0.5:
            start = 0.5 - centre
            change = log_ratio_series(start + j, inverse, skew, kurt) - log_ratio_series(start, inverse, skew, kurt)
            guess = math.exp(change) * slope
            if v * height > guess * (1.0 + band + band):
                continue
            if v * height <= guess * (1.0 - band):
                return block, bits
        if math.log(v * height / slope) <= log_ratio(j, gap, base, a, b, c, e):
            return block, bits


@inlined
def hypergeometric_by_inversion(rng: Any, total: Any, good: Any, drawn: Any) -> Any:
    """hypergeometric for small variance: drawn <= good <= total/2."""
    if drawn <= 4:  # one by one, in integers
        got = np.int64(0)
        for i in range(drawn):
            got += np.int64(below(rng, total - i) < good - got)
        return got
    mean = float(good) * float(drawn) / float(total)
    tail = unit(rng)
    if tail >= mean:  # P(0) >= 1 - mean: most calls for a rare state end here
        return np.int64(0)
    z = total + 0.5
    start = math.exp(gamma_ratio(z, -drawn) - gamma_ratio(z - good, -drawn) + drawn * log_sum(z, -good))
    rest = total - good - drawn
    while True:  # inversion from 0 by the ratio of neighbours
        left = 1.0 - tail
        p = start
        k = np.int64(0)
        while left > p:
            left -= p
            k += 1
            p *= float(good - k + 1) * float(drawn - k + 1) / (float(k) * float(rest + k))
            if k > mean and p < 1e-20:  # the rounding of the sum, once in 10^15 calls
                break
        if left <= p:
            return k
        tail = unit(rng)


@inlined
def hypergeometric(rng: Any, total: Any, good: Any, drawn: Any) -> Any:
    """How many of `drawn` items, taken without replacement from `total` <= 10^15, are among the `good`."""
    first, sign = np.int64(0), np.int64(1)
    total, g, d = np.int64(total), np.int64(good), np.int64(drawn)
    if g > total - g:  # count the others instead
        g = total - g
        first, sign = d, -sign
    if d > total - d:  # count those not drawn instead
        d = total - d
        first, sign = first + sign * g, -sign
    if g < d:
        g, d = d, g
    if d == 0:
        return first
    inverse = 1.0 / (total + 2.0)
    p, q = (g + 1.0) * inverse, (d + 1.0) * inverse
    peak = (g + 1.0) * q  # k* + 1; its floor is the mode
    variance = peak * (1.0 - p) * (1.0 - q)
    if peak < INVERSION_MEAN or variance < INVERSION_VARIANCE:
        return first + sign * hypergeometric_by_inversion(rng, total, g, d)
    mode = np.int64(peak)
    a, b, c, e = g - mode + 0.5, d - mode + 0.5, mode + 0.5, (total - g - d) + mode + 0.5
    # peak - mode in units of `inverse`: exact in integers that wrap around, lost in doubles
    excess = float((g + 1) * (d + 1) - mode * (total + 2))
    gap = excess - (0.5 * total + 1.0)
    skew = (1.0 - 2.0 * p) * (1.0 - 2.0 * q)
    kurt = (1.0 - 3.0 * p * (1.0 - p)) * (1.0 - 3.0 * q * (1.0 - q))
    block, _ = offset(rng, variance, skew, kurt, excess * inverse, gap, c * e, a, b, c, e, 0)
    return first + sign * (mode + block)
