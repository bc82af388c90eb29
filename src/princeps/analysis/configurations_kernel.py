"""Listing configurations, finding one among them, and what one interaction makes of each.

A configuration is a row of small numbers. In the form AGENTS it has the class of every agent, and is the smallest of
its images under the permutations; in the form SORTED it has the classes of a multiset in order; in the form COUNTS it
has for every class the number of its agents. `slots` is a hash table of row numbers (plus one).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.lowering.jit import njit

AGENTS, SORTED, COUNTS = 0, 1, 2
DONE, ASK, GROW, WRONG = 0, 1, 2, 3  # why `expand` stops
UNKNOWN = -1


@njit
def image_is_smaller(row: Any, permutation: Any) -> int:
    """-1 if the permuted row comes before the row, 0 if it is the same, 1 if it comes after."""
    for i in range(row.size):
        x, y = row[permutation[i]], row[i]
        if x < y:
            return -1
        if x > y:
            return 1
    return 0


@njit
def settle(row: Any, form: int, permutations: Any, best: Any) -> None:
    """Put the smallest image in the place of a row."""
    n = row.size
    if form == SORTED:
        for i in range(1, n):
            x = row[i]
            j = i
            while j > 0 and row[j - 1] > x:
                row[j] = row[j - 1]
                j -= 1
            row[j] = x
    elif form == AGENTS and permutations.shape[0] > 0:
        for i in range(n):
            best[i] = row[i]
        for k in range(permutations.shape[0]):
            smaller = False
            for i in range(n):
                x = row[permutations[k, i]]
                if not smaller:
                    if x > best[i]:
                        break
                    smaller = x < best[i]
                    if smaller:
                        for j in range(i):
                            best[j] = row[permutations[k, j]]
                if smaller:
                    best[i] = x
        for i in range(n):
            row[i] = best[i]


@njit
def place_of(row: Any, rows: Any, slots: Any) -> int:
    """The slot of a row, or the free one where it belongs."""
    h = np.uint64(row.size)
    for i in range(row.size):
        h = (h ^ np.uint64(row[i])) * np.uint64(0x9E3779B97F4A7C15)
        h ^= h >> np.uint64(32)
    mask = np.uint64(slots.size - 1)
    slot = h & mask
    while slots[slot] != 0:
        found = slots[slot] - 1
        same = True
        for i in range(row.size):
            if rows[found, i] != row[i]:
                same = False
                break
        if same:
            break
        slot = (slot + np.uint64(1)) & mask
    return np.int64(slot)


@njit(cache=True)
def enter(rows: Any, first: int, last: int, slots: Any) -> None:
    for x in range(first, last):
        slots[place_of(rows[x], rows, slots)] = x + 1


@njit(cache=True)
def look_up(row: Any, rows: Any, slots: Any, form: int, permutations: Any) -> int:
    """The number of a configuration, -1 if it is not there; the row is settled."""
    settle(row, form, permutations, row.copy())
    return np.int64(slots[place_of(row, rows, slots)]) - 1


@njit
def advance(row: Any, classes: int, form: int) -> bool:
    """The next row of the form in lexicographic order; False after the last."""
    n = row.size
    if form == COUNTS:  # move one agent out of the last class that is not the end
        tail = row[n - 1]
        i = n - 2
        while i >= 0 and row[i] == 0:
            i -= 1
        if i < 0:
            return False
        row[n - 1] = 0
        row[i] -= 1
        row[i + 1] = tail + 1
        return True
    i = n - 1
    while i >= 0 and row[i] == classes - 1:
        i -= 1
    if i < 0:
        return False
    row[i] += 1
    for j in range(i + 1, n):
        row[j] = row[i] if form == SORTED else 0
    return True


@njit(cache=True)
def enumerate_rows(row: Any, classes: int, form: int, permutations: Any, rows: Any, size: int, budget: int) -> Any:
    """Append rows that are their own smallest images, beginning with `row`; also whether there are more."""
    for _ in range(budget):
        keep = True
        for k in range(permutations.shape[0]):
            if image_is_smaller(row, permutations[k]) < 0:
                keep = False
                break
        if keep:
            for i in range(row.size):
                rows[size, i] = row[i]
            size += 1
        if not advance(row, classes, form):
            return size, False
    return size, True


@njit(cache=True)
def multiplicities(rows: Any, form: int, permutations: Any, sizes: Any, out: Any) -> None:
    """How many configurations of unmerged states in any position a row stands for."""
    for x in range(rows.shape[0]):
        row = rows[x]
        number = np.int64(1)
        if form == AGENTS:
            fixing = 1
            for k in range(permutations.shape[0]):
                fixing += image_is_smaller(row, permutations[k]) == 0
            number = (permutations.shape[0] + 1) // fixing
            for i in range(row.size):
                number *= sizes[row[i]]
        else:
            placed, run = 0, 0
            for i in range(row.size):
                copies = 1 if form == SORTED else np.int64(row[i])
                class_ = np.int64(row[i]) if form == SORTED else i
                if form == COUNTS or i == 0 or row[i] != row[i - 1]:
                    run = 0
                for _ in range(copies):  # a binomial coefficient after the other, each step exact
                    placed += 1
                    run += 1
                    number = number * placed // run * sizes[class_]
        out[x] = number


@njit
def keep_step(x: int, y: int, is_loud: bool, weight: int, k: int, successors: Any, loud: Any, weights: Any) -> int:
    if y == x and not is_loud:
        return k
    successors[k] = y
    loud[k] = is_loud
    if weights.size > 0:
        weights[k] = weight
    return k + 1


@njit
def find_or_add(row: Any, rows: Any, size: int, slots: Any) -> Any:
    """The number of a settled row, new if need be, and the new size."""
    slot = place_of(row, rows, slots)
    if slots[slot] != 0:
        return np.int64(slots[slot]) - 1, size
    for i in range(row.size):
        rows[size, i] = row[i]
    slots[slot] = size + 1
    return size, size + 1


@njit(cache=True)
def expand(
    x: int, last: int, size: int, rows: Any, slots: Any, form: int, permutations: Any, sources: Any, targets: Any,
    table: Any, leads: Any, absorbing: Any, offsets: Any, k: int, successors: Any, loud: Any, weights: Any,
) -> Any:  # fmt: skip
    """The steps from configurations x..last-1, listed from place k on.

    Stops early, before the configuration whose steps it could not finish: where a pair is unknown or fails (which), or
    where there may be no room. Returns (why, next x, size, next k, pair).
    """
    n = rows.shape[1]
    row, best = np.empty(n, rows.dtype), np.empty(n, rows.dtype)
    most = sources.size if form == AGENTS else n * n
    while x < last:
        begin = k
        if size + most > rows.shape[0] or k + most > successors.size or 2 * (size + most) > slots.size:
            return GROW, x, size, begin, np.int64(0), np.int64(0)
        if absorbing.size > 0 and absorbing[x] != 0:
            offsets[x + 1] = k
            x += 1
            continue
        pairs = sources.size if form == AGENTS else n * n
        for pair in range(pairs):
            weight = np.int64(1)
            if form == AGENTS:
                i, j = np.int64(sources[pair]), np.int64(targets[pair])
                a, b = np.int64(rows[x, i]), np.int64(rows[x, j])
            else:
                i, j = pair // n, pair % n
                if form == COUNTS:
                    a, b = i, j
                    weight = np.int64(rows[x, i]) * (np.int64(rows[x, j]) - np.int64(i == j))
                else:
                    a, b = np.int64(rows[x, i]), np.int64(rows[x, j])
                    if (i > 0 and rows[x, i - 1] == rows[x, i]) or (j > 0 and rows[x, j - 1] == rows[x, j]):
                        continue  # the first of its class speaks for all
                    copies, others = 1, 1
                    while i + copies < n and rows[x, i + copies] == rows[x, i]:
                        copies += 1
                    while j + others < n and rows[x, j + others] == rows[x, j]:
                        others += 1
                    weight = np.int64(copies) * np.int64(others - (i == j))
                    if i == j:
                        j = i + 1  # another of the same class, if there is one
                if weight == 0:
                    continue
            entry = table[a, b]
            if entry < 0:
                return (ASK if entry == UNKNOWN else WRONG), x, size, begin, a, b
            u, v = entry >> 32, entry & 0xFFFFFFFF
            if u == a and v == b:
                continue
            is_loud = leads[u] != leads[a] or leads[v] != leads[b]
            for c in range(n):
                row[c] = rows[x, c]
            if form == COUNTS:
                row[a] -= 1
                row[b] -= 1
                row[u] += 1
                row[v] += 1
            else:
                row[i] = u
                row[j] = v
                settle(row, form, permutations, best)
            y, size = find_or_add(row, rows, size, slots)
            k = keep_step(x, y, is_loud, weight, k, successors, loud, weights)
        offsets[x + 1] = k
        x += 1
    return DONE, x, size, k, np.int64(0), np.int64(0)
