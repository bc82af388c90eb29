"""The list of active arcs, for the kernels that go from one effective interaction to the next; which arcs lie beside an
arc, when the next one interacts, and which one that will probably be.

`active` lists the arcs, `where` has the index of each arc in that list (or -1). In a large population neither these arrays nor
the agents stay in the processor's cache, and each interaction is somewhere else: a copy of the stream, the *scout*, runs
ahead of the one that is drawn from, and says which arcs it will probably choose, so that their memory is requested while
others interact. Where it is wrong (the list has changed meanwhile, or a draw took one word more) a request was in vain; no
result depends on it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.lowering.chance import ARCS, DIRECTED_RING, multiply_high, next_word, prefetch
from princeps.lowering.jit import njit
from princeps.lowering.variates import exponential

RATES = 1 << 10  # numbers of active arcs whose rates are kept: in the first-level cache those near the present number
SCOUT = 8  # words of a scout


@njit
def ends(kind: int, n: int, sources: Any, targets: Any, arc: int) -> Any:
    """Initiator and responder of an arc, numbered as everywhere."""
    if kind == DIRECTED_RING:
        return arc, (arc + 1 if arc + 1 < n else 0)
    if kind == ARCS:
        return np.int64(sources[arc]), np.int64(targets[arc])
    i = arc >> 1
    j = i + 1 if i + 1 < n else 0
    if arc & 1:
        return j, i
    return i, j


@njit
def enlisted(changes: Any, arc: int, active: Any, where: Any, count: int) -> int:
    """Enter the arc into the list of `count` arcs, or strike it out; how many there are then."""
    index = where[arc]
    if changes:
        if index < 0:
            active[count] = arc
            where[arc] = count
            return count + 1
    elif index >= 0:
        count -= 1
        last = active[count]
        active[index] = last
        where[last] = index
        where[arc] = -1
    return count


@njit
def arcs_near(kind: int, first: Any, i: int, j: int, moved_i: bool, moved_j: bool) -> int:
    """How many arcs touch i or j, if these have changed; those between them may be counted twice."""
    if kind == ARCS:
        near_i, near_j = first[i + 1] - first[i], first[j + 1] - first[j]
        return (near_i if moved_i else 0) + (near_j if moved_j else 0)
    return 3 if kind == DIRECTED_RING else 6


@njit
def arc_near(kind: int, n: int, first: Any, around: Any, arc: int, i: int, j: int, moved_i: bool, k: int) -> int:
    """The k-th of them."""
    if kind == ARCS:
        own = first[i + 1] - first[i] if moved_i else 0
        return np.int64(around[first[i] + k]) if k < own else np.int64(around[first[j] + k - own])
    if kind == DIRECTED_RING:
        other = arc - 1 + k
        return other + n if other < 0 else other - n if other >= n else other
    other = (arc & -2) - 2 + k
    return other + 2 * n if other < 0 else other - 2 * n if other >= 2 * n else other


@njit
def steps_to_next(rng: Any, active: int, arcs: int, rates: Any) -> int:
    """Geometric with probability active/arcs; at most some 10^11, so that one double has bits enough.

    `rates` has pairs of a number of active arcs and its rate, a logarithm: that number goes up and down between few values.
    """
    if active == arcs:
        return 1
    slot = 2 * (active & (RATES - 1))
    if rates[slot] != active:
        rates[slot] = active
        rates[slot + 1] = -np.log1p(-(active / arcs))
    return np.int64(exponential(rng) / rates[slot + 1]) + 1


@njit
def send_out(rng: Any, scout: Any) -> None:
    """The scout begins where the stream is, three choices ahead."""
    for w in range(4):
        scout[w] = rng[w]
    for _ in range(3):
        next_choice(scout)


@njit
def next_choice(scout: Any) -> None:
    """A wait and a choice take a word each. After the four words of its state, the scout has the last four choices."""
    for w in range(4, 7):
        scout[w] = scout[w + 1]
    _, s0, s1, s2, s3 = next_word(scout[0], scout[1], scout[2], scout[3])
    scout[7], scout[0], scout[1], scout[2], scout[3] = next_word(s0, s1, s2, s3)


@njit
def request_ahead(
    scout: Any, active: Any, count: int, kind: int, sources: Any, targets: Any, agents: Any, where: Any
) -> None:
    """Of the fourth choice from here its place in the list, of the second, whose place has come meanwhile, the arc's memory."""
    next_choice(scout)
    size = np.uint64(count)
    prefetch(active, np.uint32(multiply_high(scout[7], size)))
    arc = active[multiply_high(scout[5], size)]
    prefetch(where, np.uint32(arc))
    if kind == ARCS:
        prefetch(sources, np.uint32(arc))
        prefetch(targets, np.uint32(arc))
    else:
        prefetch(agents, np.uint32(arc if kind == DIRECTED_RING else arc >> 1))
