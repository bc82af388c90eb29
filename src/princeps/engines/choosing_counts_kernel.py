"""The counts engine's loop for rules that toss coins or read an oracle; choosing_counts.py argues why its law is right.

The states are closed under interactions before it begins, so that nothing has to be learnt on the way. A kind is an
ordered pair of states under one value of the oracle, numbered (value * states + a) * states + b; its results are the rows
begins[kind] .. begins[kind + 1] - 1 of `results` (both states afterwards, and a weight), none if the rule fails.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from princeps.engines.choosing_skips import (
    ASKED_AT,
    ROUND,
    account,
    choose_result,
    count_partners,
    oracle_now,
    skip,
    total_weight,
)
from princeps.lowering.chance import next_below
from princeps.lowering.jit import njit
from princeps.lowering.multiset import (
    BAD_A,
    BAD_B,
    BATCH_LAST,
    CELLS_ARRAY,
    EVENTS,
    FACTS_ARRAY,
    GOAL_ARRAY,
    IS_ROUND,
    LOOK_AFTER,
    MARKS_ARRAY,
    MET,
    MULTISET_ARRAY,
    NUMBERS_ARRAY,
    OCCUPIED,
    ORDER_ARRAY,
    REST_HIGH,
    REST_LOW,
    STREAM_ARRAY,
    TOUCHED,
    WAITING,
    add_agents,
    live_agents,
    note_change,
    touch,
)
from princeps.lowering.multiset_costs import BATCH, DRAW, event_cost
from princeps.lowering.multiset_draws import draw_collision, draw_matrix
from princeps.lowering.multiset_goal import (
    CONSTANTS_AT,
    GREATEST,
    LEAST,
    NUMBERS_AT,
    WIDTH_OF_NUMBERS,
    may_meet_goal,
    recount_many,
    start_box,
    stretch_box,
)
from princeps.lowering.multiset_steps import DIGIT, less
from princeps.lowering.pointers import call, unsigned_at, words_at
from princeps.lowering.status import CONTINUE, LOOKED_AT, RULE_FAILED, STOP_AT_GOAL, STOP_AT_OUTPUT
from princeps.lowering.variates import binomial, run_length
from princeps.lowering.wide import as_float

MAY_HOLD_AT, MAY_FAIL_AT = 1, 2  # indices of `oracle`: can it hold, or fail, between bounds of the counts?
BY_COST, ALWAYS_SKIP = 0, 1  # which way to go, see choosing_counts.py
# Columns of `split`, the pairs of a batch by their results: states before, states after, how many.
INITIATOR, RESPONDER, FIRST_AFTER, SECOND_AFTER, TIMES = range(5)


@njit
def may_differ(oracle_value: int, oracle: Any, goal: Any) -> Any:
    """Can the oracle say something else somewhere between LEAST and GREATEST?"""
    if oracle[ASKED_AT] == 0:
        return False
    row = 8 * goal[WIDTH_OF_NUMBERS]
    asked = oracle[MAY_FAIL_AT] if oracle_value == 1 else oracle[MAY_HOLD_AT]
    return call(asked, goal[NUMBERS_AT] + LEAST * row, goal[NUMBERS_AT] + GREATEST * row, goal[CONSTANTS_AT]) != 0


@njit
def split_cells(
    marks: Any, numbers: Any, goal: Any, rng: Any, begins: Any, results: Any, states: int, denominator: int, oracle_value: int,
    cells: Any, kinds: int, split: Any,
) -> Any:  # fmt: skip
    """How many pairs of each cell come to each result: multinomial, one result after the other.

    Rows of `split`, whether an output or a tracked predicate may change, and the cell whose rule fails (or -1).
    """
    start_box(numbers, goal[WIDTH_OF_NUMBERS])
    size = 0
    tracked = seen = False
    for k in range(kinds):
        a, b, rest = cells[3 * k], cells[3 * k + 1], cells[3 * k + 2]
        kind = (oracle_value * states + a) * states + b
        if begins[kind] == begins[kind + 1]:
            return size, tracked, seen, k
        total = denominator
        for row in range(begins[kind], begins[kind + 1]):
            weight = results[row, 2]
            times = rest if weight == total else binomial(rng, rest, weight / total)
            total -= weight
            rest -= times
            if times == 0:
                continue
            u, v = results[row, 0], results[row, 1]
            split[size, INITIATOR], split[size, RESPONDER] = a, b
            split[size, FIRST_AFTER], split[size, SECOND_AFTER], split[size, TIMES] = u, v, times
            size += 1
            x, y, z, w = marks[a], marks[b], marks[u], marks[v]
            if x != z or y != w:
                stretch_box(numbers, goal[WIDTH_OF_NUMBERS], x, y, z, w, times)
                tracked = True
                seen |= ((x ^ z) | (y ^ w)) & 1 != 0
    return size, tracked, seen, -1


@njit
def apply_at_once(marks: Any, m: Any, facts: Any, numbers: Any, goal: Any, split: Any, size: int) -> int:
    """All pairs of the batch; the length of MET."""
    met = 0
    facts[BATCH_LAST] = 0
    for k in range(size):
        a, b, times = split[k, INITIATOR], split[k, RESPONDER], split[k, TIMES]
        u, v = split[k, FIRST_AFTER], split[k, SECOND_AFTER]
        add_agents(m, facts, a, -times)
        add_agents(m, facts, b, -times)
        met = touch(m, u, times, met)
        met = touch(m, v, times, met)
        if u != a or v != b:
            facts[EVENTS] += times
            facts[BATCH_LAST] -= times
        recount_many(numbers, goal[WIDTH_OF_NUMBERS], marks[a], marks[b], marks[u], marks[v], times)
    return met


@njit
def apply_one_by_one(
    marks: Any, m: Any, facts: Any, numbers: Any, goal: Any, rng: Any, order: Any, begins: Any, results: Any, states: int,
    denominator: int, oracle: Any, oracle_value: int, split: Any, length: int, stop_at: int,
) -> Any:  # fmt: skip
    """The same pairs in random order; once the oracle says something else, what is left of them tosses coins anew.

    Interactions done, the length of MET, and a status. `order` is the stream for the order.
    """
    met = 0
    facts[BATCH_LAST] = 0
    first_told = oracle_value
    is_told_anew = False
    for done in range(1, length + 1):
        turn = np.int64(next_below(order, np.uint64(length + 1 - done)))
        k = 0
        while turn >= split[k, TIMES]:
            turn -= split[k, TIMES]
            k += 1
        a, b, u, v = split[k, INITIATOR], split[k, RESPONDER], split[k, FIRST_AFTER], split[k, SECOND_AFTER]
        if is_told_anew:
            row = choose_result(rng, begins, results, denominator, (oracle_value * states + a) * states + b)
            if row < 0:
                facts[BAD_A], facts[BAD_B] = a, b
                return done - 1, met, RULE_FAILED
            u, v = results[row, 0], results[row, 1]
        split[k, TIMES] -= 1
        add_agents(m, facts, a, -1)
        add_agents(m, facts, b, -1)
        met = touch(m, u, 1, met)
        met = touch(m, v, 1, met)
        if u != a or v != b:
            facts[EVENTS] += 1
            facts[BATCH_LAST] = done
        status = account(marks, numbers, goal, a, b, u, v, stop_at)
        oracle_value = oracle_now(oracle, goal)
        if oracle_value < 0:
            return done, met, RULE_FAILED
        is_told_anew |= oracle_value != first_told
        if status != CONTINUE:
            return done, met, status
        if done == facts[LOOK_AFTER]:
            return done, met, LOOKED_AT
    return length, met, CONTINUE


@njit
def batch(
    marks: Any, m: Any, facts: Any, numbers: Any, goal: Any, rng: Any, order: Any, cells: Any, begins: Any, results: Any,
    changes: Any, denominator: int, split: Any, oracle: Any, n: int, stop_at: int, high: int, low: int,
) -> Any:  # fmt: skip
    """Interactions of disjoint pairs, and the one that meets an agent again."""
    states = changes.shape[1]
    oracle_value = oracle_now(oracle, goal)
    _, occupied = live_agents(m, facts)
    most = low if high == 0 else DIGIT
    length = run_length(rng, n, most)
    kinds = draw_matrix(rng, m, occupied, n, length, cells)
    size, tracked, seen, failing = split_cells(
        marks, numbers, goal, rng, begins, results, states, denominator, oracle_value, cells, kinds, split
    )
    if failing >= 0:
        facts[BAD_A], facts[BAD_B] = cells[3 * failing], cells[3 * failing + 1]
        return high, low, RULE_FAILED
    careful = (stop_at == STOP_AT_GOAL and tracked and may_meet_goal(goal, numbers)) or (
        stop_at == STOP_AT_OUTPUT and seen
    )
    in_order = careful or (tracked and may_differ(oracle_value, oracle, goal))
    if in_order or facts[LOOK_AFTER] > 0:
        done, met, status = apply_one_by_one(
            marks,
            m,
            facts,
            numbers,
            goal,
            rng,
            rng if in_order else order,  # that of the run, or one that only who looks asks for
            begins,
            results,
            states,
            denominator,
            oracle,
            oracle_value,
            split,
            length,
            stop_at,
        )
    else:
        met = apply_at_once(marks, m, facts, numbers, goal, split, size)
        done, status = length, CONTINUE
    a: Any = np.int64(-1)
    b: Any = np.int64(-1)
    if status == CONTINUE and length < most:  # the collision, if it was not cut off
        a, b = draw_collision(rng, m, 2 * length, n - 2 * length)
    for k in range(met):  # who has interacted belongs to the others again
        s = m[MET + k]
        add_agents(m, facts, s, m[TOUCHED + s])
        m[TOUCHED + s] = 0
    if a >= 0:
        oracle_value = oracle_now(oracle, goal)
        row: Any = np.int64(-1)
        if oracle_value >= 0:
            row = choose_result(rng, begins, results, denominator, (oracle_value * states + a) * states + b)
        if row < 0:
            facts[BAD_A], facts[BAD_B] = a, b
            status = RULE_FAILED
        else:
            done += 1
            u, v = results[row, 0], results[row, 1]
            for state, more in ((a, -1), (b, -1), (u, 1), (v, 1)):
                add_agents(m, facts, state, more)
            if u != a or v != b:
                facts[EVENTS] += 1
                facts[BATCH_LAST] = done
            status = account(marks, numbers, goal, a, b, u, v, stop_at)
    high, low = less(high, low, 0, done)
    if facts[BATCH_LAST] != 0:
        note_change(facts, length, done, 0, done, high, low)
    return high, low, status


@njit
def skipping_is_cheaper(m: Any, facts: Any, changes: Any, oracle_value: int, n: int, way: int) -> Any:
    """By what is expected to cost, from the numbers of agents and states alone; or as `way` says."""
    if n < 4 or facts[WAITING] != 0:
        return True
    if way != BY_COST:
        return way == ALWAYS_SKIP
    count_partners(m, facts, changes, oracle_value)
    high, low = total_weight(m, facts, changes, oracle_value)
    expected = as_float(high, low) / (np.float64(n) * (n - 1.0)) * (0.63 * math.sqrt(n) + 1.0)
    occupied = facts[OCCUPIED]
    return expected * event_cost(changes.shape[1]) < BATCH + DRAW * (occupied * occupied - 1.0)


@njit(cache=True)
def advance(
    pointers: Any, begins: Any, results: Any, changes: Any, denominator: int, split: Any, oracle: Any, n: int,
    stop_at: int, high: int, low: int, effort: int, way: int,
) -> Any:  # fmt: skip
    """Up to (high, low) steps; returns how many are left of them, and a status."""
    marks, m, facts = (
        words_at(pointers[MARKS_ARRAY]),
        words_at(pointers[MULTISET_ARRAY]),
        words_at(pointers[FACTS_ARRAY]),
    )
    numbers, goal = words_at(pointers[NUMBERS_ARRAY]), words_at(pointers[GOAL_ARRAY])
    rng, cells = unsigned_at(pointers[STREAM_ARRAY]), words_at(pointers[CELLS_ARRAY])
    order = unsigned_at(pointers[ORDER_ARRAY])
    status = CONTINUE
    while status == CONTINUE and effort > 0 and (high > 0 or low > 0):
        oracle_value = oracle_now(oracle, goal)
        if oracle_value < 0:
            status = RULE_FAILED
            break
        occupied = facts[OCCUPIED]
        rounds = skipping_is_cheaper(m, facts, changes, oracle_value, n, way)
        facts[IS_ROUND] = np.int64(rounds)
        if rounds:
            high, low, status = skip(
                marks,
                m,
                facts,
                numbers,
                goal,
                rng,
                begins,
                results,
                changes,
                denominator,
                oracle,
                n,
                stop_at,
                high,
                low,
            )
            effort -= ROUND * (8 + changes.shape[1])
        else:
            high, low, status = batch(
                marks, m, facts, numbers, goal, rng, order, cells, begins, results, changes, denominator, split, oracle, n,
                stop_at, high, low,
            )  # fmt: skip
            effort -= 20 + 4 * occupied * occupied
    facts[REST_HIGH], facts[REST_LOW] = high, low
    return high, low, status
