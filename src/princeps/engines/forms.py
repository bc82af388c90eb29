"""Two ways to hold the agents: packed words under the compiled rule, or interned ids under the memo table of delta.

Both go through the same pairs and reach the same configurations; the ids are faster while few states are occupied.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from princeps.lowering.cache import kernel_module
from princeps.lowering.interning import FEWEST, MOST, Book, book_kernel
from princeps.lowering.kernels import Kernels
from princeps.model.protocol import Predicate
from princeps.model.states import State


def agents_kernel() -> Any:
    return kernel_module("princeps.engines.agents_kernel")


class Packed:
    """Agents as rows of words."""

    def __init__(self, kernels: Kernels, words: Any) -> None:
        self.kernels, self.agents = kernels, words

    def copy(self) -> Packed:
        return Packed(self.kernels, self.agents.copy())

    def words(self) -> Any:
        return self.agents

    def state(self, agent: int) -> State:
        return self.kernels.unpack(self.agents, agent)

    def put(self, agent: int, words: Any) -> bool:
        self.agents[agent] = words
        return True

    def occupied(self) -> tuple[list[State], list[int]]:
        """The states that occur, and how often."""
        states, sizes = np.unique(self.agents, axis=0, return_counts=True)
        return [self.kernels.unpack(states, k) for k in range(len(states))], sizes.tolist()


class Interned:
    """Agents as ids, and the book that says what they mean."""

    def __init__(self, kernels: Kernels, ids: Any, book: Book) -> None:
        self.kernels, self.agents, self.book = kernels, ids, book

    def copy(self) -> Interned:
        """The book is shared: it only ever grows, or is replaced as a whole."""
        return Interned(self.kernels, self.agents.copy(), self.book)

    def words(self) -> Any:
        rows = self.book.words.astype(self.kernels.layout.dtype)[self.agents]
        return rows.reshape(-1) if self.kernels.layout.words == 1 else rows

    def state(self, agent: int) -> State:
        return self._meaning(int(self.agents[agent]))

    def _meaning(self, number: int) -> State:
        kernels = self.kernels
        return kernels.layout.unpack(kernels.protocol.space.names, self.book.words[number].tolist())

    def put(self, agent: int, words: Any) -> bool:
        """False if there is no room for a new state."""
        row = np.array(words, np.int64).reshape(-1)
        while (number := self.book.number(row)) < 0:
            if not self.make_room():
                return False
        self.agents[agent] = number
        return True

    def occupied(self) -> tuple[list[State], list[int]]:
        sizes = np.bincount(self.agents, minlength=1)
        present = np.flatnonzero(sizes)
        return [self._meaning(k) for k in present.tolist()], sizes[present].tolist()

    @property
    def book_is_largest(self) -> bool:
        return self.book.capacity >= MOST

    def make_room(self) -> bool:
        """A larger book; or the same without the states that nobody is in, if that frees half of it."""
        if not self.book_is_largest:
            self.book = self.book.grown()
            return True
        present = np.flatnonzero(np.bincount(self.agents, minlength=1))
        if len(present) > MOST // 2:
            return False
        number = np.zeros(MOST, np.uint16)
        number[present] = np.arange(len(present))
        self.book = self.book.only(present)
        self.agents[:] = number[self.agents]
        return True


Form = Packed | Interned


def interned(kernels: Kernels, words: Any, book: Book) -> Interned | None:
    """Ids for packed agents, or nothing if they are in too many states."""
    rows = words.reshape(len(words), -1)
    form = Interned(kernels, roomy(len(rows)), book)
    done = 0
    while True:
        done = book_kernel().intern_all(form.book.at, rows, form.agents, done)
        if done == len(rows):
            return form
        if form.book.capacity >= MOST:
            return None
        form.book = form.book.grown()


def roomy(n: int) -> Any:
    """n ids in memory that the system maps in large pages, which numpy asks for from 4 MiB on: 1.2x at n = 10^6."""
    return np.zeros(max(n, 1 << 21) if n > 1 << 17 else n, np.uint16)[:n]


def in_blocks(kernels: Kernels, blocks: Sequence[tuple[int, State]], predicates: Sequence[Predicate]) -> Interned:
    """So many agents in one state, then so many in another; no word of theirs is ever written."""
    form = interned(kernels, kernels.pack([state for _, state in blocks]), kept_book(kernels, predicates))
    assert form is not None
    ids, end = roomy(sum(size for size, _ in blocks)), 0
    for (size, _), number in zip(blocks, form.agents.tolist(), strict=True):
        ids[end : end + size] = number
        end += size
    form.agents = ids
    return form


def kept_book(kernels: Kernels, predicates: Sequence[Predicate]) -> Book:
    """A book that the next trial finds as the last one left it: short trials would spend their time on learning."""
    kept = kernels.books.setdefault(tuple(predicates), None)
    if kept is None or 2 * kept.size > kept.capacity:
        kept = kernels.books[tuple(predicates)] = fresh_book(kernels, predicates)
    return kept


def fresh_book(kernels: Kernels, predicates: Sequence[Predicate]) -> Book:
    return Book(
        FEWEST, kernels.layout.words, kernels.rule_at(), kernels.marks_at(predicates), kernels.constants, kernels.tops
    )
