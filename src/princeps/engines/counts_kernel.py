"""The counts engine's loop: batches or skips, whichever cost less. counts.py argues why its law is the scheduler's.

Loaded through lowering.cache, which keeps the machine code beside the generated kernels. Numbers of steps are pairs of
62-bit digits. What it returns last is a status of lowering/status.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.lowering.jit import njit
from princeps.lowering.multiset import (
    ALIVE,
    CELLS_ARRAY,
    DIED,
    FACTS_ARRAY,
    GOAL_ARRAY,
    HEADER_ARRAY,
    IS_ROUND,
    MARKS_ARRAY,
    MULTISET_ARRAY,
    NUMBERS_ARRAY,
    OCCUPIED,
    ORDER_ARRAY,
    PAIRS_ARRAY,
    PENDING,
    REST_HIGH,
    REST_LOW,
    SINCE,
    SKIPPING,
    STREAM_ARRAY,
    TRANSITIONS_ARRAY,
    add_agents,
    classify,
    entry_of,
)
from princeps.lowering.multiset_batches import batch
from princeps.lowering.multiset_costs import RECLASSIFY, choose_way
from princeps.lowering.multiset_skips import skip
from princeps.lowering.pointers import halves_at, quarters_at, unsigned_at, words_at
from princeps.lowering.status import CONTINUE
from princeps.lowering.variates import binomial, hypergeometric


@njit(cache=True)
def advance(pointers: Any, n: int, stop_at: int, high: int, low: int, effort: int) -> Any:
    """Up to (high, low) steps; returns how many are left of them, and a status.

    `pointers`: the addresses of the arrays, at the indices of lowering/multiset.py.
    Stops early when `effort` (in some ten nanoseconds) is used up, between two batches or events.
    """
    table, header = halves_at(pointers[TRANSITIONS_ARRAY]), words_at(pointers[HEADER_ARRAY])
    marks, m, facts = (
        words_at(pointers[MARKS_ARRAY]),
        words_at(pointers[MULTISET_ARRAY]),
        words_at(pointers[FACTS_ARRAY]),
    )
    numbers, goal = words_at(pointers[NUMBERS_ARRAY]), words_at(pointers[GOAL_ARRAY])
    rng, cells = unsigned_at(pointers[STREAM_ARRAY]), words_at(pointers[CELLS_ARRAY])
    listed, order = quarters_at(pointers[PAIRS_ARRAY]), unsigned_at(pointers[ORDER_ARRAY])
    status = CONTINUE
    while status == CONTINUE and effort > 0 and (high > 0 or low > 0):
        if facts[SKIPPING] == 0 and facts[PENDING] == 0:
            if facts[SINCE] >= RECLASSIFY and facts[DIED] != 0:
                status = classify(table, header, m, facts)
                if status != CONTINUE:
                    break
                facts[DIED] = facts[SINCE] = 0
            status = choose_way(table, header, m, facts, n)
            if status != CONTINUE:
                break
        facts[SINCE] += 1
        facts[IS_ROUND] = np.int64(facts[SKIPPING] != 0)
        if facts[SKIPPING] != 0:
            high, low, effort, status = skip(
                table, header, marks, m, facts, numbers, goal, rng, n, stop_at, high, low, effort
            )
        else:
            high, low, effort, status = batch(
                table, header, marks, m, facts, numbers, goal, rng, order, cells, listed, n, stop_at, high, low, effort
            )
    facts[REST_HIGH], facts[REST_LOW] = high, low
    return high, low, status


@njit(cache=True)
def learn_occupied(pointers: Any) -> None:
    """Into a table without transitions: those of all pairs of occupied states, which skipping reads as they stand."""
    table, header = halves_at(pointers[TRANSITIONS_ARRAY]), words_at(pointers[HEADER_ARRAY])
    m, facts = words_at(pointers[MULTISET_ARRAY]), words_at(pointers[FACTS_ARRAY])
    for x in range(facts[OCCUPIED]):
        for y in range(facts[OCCUPIED]):
            entry_of(table, header, m[ALIVE + x], m[ALIVE + y])


@njit(cache=True)
def change(pointers: Any, state: int, more: int) -> None:
    """Agents come into a state, or leave it, from outside."""
    add_agents(words_at(pointers[MULTISET_ARRAY]), words_at(pointers[FACTS_ARRAY]), state, more)


@njit(cache=True)
def random_tally(rng: Any, n: int, sizes: Any) -> None:
    """How many of n agents are in each of equally likely states."""
    rest = n
    for k in range(sizes.size - 1):
        sizes[k] = binomial(rng, rest, 1.0 / (sizes.size - k))
        rest -= sizes[k]
    sizes[sizes.size - 1] = rest


@njit(cache=True)
def among_first(rng: Any, total: int, good: int, drawn: int) -> int:
    """How many of the good ones are among so many that are drawn of all."""
    return hypergeometric(rng, total, good, drawn)
