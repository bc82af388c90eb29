"""Linear equations with integer coefficients, solved exactly.

A system of a few unknowns is eliminated in integers. A larger one is solved modulo a prime p, once, and then digit by
digit in base p (Dixon's lifting): a digit costs one substitution, where an elimination of integers would carry
thousands of digits through every step. Fractions found from too few digits do not satisfy the equations; then more
digits are lifted. Nothing is returned that has not been substituted into the equations.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from princeps.lowering.cache import kernel_module

MAX_ELIMINATED = 24  # unknowns: up to here elimination is faster than lifting
MAX_LIFTED_WEIGHT = 1 << 60  # exclusive: larger coefficients leave no room for a residual of 64 bits
SURPLUS_BITS = 48  # by which the digits must exceed a fraction before it is tried
DIGITS_PORTION = 16  # digits in one call of the kernel, between which Ctrl-C is noticed
COLUMNS = 100  # numbers that are put together from their digits at a time
MAX_PRIMES = 20  # that are tried: a prime may divide the determinant by accident, but not all of them

Solution = tuple[list[int], int]  # numerators and their common denominator


def _kernel() -> Any:
    return kernel_module("princeps.analysis.linear_systems_kernel")


@dataclass(frozen=True)
class LinearSystem:
    """diagonal[i] x[i] - the sum of weight * x[j] over (j, weight) in rows[i] = right[i]; no j is i itself."""

    rows: list[dict[int, int]]
    diagonal: list[int]
    right: list[int]

    def holds(self, numerators: list[int], denominator: int) -> bool:
        return all(
            d * x - sum(w * numerators[y] for y, w in row.items()) == denominator * b
            for row, d, x, b in zip(self.rows, self.diagonal, numerators, self.right, strict=True)
        )


def solution(system: LinearSystem) -> Solution:
    if len(system.rows) == 1:
        return system.right, system.diagonal[0]
    if len(system.rows) > MAX_ELIMINATED and max(system.diagonal) < MAX_LIFTED_WEIGHT:
        return lifted(system)
    found = eliminated(system)
    if not system.holds(*found):
        raise ArithmeticError("an elimination of integers went wrong, which should be impossible.")
    return found


def eliminated(system: LinearSystem) -> Solution:
    """Bareiss: every entry stays an integer, a minor of the matrix. The leading minors are positive: no exchanges."""
    size = len(system.rows)
    matrix = [[-row.get(j, 0) for j in range(size)] + [b] for row, b in zip(system.rows, system.right, strict=True)]
    for i, d in enumerate(system.diagonal):
        matrix[i][i] = d
    before = 1
    for k, upper in enumerate(matrix):
        pivot = upper[k]
        for row in matrix[k + 1 :]:
            factor = row[k]
            for j in range(k + 1, size + 1):
                row[j] = (pivot * row[j] - factor * upper[j]) // before
        before = pivot
    numerators = [0] * size
    for k in reversed(range(size)):
        row = matrix[k]
        known = sum(row[j] * numerators[j] for j in range(k + 1, size))
        numerators[k] = (before * row[size] - known) // row[k]
    return numerators, before


def lifted(system: LinearSystem) -> Solution:
    """Dixon's p-adic lifting, until the digits determine fractions that satisfy the equations."""
    prime = 1 << 29
    for _ in range(MAX_PRIMES):
        prime = _prime_below(prime)
        factors = _kernel().factors(system.rows, system.diagonal, prime)
        if factors is not None:
            break
    else:
        raise ArithmeticError("the equations have no unique solution: the target is not reachable from every state.")
    order, *triangles = factors
    index = {x: i for i, x in enumerate(order)}
    diagonal = np.array([system.diagonal[x] for x in order], np.int64)
    edges = _kernel().as_arrays([{index[y]: w for y, w in system.rows[x].items()} for x in order], np.int64)
    digits_of = {b: _in_base(b, prime) for b in set(system.right)}
    longest = max(map(len, digits_of.values()))
    right = np.zeros((longest, len(order)), np.int64)
    for i, x in enumerate(order):
        digits = digits_of[system.right[x]]
        right[: len(digits), i] = digits
    numbers = np.uint64(prime), np.uint64(pow(prime, -1, 1 << 64)).astype(np.int64)
    residual, next_attempt = right[0].copy(), longest + DIGITS_PORTION
    portions: list[NDArray[np.uint32]] = []
    while True:
        at = DIGITS_PORTION * len(portions) + 1
        right_digits = np.zeros((DIGITS_PORTION, len(order)), np.int64)
        right_digits[: max(0, longest - at)] = right[at : at + DIGITS_PORTION]
        portions.append(np.zeros((DIGITS_PORTION, len(order)), np.uint32))
        _kernel().lift(portions[-1], residual, right_digits, diagonal, edges, *triangles, *numbers)
        if DIGITS_PORTION * len(portions) >= next_attempt:
            next_attempt += next_attempt // 4  # the last attempt then costs more than all others together
            found = recovered(system, order, np.concatenate(portions), prime)
            if found is not None:
                return found


