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

Tables of zeros come from the operating system page by page: a large one costs only the pages that are used.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.lowering.cache import kernel_module

FEWEST, MOST = 256, 4096  # states; the table of 4096 takes 64 MiB
BITS = 13
MASK = (1 << BITS) - 1
CHANGED_BIT = 26
CHANGED, TRACKED, OUTPUT, KNOWN, PLAIN = 1 << CHANGED_BIT, 1 << 27, 1 << 28, 1 << 30, 1 << 31
BAD, FAILED, FULL = -3, -5, -6  # instead of an entry: outside a domain, division by zero, no room for a new state

# Places in `at`, the address book of the book: numbers first, then addresses.
SIZE, MISSES, CAPACITY, WIDTH, WORDS, SLOTS, TABLE, MARKS, IO, RULE, MARK, CONSTANTS, TOPS, LEARN, SELF = range(15)
SLOTS_A_STATE = 4
MIX = 0x9E3779B97F4A7C15


def book_kernel() -> Any:
    return kernel_module("princeps.lowering.book_kernel")


class Book:
    """The states of one run with their meetings; kernels reach it through `at`."""

    def __init__(self, capacity: int, width: int, rule: int, mark: int, constants: Any, tops: Any) -> None:
        self.words = np.zeros((capacity, width), np.int64)
        self.marks = np.zeros(capacity, np.int64)  # a bit for each tracked predicate that a state satisfies
        self.slots = np.zeros(SLOTS_A_STATE * capacity, np.int64)  # id + 1 at the hash of its words
        self.table = np.zeros(capacity * capacity, np.uint32)
        self.io = np.zeros(4 * width, np.int64)  # two agents before an interaction, two after it
        self.constants, self.tops = constants, tops
        self.at = np.zeros(15, np.int64)
        self.at[CAPACITY], self.at[WIDTH], self.at[RULE], self.at[MARK] = capacity, width, rule, mark
        self.at[LEARN] = book_kernel().learn.address
        for place, array in (
            *((WORDS, self.words), (SLOTS, self.slots), (TABLE, self.table), (MARKS, self.marks), (IO, self.io)),
            *((CONSTANTS, constants), (TOPS, tops), (SELF, self.at)),
        ):
            self.at[place] = array.ctypes.data

    @property
    def size(self) -> int:
        return int(self.at[SIZE])

    @property
    def capacity(self) -> int:
        return int(self.at[CAPACITY])

    def _like(self, capacity: int, words: Any, marks: Any) -> Book:
        """Another book with these states, and no meetings yet."""
        new = Book(capacity, words.shape[1], int(self.at[RULE]), int(self.at[MARK]), self.constants, self.tops)
        size = len(words)
        new.words[:size], new.marks[:size] = words, marks
        new.at[SIZE], new.at[MISSES] = size, self.at[MISSES]
        book_kernel().hash_all(new.at)
        return new

    def grown(self) -> Book:
        """The same states and entries with room for twice as many."""
        old, size = self.capacity, self.size
        new = self._like(2 * old, self.words[:size], self.marks[:size])
        new.table.reshape(2 * old, 2 * old)[:old, :old] = self.table.reshape(old, old)
        return new

    def only(self, ids: Any) -> Book:
        """Without all other states: these are numbered anew, in this order."""
        return self._like(self.capacity, self.words[ids], self.marks[ids])

    def number(self, words: Any) -> int:
        """The id of a state, new if need be; FULL if there is no room."""
        self.io[: len(words)] = words
        return int(book_kernel().find(self.at))
