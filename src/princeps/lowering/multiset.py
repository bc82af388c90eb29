"""A multiset of states and its counts: the parts of the counts engine's kernel.

A multiset is `m`, a table of int64 with a column for each id; kernels reach it, as all their arrays, by a pointer to its
first word (numba counts references to arrays that are handed to functions, which took longer than what they do). Some
of its rows are numbers by id, others lists of ids:

    TALLY    agents in this state                    ALIVE    list of the states that occur
    POSITION index of a state in that list           POOL     list of those that are not inert
    INERT    1 if no meeting changes anything        MET      list of the states with touched agents
    ROWS     agents to change something with         LEFT     agents not yet drawn in this batch
    DRAWN    initiators drawn                        TOUCHED  agents that have interacted in this batch
"""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.lowering.chance import next_below
from princeps.lowering.interning import CAPACITY, CHANGED, FULL, ID_BITS, ID_MASK, LEARN, MAX_STATES, SELF
from princeps.lowering.jit import njit
from princeps.lowering.pointers import call
from princeps.lowering.status import CONTINUE, TABLE_FULL
from princeps.lowering.wide import is_less, minus, plus, product, wide_below

TALLY, POSITION, INERT, ROWS, LEFT, DRAWN, TOUCHED, ALIVE, POOL, MET = range(0, 10 * MAX_STATES, MAX_STATES)
LISTS, HEIGHT = 7, 10  # the first of the lists, and all rows
MAX_LISTED_PAIRS = 1 << 18  # of a batch whose pairs are listed one by one

# Indices of `facts`: occupied states; skipping; a wait has begun, and what is left of it; interactions that changed
# something; a state has died out since the last search for inert ones, and how long ago that was; pairs listed but not
# yet applied, and how many there could have been; effective interactions in the last batch; the pair that failed.
OCCUPIED, SKIPPING, WAITING, WAIT_HIGH, WAIT_LOW, EVENTS, DIED, SINCE, PENDING, ALLOWED, EFFECTIVE, BAD_A, BAD_B = (
    range(13)
)
# The last interaction of the batch at work that changed something: counted from 1; -k where k of its pairs did, in an
# order that was not drawn. The same of the last batch in which it was not 0, with all its pairs, its interactions (one
# more, if it ended with a collision), its steps, and the steps of the call that were left after it (-1: there was none
# in this call). A single event is a batch of one.
BATCH_LAST, CHANGED_LAST, BATCH_PAIRS, BATCH_DONE, BATCH_HIGH, BATCH_LOW, LEFT_HIGH, LEFT_LOW = range(13, 21)
# The steps of the call that are left, in two digits: written when the call ends, with the configuration. What the call
# returns may be lost, if Ctrl-C is raised before it is looked at.
REST_HIGH, REST_LOW = 21, 22
# Whether the last thing done was a round of single events. After how many interactions of the batch to come somebody
# looks at the configuration, 0 if nobody does (engines/counts_moments.py).
IS_ROUND, LOOK_AFTER = 23, 24
FACT_COUNT = 25

# Indices of `pointers`, the addresses of the arrays that the counts engine shares with its kernel: the transitions,
# header and marks of the state table; m and facts; what multiset_goal.py describes; the random stream; the pairs of a
# batch, as a matrix of numbers or listed; the stream for their order where only somebody who looks asks for it.
(
    TRANSITIONS_ARRAY, HEADER_ARRAY, MARKS_ARRAY, MULTISET_ARRAY, FACTS_ARRAY, NUMBERS_ARRAY, GOAL_ARRAY, STREAM_ARRAY,
    CELLS_ARRAY, PAIRS_ARRAY, ORDER_ARRAY,
) = range(11)  # fmt: skip
ARRAY_COUNT = 11

MAX_CLOSURE = 48  # states that can appear; where there are more, inert ones are not looked for


@njit
def entry_of(table: Any, header: Any, a: int, b: int) -> int:
    """What becomes of two states, learnt if need be; negative if that fails."""
    entry = np.int64(table[a * header[CAPACITY] + b])
    return entry if entry != 0 else call(header[LEARN], header[SELF], a, b)


@njit
def effective(entry: int) -> bool:
    """Would the pair change something? One that leaves a domain would: it stops the run when it is chosen."""
    return entry <= 0 or (entry & CHANGED) != 0


@njit
def add_agents(m: Any, facts: Any, state: int, more: int) -> None:
    """Agents come into a state or leave it; the list of occupied states is kept."""
    before = m[TALLY + state]
    m[TALLY + state] = before + more
    if before == 0:
        if more != 0:
            m[ALIVE + facts[OCCUPIED]] = state
            m[POSITION + state] = facts[OCCUPIED]
            facts[OCCUPIED] += 1
    elif before + more == 0:
        facts[OCCUPIED] -= 1
        last = m[ALIVE + facts[OCCUPIED]]
        m[ALIVE + m[POSITION + state]] = last
        m[POSITION + last] = m[POSITION + state]
        facts[DIED] = 1


@njit
def note_change(facts: Any, pairs: int, done: int, by_high: int, by_low: int, high: int, low: int) -> None:
    """A batch, or an event, has changed something."""
    facts[CHANGED_LAST], facts[BATCH_PAIRS], facts[BATCH_DONE] = facts[BATCH_LAST], pairs, done
    facts[BATCH_HIGH], facts[BATCH_LOW], facts[LEFT_HIGH], facts[LEFT_LOW] = by_high, by_low, high, low


