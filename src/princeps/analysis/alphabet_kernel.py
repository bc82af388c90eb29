"""What becomes of many pairs of states, through the compiled rule; and which states nothing can tell apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.lowering.jit import njit
from princeps.lowering.pointers import call


@njit(cache=True)
def meet_all(rule: int, left: Any, right: Any, io: Any, constants: Any, tops: Any, out: Any, status: Any) -> None:
    """Every row of `left` meets the same row of `right`: their words afterwards, and 0 if the rule went well."""
    width = left.shape[1]
    for k in range(left.shape[0]):
        for w in range(width):
            io[w] = left[k, w]
            io[width + w] = right[k, w]
        status[k] = call(rule, io.ctypes.data, constants.ctypes.data, tops.ctypes.data)
        for w in range(2 * width):
            out[k, w] = io[2 * width + w]


@njit
def mixed(x: Any) -> Any:
    x = np.uint64(x)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@njit(cache=True)
def signatures(table: Any, colour: Any, out: Any) -> None:
    """A number for each state that differs, but for bad luck, where some meeting ends in different colours."""
    q = colour.size
    for a in range(q):
        total = mixed(colour[a])
        for b in range(q):
            here = np.uint64(0)
            for entry in (table[a, b], table[b, a]):
                left = np.int64(-1) if entry < 0 else np.int64(colour[entry >> 32])
                right = np.int64(-1) if entry < 0 else np.int64(colour[entry & 0xFFFFFFFF])
                here = mixed(here ^ np.uint64(left + 2)) + np.uint64(right + 2)
            total += mixed(here + np.uint64(b) * np.uint64(0x9E3779B97F4A7C15))
        out[a] = total


@njit(cache=True)
def is_congruence(table: Any, colour: Any, chosen: Any) -> bool:
    """Does every state meet every other just as the chosen one of its colour does? Without luck."""
    q = colour.size
    for a in range(q):
        c = chosen[colour[a]]
        for b in range(q):
            for mine, its in ((table[a, b], table[c, b]), (table[b, a], table[b, c])):
                if mine < 0 or its < 0:
                    if mine != its:
                        return False
                elif colour[mine >> 32] != colour[its >> 32] or colour[mine & 0xFFFFFFFF] != colour[its & 0xFFFFFFFF]:
                    return False
    return True
