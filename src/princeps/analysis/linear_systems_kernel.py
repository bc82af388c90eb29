"""Linear equations modulo a prime, and the p-adic digits of their solution.

States with few neighbours are eliminated first, by dictionaries; what remains is a dense core, often a third of the
states, and goes through compiled loops. The prime is below 2^29: eight products of residues stay
below 2^32 times the prime, so that one reduction (Montgomery's, which a vector unit can do: no division) serves eight
elimination steps.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import Any

import numpy as np

from princeps.lowering.jit import njit

SPARSE_COST = 500  # time for an entry in the elimination by dictionaries, divided by that in the dense core
BLOCK = 8  # rows that one pass over the matrix eliminates: five times as fast as one by one
SUMMANDS = 64  # products of residues below 2^29 whose sum fits into 64 bits
LOW_MASK = np.uint64(0xFFFFFFFF)  # the lower half of 64 bits
HALF_BITS = np.uint64(32)
NEARLY_FULL = np.uint64(62)  # bits of a sum that must be reduced before it overflows


@njit
def added(residue: Any, value: Any, prime: Any, negated: Any) -> Any:
    """residue + value / 2^32 modulo the prime, for a value below 2^32 times the prime; negated = -1/prime mod 2^32.

    Differences of 32 bits that would be negative are large: the smaller one is the residue.
    """
    quotient = ((value & LOW_MASK) * np.uint64(negated)) & LOW_MASK
    rest = np.uint32((value + quotient * np.uint64(prime)) >> HALF_BITS)
    rest = min(rest, np.uint32(rest - prime))
    rest = np.uint32(rest + residue)
    return min(rest, np.uint32(rest - prime))


@njit
def power(base: Any, exponent: Any, prime: Any) -> Any:
    result = np.uint64(1)
    while exponent:
        if exponent & np.uint64(1):
            result = result * base % prime
        base = base * base % prime
        exponent >>= np.uint64(1)
    return result


@njit
def add_multiples(row: Any, rows: Any, f: Any, prime: Any, negated: Any) -> Any:
    """row += f[0] rows[0] + ... + f[7] rows[7]: written out, because only then it is vectorised."""
    a, b, c, d, e, g, h, i = f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7]
    r, s, t, u, v, w, x, y = rows[0], rows[1], rows[2], rows[3], rows[4], rows[5], rows[6], rows[7]
    for j in range(len(row)):
        value = a * np.uint64(r[j]) + b * np.uint64(s[j]) + c * np.uint64(t[j]) + d * np.uint64(u[j])
        value += e * np.uint64(v[j]) + g * np.uint64(w[j]) + h * np.uint64(x[j]) + i * np.uint64(y[j])
        row[j] = added(row[j], value, prime, negated)


@njit(cache=True)
def eliminate_block(matrix: Any, start: Any, prime: Any, negated: Any) -> Any:
    """Rows start..start+7 of an elimination in place, of residues times 2^32; False if a pivot is 0.

    On and above the diagonal remains U, but with the inverses of the pivots; below it L, whose diagonal is 1.
    """
    stop = start + BLOCK
    size = len(matrix)
    wide = np.uint64(prime)
    zero = np.uint32(0)
    for t in range(start, stop):
        pivot = np.uint64(added(zero, np.uint64(matrix[t, t]), prime, negated))
        if pivot == 0:
            return False
        inverse = (power(pivot, wide - np.uint64(2), wide) << HALF_BITS) % wide
        matrix[t, t] = inverse
        for i in range(t + 1, size):
            if matrix[i, t] == 0:
                continue
            factor = added(zero, np.uint64(matrix[i, t]) * inverse, prime, negated)
            matrix[i, t] = factor
            minus = np.uint64(prime - factor)
            for j in range(t + 1, size if i < stop else stop):
                matrix[i, j] = added(matrix[i, j], minus * np.uint64(matrix[t, j]), prime, negated)
    rows = matrix[start:stop, stop:]
    factors = np.zeros(BLOCK, np.uint64)
    for i in range(stop, size):
        all_zero = True
        for t in range(BLOCK):
            all_zero &= matrix[i, start + t] == 0
            factors[t] = prime - matrix[i, start + t]
        if not all_zero:
            add_multiples(matrix[i, stop:], rows, factors, prime, negated)
    return True


@njit(cache=True)
def unscale(matrix: Any, prime: Any, negated: Any) -> Any:
    for row in matrix:
        for j in range(len(row)):
            row[j] = added(np.uint32(0), np.uint64(row[j]), prime, negated)


@njit
def dot(row: Any, values: Any) -> Any:
    total = np.uint64(0)
    for j in range(len(row)):
        total += np.uint64(row[j]) * np.uint64(values[j])
    return total


@njit
def subtract_product(value: Any, row: Any, values: Any, prime: Any) -> Any:
    """value - row . values modulo the prime."""
    product = np.uint64(0)
    for j in range(0, len(row), SUMMANDS):
        product += dot(row[j : j + SUMMANDS], values[j : j + SUMMANDS]) % prime
    return np.uint32((np.uint64(value) + prime - product % prime) % prime)


@njit
def subtract_sparse_product(value: Any, heads: Any, factors: Any, begin: Any, end: Any, values: Any, prime: Any) -> Any:
    """The same for a row of few entries."""
    product = np.uint64(0)
    for k in range(begin, end):
        product += np.uint64(factors[k]) * np.uint64(values[heads[k]])
        if product >> NEARLY_FULL:
            product %= prime
    return np.uint32((np.uint64(value) + prime - product % prime) % prime)


@njit
def solve(values: Any, lower: Any, upper: Any, pivots: Any, core: Any, prime: Any) -> Any:
    """Replace the right side by the solution. First come the rows with few entries, then those of the core."""
    offsets, heads, factors = lower
    first = len(pivots)
    for i in range(len(values)):
        values[i] = subtract_sparse_product(values[i], heads, factors, offsets[i], offsets[i + 1], values, prime)
    rest = values[first:]
    for i in range(len(rest)):
        rest[i] = subtract_product(rest[i], core[i, :i], rest[:i], prime)
    for i in range(len(rest) - 1, -1, -1):
        value = subtract_product(rest[i], core[i, i + 1 : len(rest)], rest[i + 1 :], prime)
        rest[i] = np.uint64(value) * np.uint64(core[i, i]) % prime
    offsets, heads, factors = upper
    for i in range(first - 1, -1, -1):
        value = subtract_sparse_product(values[i], heads, factors, offsets[i], offsets[i + 1], values, prime)
        values[i] = np.uint64(value) * np.uint64(pivots[i]) % prime


@njit(cache=True)
def lift(
    digits: Any,
    residual: Any,
    right: Any,
    diagonal: Any,
    edges: Any,
    lower: Any,
    upper: Any,
    pivots: Any,
    core: Any,
    prime: Any,
    inverse: Any,
) -> Any:
    """The next digits of the solution, least significant first.

    residual becomes (residual - M digit) / prime + the next digit of the right side. The difference need not fit into
    64 bits, but the quotient does, and it is exact: multiply by 1/prime modulo 2^64 (`inverse`) and let it overflow.
    """
    offsets, heads, weights = edges
    signed = np.int64(prime)
    for t in range(len(digits)):
        digit = digits[t]
        for i in range(len(residual)):
            digit[i] = residual[i] % signed
        solve(digit, lower, upper, pivots, core, prime)
        for i in range(len(residual)):
            value = residual[i] - diagonal[i] * np.int64(digit[i])
            for k in range(offsets[i], offsets[i + 1]):
                value += weights[k] * np.int64(digit[heads[k]])
            residual[i] = value * inverse + right[t, i]


@njit(cache=True)
def scaled(digits: Any, factor: Any, prime: Any, result: Any) -> None:
    """The digits of factor * number, for the number in each column; those beyond its length are dropped."""
    length, numbers = digits.shape
    low, high = (
        np.zeros(numbers, np.uint64),
        np.zeros(numbers, np.uint64),
    )  # lower and upper half of the sum for one digit
    for t in range(length):
        for s in range(min(t + 1, len(factor))):
            add_halves(low, high, np.uint64(factor[s]), digits[t - s])
        for j in range(numbers):
            rest = (high[j] % prime << HALF_BITS) + low[j]
            result[t, j] = rest % prime
            low[j] = (high[j] // prime << HALF_BITS) + rest // prime
            high[j] = low[j] >> HALF_BITS
            low[j] &= LOW_MASK


@njit
def add_halves(low: Any, high: Any, factor: Any, row: Any) -> Any:
    for j in range(len(row)):
        product = factor * np.uint64(row[j])
        low[j] += product & LOW_MASK
        high[j] += product >> HALF_BITS


def factors(rows: list[dict[int, int]], diagonal: list[int], prime: int) -> tuple[Any, ...] | None:
    """diagonal[i] x[i] - sum of rows[i][j] x[j] as L times U: the order of elimination, then arguments of `lift`.

    None if a pivot is 0 modulo the prime: the pivots themselves are positive.
    """
    rows = [{y: -w % prime for y, w in row.items()} for row in rows]
    columns: list[set[int]] = [set() for _ in rows]
    for x, row in enumerate(rows):
        for y in row:
            columns[y].add(x)
    lower: list[dict[int, int]] = [{} for _ in rows]
    pivots: dict[int, int] = {}  # by state, in the order of elimination
    rest = [d % prime for d in diagonal]
    heap = [(len(row) * len(column), x) for x, (row, column) in enumerate(zip(rows, columns, strict=True))]
    heapify(heap)
    while heap:
        expected, v = heappop(heap)
        upper = rows[v]
        cost = len(upper) * len(columns[v])
        if cost > expected:
            heappush(heap, (cost, v))
            continue
        if cost * SPARSE_COST > (len(rows) - len(pivots)) ** 2:
            break
        if rest[v] == 0:
            return None
        pivots[v] = pow(rest[v], -1, prime)
        for y in upper:
            columns[y].remove(v)
        for x in columns[v]:
            row = rows[x]
            factor = lower[x][v] = row.pop(v) * pivots[v] % prime
            for y, a in upper.items():
                if y == x:
                    rest[x] = (rest[x] - factor * a) % prime
                else:
                    row[y] = (row.get(y, 0) - factor * a) % prime
                    columns[y].add(x)
    order = [*pivots, *sorted(set(range(len(rows))) - pivots.keys(), key=lambda x: len(columns[x]))]
    index = {x: i for i, x in enumerate(order)}
    first = len(pivots)
    core = factor_core(
        [{index[x] - first: rest[x], **{index[y] - first: a for y, a in rows[x].items()}} for x in order[first:]], prime
    )
    if core is None:
        return None
    below = as_arrays([{index[v]: a for v, a in lower[x].items()} for x in order], np.uint32)
    above = as_arrays([{index[y]: a for y, a in rows[v].items()} for v in pivots], np.uint32)
    return order, below, above, np.array(list(pivots.values()), np.uint32), core


def factor_core(rows: list[dict[int, int]], prime: int) -> Any:
    """The dense rows factored in place, padded with rows of the identity to whole blocks."""
    padded = -(-len(rows) // BLOCK) * BLOCK
    core = np.eye(padded, dtype=np.uint32)
    for i, row in enumerate(rows):
        core[i, list(row)] = np.array([(a << 32) % prime for a in row.values()], np.uint32)
    numbers = np.uint32(prime), np.uint32(-pow(prime, -1, 1 << 32) % (1 << 32))
    for start in range(0, padded, BLOCK):
        if not eliminate_block(core, start, *numbers):
            return None
    unscale(core, *numbers)
    return core


def as_arrays(rows: list[dict[int, int]], dtype: type) -> tuple[Any, ...]:
    """Rows in compressed form: offsets, column numbers, values."""
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    columns = np.array([y for row in rows for y in row], np.int32)
    return offsets, columns, np.array([a for row in rows for a in row.values()], dtype)
