"""Transitions of many pairs of states through the compiled rule, and partition refinement of the states."""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.analysis.codes import RESPONDER_BITS, RESPONDER_MASK
from princeps.lowering.jit import njit
from princeps.lowering.pointers import call


@njit(cache=True)
def interact_all(
    rule: int, initiators: Any, responders: Any, buffer: Any, constants: Any, tops: Any, after: Any, status: Any
) -> None:
    """Each row of `initiators` interacts with the same row of `responders`: both words afterwards, and the status."""
    width = initiators.shape[1]
    for k in range(initiators.shape[0]):
        for w in range(width):
            buffer[w] = initiators[k, w]
            buffer[width + w] = responders[k, w]
        status[k] = call(rule, buffer.ctypes.data, constants.ctypes.data, tops.ctypes.data)
        for w in range(2 * width):
            after[k, w] = buffer[2 * width + w]


@njit
def mixed(x: Any) -> Any:
    x = np.uint64(x)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@njit(cache=True)
def signatures(table: Any, colour: Any, out: Any) -> None:
    """A hash for each state: equal for states whose interactions all end in equal colours, else different but for a
    collision."""
    q = colour.size
    for a in range(q):
        total = mixed(colour[a])
        for b in range(q):
            here = np.uint64(0)
            for entry in (table[a, b], table[b, a]):
                left = np.int64(-1) if entry < 0 else np.int64(colour[entry >> RESPONDER_BITS])
                right = np.int64(-1) if entry < 0 else np.int64(colour[entry & RESPONDER_MASK])
                here = mixed(here ^ np.uint64(left + 2)) + np.uint64(right + 2)
            total += mixed(here + np.uint64(b) * np.uint64(0x9E3779B97F4A7C15))
        out[a] = total


@njit(cache=True)
def is_congruence(table: Any, colour: Any, representative: Any) -> bool:
    """Does each state have the same transitions, up to colours, as the representative of its colour? Compared entry by
    entry, without hashes."""
    q = colour.size
    for a in range(q):
        c = representative[colour[a]]
        for b in range(q):
            for mine, its in ((table[a, b], table[c, b]), (table[b, a], table[b, c])):
                if mine < 0 or its < 0:
                    if mine != its:
                        return False
                elif (
                    colour[mine >> RESPONDER_BITS] != colour[its >> RESPONDER_BITS]
                    or colour[mine & RESPONDER_MASK] != colour[its & RESPONDER_MASK]
                ):
                    return False
    return True
