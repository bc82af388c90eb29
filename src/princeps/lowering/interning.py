"""Interned states: every state that appears gets a small id, and what two ids become is computed once.

Most protocols occupy a few hundred states, however large the product of their fields. The book holds the packed words
of each id, a hash table to find a state's id, and the memo table of delta, indexed by two ids and filled when a pair
first meets. An entry is one 32-bit word:

    bits 0-12 and 13-25   the ids after the interaction
    bit 26                something changed
    bit 27                a tracked predicate changed for one of the two
    bit 28                an output changed
    bit 30                the pair is known (an entry of zeros is not)
    bit 31                known, and nothing tracked changed: the common case is one test

All arrays of zeros come from the operating system page by page: a large table costs only the pages that are used.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from princeps.lowering.pointers import call

FEWEST, MOST = 256, 4096  # states; the table of 4096 takes 64 MiB
WIDTH = 13
MASK = (1 << WIDTH) - 1
CHANGED, TRACKED, OUTPUT, KNOWN, PLAIN = 1 << 26, 1 << 27, 1 << 28, 1 << 30, 1 << 31

BAD, FAILED, FULL = -3, -5, -6  # instead of an entry: outside a domain, division by zero, no room for a new state


class Book(NamedTuple):
    """The arrays of one run; `facts` holds the number of states and how often a pair was new."""

    words: Any  # int64, states x words of the layout
    slots: Any  # int32, id + 1 at the hash of its words
    table: Any  # uint32, states x states in a row
    marks: Any  # int64, a bit for each tracked predicate that the state satisfies; bit 0 is the output
    facts: Any  # int64: states, misses
    io: Any  # int64, arguments and results of the rule
    addresses: Any  # int64: rule, marks, io, constants, tops


def new_book(capacity: int, width: int, rule: int, marks: int, constants: Any, tops: Any) -> Book:
    io = np.zeros(4 * width, np.int64)
    addresses = [rule, marks, io.ctypes.data, constants.ctypes.data, tops.ctypes.data]
    return Book(
        words=np.zeros((capacity, width), np.int64),
        slots=np.zeros(4 * capacity, np.int32),
        table=np.zeros(capacity * capacity, np.uint32),
        marks=np.zeros(capacity, np.int64),
        facts=np.zeros(2, np.int64),
        io=io,
        addresses=np.array(addresses, np.int64),
    )


def grown(book: Book) -> Book:
    """The same states and entries with room for twice as many."""
    old, size = book.words.shape[0], int(book.facts[0])
    words = np.zeros((2 * old, book.words.shape[1]), np.int64)
    marks, table = np.zeros(2 * old, np.int64), np.zeros(4 * old * old, np.uint32)
    words[:size], marks[:size] = book.words[:size], book.marks[:size]
    table.reshape(2 * old, 2 * old)[:old, :old] = book.table.reshape(old, old)
    new = book._replace(
        words=words, slots=np.zeros(8 * old, np.int32), marks=marks, table=table, facts=book.facts.copy()
    )
    _hash_all(new)
    return new


def keep_only(book: Book, ids: Any) -> Book:
    """Another book without all other states: these are numbered anew, in this order."""
    new = Book(*(np.zeros_like(array) for array in book[:4]), *book[4:])._replace(facts=book.facts.copy())
    new.words[: len(ids)], new.marks[: len(ids)] = book.words[ids], book.marks[ids]
    new.facts[0] = len(ids)
    _hash_all(new)
    return new


def _hash_all(book: Book) -> None:
    size, mask = int(book.facts[0]), len(book.slots) - 1
    h = np.zeros(size, np.uint64)
    for column in book.words[:size].T:
        h = (h ^ column.astype(np.uint64)) * np.uint64(MIX)
        h ^= h >> np.uint64(29)
    for k, place in enumerate(((h >> np.uint64(20)) & np.uint64(mask)).tolist()):
        while book.slots[place]:
            place = (place + 1) & mask
        book.slots[place] = k + 1


MIX = 0x9E3779B97F4A7C15


@njit
def find_or_add(book: Book, first: int) -> int:
    """The id of the state at io[first:], new if need be; FULL if there is no room."""
    words, slots, io = book.words, book.slots, book.io
    width, mask = words.shape[1], slots.size - 1
    h = np.uint64(0)
    for w in range(width):
        h = (h ^ np.uint64(io[first + w])) * np.uint64(MIX)
        h ^= h >> np.uint64(29)
    place = np.int64(h >> np.uint64(20)) & mask
    while slots[place] != 0:
        found = slots[place] - 1
        same = True
        for w in range(width):
            same &= words[found, w] == io[first + w]
        if same:
            return np.int64(found)
        place = (place + 1) & mask
    new = book.facts[0]
    if new == words.shape[0]:
        return FULL
    for w in range(width):
        words[new, w] = io[first + w]
    at = book.addresses
    book.marks[new] = call(at[1], at[2] + 8 * first, at[3], at[4])
    slots[place] = new + 1
    book.facts[0] = new + 1
    return np.int64(new)


@njit
def learn(book: Book, a: int, b: int) -> int:
    """The entry of a pair that has not met yet, by running the rule; or a negative number that says why not."""
    words, io, at = book.words, book.io, book.addresses
    width = words.shape[1]
    for w in range(width):
        io[w] = words[a, w]
        io[width + w] = words[b, w]
    status = call(at[0], at[2], at[3], at[4])
    if status != 0:
        return -status
    u = find_or_add(book, 2 * width)
    if u < 0:
        return u
    v = find_or_add(book, 3 * width)
    if v < 0:
        return v
    entry = u | (v << WIDTH) | KNOWN
    if u != a or v != b:
        entry |= CHANGED
    marks = book.marks
    before, after = (marks[a], marks[b]), (marks[u], marks[v])
    if before[0] != after[0] or before[1] != after[1]:
        entry |= TRACKED
        if (before[0] ^ after[0]) & 1 or (before[1] ^ after[1]) & 1:
            entry |= OUTPUT
    else:
        entry |= PLAIN
    book.table[a * words.shape[0] + b] = np.uint32(entry)
    book.facts[1] += 1
    return np.int64(entry)


@njit
def look_up(book: Book, a: int, b: int) -> int:
    """The entry of a pair, learnt if need be."""
    entry = np.int64(book.table[a * book.words.shape[0] + b])
    return entry if entry != 0 else learn(book, a, b)


@njit
def intern_words(book: Book, agents: Any, ids: Any, first: int) -> int:
    """Ids for agents given as rows of packed words, from `first` on; stops at the agent for which there is no room."""
    width = agents.shape[1]
    for i in range(first, agents.shape[0]):
        for w in range(width):
            book.io[w] = agents[i, w]
        found = find_or_add(book, 0)
        if found < 0:
            return i
        ids[i] = found
    return agents.shape[0]


@njit
def recount(marks: Any, counts: Any, a: int, b: int, u: int, v: int) -> None:
    """Keep the counts of the tracked predicates; the last count is n."""
    x, y, z, w = marks[a], marks[b], marks[u], marks[v]
    for k in range(counts.size - 1):
        counts[k] += ((z >> k) & 1) + ((w >> k) & 1) - ((x >> k) & 1) - ((y >> k) & 1)
