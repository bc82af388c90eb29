"""A batch of interactions of disjoint pairs, and the interaction after it, which meets one of their agents again."""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.lowering.chance import next_below
from princeps.lowering.interning import CHANGED, ID_BITS, ID_MASK, OUTPUT, TRACKED
from princeps.lowering.jit import njit
from princeps.lowering.multiset import (
    ALLOWED,
    BAD_A,
    BAD_B,
    BATCH_LAST,
    EFFECTIVE,
    EVENTS,
    LOOK_AFTER,
    MAX_LISTED_PAIRS,
    MET,
    PENDING,
    SKIPPING,
    TOUCHED,
    add_agents,
    count_partners,
    entry_of,
    live_agents,
    note_change,
    touch,
)
from princeps.lowering.multiset_costs import batch_costs
from princeps.lowering.multiset_draws import draw_collision, draw_list, draw_matrix
from princeps.lowering.multiset_goal import (
    WIDTH_OF_NUMBERS,
    account,
    may_meet_goal,
    recount_many,
    start_box,
    stretch_box,
)
from princeps.lowering.multiset_pairs import apply_list, list_pairs, meet_once, room_for_matrix
from princeps.lowering.multiset_steps import DIGIT, less, steps_of
from princeps.lowering.status import CONTINUE, LOOKED_AT, STOP_AT_GOAL, STOP_AT_OUTPUT, TABLE_FULL
from princeps.lowering.variates import run_length


@njit
def apply_cells(
    table: Any, header: Any, marks: Any, m: Any, facts: Any, numbers: Any, goal: Any, rng: Any, order: Any, cells: Any,
    kinds: int, length: int, stop_at: int,
) -> Any:  # fmt: skip
    """All pairs of the matrix, at once or, where the goal may be met on the way, one by one in random order.

    If that is of interest to nobody but who looks, the order comes from a stream aside.

    Interactions done, the length of MET, and a status.
    """
    start_box(numbers, goal[WIDTH_OF_NUMBERS])
    changed = 0
    seen = tracked = False
    for k in range(kinds):
        a, b, times = cells[3 * k], cells[3 * k + 1], cells[3 * k + 2]
        entry = entry_of(table, header, a, b)
        if entry < 0:
            facts[BAD_A], facts[BAD_B] = a, b
            return 0, 0, -entry
        if (entry & CHANGED) != 0:
            changed += times
        if (entry & TRACKED) != 0:
            stretch_box(
                numbers,
                goal[WIDTH_OF_NUMBERS],
                marks[a],
                marks[b],
                marks[entry & ID_MASK],
                marks[(entry >> ID_BITS) & ID_MASK],
                times,
            )
            tracked = True
            seen |= (entry & OUTPUT) != 0
    facts[EFFECTIVE] = changed
    size = 0
    facts[BATCH_LAST] = -changed
    careful = (stop_at == STOP_AT_GOAL and tracked and may_meet_goal(goal, numbers)) or (
        stop_at == STOP_AT_OUTPUT and seen
    )
    if careful or facts[LOOK_AFTER] > 0:
        source = rng if careful else order
        facts[BATCH_LAST], before = 0, facts[EVENTS]
        for done in range(1, length + 1):
            turn = np.int64(next_below(source, np.uint64(length + 1 - done)))
            k = 0
            while turn >= cells[3 * k + 2]:
                turn -= cells[3 * k + 2]
                k += 1
            cells[3 * k + 2] -= 1
            size, status = meet_once(
                table, header, marks, m, facts, numbers, goal, cells[3 * k], cells[3 * k + 1], size, stop_at
            )
            if facts[EVENTS] != before:
                before, facts[BATCH_LAST] = facts[EVENTS], done
            if status != CONTINUE:
                return done, size, status
            if done == facts[LOOK_AFTER]:
                return done, size, LOOKED_AT
        return length, size, CONTINUE
    facts[EVENTS] += changed
    for k in range(kinds):
        a, b, times = cells[3 * k], cells[3 * k + 1], cells[3 * k + 2]
        entry = entry_of(table, header, a, b)
        u, v = entry & ID_MASK, (entry >> ID_BITS) & ID_MASK
        add_agents(m, facts, a, -times)
        add_agents(m, facts, b, -times)
        size = touch(m, u, times, size)
        size = touch(m, v, times, size)
        if (entry & TRACKED) != 0:
            recount_many(numbers, goal[WIDTH_OF_NUMBERS], marks[a], marks[b], marks[u], marks[v], times)
    return length, size, CONTINUE


