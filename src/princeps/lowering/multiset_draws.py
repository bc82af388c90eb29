"""Random draws of agents from a multiset of states: single agents, a pair that collides, all pairs of a batch."""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.lowering.chance import next_below
from princeps.lowering.jit import njit
from princeps.lowering.multiset import DRAWN, LEFT, MAX_LISTED_PAIRS, MET, POOL, TALLY, TOUCHED
from princeps.lowering.variates import hypergeometric


@njit
def pick(rng: Any, m: Any, weights: int, listed: int, total: int, without: int) -> int:
    """The state of a uniformly random agent of `total`; one agent in the state `without` does not count."""
    rest = np.int64(next_below(rng, np.uint64(total)))
    k = 0
    while True:
        s = m[listed + k]
        rest -= m[weights + s] - np.int64(s == without)
        if rest < 0:
            return s
        k += 1


@njit
def draw_collision(rng: Any, m: Any, met: int, others: int) -> Any:
    """Two different agents, uniformly among the pairs that are not both new: their states."""
    kind = np.int64(next_below(rng, np.uint64(met - 1 + 2 * others)))
    a = pick(rng, m, TOUCHED, MET, met, -1)
    if kind < met - 1:
        return a, pick(rng, m, TOUCHED, MET, met - 1, a)
    b = pick(rng, m, LEFT, POOL, others, -1)
    if kind < met - 1 + others:
        return a, b
    return b, a


@njit
def draw_part(rng: Any, total: int, good: int, drawn: int) -> int:
    """The hypergeometric law, compiled once and not at every place where it is used."""
    return hypergeometric(rng, total, good, drawn)


@njit
def draw_matrix(rng: Any, m: Any, states: int, agents: int, length: int, cells: Any) -> int:
    """How many of `length` disjoint pairs are of each kind: rows (initiator, responder, pairs) in `cells`.

    First how many initiators are in each state; then for those of one state after the other their partners, among the
    agents that are left.
    """
    rest, wanted = agents, length
    for k in range(states):
        s = m[POOL + k]
        mine = wanted if k == states - 1 else draw_part(rng, rest, m[TALLY + s], wanted)
        rest -= m[TALLY + s]
        wanted -= mine
        m[DRAWN + s] = mine
        m[LEFT + s] = m[TALLY + s] - mine
    size = 0
    others = agents - length
    for k in range(states):
        s = m[POOL + k]
        rest, wanted = others, m[DRAWN + s]
        others -= wanted
        for j in range(states):
            if wanted == 0:
                break
            t = m[POOL + j]
            met = wanted if j == states - 1 else draw_part(rng, rest, m[LEFT + t], wanted)
            rest -= m[LEFT + t]
            if met > 0:
                m[LEFT + t] -= met
                wanted -= met
                cells[3 * size] = s
                cells[3 * size + 1] = t
                cells[3 * size + 2] = met
                size += 1
    return size


@njit
def draw_list(rng: Any, m: Any, states: int, agents: int, length: int, listed: Any) -> None:
    """`length` disjoint pairs one by one: the initiators in the order of their states, the responders shuffled."""
    for k in range(states):
        m[LEFT + m[POOL + k]] = m[TALLY + m[POOL + k]]
    for side in range(2):
        rest, wanted, filled = agents - side * length, length, 0
        for k in range(states):
            s = m[POOL + k]
            have = m[LEFT + s]
            mine = wanted if k == states - 1 else draw_part(rng, rest, have, wanted)
            rest -= have
            wanted -= mine
            m[LEFT + s] = have - mine
            for _ in range(mine):
                listed[side * MAX_LISTED_PAIRS + filled] = s
                filled += 1
    for i in range(length - 1, 0, -1):
        j = np.int64(next_below(rng, np.uint64(i + 1)))
        listed[MAX_LISTED_PAIRS + i], listed[MAX_LISTED_PAIRS + j] = (
            listed[MAX_LISTED_PAIRS + j],
            listed[MAX_LISTED_PAIRS + i],
        )


@njit
def shuffle_pairs(rng: Any, listed: Any, length: int) -> None:
    for i in range(length - 1, 0, -1):
        j = np.int64(next_below(rng, np.uint64(i + 1)))
        listed[i], listed[j] = listed[j], listed[i]
        listed[MAX_LISTED_PAIRS + i], listed[MAX_LISTED_PAIRS + j] = (
            listed[MAX_LISTED_PAIRS + j],
            listed[MAX_LISTED_PAIRS + i],
        )
