"""The hot loop over interned agents: two ids, one look-up, two stores. One kernel for all protocols.

Loaded through lowering.cache, which keeps the machine code beside the generated kernels.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.lowering.chance import NEAR, draw_block, prefetch
from princeps.lowering.interning import BITS, CAPACITY, CHANGED_BIT, CONSTANTS, LEARN, MASK, OUTPUT, PLAIN, SELF
from princeps.lowering.jit import njit
from princeps.lowering.pointers import call, recount


@njit(cache=True)
def advance(
    at: Any, table: Any, marks: Any, ids: Any, kind: int, n: int, sources: Any, targets: Any, rng: Any, left: Any, right: Any,
    cursor: Any, counts: Any, goal: int, counts_at: int, watch: int, budget: int, ahead: bool,
) -> tuple[int, int]:  # fmt: skip
    """The interned twin of the generated `advance`: same pairs, same counts, same first hits.

    Statuses as there; 5 the rule divides by zero, 6 the book is full. In both cases nothing of that pair is done.
    """
    capacity, learn, book, constants_at = at[CAPACITY], at[LEARN], at[SELF], at[CONSTANTS]
    pos, filled, events = cursor[0], cursor[1], cursor[2]
    done = 0
    status = 0
    while done < budget and status == 0:
        if pos == filled:
            if kind == 4:
                status = 4
                break
            draw_block(kind, n, sources, targets, rng, left, right, ids, ahead)
            pos = 0
            filled = left.size
        stop = min(filled, pos + budget - done)
        first = pos
        while pos < stop:
            i = left[pos]
            j = right[pos]
            if ahead and pos + NEAR < filled:
                prefetch(ids, left[pos + NEAR])
                prefetch(ids, right[pos + NEAR])
            a = np.int64(ids[i])
            b = np.int64(ids[j])
            entry = np.int64(table[np.uint64(a * capacity + b)])
            if entry < PLAIN:
                if entry == 0:
                    entry = call(learn, book, a, b)
                    if entry < 0:
                        status = -entry
                        break
            u = entry & MASK
            v = (entry >> BITS) & MASK
            ids[i] = u
            ids[j] = v
            pos += 1
            events += (entry >> CHANGED_BIT) & 1
            if entry < PLAIN:
                recount(counts, marks[a], marks[b], marks[u], marks[v])
                if watch == 1:
                    if call(goal, counts_at, constants_at, constants_at) != 0:
                        status = 1
                        break
                elif watch == 2 and (entry & OUTPUT) != 0:
                    status = 2
                    break
        done += pos - first
    cursor[0], cursor[1], cursor[2], cursor[3] = pos, filled, events, cursor[3] + done
    return done, status