@lru_cache(maxsize=MAX_PRIMES)
def _prime_below(bound: int) -> int:
    candidates = range(bound - 1, 2, -1)
    return next(p for p in candidates if p % 2 and all(p % q for q in range(3, math.isqrt(p) + 1, 2)))


def _in_base(number: int, base: int) -> list[int]:
    """Digits, least significant first."""
    powers = [base]
    while powers[-1] <= number:
        powers.append(powers[-1] ** 2)

    def split(number: int, level: int) -> list[int]:
        if level == 0:
            return [number]
        high, low = divmod(number, powers[level - 1])
        return split(low, level - 1) + (split(high, level - 1) if high else [0] * (1 << (level - 1)))

    digits = split(number, len(powers) - 1)
    while len(digits) > 1 and not digits[-1]:
        digits.pop()
    return digits


def _integers(digits: NDArray[np.uint32], base: int) -> list[int]:
    """The number whose digits are in each column."""
    values: NDArray[Any] = digits.astype(object)
    while len(values) > 1:
        if len(values) % 2:
            values = np.vstack((values, np.zeros((1, values.shape[1]), object)))
        values = values[::2] + values[1::2] * base
        base *= base
    return list(values[0])


def recovered(system: LinearSystem, order: list[int], digits: NDArray[np.uint32], prime: int) -> Solution | None:
    """The solution from its p-adic digits, or None if these are too few (or wrong).

    The first number takes all digits. It mostly has the denominator of all others, whose numerators then need half.
    The surplus that is required grows with the digits, so that no accidental fraction can be found again and again.
    """
    modulus = prime ** len(digits)
    surplus = SURPLUS_BITS + modulus.bit_length() // 16
    start = _fraction(_integers(digits[:, :1], prime)[0], modulus, surplus)
    if start is None:
        return None
    denominator = start[1]
    half = (start[0].bit_length() + 2 * surplus) // (prime.bit_length() - 1) + 1
    half_modulus = prime ** min(half, len(digits))
    numerators, scales = [0] * len(order), [1] * len(order)
    for begin in range(0, len(order), COLUMNS):
        scale = denominator
        factor = np.array(_in_base(scale, prime), np.uint32)
        given = digits[:half, begin : begin + COLUMNS].copy()
        columns = np.zeros_like(given)
        _kernel().scaled(given, factor, np.uint64(prime), columns)
        for i, numerator in enumerate(_integers(columns, prime), begin):
            numerators[order[i]], scales[order[i]] = numerator, scale
            if numerator << surplus > half_modulus:
                residue = _integers(digits[:, i : i + 1], prime)[0]
                fraction = _fraction(residue * denominator % modulus, modulus, surplus)
                if fraction is None:
                    return None
                denominator *= fraction[1]
                numerators[order[i]], scales[order[i]] = fraction[0], denominator
    numerators = [n * (denominator // scale) for n, scale in zip(numerators, scales, strict=True)]
    return (numerators, denominator) if system.holds(numerators, denominator) else None


def _fraction(residue: int, modulus: int, surplus: int) -> tuple[int, int] | None:
    """The fraction much smaller than all others with this residue: Euclid's algorithm finds it at a huge quotient."""
    before, now, factor_before, factor = modulus, residue, 0, 1
    while now:
        quotient, rest = divmod(before, now)
        if quotient >> surplus:
            return (now, factor) if factor > 0 else (-now, -factor)
        before, now = now, rest
        factor_before, factor = factor, factor_before - quotient * factor
    return (0, 1) if residue == 0 else None
