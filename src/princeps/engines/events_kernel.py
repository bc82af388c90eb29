"""The loop that goes from one effective interaction to the next, on any graph. One kernel for all protocols.

`active` lists the arcs whose interaction would change something, `where` the index of each arc in that list (or -1).
With k of m arcs active, the number of steps up to the next effective one is geometric with probability k/m whatever
came before, and that one is uniform among the k. Applying it changes at most its two agents, so that only arcs that
touch these have to be examined again. The choice of the arc and the number of steps are independent draws.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.engines.active_arcs import (
    arc_near,
    arcs_near,
    ends,
    enlisted,
    request_ahead,
    send_out,
    steps_to_next,
)
from princeps.lowering.chance import next_below
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

SCOUTED = (
    64  # changes after which the scout begins anew: once in 1024 a wait takes a second word, and it is out of step
)


@njit
def run_rule(agents: Any, i: int, j: int, io: Any, rule: int, io_at: int, constants_at: int, tops_at: int) -> int:
    """Both agents through the rule, from packed words into io; a status."""
    width = agents.shape[1]
    for w in range(width):
        io[w] = agents[i, w]
        io[width + w] = agents[j, w]
    return call(rule, io_at, constants_at, tops_at)


@njit
def would_change(agents: Any, i: int, j: int, io: Any, rule: int, io_at: int, constants_at: int, tops_at: int) -> bool:
    """A pair that leaves a domain counts as a change: it stops the run when it is chosen."""
    if run_rule(agents, i, j, io, rule, io_at, constants_at, tops_at) != CONTINUE:
        return True
    half = io.size // 2
    different = False
    for w in range(half):
        different |= io[w] != io[half + w]
    return different


@njit(cache=True)
def examine_all(
    io: Any,
    header: Any,
    agents: Any,
    kind: int,
    n: int,
    sources: Any,
    targets: Any,
    active: Any,
    where: Any,
    facts: Any,
) -> None:
    rule, io_at, constants_at, tops_at = header[RULE], header[IO], header[CONSTANTS], header[TOPS]
    facts[ARC_WAIT] = facts[ARC_CHOSEN] = 0
    where[:] = -1
    count = 0
    for arc in range(where.size):
        i, j = ends(kind, n, sources, targets, arc)
        changes = would_change(agents, i, j, io, rule, io_at, constants_at, tops_at)
        count = enlisted(changes, arc, active, where, count)
    facts[ARC_ACTIVE] = count


@njit(cache=True)
def any_changes(
    io: Any, header: Any, states: Any, sizes: Any, left: Any, right: Any, most: int
) -> bool:  # fmt: skip
    """Would one of these pairs of states change something? All ordered pairs of agents, if none is listed.

    `sizes`: agents in each state. More than `most` pairs are not examined: then the answer is yes.
    """
    rule, io_at, constants_at, tops_at = header[RULE], header[IO], header[CONSTANTS], header[TOPS]
    for k in range(min(left.size, most)):
        if would_change(states, left[k], right[k], io, rule, io_at, constants_at, tops_at):
            return True
    if left.size > 0:
        return left.size > most
    examined = 0
    for i in range(sizes.size):
        for j in range(sizes.size):
            if i == j and sizes[i] == 1:
                continue
            if examined == most:
                return True
            examined += 1
            if would_change(states, i, j, io, rule, io_at, constants_at, tops_at):
                return True
    return False


@njit(cache=True)
def arcs_around(n: int, sources: Any, targets: Any, first: Any, filled: Any, around: Any) -> None:
    """The arcs that touch each agent, one list after the other, and where each list begins; all zeros before.

    Numbers of n + 1 and n places, and of two places an arc.
    """
    for ends_of_arcs in (sources, targets):
        for arc in range(ends_of_arcs.size):
            first[ends_of_arcs[arc] + 1] += 1
    for agent in range(n):
        first[agent + 1] += first[agent]
        filled[agent] = first[agent]
    for ends_of_arcs in (sources, targets):
        for arc in range(ends_of_arcs.size):
            agent = ends_of_arcs[arc]
            around[filled[agent]] = arc
            filled[agent] += 1


@njit(cache=True)
def advance(
    io: Any, header: Any, agents: Any, kind: int, n: int, sources: Any, targets: Any, first: Any, around: Any, rng: Any,
    active: Any, where: Any, facts: Any, cursor: Any, counts: Any, goal: int, counts_at: int,
    stop_at: int, budget: int, most_active: int, most_events: int, rates: Any, read: Any, scout: Any, ahead: bool,
) -> tuple[int, int]:  # fmt: skip
    """Up to `budget` steps or `most_events` changes; a status of lowering/status.py.

    A wait that does not end within the budget goes on in the next call: how a run is cut does not matter. `read`: the bits of
    an agent's words that the tracked predicates look at. `ahead`: memory is requested before it is used.
    """
    done = 0
    status = CONTINUE
    changed = 0
    count = facts[ARC_ACTIVE]
    width = agents.shape[1]
    rule, mark, io_at, constants_at, tops_at = header[RULE], header[MARK], header[IO], header[CONSTANTS], header[TOPS]
    while done < budget and changed < most_events:
        if count == 0:
            status = SILENT
            break
        if facts[ARC_CHOSEN] == 0:
            if count > most_active:
                status = MANY_ACTIVE
                break
            facts[ARC_WAIT] = steps_to_next(rng, count, where.size, rates)
            facts[ARC_CHOSEN] = np.int64(active[next_below(rng, np.uint64(count))]) + 1
        if facts[ARC_WAIT] > budget - done:
            facts[ARC_WAIT] -= budget - done
            facts[ARC_LAST] = 0
            done = budget
            break
        arc = facts[ARC_CHOSEN] - 1
        if ahead:
            if changed % SCOUTED == 0:
                send_out(rng, scout)
            request_ahead(scout, active, count, kind, sources, targets, agents, where)
        i, j = ends(kind, n, sources, targets, arc)
        tracked = False
        output = False
        status = run_rule(agents, i, j, io, rule, io_at, constants_at, tops_at)
        if status != CONTINUE:
            break
        # only arcs of an agent that has changed: the hub of a star need not be searched for every leaf
        moved_i = moved_j = seen = False
        for w in range(width):
            agents[i, w] = io[2 * width + w]
            agents[j, w] = io[3 * width + w]
            by_i, by_j = io[w] ^ io[2 * width + w], io[width + w] ^ io[3 * width + w]
            moved_i |= by_i != 0
            moved_j |= by_j != 0
            seen |= ((by_i | by_j) & read[w]) != 0
        if seen:
            x = call(mark, io_at, constants_at, tops_at)
            y = call(mark, io_at + 8 * width, constants_at, tops_at)
            z = call(mark, io_at + 16 * width, constants_at, tops_at)
            v = call(mark, io_at + 24 * width, constants_at, tops_at)
            if (x | y | z | v) < 0:
                status = RULE_FAILED
                break
            if x != z or y != v:
                recount(counts, x, y, z, v)
                tracked = True
                output = ((x ^ z) | (y ^ v)) & 1 != 0
        done += facts[ARC_WAIT]
        changed += 1
        facts[ARC_WAIT] = facts[ARC_CHOSEN] = 0
        facts[ARC_LAST] = arc + 1
        for k in range(arcs_near(kind, first, i, j, moved_i, moved_j)):
            other = arc_near(kind, n, first, around, arc, i, j, moved_i, k)
            f, g = ends(kind, n, sources, targets, other)
            changes = would_change(agents, f, g, io, rule, io_at, constants_at, tops_at)
            count = enlisted(changes, other, active, where, count)
        if tracked:
            if stop_at == STOP_AT_GOAL:
                if call(goal, counts_at, constants_at, constants_at) != 0:
                    status = GOAL_MET
                    break
            elif stop_at == STOP_AT_OUTPUT and output:
                status = OUTPUT_CHANGED
                break
    facts[ARC_ACTIVE] = count
    cursor[CURSOR_EVENTS] += changed
    cursor[CURSOR_STEPS] += done
    return done, status
