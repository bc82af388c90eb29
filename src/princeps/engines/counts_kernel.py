"""The counts engine's loop: skips, batches, collisions. counts.py argues why its law is the scheduler's.

Loaded through lowering.cache, which keeps the machine code beside the generated kernels. Numbers of steps are pairs of
62-bit digits. What it returns last is a status of lowering/status.py.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from princeps.lowering.chance import next_below
from princeps.lowering.interning import CAPACITY, CHANGED, ID_BITS, ID_MASK, OUTPUT, SIZE, TRACKED
from princeps.lowering.jit import njit
from princeps.lowering.multiset import (
    ALIVE,
    ALLOWED,
    BAD_A,
    BAD_B,
    DIED,
    EFFECTIVE,
    EVENTS,
    MAX_LISTED_PAIRS,
    MET,
    OCCUPIED,
    PENDING,
    SINCE,
    SKIPPING,
    TOUCHED,
    WAIT_HIGH,
    WAIT_LOW,
    WAITING,
    add_agents,
    choose_effective,
    classify,
    count_partners,
    entry_of,
    live_agents,
    move,
    total_weight,
    touch,
)  # fmt: skip
from princeps.lowering.multiset_draws import draw_collision, draw_list, draw_matrix
from princeps.lowering.multiset_goal import WIDE, account, may_meet_goal, recount_many, start_box, stretch_box
from princeps.lowering.multiset_pairs import apply_list, list_pairs, meet_once, room_for_matrix
from princeps.lowering.pointers import halves_at, quarters_at, unsigned_at, words_at
from princeps.lowering.status import CONTINUE, SILENT, STOP_AT_GOAL, STOP_AT_OUTPUT, TABLE_FULL
from princeps.lowering.variates import binomial, geometric_wide, run_length, trials_wide
from princeps.lowering.wide import as_float

# What things cost, in nanoseconds on one machine. On another one a run may be slower for them, but not another run.
BATCH, CLOCK, DRAW, PAIR, EVENT, ROW = 120.0, 150.0, 45.0, 12.0, 40.0, 8.0
MOST_MATRIX = 128  # states whose pairs are drawn as a matrix
MOST_ROWS = 256  # states among which effective pairs are kept account of
RECLASSIFY = 64  # batches or rounds of events between two searches for inert states
ROUND = 64  # events between two looks at the activity
DIGIT = 1 << 62


@njit
def batch_costs(agents: int, states: int, n: int) -> Any:
    """Expected steps of a batch, and its cost in both ways of pairing."""
    length = 0.63 * math.sqrt(agents) + 1.0
    share = (agents / n) * ((agents - 1.0) / (n - 1.0))
    fixed = BATCH + (CLOCK if agents < n else 0.0)
    matrix = fixed + DRAW * (states * states - 1.0) if states <= MOST_MATRIX else np.inf
    listed = fixed + DRAW * (2.0 * states - 2.0) + PAIR * length
    return length / max(share, 1e-300), matrix, listed  # one agent alone will never meet another


@njit
def less(high: int, low: int, by_high: int, by_low: int) -> Any:
    """A difference of two numbers of steps."""
    high, low = high - by_high, low - by_low
    if low < 0:
        return high - 1, low + DIGIT
    return high, low


@njit
def event_cost(states: int) -> float:
    return EVENT + ROW * states


@njit
def activity(table: Any, header: Any, m: Any, facts: Any, n: int) -> float:
    high, low = total_weight(table, header, m, facts)
    return as_float(high, low) / (np.float64(n) * (n - 1.0))


@njit
def choose_way(table: Any, header: Any, m: Any, facts: Any, n: int) -> int:
    """Begin to skip, if the effective interactions of a batch would cost less one by one."""
    agents, states = live_agents(m, facts)
    if facts[OCCUPIED] > MOST_ROWS:
        return CONTINUE
    steps, matrix, listed = batch_costs(agents, states, n)
    cost = event_cost(facts[OCCUPIED])
    if facts[EFFECTIVE] < 0 or agents < 4 or facts[EFFECTIVE] * cost < min(matrix, listed):
        status = count_partners(table, header, m, facts)
        if status != CONTINUE:
            return status
        expected = activity(table, header, m, facts, n) * steps
        facts[EFFECTIVE] = np.int64(min(expected, 2.0**60))
        facts[SKIPPING] = np.int64(agents < 4 or expected * cost < min(matrix, listed))
    return CONTINUE


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
    if facts[OCCUPIED] > MOST_ROWS or died or (agents >= 4 and expected * cost > 1.5 * min(matrix, listed)):
        facts[SKIPPING] = 0
        facts[EFFECTIVE] = np.int64(min(expected, 2.0**60))
    return high, low, effort, CONTINUE


@njit
def apply_cells(
    table: Any, header: Any, marks: Any, m: Any, facts: Any, numbers: Any, goal: Any, rng: Any, cells: Any, kinds: int,
    length: int, stop_at: int,
) -> Any:  # fmt: skip
    """All pairs of the matrix, at once or, where the goal may be met on the way, one by one in random order.

    Interactions done, the length of MET, and a status.
    """
    start_box(numbers, goal[WIDE])
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
                goal[WIDE],
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
    if (stop_at == STOP_AT_GOAL and tracked and may_meet_goal(goal, numbers)) or (stop_at == STOP_AT_OUTPUT and seen):
        for done in range(1, length + 1):
            turn = np.int64(next_below(rng, np.uint64(length + 1 - done)))
            k = 0
            while turn >= cells[3 * k + 2]:
                turn -= cells[3 * k + 2]
                k += 1
            cells[3 * k + 2] -= 1
            size, status = meet_once(
                table, header, marks, m, facts, numbers, goal, cells[3 * k], cells[3 * k + 1], size, stop_at
            )
            if status != CONTINUE:
                return done, size, status
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
            recount_many(numbers, goal[WIDE], marks[a], marks[b], marks[u], marks[v], times)
    return length, size, CONTINUE


@njit
def steps_of(rng: Any, interactions: int, share: float) -> Any:
    """The number of steps in which this many interactions happen, each step with this probability."""
    if share >= 1.0 or interactions == 0:
        return np.int64(0), np.int64(interactions)
    return trials_wide(rng, interactions, share)


@njit
def batch(
    table: Any, header: Any, marks: Any, m: Any, facts: Any, numbers: Any, goal: Any, rng: Any, cells: Any, listed: Any,
    n: int, stop_at: int, high: int, low: int, effort: int,
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
        done, size, status = apply_list(table, header, marks, m, facts, numbers, goal, rng, listed, length, stop_at)
    else:
        kinds = draw_matrix(rng, m, states, agents, length, cells)
        effort -= 20 + 4 * states * states
        done, size, status = apply_cells(
            table, header, marks, m, facts, numbers, goal, rng, cells, kinds, length, stop_at
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
            facts[EVENTS] += np.int64((entry & CHANGED) != 0)
            if (entry & TRACKED) != 0:
                status = account(marks, numbers, a, b, entry, goal, stop_at)
    by_high, by_low = steps_of(rng, done, share if agents < n else 1.0)
    high, low = less(high, low, by_high, by_low)
    return max(high, 0), low if high >= 0 else 0, effort, status


@njit(cache=True)
def advance(pointers: Any, n: int, stop_at: int, high: int, low: int, effort: int) -> Any:
    """Up to (high, low) steps; returns how many are left of them, and a status.

    `pointers`: the state table's table, header and marks, then m, facts, numbers, goal, rng, cells, listed. `goal` holds
    the addresses of the goal, of the goal on intervals, of `numbers` and of the constants, and the width of `numbers`.
    Stops early when `effort` (in some ten nanoseconds) is used up, between two batches or events.
    """
    table, header, marks = halves_at(pointers[0]), words_at(pointers[1]), words_at(pointers[2])
    m, facts, numbers, goal = (
        words_at(pointers[3]), words_at(pointers[4]), words_at(pointers[5]), words_at(pointers[6])
    )  # fmt: skip
    rng, cells, listed = unsigned_at(pointers[7]), words_at(pointers[8]), quarters_at(pointers[9])
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
        if facts[SKIPPING] != 0:
            high, low, effort, status = skip(
                table, header, marks, m, facts, numbers, goal, rng, n, stop_at, high, low, effort
            )
        else:
            high, low, effort, status = batch(
                table, header, marks, m, facts, numbers, goal, rng, cells, listed, n, stop_at, high, low, effort
            )
    return high, low, status


@njit(cache=True)
def learn_occupied(pointers: Any) -> None:
    """Into a table without transitions: those of all pairs of occupied states, which skipping reads as they stand."""
    table, header = halves_at(pointers[0]), words_at(pointers[1])
    m, facts = words_at(pointers[3]), words_at(pointers[4])
    for x in range(facts[OCCUPIED]):
        for y in range(facts[OCCUPIED]):
            entry_of(table, header, m[ALIVE + x], m[ALIVE + y])


@njit(cache=True)
def change(pointers: Any, state: int, more: int) -> None:
    """Agents come into a state, or leave it, from outside."""
    add_agents(words_at(pointers[3]), words_at(pointers[4]), state, more)


@njit(cache=True)
def random_tally(rng: Any, n: int, sizes: Any) -> None:
    """How many of n agents are in each of equally likely states."""
    rest = n
    for k in range(sizes.size - 1):
        sizes[k] = binomial(rng, rest, 1.0 / (sizes.size - k))
        rest -= sizes[k]
    sizes[sizes.size - 1] = rest
