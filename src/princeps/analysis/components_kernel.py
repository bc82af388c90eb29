"""Strongly connected components without recursion, in portions (Pearce 2016: one number a state while it is open).

`number[x]` is 0 before x is met; while x is open it is the smallest number that it can reach, and when its component is
complete it counts down from the size of the chain, so that complete ones are never smaller than open ones. The path of
the search and the states that wait for their component share one array, from its two ends.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.lowering.jit import njit

SEED, INDEX, COUNTER, DEPTH, WAITING = range(5)  # places in `at`


@njit(cache=True)
def search(offsets: Any, successors: Any, absorbing: Any, number: Any, stack: Any, cursor: Any, root: Any, at: Any,
           budget: int) -> bool:  # fmt: skip
    """Go on with the search; True when all components are complete."""
    size = number.size
    seed, index, counter, depth, waiting = at[SEED], at[INDEX], at[COUNTER], at[DEPTH], at[WAITING]
    while budget > 0:
        budget -= 1
        if depth == 0:
            while seed < size and number[seed] != 0:
                seed += 1
            if seed == size:
                at[SEED] = seed
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
    at[SEED], at[INDEX], at[COUNTER], at[DEPTH], at[WAITING] = seed, index, counter, depth, waiting
    return False


@njit(cache=True)
def sort_by_component(component: Any, begins: Any, order: Any) -> None:
    """Counting sort: the states of component c are order[begins[c]:begins[c + 1]]."""
    for x in range(component.size):
        begins[component[x] + 1] += 1
    for c in range(1, begins.size):
        begins[c] += begins[c - 1]
    place = begins.copy()
    for x in range(component.size):
        order[place[component[x]]] = x
        place[component[x]] += 1


@njit(cache=True)
def sweep_up(begins: Any, order: Any, offsets: Any, successors: Any, loud: Any, absorbing: Any, marked: Any, out: Any,
             mode: int) -> None:  # fmt: skip
    """From the sinks up, for each component at once.

    mode 0: some marked state can be reached. mode 1: no unmarked state can be reached, and no loud step. mode 2: every
    state that can be reached is marked. Marks of mode 0 and 2 are of states, all are answered for states.
    """
    for c in range(begins.size - 1):
        good = mode != 0
        for place in range(begins[c], begins[c + 1]):
            x = order[place]
            if mode == 0:
                good |= marked[x]
            else:
                good &= marked[x]
            if absorbing.size > 0 and absorbing[x]:
                continue
            for k in range(offsets[x], offsets[x + 1]):
                if mode == 1 and loud[k]:
                    good = False
                y = successors[k]
                if y != x:
                    known = out[y]  # of this component: not decided yet
                    if mode == 0:
                        good |= known == 1
                    else:
                        good &= known != 0
            if mode == 0 and good:
                break
        for place in range(begins[c], begins[c + 1]):
            out[order[place]] = good
