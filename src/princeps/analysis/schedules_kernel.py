"""Shortest ways through a chain."""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.lowering.jit import njit


@njit(cache=True)
def breadth_first(offsets: Any, successors: Any, loud: Any, sources: Any, wanted: Any, to_loud: bool, parent: Any,
                  queue: Any) -> Any:  # fmt: skip
    """From any source to the nearest wanted state, or to the nearest loud step: (state, step or -1); (-1, -1) if none.

    parent[x] is -2 for sources, -1 for what was not met, -3 for what must not be met.
    """
    tail = 0
    for x in range(sources.size):
        if sources[x] and parent[x] == -1:
            if wanted[x]:
                parent[x] = -2
                return x, -1
            parent[x] = -2
            queue[tail] = x
            tail += 1
    head = 0
    while head < tail:
        x = np.int64(queue[head])
        head += 1
        for k in range(offsets[x], offsets[x + 1]):
            if to_loud and loud[k]:
                return x, k
            y = np.int64(successors[k])
            if parent[y] == -1:
                parent[y] = x
                if wanted[y]:
                    return y, -1
                queue[tail] = y
                tail += 1
    return -1, -1


@njit(cache=True)
def meet(offsets: Any, successors: Any, absorbing: Any, seen: Any, queue: Any) -> None:
    """Mark as seen what can be met from what is seen already; absorbing states are not left."""
    head, tail = 0, 0
    for x in range(seen.size):
        if seen[x]:
            queue[tail] = x
            tail += 1
    while head < tail:
        x = np.int64(queue[head])
        head += 1
        if absorbing[x]:
            continue
        for k in range(offsets[x], offsets[x + 1]):
            y = np.int64(successors[k])
            if not seen[y]:
                seen[y] = True
                queue[tail] = y
                tail += 1


@njit(cache=True)
def first_leak(offsets: Any, successors: Any, members: Any) -> int:
    """A member from which one step leads out, or -1."""
    for x in range(members.size):
        if members[x]:
            for k in range(offsets[x], offsets[x + 1]):
                if not members[successors[k]]:
                    return x
    return -1


@njit(cache=True)
def first_meeting(rows: Any, members: Any, form: int, sources: Any, targets: Any, bad: Any) -> int:
    """A member in which two agents may meet whose classes are a bad pair, or -1. The forms are those of rows."""
    width = rows.shape[1]
    for x in range(members.size):
        if not members[x]:
            continue
        if form == 0:
            for k in range(sources.size):
                if bad[rows[x, sources[k]], rows[x, targets[k]]]:
                    return x
        else:
            for i in range(width):
                for j in range(width):
                    if form == 1 and i != j and bad[rows[x, i], rows[x, j]]:
                        return x
                    if form == 2 and rows[x, i] > 0 and rows[x, j] > (i == j) and bad[i, j]:
                        return x
    return -1
