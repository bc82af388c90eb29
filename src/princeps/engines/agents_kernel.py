"""The hot loop over interned agents: two ids, one look-up, two stores. One kernel for all protocols.

Loaded through lowering.cache, which keeps the machine code beside the generated kernels.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.lowering.chance import LISTED, PREFETCH_DISTANCE, draw_block, prefetch
from princeps.lowering.interning import CAPACITY, CHANGED_BIT, CONSTANTS, ID_BITS, ID_MASK, LEARN, OUTPUT, PLAIN, SELF
from princeps.lowering.jit import njit
from princeps.lowering.pointers import call, recount
from princeps.lowering.status import (
    CONTINUE,
    CURSOR_EVENTS,
    CURSOR_FILLED,
    CURSOR_POSITION,
    CURSOR_STEPS,
    GOAL_MET,
    LIST_ENDED,
    OUTPUT_CHANGED,
    STOP_AT_GOAL,
    STOP_AT_OUTPUT,
)


@njit(cache=True)
def draw(kind: int, n: int, sources: Any, targets: Any, rng: Any, left: Any, right: Any) -> None:
    """The next block of pairs, for a caller that looks at them before they meet."""
    draw_block(kind, n, sources, targets, rng, left, right, left, False)


@njit(cache=True)
def advance(
    header: Any, table: Any, marks: Any, ids: Any, kind: int, n: int, sources: Any, targets: Any, rng: Any, left: Any, right: Any,
    cursor: Any, counts: Any, goal: int, counts_at: int, stop_at: int, budget: int, ahead: bool,
) -> tuple[int, int]:  # fmt: skip
    """The interned twin of the generated `advance`: same pairs, same counts, same first hits.

    Statuses as there (lowering/status.py). Before RULE_FAILED and TABLE_FULL nothing of that pair is done.
    """
    capacity, learn, state_table, constants_at = header[CAPACITY], header[LEARN], header[SELF], header[CONSTANTS]
    pos, filled, events = cursor[CURSOR_POSITION], cursor[CURSOR_FILLED], cursor[CURSOR_EVENTS]
    done = 0
    status = CONTINUE
    while done < budget and status == CONTINUE:
        if pos == filled:
            if kind == LISTED:
                status = LIST_ENDED
                break
            draw_block(kind, n, sources, targets, rng, left, right, ids, ahead)
            pos = 0
            filled = left.size
        stop = min(filled, pos + budget - done)
        first = pos
        while pos < stop:
            i = left[pos]
            j = right[pos]
            if ahead and pos + PREFETCH_DISTANCE < filled:
                prefetch(ids, left[pos + PREFETCH_DISTANCE])
                prefetch(ids, right[pos + PREFETCH_DISTANCE])
            a = np.int64(ids[i])
            b = np.int64(ids[j])
            entry = np.int64(table[np.uint64(a * capacity + b)])
            if entry < PLAIN:
                if entry == 0:
                    entry = call(learn, state_table, a, b)
                    if entry < 0:
                        status = -entry
                        break
            u = entry & ID_MASK
            v = (entry >> ID_BITS) & ID_MASK
            ids[i] = u
            ids[j] = v
            pos += 1
            events += (entry >> CHANGED_BIT) & 1
            if entry < PLAIN:
                recount(counts, marks[a], marks[b], marks[u], marks[v])
                if stop_at == STOP_AT_GOAL:
                    if call(goal, counts_at, constants_at, constants_at) != 0:
                        status = GOAL_MET
                        break
                elif stop_at == STOP_AT_OUTPUT and (entry & OUTPUT) != 0:
                    status = OUTPUT_CHANGED
                    break
        done += pos - first
    cursor[CURSOR_POSITION], cursor[CURSOR_FILLED], cursor[CURSOR_EVENTS] = pos, filled, events
    cursor[CURSOR_STEPS] += done
    return done, status
