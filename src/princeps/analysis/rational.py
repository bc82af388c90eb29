"""Expected hitting times as exact fractions.

The equations are solved one strongly connected component after the other, the sinks first. A component of a few states
is eliminated in integers. A larger one is solved modulo a prime p, once, and then digit by digit in base p (Dixon's
lifting): a digit costs one substitution, where an elimination of integers would carry thousands of digits through
every step. Fractions found from too few digits do not satisfy the equations; then more digits are lifted. Nothing is
returned that has not been put into the equations.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from princeps.analysis.chain import Bits, Chain
from princeps.errors import TooLarge
from princeps.lowering.cache import kernel_module

LARGEST = 6_000  # states of one component: seconds with small weights, two minutes on a grid with weights up to 1000
FEW = 24  # up to so many states, elimination is faster than lifting
HEAVY = 1 << 60  # weights that leave no room for a residual of 64 bits
SURE = 48  # bits by which the digits must exceed a fraction before it is tried
STRETCH = 16  # digits in one call of the kernel, so that Ctrl-C is heard
COLUMNS = 100  # numbers that are put together from their digits at a time
PRIMES = 20  # a prime that divides the determinant is bad luck; so many in turn are no accident


def _kernel() -> Any:
    return kernel_module("princeps.analysis.rational_kernel")


@dataclass(frozen=True)
class System:
    """diagonal[i] x[i] - the sum of weight * x[head] over rows[i] = right[i]; no head is i itself."""

    rows: list[dict[int, int]]
    diagonal: list[int]
    right: list[int]

    def holds(self, numerators: list[int], denominator: int) -> bool:
        return all(
            d * x - sum(w * numerators[y] for y, w in row.items()) == denominator * b
            for row, d, x, b in zip(self.rows, self.diagonal, numerators, self.right, strict=True)
        )


def hitting_times(
    chain: Chain, target: Bits, component: NDArray[np.int32], progress: Callable[[int, int], None] | None = None
) -> list[Fraction]:
    """Expected steps until the target, which every state must reach; no step leads to a component of a higher number."""
    states = np.flatnonzero(~target)
    largest = int(np.bincount(component[states]).max(initial=0))
    if largest > LARGEST:
        raise TooLarge(
            f"the largest component has {largest:,} configurations, too many for exact fractions "
            f"(at most {LARGEST:,}): leave --rational out for a certified interval."
        )
    states = states[np.argsort(component[states], kind="stable")]
    cuts = [*np.unique(component[states], return_index=True)[1].tolist(), len(states)]
    equations, told = _Equations(chain), 0
    for begin, end in pairwise(cuts):
        equations.solve(states[begin:end].tolist())
        if progress is not None and 100 * end // len(states) > told:
            told = 100 * end // len(states)
            progress(end, len(states))
    return equations.times


class _Equations:
    def __init__(self, chain: Chain) -> None:
        self.total = chain.total
        self.offsets: list[int] = chain.offsets.tolist()
        self.heads: list[int] = chain.successors.tolist()
        self.weights: list[int] = chain.weights.tolist() or [1] * len(self.heads)
        self.times = [Fraction(0)] * chain.size

    def solve(self, states: list[int]) -> None:
        """Give the states of one component their times; the states that they lead to have theirs."""
        place = {x: i for i, x in enumerate(states)}
        rows: list[dict[int, int]] = [{} for _ in states]
        exits: list[dict[int, int]] = [{} for _ in states]
        for i, x in enumerate(states):
            for k in range(self.offsets[x], self.offsets[x + 1]):
                y = self.heads[k]
                if y != x:
                    side, key = (rows[i], place[y]) if y in place else (exits[i], y)
                    side[key] = side.get(key, 0) + self.weights[k]
        diagonal = [sum(row.values()) + sum(out.values()) for row, out in zip(rows, exits, strict=True)]
        # Where all exits have the same time, the time until the exit does not depend on it: far smaller numbers.
        after = {y: self.times[y] for out in exits for y in out}
        first = next(iter(after.values()), Fraction(0))
        if all(time == first for time in after.values()):
            scale, right = 1, [self.total] * len(states)
        else:
            first = Fraction(0)
            scale = math.lcm(*{time.denominator for time in after.values()})
            scaled = {y: time.numerator * (scale // time.denominator) for y, time in after.items()}
            right = [self.total * scale + sum(w * scaled[y] for y, w in out.items()) for out in exits]
        numerators, denominator = _solution(System(rows, diagonal, right))
        for x, numerator in zip(states, numerators, strict=True):
            time = Fraction(numerator, denominator * scale)
            self.times[x] = time + first if first else time


def _solution(system: System) -> tuple[list[int], int]:
    """Numerators and their common denominator."""
    if len(system.rows) == 1:
        return system.right, system.diagonal[0]
    if len(system.rows) > FEW and max(system.diagonal) < HEAVY:
        return lifted(system)
    found = eliminated(system)
    if not system.holds(*found):
        raise ArithmeticError("an elimination of integers went wrong, which should be impossible.")
    return found


def eliminated(system: System) -> tuple[list[int], int]:
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


def lifted(system: System) -> tuple[list[int], int]:
    prime = 1 << 29
    for _ in range(PRIMES):
        prime = _prime_below(prime)
        factors = _kernel().factors(system.rows, system.diagonal, prime)
        if factors is not None:
            break
    else:
        raise ArithmeticError("the equations have no unique solution: the target is not reachable from every state.")
    order, *triangles = factors
    place = {x: i for i, x in enumerate(order)}
    diagonal = np.array([system.diagonal[x] for x in order], np.int64)
    edges = _kernel().listed([{place[y]: w for y, w in system.rows[x].items()} for x in order], np.int64)
    parts = {b: _in_base(b, prime) for b in set(system.right)}
    longest = max(map(len, parts.values()))
    right = np.zeros((longest, len(order)), np.int64)
    for i, x in enumerate(order):
        part = parts[system.right[x]]
        right[: len(part), i] = part
    numbers = np.uint64(prime), np.uint64(pow(prime, -1, 1 << 64)).astype(np.int64)
    residual, due = right[0].copy(), longest + STRETCH
    stretches: list[NDArray[np.uint32]] = []
    while True:
        at = STRETCH * len(stretches) + 1
        coming = np.zeros((STRETCH, len(order)), np.int64)
        coming[: max(0, longest - at)] = right[at : at + STRETCH]
        stretches.append(np.zeros((STRETCH, len(order)), np.uint32))
        _kernel().lift(stretches[-1], residual, coming, diagonal, edges, *triangles, *numbers)
        if STRETCH * len(stretches) >= due:
            due += due // 4  # the last attempt then costs more than all others together
            found = recovered(system, order, np.concatenate(stretches), prime)
            if found is not None:
                return found


@cache
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
    """The number in each column."""
    values: NDArray[Any] = digits.astype(object)
    while len(values) > 1:
        if len(values) % 2:
            values = np.vstack((values, np.zeros((1, values.shape[1]), object)))
        values = values[::2] + values[1::2] * base
        base *= base
    return list(values[0])


def recovered(system: System, order: list[int], digits: NDArray[np.uint32], prime: int) -> tuple[list[int], int] | None:
    """Numerators and their common denominator from p-adic digits, or None if these are too few (or wrong).

    The first number takes all digits. It mostly has the denominator of all others, whose numerators then need half.
    What is taken for certain grows with the digits, so that no accident among them can recur for ever.
    """
    modulus = prime ** len(digits)
    sure = SURE + modulus.bit_length() // 16
    start = _fraction(_integers(digits[:, :1], prime)[0], modulus, sure)
    if start is None:
        return None
    denominator = start[1]
    half = (start[0].bit_length() + 2 * sure) // (prime.bit_length() - 1) + 1
    least = prime ** min(half, len(digits))
    numerators, scales = [0] * len(order), [1] * len(order)
    for begin in range(0, len(order), COLUMNS):
        scale = denominator
        factor = np.array(_in_base(scale, prime), np.uint32)
        columns = _kernel().scaled(digits[:half, begin : begin + COLUMNS].copy(), factor, np.uint64(prime))
        for i, numerator in enumerate(_integers(columns, prime), begin):
            numerators[order[i]], scales[order[i]] = numerator, scale
            if numerator << sure > least:
                whole = _integers(digits[:, i : i + 1], prime)[0]
                fraction = _fraction(whole * denominator % modulus, modulus, sure)
                if fraction is None:
                    return None
                denominator *= fraction[1]
                numerators[order[i]], scales[order[i]] = fraction[0], denominator
    numerators = [n * (denominator // scale) for n, scale in zip(numerators, scales, strict=True)]
    return (numerators, denominator) if system.holds(numerators, denominator) else None


def _fraction(residue: int, modulus: int, sure: int) -> tuple[int, int] | None:
    """The fraction much smaller than all others with this residue: Euclid's algorithm meets it at a huge quotient."""
    before, now, factor_before, factor = modulus, residue, 0, 1
    while now:
        quotient, rest = divmod(before, now)
        if quotient >> sure:
            return (now, factor) if factor > 0 else (-now, -factor)
        before, now = now, rest
        factor_before, factor = factor, factor_before - quotient * factor
    return (0, 1) if residue == 0 else None


