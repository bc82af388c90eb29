"""The loop of events_kernel.py for rules that toss coins or read an oracle.

An arc is active if its interaction changes something with some outcome of its coins, under what the oracle says now.
With k of m arcs active, the next interaction on one of them comes after a geometric number of steps and is uniform among
the k, as before; the interactions between are on arcs where no outcome changes anything. That one is then executed with
coins from their stream, and may still change nothing: it counts as a step like the others, and not as an event. Since
coins are tossed independently of everything that came before, the process is the one of all interactions.

What the oracle says is a function of the counts, which change by effective interactions alone. When its answer changes,
any arc may have become active or null, so that all of them are examined anew; the wait begins afresh after every
interaction anyway.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.engines.active_arcs import arc_near, arcs_near, ends, enlisted, steps_to_next
from princeps.lowering.chance import next_below
from princeps.lowering.choice_code import ORACLE
from princeps.lowering.choices import ask_oracle, begin_random, keep_stream, may_change
from princeps.lowering.interning import CONSTANTS, IO, MARK, RULE, TOPS
from princeps.lowering.jit import njit
from princeps.lowering.pointers import call, recount
from princeps.lowering.status import (
    ARC_ACTIVE,
    ARC_CHOSEN,
    ARC_LAST,
    ARC_WAIT,
    CONTINUE,
    CURSOR_EVENTS,
    CURSOR_STEPS,
    GOAL_MET,
    MANY_ACTIVE,
    OUTPUT_CHANGED,
    RULE_FAILED,
    SILENT,
    STOP_AT_GOAL,
    STOP_AT_OUTPUT,
)

MAX_PATHS = 1 << 10  # of the draws of one interaction, to see whether it can change something; beyond: it may


@njit
def is_active(agents: Any, i: int, j: int, io: Any, header: Any) -> bool:
    width = agents.shape[1]
    for w in range(width):
        io[w] = agents[i, w]
        io[width + w] = agents[j, w]
    return may_change(io, 4 * width, header[RULE], header[IO], header[CONSTANTS], header[TOPS], MAX_PATHS)


@njit
def examine_arcs(
    io: Any, header: Any, agents: Any, kind: int, n: int, sources: Any, targets: Any, active: Any, where: Any, facts: Any
) -> None:  # fmt: skip
    facts[ARC_WAIT] = facts[ARC_CHOSEN] = 0
    where[:] = -1
    count = 0
    for arc in range(where.size):
        i, j = ends(kind, n, sources, targets, arc)
        count = enlisted(is_active(agents, i, j, io, header), arc, active, where, count)
    facts[ARC_ACTIVE] = count


@njit(cache=True)
def examine_all(
    io: Any, header: Any, agents: Any, kind: int, n: int, sources: Any, targets: Any, active: Any, where: Any, facts: Any,
    oracle: int, counts_at: int,
) -> None:  # fmt: skip
    io[4 * agents.shape[1] + ORACLE] = ask_oracle(oracle, counts_at, header[CONSTANTS])
    examine_arcs(io, header, agents, kind, n, sources, targets, active, where, facts)


@njit(cache=True)
def advance(
    io: Any, header: Any, agents: Any, kind: int, n: int, sources: Any, targets: Any, first: Any, around: Any, rng: Any,
    active: Any, where: Any, facts: Any, cursor: Any, counts: Any, goal: int, counts_at: int,
    stop_at: int, budget: int, most_active: int, most_events: int, rates: Any, oracle: int, coins: Any,
) -> tuple[int, int]:  # fmt: skip
    """Up to `budget` steps or `most_events` interactions on active arcs; a status of lowering/status.py."""
    done = 0
    status = CONTINUE
    changed = tried = 0
    width = agents.shape[1]
    base = 4 * width
    rule, mark, io_at, constants_at, tops_at = header[RULE], header[MARK], header[IO], header[CONSTANTS], header[TOPS]
    oracle_value = ask_oracle(oracle, counts_at, constants_at)
    while done < budget and tried < most_events:
        if oracle_value < 0:
            status = RULE_FAILED
            break
        if facts[ARC_ACTIVE] == 0:
            status = SILENT
            break
        if facts[ARC_CHOSEN] == 0:
            if facts[ARC_ACTIVE] > most_active:
                status = MANY_ACTIVE
                break
            facts[ARC_WAIT] = steps_to_next(rng, facts[ARC_ACTIVE], where.size, rates)
            facts[ARC_CHOSEN] = np.int64(active[next_below(rng, np.uint64(facts[ARC_ACTIVE]))]) + 1
        if facts[ARC_WAIT] > budget - done:
            facts[ARC_WAIT] -= budget - done
            facts[ARC_LAST] = 0
            done = budget
            break
        arc = facts[ARC_CHOSEN] - 1
        i, j = ends(kind, n, sources, targets, arc)
        for w in range(width):
            io[w] = agents[i, w]
            io[width + w] = agents[j, w]
        io[base + ORACLE] = oracle_value
        begin_random(io, base, coins)
        status = call(rule, io_at, constants_at, tops_at)
        if status != CONTINUE:
            break
        x = call(mark, io_at, constants_at, tops_at)
        y = call(mark, io_at + 8 * width, constants_at, tops_at)
        z = call(mark, io_at + 16 * width, constants_at, tops_at)
        v = call(mark, io_at + 24 * width, constants_at, tops_at)
        if (x | y | z | v) < 0:
            status = RULE_FAILED
            break
        keep_stream(io, base, coins)
        moved_i = moved_j = False
        for w in range(width):
            moved_i |= io[w] != io[2 * width + w]
            moved_j |= io[width + w] != io[3 * width + w]
            agents[i, w] = io[2 * width + w]
            agents[j, w] = io[3 * width + w]
        done += facts[ARC_WAIT]
        tried += 1
        facts[ARC_WAIT] = facts[ARC_CHOSEN] = 0
        facts[ARC_LAST] = arc + 1
        if not (moved_i or moved_j):
            continue
        changed += 1
        tracked = x != z or y != v
        output = ((x ^ z) | (y ^ v)) & 1 != 0
        before = oracle_value
        if tracked:
            recount(counts, x, y, z, v)
            oracle_value = ask_oracle(oracle, counts_at, constants_at)
            io[base + ORACLE] = oracle_value
        if oracle_value != before:
            examine_arcs(io, header, agents, kind, n, sources, targets, active, where, facts)
        else:
            for k in range(arcs_near(kind, first, i, j, moved_i, moved_j)):
                other = arc_near(kind, n, first, around, arc, i, j, moved_i, k)
                f, g = ends(kind, n, sources, targets, other)
                changes = is_active(agents, f, g, io, header)
                facts[ARC_ACTIVE] = enlisted(changes, other, active, where, facts[ARC_ACTIVE])
        if tracked:
            if stop_at == STOP_AT_GOAL:
                if call(goal, counts_at, constants_at, constants_at) != 0:
                    status = GOAL_MET
                    break
            elif stop_at == STOP_AT_OUTPUT and output:
                status = OUTPUT_CHANGED
                break
    cursor[CURSOR_EVENTS] += changed
    cursor[CURSOR_STEPS] += done
    return done, status
