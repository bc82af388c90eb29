"""What the counts engine's ways of drawing interactions are expected to cost, and the choice between them.

It depends on the numbers of agents and states alone. It changes the run that belongs to a seed, never the law.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from princeps.lowering.jit import njit
from princeps.lowering.multiset import EFFECTIVE, OCCUPIED, SKIPPING, count_partners, live_agents, total_weight
from princeps.lowering.status import CONTINUE
from princeps.lowering.wide import as_float

# What things cost, in nanoseconds on one machine. On another one a run may be slower for them, but not another run.
BATCH, CLOCK, DRAW, PAIR, EVENT, ROW = 120.0, 150.0, 45.0, 12.0, 40.0, 8.0
MAX_MATRIX_STATES = 128  # states whose pairs are drawn as a matrix
MAX_SKIPPING_STATES = 256  # states among which effective pairs are kept account of
RECLASSIFY = 64  # batches or rounds of events between two searches for inert states


@njit
def batch_costs(agents: int, states: int, n: int) -> Any:
    """Expected steps of a batch, and its cost in both ways of pairing."""
    length = 0.63 * math.sqrt(agents) + 1.0
    share = (agents / n) * ((agents - 1.0) / (n - 1.0))
    fixed = BATCH + (CLOCK if agents < n else 0.0)
    matrix = fixed + DRAW * (states * states - 1.0) if states <= MAX_MATRIX_STATES else np.inf
    listed = fixed + DRAW * (2.0 * states - 2.0) + PAIR * length
    return length / max(share, 1e-300), matrix, listed  # one agent alone will never meet another


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
    if facts[OCCUPIED] > MAX_SKIPPING_STATES:
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
