"""The loops over a million agents that are shown as pixels. Loaded through lowering.cache, like the engines' kernels."""

from __future__ import annotations

from typing import Any

from princeps.lowering.jit import njit
from princeps.lowering.pointers import call


@njit(cache=True)
def pack_ids(ids: Any, classes: Any, out: Any) -> None:
    """The classes of interned agents, two in a byte, the first in the low half."""
    for k in range(ids.size // 2):
        out[k] = classes[ids[2 * k]] | (classes[ids[2 * k + 1]] << 4)
    if ids.size % 2:
        out[ids.size // 2] = classes[ids[ids.size - 1]]


@njit(cache=True)
def pack_bits(words: Any, shift: int, mask: int, classes: Any, out: Any) -> None:
    """The classes of packed agents by the bits of one field, two in a byte; there is a class for everything up to the mask."""
    for k in range(words.size // 2):
        first, second = (words[2 * k] >> shift) & mask, (words[2 * k + 1] >> shift) & mask
        out[k] = classes[first] | (classes[second] << 4)
    if words.size % 2:
        out[words.size // 2] = classes[(words[words.size - 1] >> shift) & mask]


@njit(cache=True)
def mark_all(mark: int, rows: Any, cell: Any, cell_at: int, constants_at: int, tops_at: int, out: Any) -> bool:
    """Whether each packed agent satisfies the predicate whose compiled test is at `mark`; False where the test fails."""
    for k in range(rows.shape[0]):
        for w in range(rows.shape[1]):
            cell[w] = rows[k, w]
        found = call(mark, cell_at, constants_at, tops_at)
        if found < 0:
            return False
        out[k] = found & 1
    return True
