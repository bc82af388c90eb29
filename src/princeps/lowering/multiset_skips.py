"""From one interaction that changes something to the next: those between them are counted, not drawn."""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.lowering.interning import CAPACITY, ID_BITS, ID_MASK, SIZE, TRACKED
from princeps.lowering.jit import njit
from princeps.lowering.multiset import (
    BAD_A,
    BAD_B,
    BATCH_LAST,
    DIED,
    EFFECTIVE,
    EVENTS,
    OCCUPIED,
    SINCE,
    SKIPPING,
    WAIT_HIGH,
    WAIT_LOW,
    WAITING,
    choose_effective,
    entry_of,
    live_agents,
    move,
    note_change,
    total_weight,
)
from princeps.lowering.multiset_costs import MAX_SKIPPING_STATES, RECLASSIFY, batch_costs, event_cost
from princeps.lowering.multiset_goal import account
from princeps.lowering.multiset_steps import less
from princeps.lowering.status import CONTINUE, SILENT, TABLE_FULL
from princeps.lowering.variates import geometric_wide
from princeps.lowering.wide import as_float

ROUND = 64  # events between two looks at the activity


@njit
def wait_for(rng: Any, share: float) -> Any:
    return geometric_wide(rng, share)


@njit
def skip(
    table: Any, header: Any, marks: Any, m: Any, facts: Any, numbers: Any, goal: Any, rng: Any, n: int, stop_at: int,
    high: int, low: int, effort: int,
) -> Any:  # fmt: skip
    """From one effective interaction to the next, for a round."""
    pairs = np.float64(n) * (n - 1.0)
    weight_high, weight_low = total_weight(table, header, m, facts)
    for _ in range(ROUND):
        if weight_high == 0 and weight_low == 0:
            return high, low, effort, SILENT
        if header[CAPACITY] - header[SIZE] < 8 * facts[OCCUPIED] + 16:
            return high, low, effort, TABLE_FULL
        if facts[WAITING] == 0:
            facts[WAIT_HIGH], facts[WAIT_LOW] = wait_for(rng, as_float(weight_high, weight_low) / pairs)
            facts[WAITING] = 1
        left_high, left_low = less(high, low, facts[WAIT_HIGH], facts[WAIT_LOW])
        if left_high < 0:  # the wait goes on after the budget
            facts[WAIT_HIGH], facts[WAIT_LOW] = less(facts[WAIT_HIGH], facts[WAIT_LOW], high, low)
            return 0, 0, effort, CONTINUE
        a, b = choose_effective(rng, table, header, m, facts, weight_high, weight_low)
        entry = entry_of(table, header, a, b)
        if entry < 0:
            facts[BAD_A], facts[BAD_B] = a, b
            return high, low, effort, -entry
        high, low = left_high, left_low
        facts[WAITING] = 0
        facts[EVENTS] += 1
        facts[BATCH_LAST] = 1
        note_change(facts, 1, 1, 0, 1, high, low)
        effort -= 8 + facts[OCCUPIED]
        u, v = entry & ID_MASK, (entry >> ID_BITS) & ID_MASK
        for state, more in ((a, -1), (b, -1), (u, 1), (v, 1)):
            move(table, header, m, facts, state, more)
        weight_high, weight_low = total_weight(table, header, m, facts)
        if (entry & TRACKED) != 0:
            status = account(marks, numbers, a, b, entry, goal, stop_at)
            if status != CONTINUE:
                return high, low, effort, status
    agents, states = live_agents(m, facts)
    steps, matrix, listed = batch_costs(agents, states, n)
    expected = as_float(weight_high, weight_low) / pairs * steps
    cost = event_cost(facts[OCCUPIED])
    died = facts[DIED] != 0 and facts[SINCE] >= RECLASSIFY  # leave to look for inert states
    if facts[OCCUPIED] > MAX_SKIPPING_STATES or died or (agents >= 4 and expected * cost > 1.5 * min(matrix, listed)):
        facts[SKIPPING] = 0
        facts[EFFECTIVE] = np.int64(min(expected, 2.0**60))
    return high, low, effort, CONTINUE
