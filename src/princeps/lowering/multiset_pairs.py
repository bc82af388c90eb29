"""The pairs of a batch, applied one after the other: each is looked up, its agents move, the goal is tested."""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.lowering.interning import CAPACITY, CHANGED, FULL, ID_BITS, ID_MASK, OUTPUT, SIZE, TRACKED
from princeps.lowering.jit import njit
from princeps.lowering.multiset import (
    BAD_A,
    BAD_B,
    BATCH_LAST,
    EFFECTIVE,
    EVENTS,
    LOOK_AFTER,
    MAX_LISTED_PAIRS,
    POOL,
    add_agents,
    entry_of,
    touch,
)
from princeps.lowering.multiset_draws import shuffle_pairs
from princeps.lowering.multiset_goal import WIDTH_OF_NUMBERS, account, may_meet_goal, start_box, stretch_box
from princeps.lowering.status import CONTINUE, LOOKED_AT, STOP_AT_GOAL, STOP_AT_OUTPUT, STOP_NOWHERE, TABLE_FULL


@njit
def meet_once(
    table: Any,
    header: Any,
    marks: Any,
    m: Any,
    facts: Any,
    numbers: Any,
    goal: Any,
    a: int,
    b: int,
    size: int,
    stop_at: int,
) -> Any:
    """One pair of a batch; the new length of MET, and a status."""
    entry = entry_of(table, header, a, b)
    add_agents(m, facts, a, -1)
    add_agents(m, facts, b, -1)
    size = touch(m, entry & ID_MASK, 1, size)
    size = touch(m, (entry >> ID_BITS) & ID_MASK, 1, size)
    facts[EVENTS] += np.int64((entry & CHANGED) != 0)
    if (entry & TRACKED) != 0:
        return size, account(marks, numbers, a, b, entry, goal, stop_at)
    return size, CONTINUE


@njit
def apply_list(
    table: Any, header: Any, marks: Any, m: Any, facts: Any, numbers: Any, goal: Any, rng: Any, order: Any, listed: Any,
    length: int, stop_at: int,
) -> Any:  # fmt: skip
    """All listed pairs, known already; in random order where the goal may be met on the way, or somebody looks."""
    start_box(numbers, goal[WIDTH_OF_NUMBERS])
    changed = 0
    seen = tracked = False
    for k in range(length):
        a, b = np.int64(listed[k]), np.int64(listed[MAX_LISTED_PAIRS + k])
        entry = entry_of(table, header, a, b)
        changed += np.int64((entry & CHANGED) != 0)
        if (entry & TRACKED) != 0:
            stretch_box(
                numbers,
                goal[WIDTH_OF_NUMBERS],
                marks[a],
                marks[b],
                marks[entry & ID_MASK],
                marks[(entry >> ID_BITS) & ID_MASK],
                1,
            )
            tracked = True
            seen |= (entry & OUTPUT) != 0
    facts[EFFECTIVE] = changed
    careful = (stop_at == STOP_AT_GOAL and tracked and may_meet_goal(goal, numbers)) or (
        stop_at == STOP_AT_OUTPUT and seen
    )
    if careful:
        shuffle_pairs(rng, listed, length)
    else:
        stop_at = STOP_NOWHERE
        if facts[LOOK_AFTER] > 0:
            shuffle_pairs(order, listed, length)
    size = 0
    before = facts[EVENTS]
    facts[BATCH_LAST] = 0 if careful else -changed
    for k in range(length):
        a, b = np.int64(listed[k]), np.int64(listed[MAX_LISTED_PAIRS + k])
        size, status = meet_once(table, header, marks, m, facts, numbers, goal, a, b, size, stop_at)
        if careful and facts[EVENTS] != before:
            before, facts[BATCH_LAST] = facts[EVENTS], k + 1
        if status != CONTINUE:
            return k + 1, size, status
        if k + 1 == facts[LOOK_AFTER]:
            return k + 1, size, LOOKED_AT
    return length, size, CONTINUE


@njit
def list_pairs(table: Any, header: Any, facts: Any, listed: Any, length: int) -> int:
    """Learn all listed pairs before any is applied."""
    for k in range(length):
        entry = entry_of(table, header, np.int64(listed[k]), np.int64(listed[MAX_LISTED_PAIRS + k]))
        if entry < 0:
            facts[BAD_A], facts[BAD_B] = listed[k], listed[MAX_LISTED_PAIRS + k]
            return -entry
    return TABLE_FULL if header[CAPACITY] - header[SIZE] < 2 else CONTINUE


@njit
def room_for_matrix(table: Any, header: Any, m: Any, states: int) -> bool:
    """Learn all pairs that a matrix may hold; is there room for what the collision brings?"""
    for x in range(states):
        for y in range(states):
            if entry_of(table, header, m[POOL + x], m[POOL + y]) == FULL:
                return False
    return header[CAPACITY] - header[SIZE] >= 2
