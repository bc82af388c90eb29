"""Shortest paths through a chain, and searches for a configuration with a property."""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.analysis.codes import BY_AGENT, BY_CLASS, NOT_VISITED, SORTED, SOURCE
from princeps.lowering.jit import njit


@njit(cache=True)
def breadth_first(offsets: Any, successors: Any, changes_output: Any, sources: Any, wanted: Any, to_output_change: bool,
                  parent: Any, queue: Any) -> Any:  # fmt: skip
    """From any source to the nearest wanted state, or to the nearest step that changes an output: (state, step or -1);
    (-1, -1) if there is none.

    At first parent[x] is NOT_VISITED, or EXCLUDED for states that the path must avoid.
    """
    tail = 0
    for source in range(sources.size):
        if sources[source] and parent[source] == NOT_VISITED:
            parent[source] = SOURCE
            if wanted[source]:
                return source, -1
            queue[tail] = source
            tail += 1
    head = 0
    while head < tail:
        x = np.int64(queue[head])
        head += 1
        for k in range(offsets[x], offsets[x + 1]):
            if to_output_change and changes_output[k]:
                return x, k
            y = np.int64(successors[k])
            if parent[y] == NOT_VISITED:
                parent[y] = x
                if wanted[y]:
                    return y, -1
                queue[tail] = y
                tail += 1
    return -1, -1


@njit(cache=True)
def mark_reachable(offsets: Any, successors: Any, absorbing: Any, reached: Any, queue: Any) -> None:
    """Mark what can be reached from the states that are marked already; absorbing states are not left."""
    head, tail = 0, 0
    for source in range(reached.size):
        if reached[source]:
            queue[tail] = source
            tail += 1
    while head < tail:
        x = np.int64(queue[head])
        head += 1
        if absorbing[x]:
            continue
        for k in range(offsets[x], offsets[x + 1]):
            y = np.int64(successors[k])
            if not reached[y]:
                reached[y] = True
                queue[tail] = y
                tail += 1


@njit(cache=True)
def first_leaving(offsets: Any, successors: Any, members: Any) -> int:
    """A member from which one step leads out, or -1."""
    for x in range(members.size):
        if members[x]:
            for k in range(offsets[x], offsets[x + 1]):
                if not members[successors[k]]:
                    return x
    return -1


@njit(cache=True)
def first_with_pair(rows: Any, members: Any, encoding: int, sources: Any, targets: Any, wanted: Any) -> int:
    """A member in which two agents may interact whose classes are a wanted pair, or -1."""
    width = rows.shape[1]
    for x in range(members.size):
        if not members[x]:
            continue
        if encoding == BY_AGENT:
            for k in range(sources.size):
                if wanted[rows[x, sources[k]], rows[x, targets[k]]]:
                    return x
        else:
            for i in range(width):
                for j in range(width):
                    if encoding == SORTED and i != j and wanted[rows[x, i], rows[x, j]]:
                        return x
                    if encoding == BY_CLASS and rows[x, i] > 0 and rows[x, j] > (i == j) and wanted[i, j]:
                        return x
    return -1
