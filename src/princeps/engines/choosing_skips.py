"""From one interaction that may change something to the next, where the rule tosses coins or reads an oracle.

Kinds and results are those of choosing_counts_kernel.py, which is made of this.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.lowering.chance import next_below
from princeps.lowering.choices import ask_oracle
from princeps.lowering.jit import njit
from princeps.lowering.multiset import (
    ALIVE,
    BAD_A,
    BAD_B,
    BATCH_LAST,
    EVENTS,
    OCCUPIED,
    ROWS,
    TALLY,
    WAIT_HIGH,
    WAIT_LOW,
    WAITING,
    add_agents,
    note_change,
)
from princeps.lowering.multiset_goal import CONSTANTS_AT, NUMBERS_AT, WIDTH_OF_NUMBERS, goal_holds, recount_many
from princeps.lowering.multiset_steps import less
from princeps.lowering.status import (
    CONTINUE,
    GOAL_MET,
    OUTPUT_CHANGED,
    RULE_FAILED,
    SILENT,
    STOP_AT_GOAL,
    STOP_AT_OUTPUT,
)
from princeps.lowering.variates import geometric_wide
from princeps.lowering.wide import as_float, is_less, minus, plus, product, wide_below

ROUND = 64  # interactions between two choices of the way
ASKED_AT = 0  # the index in `oracle` of its address


@njit
def oracle_now(oracle: Any, goal: Any) -> Any:
    return ask_oracle(oracle[ASKED_AT], goal[NUMBERS_AT], goal[CONSTANTS_AT])


@njit
def choose_result(rng: Any, begins: Any, results: Any, denominator: int, kind: int) -> Any:
    """The row of a result of this kind, by its weight; -1 if the rule fails."""
    row, last = begins[kind], begins[kind + 1]
    if last - row <= 1:
        return row if last > row else np.int64(-1)
    rest = np.int64(next_below(rng, np.uint64(denominator)))
    while rest >= results[row, 2]:
        rest -= results[row, 2]
        row += 1
    return row


@njit
def account(marks: Any, numbers: Any, goal: Any, a: int, b: int, u: int, v: int, stop_at: int) -> Any:
    """Keep the counts after one interaction; a status."""
    if marks[a] == marks[u] and marks[b] == marks[v]:
        return CONTINUE
    recount_many(numbers, goal[WIDTH_OF_NUMBERS], marks[a], marks[b], marks[u], marks[v], 1)
    if stop_at == STOP_AT_GOAL:
        return GOAL_MET if goal_holds(goal) else CONTINUE
    seen = ((marks[a] ^ marks[u]) | (marks[b] ^ marks[v])) & 1 != 0
    return OUTPUT_CHANGED if stop_at == STOP_AT_OUTPUT and seen else CONTINUE


@njit
def count_partners(m: Any, facts: Any, changes: Any, oracle_value: int) -> None:
    """ROWS: for each state the number of agents that it may change something with."""
    for a in range(changes.shape[1]):
        partners = 0
        for y in range(facts[OCCUPIED]):
            b = m[ALIVE + y]
            if changes[oracle_value, a, b]:
                partners += m[TALLY + b]
        m[ROWS + a] = partners


@njit
def move(m: Any, facts: Any, changes: Any, oracle_value: int, state: int, more: int) -> None:
    """Agents come or leave, and ROWS follow."""
    add_agents(m, facts, state, more)
    for a in range(changes.shape[1]):
        if changes[oracle_value, a, state]:
            m[ROWS + a] += more


@njit
def total_weight(m: Any, facts: Any, changes: Any, oracle_value: int) -> Any:
    """The number of ordered pairs of agents that may change something."""
    high, low = np.uint64(0), np.uint64(0)
    for x in range(facts[OCCUPIED]):
        a = m[ALIVE + x]
        more_high, more_low = product(m[TALLY + a], m[ROWS + a] - np.int64(changes[oracle_value, a, a]))
        high, low = plus(high, low, more_high, more_low)
    return high, low


@njit
def choose_pair(rng: Any, m: Any, facts: Any, changes: Any, oracle_value: int, high: Any, low: Any) -> Any:
    """The states of a uniformly random one of these pairs."""
    rest_high, rest_low = wide_below(rng, high, low)
    a = b = np.int64(0)
    for x in range(facts[OCCUPIED]):
        a = m[ALIVE + x]
        part_high, part_low = product(m[TALLY + a], m[ROWS + a] - np.int64(changes[oracle_value, a, a]))
        if is_less(rest_high, rest_low, part_high, part_low):
            break
        rest_high, rest_low = minus(rest_high, rest_low, part_high, part_low)
    partner = np.int64(next_below(rng, np.uint64(m[ROWS + a] - np.int64(changes[oracle_value, a, a]))))
    for y in range(facts[OCCUPIED]):
        b = m[ALIVE + y]
        if changes[oracle_value, a, b]:
            partner -= m[TALLY + b] - np.int64(a == b)
            if partner < 0:
                break
    return a, b


@njit
def skip(
    marks: Any, m: Any, facts: Any, numbers: Any, goal: Any, rng: Any, begins: Any, results: Any, changes: Any,
    denominator: int, oracle: Any, n: int, stop_at: int, high: int, low: int,
) -> Any:  # fmt: skip
    """From one interaction that may change something to the next, for a round."""
    pairs = np.float64(n) * (n - 1.0)
    states = changes.shape[1]
    oracle_value = oracle_now(oracle, goal)
    count_partners(m, facts, changes, oracle_value)
    for _ in range(ROUND):
        weight_high, weight_low = total_weight(m, facts, changes, oracle_value)
        if weight_high == 0 and weight_low == 0:
            return high, low, SILENT
        if facts[WAITING] == 0:
            facts[WAIT_HIGH], facts[WAIT_LOW] = geometric_wide(rng, as_float(weight_high, weight_low) / pairs)
            facts[WAITING] = 1
        left_high, left_low = less(high, low, facts[WAIT_HIGH], facts[WAIT_LOW])
        if left_high < 0:  # the wait goes on after the budget
            facts[WAIT_HIGH], facts[WAIT_LOW] = less(facts[WAIT_HIGH], facts[WAIT_LOW], high, low)
            return 0, 0, CONTINUE
        a, b = choose_pair(rng, m, facts, changes, oracle_value, weight_high, weight_low)
        row = choose_result(rng, begins, results, denominator, (oracle_value * states + a) * states + b)
        if row < 0:
            facts[BAD_A], facts[BAD_B] = a, b
            return high, low, RULE_FAILED
        high, low = left_high, left_low
        facts[WAITING] = 0
        u, v = results[row, 0], results[row, 1]
        if u == a and v == b:
            continue
        facts[EVENTS] += 1
        facts[BATCH_LAST] = 1
        note_change(facts, 1, 1, 0, 1, high, low)
        for state, more in ((a, -1), (b, -1), (u, 1), (v, 1)):
            move(m, facts, changes, oracle_value, state, more)
        status = account(marks, numbers, goal, a, b, u, v, stop_at)
        before, oracle_value = oracle_value, oracle_now(oracle, goal)
        if oracle_value < 0:
            return high, low, RULE_FAILED
        if oracle_value != before:
            count_partners(m, facts, changes, oracle_value)
        if status != CONTINUE:
            return high, low, status
    return high, low, CONTINUE
