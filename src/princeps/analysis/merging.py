"""Agent states that no execution can tell apart, found by partition refinement.

The coarsest partition that is finer than the given colours and that delta respects: two states of one class meet any
third, in either role, with results in the same classes. Each round splits classes by a 64-bit signature of all
meetings; a signature that differs proves a difference, so the partition never becomes too fine, and that it is not too
coarse is proved at the end, entry by entry.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from princeps.analysis.alphabet import Alphabet, kernel


@dataclass(frozen=True)
class Classes:
    """`of[state]` is its class, `chosen[class]` one state of it, `sizes[class]` how many states it has."""

    of: NDArray[np.int64]
    chosen: NDArray[np.int64]
    sizes: NDArray[np.int64]
    table: NDArray[np.int64]  # meetings of classes, as in Alphabet

    @property
    def count(self) -> int:
        return len(self.chosen)


def unmerged(alphabet: Alphabet) -> Classes:
    """Every state is a class of its own."""
    own = np.arange(alphabet.size, dtype=np.int64)
    return Classes(own, own, np.ones_like(own), alphabet.table)


def merge(alphabet: Alphabet, colours: Any) -> Classes:
    """The classes of a closed alphabet; states of different colours are never merged."""
    _, colour = np.unique(np.asarray(colours), axis=0, return_inverse=True)
    colour = colour.ravel().astype(np.int64)
    found = np.empty(alphabet.size, np.uint64)
    while True:
        kernel().signatures(alphabet.table, colour, found)
        _, finer = np.unique(np.stack([colour.astype(np.uint64), found]), axis=1, return_inverse=True)
        if finer.max() == colour.max():
            break
        colour = finer.ravel().astype(np.int64)
    colour = _numbered_by_first(colour)
    chosen = np.unique(colour, return_index=True)[1].astype(np.int64)
    if not kernel().is_congruence(alphabet.table, colour, chosen):  # two signatures of 64 bits have collided
        return unmerged(alphabet)
    return Classes(colour, chosen, np.bincount(colour).astype(np.int64), _class_table(alphabet, colour, chosen))


def _numbered_by_first(colour: Any) -> Any:
    """Classes in the order in which their first states come, so that the numbering is the alphabet's."""
    first = np.unique(colour, return_index=True)[1]
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[colour]


def _class_table(alphabet: Alphabet, colour: Any, chosen: Any) -> Any:
    entries = alphabet.table[np.ix_(chosen, chosen)]
    known = entries >= 0
    safe = np.where(known, entries, 0)
    return np.where(known, colour[safe >> 32] << 32 | colour[safe & 0xFFFFFFFF], entries)
