"""Merging states and expanding configurations where an interaction has several results: the twins of
agent_states_kernel.py and configurations_kernel.py for the tables of choosing_states.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.analysis.agent_states_kernel import mixed
from princeps.analysis.codes import BY_AGENT, BY_CLASS, EXPANDED, FAILING_PAIR, OUT_OF_ROOM, UNKNOWN, UNKNOWN_PAIR
from princeps.analysis.configurations_kernel import append_step, find_or_add, make_canonical
from princeps.lowering.jit import njit


@njit
def law_signature(law: int, begins: Any, results: Any, colour: Any) -> Any:
    """A sum over the results, weighted: equal for laws that are equal up to colours, in whatever order they stand."""
    if law < 0:
        return np.uint64(1)
    total = np.uint64(0)
    for row in range(begins[law], begins[law + 1]):
        left, right = np.uint64(colour[results[row, 0]] + 2), np.uint64(colour[results[row, 1]] + 2)
        total += mixed(mixed(left) + right) * np.uint64(results[row, 2])
    return total


@njit(cache=True)
def signatures(table: Any, begins: Any, results: Any, colour: Any, out: Any) -> None:
    """A hash for each state: equal for states whose interactions have equal laws up to colours, for every answer of the
    oracle; else different but for a collision."""
    q = colour.size
    for a in range(q):
        total = mixed(colour[a])
        for oracle_value in range(table.shape[0]):
            for b in range(q):
                here = mixed(law_signature(table[oracle_value, a, b], begins, results, colour))
                here = mixed(here + law_signature(table[oracle_value, b, a], begins, results, colour))
                total += mixed(here + np.uint64(b * table.shape[0] + oracle_value) * np.uint64(0x9E3779B97F4A7C15))
        out[a] = total


@njit
def weight_of(law: int, begins: Any, results: Any, colour: Any, left: int, right: int) -> Any:
    """The weight of all results of these colours."""
    total = np.int64(0)
    for row in range(begins[law], begins[law + 1]):
        if colour[results[row, 0]] == left and colour[results[row, 1]] == right:
            total += results[row, 2]
    return total


@njit
def same_law(mine: int, its: int, begins: Any, results: Any, colour: Any) -> bool:
    """Are two laws equal up to colours? Every result of the one has the same weight in the other; the sums agree."""
    if mine < 0 or its < 0:
        return mine == its
    for row in range(begins[mine], begins[mine + 1]):
        left, right = colour[results[row, 0]], colour[results[row, 1]]
        if weight_of(mine, begins, results, colour, left, right) != weight_of(
            its, begins, results, colour, left, right
        ):
            return False
    return True


@njit(cache=True)
def is_congruence(table: Any, begins: Any, results: Any, colour: Any, representative: Any) -> bool:
    """Has each state the same laws, up to colours, as the representative of its colour, for every answer of the oracle?"""
    q = colour.size
    for oracle_value in range(table.shape[0]):
        for a in range(q):
            c = representative[colour[a]]
            for b in range(q):
                if not same_law(table[oracle_value, a, b], table[oracle_value, c, b], begins, results, colour):
                    return False
                if not same_law(table[oracle_value, b, a], table[oracle_value, b, c], begins, results, colour):
                    return False
    return True


@njit(cache=True)
def expand(
    x: int, last: int, size: int, rows: Any, slots: Any, encoding: int, permutations: Any, sources: Any, targets: Any,
    table: Any, begins: Any, results: Any, oracle_value: Any, leaders: Any, absorbing: Any, offsets: Any, k: int,
    successors: Any, changes_output: Any, weights: Any, max_steps: int,
) -> Any:  # fmt: skip
    """As configurations_kernel.expand, with a step for every result of an interaction that changes something."""
    n = rows.shape[1]
    row, best = np.empty(n, rows.dtype), np.empty(n, rows.dtype)
    copies = np.zeros(n, np.int64)
    while x < last:
        begin = k
        if size + max_steps > rows.shape[0] or k + max_steps > successors.size or 2 * (size + max_steps) > slots.size:
            return OUT_OF_ROOM, x, size, begin, np.int64(0), np.int64(0)
        if absorbing.size > 0 and absorbing[x] != 0:
            offsets[x + 1] = k
            x += 1
            continue
        if encoding != BY_AGENT and encoding != BY_CLASS:  # of each class its first agent stands for all of them
            copies[:] = 0
            head = 0
            for agent in range(n):
                head = head if agent > 0 and rows[x, agent] == rows[x, head] else agent
                copies[head] += 1
        for pair in range(sources.size if encoding == BY_AGENT else n * n):
            weight: Any = np.int64(1)
            if encoding == BY_AGENT:
                i, j = np.int64(sources[pair]), np.int64(targets[pair])
                a, b = np.int64(rows[x, i]), np.int64(rows[x, j])
            else:
                i, j = pair // n, pair % n
                if encoding == BY_CLASS:
                    a, b = i, j
                    weight = np.int64(rows[x, i]) * (np.int64(rows[x, j]) - np.int64(i == j))
                else:
                    a, b = np.int64(rows[x, i]), np.int64(rows[x, j])
                    weight = copies[i] * (copies[j] - np.int64(i == j))
                    j = i + 1 if i == j else j  # another of the same class
                if weight <= 0:
                    continue
            law = table[oracle_value[x], a, b]
            if law < 0:
                return (UNKNOWN_PAIR if law == UNKNOWN else FAILING_PAIR), x, size, begin, a, b
            for result in range(begins[law], begins[law + 1]):
                u, v = results[result, 0], results[result, 1]
                if u == a and v == b:
                    continue
                output_changes = leaders[u] != leaders[a] or leaders[v] != leaders[b]
                for c in range(n):
                    row[c] = rows[x, c]
                if encoding == BY_CLASS:
                    row[a] -= 1
                    row[b] -= 1
                    row[u] += 1
                    row[v] += 1
                else:
                    row[i] = u
                    row[j] = v
                    make_canonical(row, encoding, permutations, best)
                y, size = find_or_add(row, rows, size, slots)
                k = append_step(
                    x, y, output_changes, weight * results[result, 2], k, successors, changes_output, weights
                )
        offsets[x + 1] = k
        x += 1
    return EXPANDED, x, size, k, np.int64(0), np.int64(0)
