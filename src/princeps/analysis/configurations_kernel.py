"""Enumerating configurations, finding one among them, and the result of each interaction in each of them.

A configuration is a row of small numbers. In the encoding BY_AGENT it has the class of every agent, and is the smallest
of its images under the permutations; in the encoding SORTED it has the classes of all agents in order; in the encoding
BY_CLASS it has for every class the number of its agents. `slots` is a hash table of row numbers (plus one).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.analysis.codes import (
    BY_AGENT,
    BY_CLASS,
    EXPANDED,
    FAILING_PAIR,
    OUT_OF_ROOM,
    RESPONDER_BITS,
    RESPONDER_MASK,
    SORTED,
    UNKNOWN,
    UNKNOWN_PAIR,
)
from princeps.lowering.jit import njit


@njit
def compare_image(row: Any, permutation: Any) -> int:
    """-1 if the permuted row comes before the row, 0 if it is the same, 1 if it comes after."""
    for i in range(row.size):
        x, y = row[permutation[i]], row[i]
        if x < y:
            return -1
        if x > y:
            return 1
    return 0


@njit
def make_canonical(row: Any, encoding: int, permutations: Any, best: Any) -> None:
    """Replace a row by the smallest of its images; `best` is working memory."""
    n = row.size
    if encoding == SORTED:
        for i in range(1, n):
            x = row[i]
            j = i
            while j > 0 and row[j - 1] > x:
                row[j] = row[j - 1]
                j -= 1
            row[j] = x
    elif encoding == BY_AGENT and permutations.shape[0] > 0:
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
def slot_of(row: Any, rows: Any, slots: Any) -> Any:
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
def insert_rows(rows: Any, first: int, last: int, slots: Any) -> None:
    for x in range(first, last):
        slots[slot_of(rows[x], rows, slots)] = x + 1


@njit(cache=True)
def find_row(row: Any, rows: Any, slots: Any, encoding: int, permutations: Any) -> Any:
    """The number of a configuration, -1 if it is not there; the row is made canonical."""
    make_canonical(row, encoding, permutations, row.copy())
    return np.int64(slots[slot_of(row, rows, slots)]) - 1


@njit
def next_row(row: Any, classes: int, encoding: int) -> bool:
    """The next row of the encoding in lexicographic order; False after the last."""
    n = row.size
    if encoding == BY_CLASS:  # move one agent out of the last class that is not the end
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
        row[j] = row[i] if encoding == SORTED else 0
    return True


@njit(cache=True)
def enumerate_rows(row: Any, classes: int, encoding: int, permutations: Any, rows: Any, size: int, budget: int) -> Any:
    """Append rows that are their own smallest images, beginning with `row`; also whether there are more."""
    for _ in range(budget):
        keep = True
        for k in range(permutations.shape[0]):
            if compare_image(row, permutations[k]) < 0:
                keep = False
                break
        if keep:
            for i in range(row.size):
                rows[size, i] = row[i]
            size += 1
        if not next_row(row, classes, encoding):
            return size, False
    return size, True


@njit(cache=True)
def multiplicities(rows: Any, encoding: int, permutations: Any, sizes: Any, out: Any) -> None:
    """How many configurations of distinct agents in unmerged states a row stands for."""
    for x in range(rows.shape[0]):
        row = rows[x]
        number = np.int64(1)
        if encoding == BY_AGENT:
            stabilizer = 1
            for k in range(permutations.shape[0]):
                stabilizer += compare_image(row, permutations[k]) == 0
            number = (permutations.shape[0] + 1) // stabilizer
            for i in range(row.size):
                number *= sizes[row[i]]
        else:
            agents_so_far, copies_so_far = 0, 0
            for i in range(row.size):
                copies = 1 if encoding == SORTED else np.int64(row[i])
                class_ = np.int64(row[i]) if encoding == SORTED else i
                if encoding == BY_CLASS or i == 0 or row[i] != row[i - 1]:
                    copies_so_far = 0
                for _ in range(copies):  # one binomial coefficient after the other; each division is exact
                    agents_so_far += 1
                    copies_so_far += 1
                    number = number * agents_so_far // copies_so_far * sizes[class_]
        out[x] = number


@njit
def append_step(x: int, y: int, output_changes: bool, weight: Any, k: int, successors: Any, changes_output: Any,
                weights: Any) -> int:  # fmt: skip
    """Append a step at k, unless it changes nothing; the next k."""
    if y == x and not output_changes:
        return k
    successors[k] = y
    changes_output[k] = output_changes
    if weights.size > 0:
        weights[k] = weight
    return k + 1


@njit
def find_or_add(row: Any, rows: Any, size: int, slots: Any) -> Any:
    """The number of a canonical row, new if need be, and the new size."""
    slot = slot_of(row, rows, slots)
    if slots[slot] != 0:
        return np.int64(slots[slot]) - 1, size
    for i in range(row.size):
        rows[size, i] = row[i]
    slots[slot] = size + 1
    return size, size + 1


@njit(cache=True)
def expand(
    x: int, last: int, size: int, rows: Any, slots: Any, encoding: int, permutations: Any, sources: Any, targets: Any,
    table: Any, leaders: Any, absorbing: Any, offsets: Any, k: int, successors: Any, changes_output: Any, weights: Any,
) -> Any:  # fmt: skip
    """Append the steps of configurations x..last-1, from index k on.

    Returns early, before a configuration whose steps could not be completed: because the transition of a pair of classes
    is unknown or fails, or because an array may be too short. Returns (reason, next x, size, next k, pair).
    """
    n = rows.shape[1]
    row, best = np.empty(n, rows.dtype), np.empty(n, rows.dtype)
    max_steps = sources.size if encoding == BY_AGENT else n * n
    while x < last:
        begin = k
        if size + max_steps > rows.shape[0] or k + max_steps > successors.size or 2 * (size + max_steps) > slots.size:
            return OUT_OF_ROOM, x, size, begin, np.int64(0), np.int64(0)
        if absorbing.size > 0 and absorbing[x] != 0:
            offsets[x + 1] = k
            x += 1
            continue
        pairs = sources.size if encoding == BY_AGENT else n * n
        for pair in range(pairs):
            weight = np.int64(1)
            if encoding == BY_AGENT:
                i, j = np.int64(sources[pair]), np.int64(targets[pair])
                a, b = np.int64(rows[x, i]), np.int64(rows[x, j])
            else:
                i, j = pair // n, pair % n
                if encoding == BY_CLASS:
                    a, b = i, j
                    weight = np.int64(rows[x, i]) * (np.int64(rows[x, j]) - np.int64(i == j))
                else:
                    a, b = np.int64(rows[x, i]), np.int64(rows[x, j])
                    if (i > 0 and rows[x, i - 1] == rows[x, i]) or (j > 0 and rows[x, j - 1] == rows[x, j]):
                        continue  # the first of its class counts for all of them
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
                return (UNKNOWN_PAIR if entry == UNKNOWN else FAILING_PAIR), x, size, begin, a, b
            u, v = entry >> RESPONDER_BITS, entry & RESPONDER_MASK
            if u == a and v == b:
                continue
            output_changes = leaders[u] != leaders[a] or leaders[v] != leaders[b]
            for c in range(n):
                row[c] = rows[x, c]
            if encoding == BY_CLASS:
                row[a] -= 1
                row[b] -= 1
                row[u] += 1
                row[v] += 1
            else:
                row[i] = u
                row[j] = v
                make_canonical(row, encoding, permutations, best)
            y, size = find_or_add(row, rows, size, slots)
            k = append_step(x, y, output_changes, weight, k, successors, changes_output, weights)
        offsets[x + 1] = k
        x += 1
    return EXPANDED, x, size, k, np.int64(0), np.int64(0)