def worst(values: Sequence[Fraction]) -> Fraction:
    """Their integer parts after 64 binary places decide almost always, and cost no product of long numbers."""
    keys = [(value.numerator << 64) // value.denominator for value in values]
    highest = max(keys)
    return max(value for value, key in zip(values, keys, strict=True) if key == highest)


def weighted_mean(values: Sequence[Fraction], multiplicities: Sequence[int] | NDArray[Any]) -> Fraction:
    """Sums of equal denominators first, then neighbours in size: these have most factors in common."""
    sums: dict[int, int] = {}
    for value, times in zip(values, multiplicities, strict=True):
        sums[value.denominator] = sums.get(value.denominator, 0) + int(times) * value.numerator
    parts = sorted(sums.items())
    while len(parts) > 1:
        joined = map(_joined, parts[::2], parts[1::2])
        parts = [*joined, *parts[len(parts) & ~1 :]]
    denominator, numerator = parts[0]
    return Fraction(numerator, denominator * sum(map(int, multiplicities)))


def _joined(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    common = math.lcm(one[0], other[0])
    return common, one[1] * (common // one[0]) + other[1] * (common // other[0])


def as_text(value: Fraction) -> str:
    """For a time: it is not negative."""
    above = _decimal(value.numerator)
    return above if value.denominator == 1 else f"{above}/{_decimal(value.denominator)}"


def _decimal(number: int) -> str:
    """str() refuses numbers of more than 4,300 digits."""
    half = number.bit_length() * 3 // 20  # of the decimal digits
    if half < 300:
        return str(number)
    high, low = divmod(number, 10**half)
    return _decimal(high) + _decimal(low).rjust(half, "0")
