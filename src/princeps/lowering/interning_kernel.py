"""The compiled side of a state table: finding a state, learning what becomes of two. Reached by address from every kernel."""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.lowering.interning import (
    CAPACITY,
    CHANGED,
    CONSTANTS,
    FAILED,
    FULL,
    ID_BITS,
    IO,
    KNOWN,
    MARK,
    MARKS,
    MISSES,
    MIX,
    OUTPUT,
    PLAIN,
    RULE,
    SIZE,
    SLOTS,
    SLOTS_A_STATE,
    TABLE,
    TOPS,
    TRACKED,
    WIDTH,
    WORDS,
)  # fmt: skip
from princeps.lowering.jit import cfunc, njit
from princeps.lowering.pointers import call, halves_at, words_at
from princeps.lowering.status import CONTINUE


@njit
def slot_of(header: Any, cells: Any, first: int) -> int:
    """Where the state at cells[first:] stands among the slots, or the free one where it belongs."""
    words, slots, width = words_at(header[WORDS]), words_at(header[SLOTS]), header[WIDTH]
    mask = SLOTS_A_STATE * header[CAPACITY] - 1
    h = np.uint64(0)
    for w in range(width):
        h = (h ^ np.uint64(cells[first + w])) * np.uint64(MIX)
        h ^= h >> np.uint64(29)
    slot = np.int64(h >> np.uint64(20)) & mask
    while slots[slot] != 0:
        found = slots[slot] - 1
        same = True
        for w in range(width):
            same &= words[found * width + w] == cells[first + w]
        if same:
            break
        slot = (slot + 1) & mask
    return slot


@njit
def find_or_add(header: Any, first: int) -> int:
    """The id of the state at io[first:], new if need be; FULL if there is no room, FAILED if a predicate fails."""
    words, slots, io, width = words_at(header[WORDS]), words_at(header[SLOTS]), words_at(header[IO]), header[WIDTH]
    slot = slot_of(header, io, first)
    if slots[slot] != 0:
        return slots[slot] - 1
    new = header[SIZE]
    if new == header[CAPACITY]:
        return FULL
    marks = call(header[MARK], header[IO] + 8 * first, header[CONSTANTS], header[TOPS])
    if marks < 0:
        return FAILED
    for w in range(width):
        words[new * width + w] = io[first + w]
    words_at(header[MARKS])[new] = marks
    slots[slot] = new + 1
    header[SIZE] = new + 1
    return new


@cfunc("int64(CPointer(int64), int64, int64)")
def learn(header: Any, a: int, b: int) -> int:
    """The entry of a pair that has not met yet, by running the rule; or a negative status that says why not."""
    words, io, width = words_at(header[WORDS]), words_at(header[IO]), header[WIDTH]
    for w in range(width):
        io[w] = words[a * width + w]
        io[width + w] = words[b * width + w]
    status = call(header[RULE], header[IO], header[CONSTANTS], header[TOPS])
    if status != CONTINUE:
        return -status
    u = find_or_add(header, 2 * width)
    if u < 0:
        return u
    v = find_or_add(header, 3 * width)
    if v < 0:
        return v
    entry = u | (v << ID_BITS) | KNOWN
    if u != a or v != b:
        entry |= CHANGED
    marks = words_at(header[MARKS])
    if marks[a] != marks[u] or marks[b] != marks[v]:
        entry |= TRACKED
        if ((marks[a] ^ marks[u]) | (marks[b] ^ marks[v])) & 1:
            entry |= OUTPUT
    else:
        entry |= PLAIN
    halves_at(header[TABLE])[a * header[CAPACITY] + b] = np.uint32(entry)
    header[MISSES] += 1
    return entry


@njit(cache=True)
def find(header: Any) -> int:
    """The id of the state in io."""
    return find_or_add(header, 0)


@njit(cache=True)
def hash_all(header: Any) -> None:
    """Enter all states into empty slots."""
    for k in range(header[SIZE]):
        words_at(header[SLOTS])[slot_of(header, words_at(header[WORDS]), k * header[WIDTH])] = k + 1


@njit(cache=True)
def intern_all(header: Any, agents: Any, ids: Any, first: int) -> int:
    """Ids for agents given as rows of packed words, from `first` on; stops at the agent for which there is no room."""
    io = words_at(header[IO])
    for i in range(first, agents.shape[0]):
        for w in range(agents.shape[1]):
            io[w] = agents[i, w]
        found = find_or_add(header, 0)
        if found < 0:
            return i
        ids[i] = found
    return agents.shape[0]
