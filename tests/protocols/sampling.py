"""Pairs of legal states for tests: all of them where that is feasible, else random ones that favour the edges."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

from princeps.model.protocol import PopulationProtocol
from princeps.model.states import State

EXHAUSTIVE_PAIRS = 100_000


def pairs_of_states(
    protocol: PopulationProtocol, count: int, seed: int = 1, exhaustive: int = EXHAUSTIVE_PAIRS
) -> Iterator[tuple[State, State]]:
    """All of them if there are at most as many as `exhaustive`, else `count` random ones."""
    total = protocol.state_count
    if total is not None and total**2 <= exhaustive:
        states = all_states(protocol)
        yield from product(states, states)
        return
    draw = random.Random(seed)
    for _ in range(count):
        a = edge_state(protocol, draw)
        yield a, edge_state(protocol, draw, near=a)


def all_states(protocol: PopulationProtocol) -> list[State]:
    return [state for group in protocol.space.random_groups for state in product(*group)]


def edge_state(protocol: PopulationProtocol, draw: random.Random, near: State | None = None) -> State:
    """A random group, and in it for each field an end of its range, a neighbour's value, or anything."""
    uniform = draw.random
    groups = protocol.space.random_groups
    values = []
    for k, legal in enumerate(groups[int(uniform() * len(groups))]):
        first, last = legal[0], legal[-1]
        kind = uniform()
        if first == last:
            values.append(first)
        elif kind < 0.35:
            values.append((first, last, first + 1, last - 1)[int(uniform() * 4)])
        elif kind < 0.65 and near is not None and first <= near[k] <= last:
            values.append(min(last, max(first, near[k] + (-1, 0, 0, 1)[int(uniform() * 4)])))
        else:
            values.append(first + int(uniform() * (last - first + 1)))
    return tuple(values)
