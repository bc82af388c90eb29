"""Automorphisms of the interaction graph: permutations of the agents that map arcs to arcs.

On a complete graph they are all permutations, so that a configuration is a multiset; on a ring the rotations (on an
undirected ring the reflections too); on other graphs those that the user gives, each checked arc by arc.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np

from princeps.errors import GraphError, TooLarge
from princeps.model.numbers import natural
from princeps.model.topology import COMPLETE, DIRECTED_RING, UNDIRECTED_RING, Topology

Permutation = tuple[int, ...]
MAX_GROUP_SIZE = 5040
MAX_RING = MAX_GROUP_SIZE // 2  # an undirected ring of n agents has 2n automorphisms


def arcs_of(topology: Topology) -> list[tuple[int, int]]:
    return [topology.arc(k) for k in range(topology.arc_count)]


def read_permutations(text: str, n: int) -> list[Permutation]:
    """`0 2 1 3; 3 1 2 0`: where agent 0, 1, ... go; several are separated by semicolons."""
    found = []
    for part in text.split(";"):
        numbers = [natural(word) for word in part.replace(",", " ").split()]
        if sorted(number if number is not None else -1 for number in numbers) != list(range(n)):
            raise GraphError(f"automorphism {part.strip()!r} is no permutation of 0..{n - 1}: write it like '0 2 1 3'.")
        found.append(tuple(number for number in numbers if number is not None))
    return found


def group_of(topology: Topology, given: Sequence[Permutation] = ()) -> list[Permutation] | None:
    """All known automorphisms of a graph, the identity first; None means every permutation."""
    n = topology.n
    if topology.kind == COMPLETE:
        return None
    if topology.kind in (DIRECTED_RING, UNDIRECTED_RING) and n > MAX_RING:
        raise TooLarge(f"n = {n} is too large: on rings at most {MAX_RING} agents are explored. Lower -n.")
    rotation = tuple((i + 1) % n for i in range(n))
    reflection = tuple(-i % n for i in range(n))
    generators = {DIRECTED_RING: [rotation], UNDIRECTED_RING: [rotation, reflection]}.get(topology.kind, [])
    arcs = sorted(arcs_of(topology)) if given else []
    for permutation in given:
        lost = next((arc for arc in arcs if not topology.has_arc(permutation[arc[0]], permutation[arc[1]])), None)
        if lost is not None:
            image = permutation[lost[0]], permutation[lost[1]]
            raise GraphError(
                f"{' '.join(map(str, permutation))} is no automorphism of {topology.text!r}: "
                f"it maps the arc {lost} to {image}, which is none."
            )
    return _generated([*generators, *given], n)


def _generated(generators: Sequence[Permutation], n: int) -> list[Permutation]:
    identity = tuple(range(n))
    found = {identity: None}
    waiting = [identity]
    while waiting:
        here = waiting.pop()
        for generator in generators:
            there = tuple(generator[i] for i in here)
            if there not in found:
                if len(found) == MAX_GROUP_SIZE:
                    raise TooLarge(f"the automorphisms generate more than {MAX_GROUP_SIZE} permutations: give fewer.")
                found[there] = None
                waiting.append(there)
    return list(found)


def generators_of(group: Sequence[Permutation] | None, n: int) -> list[Permutation]:
    """Some permutations that generate all of them."""
    if group is None:
        return [(1, 0, *range(2, n)), (*range(1, n), 0)]
    found: list[Permutation] = []
    covered = {tuple(range(n))}
    for permutation in group:
        if permutation not in covered:
            found.append(permutation)
            covered = set(_generated(found, n))
    return found


def orbits(classes: int, n: int, group: Sequence[Permutation] | None) -> int:
    """The number of configurations of n agents in these classes of states, up to the group (Burnside)."""
    if group is None:
        return comb(classes + n - 1, n)
    fixed: int = sum(classes ** _cycles(permutation) for permutation in group)
    return fixed // len(group)


def _cycles(permutation: Permutation) -> int:
    seen: set[int] = set()
    count = 0
    for first in range(len(permutation)):
        if first not in seen:
            count += 1
            i = first
            while i not in seen:
                seen.add(i)
                i = permutation[i]
    return count


def as_array(group: Sequence[Permutation] | None, n: int) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """One row a permutation, without the identity."""
    return np.array([] if group is None else group[1:], np.int64).reshape(-1, n)
