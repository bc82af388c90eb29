"""Strongly connected components without recursion, in portions (Pearce 2016: one number a state while it is open).

`number[x]` is 0 before x is visited; while x is open it is the smallest number that it can reach, and when its
component is complete it counts down from the size of the chain, so that complete ones are never smaller than open ones.
The path of the search and the states that wait for their component share one array, from its two ends.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.analysis.codes import (
    CLOSED_WITHOUT_OUTPUT_CHANGE,
    COUNTER,
    DEPTH,
    INDEX,
    NEXT_STATE,
    REACHES_SOME,
    SEARCH_LENGTH,
    WAITING,
)
from princeps.lowering.jit import njit


def initial_position(size: int) -> Any:
    position = np.zeros(SEARCH_LENGTH, np.int64)
    position[INDEX], position[COUNTER] = 1, size
    return position


@njit(cache=True)
def search(offsets: Any, successors: Any, absorbing: Any, number: Any, stack: Any, cursor: Any, root: Any,
           position: Any, budget: int) -> bool:  # fmt: skip
    """Go on with the search; True when all components are complete."""
    size = number.size
    seed, index, counter = position[NEXT_STATE], position[INDEX], position[COUNTER]
    depth, waiting = position[DEPTH], position[WAITING]
    while budget > 0:
        budget -= 1
        if depth == 0:
            while seed < size and number[seed] != 0:
                seed += 1
            if seed == size:
                position[NEXT_STATE] = seed
                return True
            stack[0], depth = seed, 1
            number[seed], root[seed], cursor[0] = index, 1, 0
            index += 1
            continue
        x = np.int64(stack[depth - 1])
        begin = offsets[x]
        end = begin if absorbing.size > 0 and absorbing[x] else offsets[x + 1]
        k = begin + np.int64(cursor[depth - 1])
        descended = False
        while k < end:
            y = np.int64(successors[k])
            if number[y] == 0:
                cursor[depth - 1] = k - begin  # looked at again when y is finished
                stack[depth] = y
                number[y], root[y], cursor[depth] = index, 1, 0
                depth += 1
                index += 1
                descended = True
                break
            if number[y] < number[x]:
                number[x] = number[y]
                root[x] = 0
            k += 1
        if descended:
            continue
        depth -= 1
        if root[x]:
            index -= 1
            while waiting > 0 and number[x] <= number[stack[size - waiting]]:
                y = np.int64(stack[size - waiting])
                waiting -= 1
                number[y] = counter
                index -= 1
            number[x] = counter
            counter -= 1
        else:
            waiting += 1
            stack[size - waiting] = x
    position[NEXT_STATE], position[INDEX], position[COUNTER] = seed, index, counter
    position[DEPTH], position[WAITING] = depth, waiting
    return False


@njit(cache=True)
def sort_by_component(component_of: Any, begins: Any, order: Any) -> None:
    """Counting sort: the states of component c are order[begins[c]:begins[c + 1]]."""
    for x in range(component_of.size):
        begins[component_of[x] + 1] += 1
    for c in range(1, begins.size):
        begins[c] += begins[c - 1]
    next_free = begins.copy()
    for x in range(component_of.size):
        order[next_free[component_of[x]]] = x
        next_free[component_of[x]] += 1


@njit(cache=True)
def decide_from_sinks(begins: Any, order: Any, offsets: Any, successors: Any, changes_output: Any, absorbing: Any,
                      marked: Any, out: Any, property_: int) -> None:  # fmt: skip
    """One pass over the components, sinks first; all states of a component get the same answer.

    REACHES_SOME: some marked state can be reached. REACHES_ONLY: every state that can be reached is marked.
    CLOSED_WITHOUT_OUTPUT_CHANGE: the same, and no step changes an output.
    """
    for c in range(begins.size - 1):
        good = property_ != REACHES_SOME
        for i in range(begins[c], begins[c + 1]):
            x = order[i]
            if property_ == REACHES_SOME:
                good |= marked[x]
            else:
                good &= marked[x]
            if absorbing.size > 0 and absorbing[x]:
                continue
            for k in range(offsets[x], offsets[x + 1]):
                if property_ == CLOSED_WITHOUT_OUTPUT_CHANGE and changes_output[k]:
                    good = False
                y = successors[k]
                if y != x:
                    known = out[y]  # of this component: not decided yet
                    if property_ == REACHES_SOME:
                        good |= known == 1
                    else:
                        good &= known != 0
            if property_ == REACHES_SOME and good:
                break
        for i in range(begins[c], begins[c + 1]):
            out[order[i]] = good