@njit
def batch(
    table: Any, header: Any, marks: Any, m: Any, facts: Any, numbers: Any, goal: Any, rng: Any, order: Any, cells: Any,
    listed: Any, n: int, stop_at: int, high: int, low: int, effort: int,
) -> Any:  # fmt: skip
    """Interactions of disjoint pairs, all at once, and the one that meets an agent again."""
    agents, states = live_agents(m, facts)
    share = (agents / n) * ((agents - 1.0) / (n - 1.0))
    _, as_matrix, as_list = batch_costs(agents, states, n)
    in_list = facts[PENDING] != 0 or as_list < as_matrix
    length, most = facts[PENDING], facts[ALLOWED]
    if length == 0:
        most = low if high == 0 else DIGIT
        if agents < n:  # an eighth of the budget, see the essay
            most = np.int64(min((high * 2.0**62 + low) * share / 8.0, 2.0**61)) - 8
            if most < 1:  # too little is left: go on by single events, whose waits can be cut
                status = count_partners(table, header, m, facts)
                facts[SKIPPING] = np.int64(status == CONTINUE)
                return high, low, effort, status
        if in_list:
            most = min(most, MAX_LISTED_PAIRS)
        elif not room_for_matrix(table, header, m, states):
            return high, low, effort, TABLE_FULL
        length = run_length(rng, agents, most)
        if in_list:
            draw_list(rng, m, states, agents, length, listed)
            facts[PENDING], facts[ALLOWED] = length, most
    if in_list:
        status = list_pairs(table, header, facts, listed, length)
        if status != CONTINUE:
            return high, low, effort, status
        facts[PENDING] = 0
        effort -= 20 + 8 * states + 2 * length
        done, size, status = apply_list(
            table, header, marks, m, facts, numbers, goal, rng, order, listed, length, stop_at
        )
    else:
        kinds = draw_matrix(rng, m, states, agents, length, cells)
        effort -= 20 + 4 * states * states
        done, size, status = apply_cells(
            table, header, marks, m, facts, numbers, goal, rng, order, cells, kinds, length, stop_at
        )
    a = b = np.int64(-1)
    if status == CONTINUE and length < most:  # the collision, if it was not cut off
        a, b = draw_collision(rng, m, 2 * length, agents - 2 * length)
    for k in range(size):  # who has interacted belongs to the others again
        s = m[MET + k]
        add_agents(m, facts, s, m[TOUCHED + s])
        m[TOUCHED + s] = 0
    if a >= 0:
        entry = entry_of(table, header, a, b)
        if entry < 0:
            facts[BAD_A], facts[BAD_B] = a, b
            status = -entry
        else:
            done += 1
            add_agents(m, facts, a, -1)
            add_agents(m, facts, b, -1)
            add_agents(m, facts, entry & ID_MASK, 1)
            add_agents(m, facts, (entry >> ID_BITS) & ID_MASK, 1)
            if (entry & CHANGED) != 0:
                facts[EVENTS] += 1
                facts[BATCH_LAST] = done
            if (entry & TRACKED) != 0:
                status = account(marks, numbers, a, b, entry, goal, stop_at)
    by_high, by_low = steps_of(rng, done, share if agents < n else 1.0)
    high, low = less(high, low, by_high, by_low)
    high, low = max(high, 0), low if high >= 0 else 0
    if facts[BATCH_LAST] != 0:
        note_change(facts, length, done, by_high, by_low, high, low)
    return high, low, effort, status
