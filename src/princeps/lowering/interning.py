"""Interned states: every state that appears gets a small id, and what two ids become is computed once.

Most protocols occupy a few hundred states, however large the product of their fields. The state table holds the packed
words of each id, a hash table to find a state's id, and the transitions (a memo of delta), indexed by two ids and filled when a pair
first meets. An entry is one 32-bit word:

    bits 0-12 and 13-25   the ids after the interaction (ID_BITS each)
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
from princeps.lowering.choice_code import PATH, ROOM
from princeps.lowering.status import RULE_FAILED, TABLE_FULL

MIN_STATES, MAX_STATES = 256, 4096  # states; the table of 4096 takes 64 MiB
ID_BITS = 13  # the width of an interned id
ID_MASK = (1 << ID_BITS) - 1
CHANGED_BIT = 2 * ID_BITS
CHANGED, TRACKED, OUTPUT, KNOWN, PLAIN = 1 << CHANGED_BIT, 2 << CHANGED_BIT, 4 << CHANGED_BIT, 1 << 30, 1 << 31
FULL = -TABLE_FULL  # instead of an entry: no room for a new state; other negative entries are the rule's status
FAILED = -RULE_FAILED  # a predicate fails at a state

# Indices of the header of the state table: numbers first, then addresses.
SIZE, MISSES, CAPACITY, WIDTH, WORDS, SLOTS, TABLE, MARKS, IO, RULE, MARK, CONSTANTS, TOPS, LEARN, SELF = range(15)
HEADER_LENGTH = 15
SLOTS_A_STATE = 4
MIX = 0x9E3779B97F4A7C15


def interning_kernel() -> Any:
    return kernel_module("princeps.lowering.interning_kernel")


class StateTable:
    """The states of one run and what meetings make of them; kernels reach it through `header`."""

    def __init__(
        self, capacity: int, width: int, rule: int, mark: int, constants: Any, tops: Any, choice_cells: int = 0
    ) -> None:
        """`choice_cells` more words follow the agents in io, where the rule has choices (choices.py)."""
        self.words = np.zeros((capacity, width), np.int64)
        self.marks = np.zeros(capacity, np.int64)  # a bit for each tracked predicate that a state satisfies
        self.slots = np.zeros(SLOTS_A_STATE * capacity, np.int64)  # id + 1 at the hash of its words
        self.transitions = np.zeros(capacity * capacity, np.uint32)
        self.io = np.zeros(4 * width + choice_cells, np.int64)  # two agents before an interaction, two after it
        if choice_cells:
            self.io[4 * width + ROOM] = (choice_cells - PATH) // 2
        self.constants, self.tops = constants, tops
        self.header = np.zeros(HEADER_LENGTH, np.int64)
        self.header[CAPACITY], self.header[WIDTH], self.header[RULE], self.header[MARK] = capacity, width, rule, mark
        self.header[LEARN] = interning_kernel().learn.address
        for index, array in (
            *((WORDS, self.words), (SLOTS, self.slots), (TABLE, self.transitions), (MARKS, self.marks), (IO, self.io)),
            *((CONSTANTS, constants), (TOPS, tops), (SELF, self.header)),
        ):
            self.header[index] = array.ctypes.data

    @property
    def size(self) -> int:
        return int(self.header[SIZE])

    @property
    def capacity(self) -> int:
        return int(self.header[CAPACITY])

    @property
    def choice_cells(self) -> int:
        return len(self.io) - 4 * int(self.header[WIDTH])

    def _like(self, capacity: int, words: Any, marks: Any) -> StateTable:
        """Another state table with these states, and no meetings yet."""
        new = StateTable(
            capacity,
            words.shape[1],
            int(self.header[RULE]),
            int(self.header[MARK]),
            self.constants,
            self.tops,
            self.choice_cells,
        )
        new.enter(words, marks, int(self.header[MISSES]))
        return new

    def enter(self, words: Any, marks: Any, misses: int) -> None:
        """Into an empty table: the first states."""
        size = len(words)
        self.words[:size], self.marks[:size] = words, marks
        self.header[SIZE], self.header[MISSES] = size, misses
        interning_kernel().hash_all(self.header)

    def grown(self) -> StateTable:
        """The same states and entries with room for twice as many."""
        old, size = self.capacity, self.size
        new = self._like(2 * old, self.words[:size], self.marks[:size])
        new.transitions.reshape(2 * old, 2 * old)[:old, :old] = self.transitions.reshape(old, old)
        return new

    def only(self, ids: Any) -> StateTable:
        """Without all other states: these are numbered anew, in this order."""
        return self._like(self.capacity, self.words[ids], self.marks[ids])

    def saved(self) -> SavedTable:
        return SavedTable(self, self.words[: self.size].copy(), self.marks[: self.size].copy())

    def id_of(self, words: Any) -> int:
        """The id of a state, new if need be; FULL if there is no room, or no telling what it satisfies."""
        self.io[: len(words)] = words
        found = int(interning_kernel().find(self.header))
        return found if found >= 0 else FULL


class SavedTable:
    """The states of a table without their transitions, which are learnt again: small enough for many snapshots."""

    def __init__(self, table: StateTable, words: Any, marks: Any) -> None:
        self.words, self.marks = words, marks
        self.capacity, self.misses = table.capacity, int(table.header[MISSES])
        self.functions = (
            int(table.header[RULE]),
            int(table.header[MARK]),
            table.constants,
            table.tops,
            table.choice_cells,
        )

    def table(self) -> StateTable:
        """The same states with the same ids, and room for as many."""
        new = StateTable(self.capacity, self.words.shape[1], *self.functions)
        new.enter(self.words, self.marks, self.misses)
        return new

    @property
    def nbytes(self) -> int:
        return int(self.words.nbytes + self.marks.nbytes)