@njit
def nothing_inert(m: Any) -> None:
    for state in range(MAX_STATES):
        m[INERT + state] = 0


@njit
def classify(table: Any, header: Any, m: Any, facts: Any) -> int:
    """Mark the states that no meeting changes or lets change others, among all that can ever appear.

    CONTINUE if done, TABLE_FULL if there is no room. If the closure of the occupied states is large, nothing is called inert.
    """
    nothing_inert(m)
    size = facts[OCCUPIED]
    if size > MAX_CLOSURE:
        return CONTINUE
    for k in range(size):
        m[MET + k] = m[ALIVE + k]
        m[INERT + m[ALIVE + k]] = 1
    first = 0
    while first < size:
        last = size
        for x in range(last):
            for y in range(0 if x >= first else first, last):
                entry = entry_of(table, header, m[MET + x], m[MET + y])
                if entry < 0:  # a rule that fails is reported when such a pair meets
                    nothing_inert(m)
                    return TABLE_FULL if entry == FULL else CONTINUE
                for state in (entry & ID_MASK, (entry >> ID_BITS) & ID_MASK):
                    if m[INERT + state] == 0:
                        if size == MAX_CLOSURE:
                            nothing_inert(m)
                            return CONTINUE
                        m[INERT + state] = 1
                        m[MET + size] = state
                        size += 1
        first = last
    for x in range(size):
        for y in range(size):
            a, b = m[MET + x], m[MET + y]
            if effective(entry_of(table, header, a, b)):
                m[INERT + a] = m[INERT + b] = 0
    return CONTINUE


@njit
def live_agents(m: Any, facts: Any) -> Any:
    """How many agents are in states that are not inert, and in how many such states; these are listed as POOL."""
    agents, states = 0, 0
    for k in range(facts[OCCUPIED]):
        s = m[ALIVE + k]
        if m[INERT + s] == 0:
            m[POOL + states] = s
            states += 1
            agents += m[TALLY + s]
    return agents, states


@njit
def count_partners(table: Any, header: Any, m: Any, facts: Any) -> int:
    """For each occupied state the number of agents that it would change something with; TABLE_FULL if there is no room for a new state."""
    for x in range(facts[OCCUPIED]):
        a = m[ALIVE + x]
        partners = 0
        for y in range(facts[OCCUPIED]):
            b = m[ALIVE + y]
            entry = entry_of(table, header, a, b)
            if entry == FULL:
                return TABLE_FULL
            if effective(entry):
                partners += m[TALLY + b]
        m[ROWS + a] = partners
    return CONTINUE


@njit
def move(table: Any, header: Any, m: Any, facts: Any, state: int, more: int) -> None:
    """Agents come or leave, and ROWS follow; there must be room in the state table."""
    add_agents(m, facts, state, more)
    for x in range(facts[OCCUPIED]):
        a = m[ALIVE + x]
        if effective(entry_of(table, header, a, state)):
            m[ROWS + a] += more
    if m[TALLY + state] == more:  # new here
        m[ROWS + state] = 0
        for y in range(facts[OCCUPIED]):
            b = m[ALIVE + y]
            if effective(entry_of(table, header, state, b)):
                m[ROWS + state] += m[TALLY + b]


@njit
def partners_of(table: Any, header: Any, m: Any, a: int) -> int:
    """The agents that one in state a would change something with: not itself."""
    return m[ROWS + a] - np.int64(effective(np.int64(table[a * header[CAPACITY] + a])))


@njit
def total_weight(table: Any, header: Any, m: Any, facts: Any) -> Any:
    """The number of ordered pairs of agents that would change something."""
    high, low = np.uint64(0), np.uint64(0)
    for x in range(facts[OCCUPIED]):
        a = m[ALIVE + x]
        more_high, more_low = product(m[TALLY + a], partners_of(table, header, m, a))
        high, low = plus(high, low, more_high, more_low)
    return high, low


@njit
def choose_effective(rng: Any, table: Any, header: Any, m: Any, facts: Any, high: Any, low: Any) -> Any:
    """The states of a uniformly random one of these pairs."""
    rest_high, rest_low = wide_below(rng, high, low)
    a = b = np.int64(0)
    for x in range(facts[OCCUPIED]):
        a = m[ALIVE + x]
        part_high, part_low = product(m[TALLY + a], partners_of(table, header, m, a))
        if is_less(rest_high, rest_low, part_high, part_low):
            break
        rest_high, rest_low = minus(rest_high, rest_low, part_high, part_low)
    partner = np.int64(next_below(rng, np.uint64(partners_of(table, header, m, a))))
    for y in range(facts[OCCUPIED]):
        b = m[ALIVE + y]
        if effective(np.int64(table[a * header[CAPACITY] + b])):
            partner -= m[TALLY + b] - np.int64(a == b)
            if partner < 0:
                break
    return a, b


@njit
def touch(m: Any, state: int, more: int, size: int) -> int:
    """Agents that have interacted in this batch are in this state now; the new length of MET."""
    if m[TOUCHED + state] == 0:
        m[MET + size] = state
        size += 1
    m[TOUCHED + state] += more
    return size
