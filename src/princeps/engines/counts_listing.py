"""From counts to agents by number: the pairs of a batch that could not be applied because too many states are occupied.

Such a batch has been drawn already, so its pairs are the first to meet among the listed agents: to draw them anew because
of what they brought would bend the law.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.lowering.interning import MAX_STATES
from princeps.lowering.multiset import ALIVE, ALLOWED, OCCUPIED, PENDING, TALLY
from princeps.model.randomness import Stream


def pending_agents(m: Any, facts: Any, pairs: Any, n: int, stream: Stream) -> tuple[Any, Any]:
    """The pending pairs in random order, and the collision after them: initiators and responders by number.

    Agents are numbered by their states, in the order of the list of occupied ones. There are no inert states here, since
    their closure is small.
    """
    length, allowed = int(facts[PENDING]), int(facts[ALLOWED])
    alive = m[ALIVE // MAX_STATES, : facts[OCCUPIED]]
    first = np.zeros(MAX_STATES, np.int64)
    first[alive] = np.concatenate([[0], np.cumsum(m[TALLY // MAX_STATES, alive])[:-1]])
    states = pairs[:, :length].reshape(-1).astype(np.int64)
    order = np.argsort(states, kind="stable")
    sizes = np.bincount(states, minlength=MAX_STATES)
    rank = np.arange(2 * length) - np.repeat(np.cumsum(sizes) - sizes, sizes)  # among those of the same state
    agents = np.zeros(2 * length, np.int64)
    agents[order] = first[states[order]] + rank
    turns = list(range(length))
    stream.shuffle(turns)
    left, right = agents[:length][turns].tolist(), agents[length:][turns].tolist()
    if length < allowed:
        met = set(agents.tolist())
        listed, others = sorted(met), n - 2 * length
        kind = stream.below(2 * length - 1 + 2 * others)
        a = b = listed[stream.below(2 * length)]
        while b == a or (kind >= 2 * length - 1) == (b in met):
            b = stream.below(n) if kind >= 2 * length - 1 else listed[stream.below(2 * length)]
        left.append(b if kind >= 2 * length - 1 + others else a)
        right.append(a if kind >= 2 * length - 1 + others else b)
    return np.array(left, np.uint32), np.array(right, np.uint32)
