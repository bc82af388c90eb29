"""Expected costs until absorption in floating point, one strongly connected component after the other, sinks first.

A component is swept (Gauss-Seidel) until its values no longer change. One that converges slowly is solved directly, if
it is small enough for that. Nothing here proves anything: hitting_times.py certifies the values.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.analysis.chain import Bits
from princeps.analysis.codes import COMPONENT, MAX_SWEEP_COUNT, SOLUTION_LENGTH, SOLVED, SWEEP, UNFINISHED
from princeps.analysis.components import Components
from princeps.analysis.progress import ProgressCallback
from princeps.lowering.cache import kernel_module

PORTION = 1 << 22  # updates of values between two reports of progress
MAX_SWEEPS = 200  # of a component before it is solved directly
MAX_ELIMINATED = 4_000  # states of a component that are eliminated one by one (seconds)
MAX_FACTORISED = 8_000  # states of one that is factorised, less accurately, as a start for more sweeps
MAX_UPDATES = 20_000_000_000  # of single values in one component: minutes


def kernel() -> Any:
    return kernel_module("princeps.analysis.solver_kernel")


def solve(
    components: Components, solved: Bits, costs: Any, values: Any, tolerance: float, progress: ProgressCallback
) -> int:
    """Improve the values in place, except those of `solved` states; the largest number of sweeps of a component.

    A step from x costs costs[x], or 1 if the array is empty. A component that is too large to be solved directly is
    left as it is after MAX_UPDATES.
    """
    chain, position = components.chain, np.zeros(SOLUTION_LENGTH, np.int64)
    max_sweeps, slow = MAX_SWEEPS, -1
    while True:
        status = kernel().solve(
            *(components.begins, components.order, chain.offsets, chain.successors, chain.weights, float(chain.total)),
            *(costs, solved, values, tolerance, position, max_sweeps, PORTION),
        )
        if status == SOLVED:
            return int(position[MAX_SWEEP_COUNT])
        component = int(position[COMPONENT])
        progress("solving", int(components.begins[component]), chain.size)
        if component != slow:
            max_sweeps = MAX_SWEEPS  # the slow component, which was allowed more, is done
        if status == UNFINISHED:
            continue
        size = int(components.begins[component + 1] - components.begins[component])
        if size <= MAX_ELIMINATED:
            _eliminate(components, component, solved, costs, values)
        elif component != slow:
            if size <= MAX_FACTORISED:
                _factorise(components, component, solved, costs, values)
            slow, max_sweeps = component, max(2 * MAX_SWEEPS, MAX_UPDATES // size)
            continue
        position[COMPONENT], position[SWEEP] = component + 1, 0
        max_sweeps = MAX_SWEEPS


def _unsolved_states(components: Components, component: int, solved: Bits) -> Any:
    states = components.order[components.begins[component] : components.begins[component + 1]]
    return states[~solved[states]]


def _eliminate(components: Components, component: int, solved: Bits, costs: Any, values: Any) -> None:
    chain, states = components.chain, _unsolved_states(components, component, solved)
    index = np.full(chain.size, -1, np.int32)
    index[states] = np.arange(len(states), dtype=np.int32)
    inside = np.zeros((len(states), len(states)))
    kernel().eliminate(
        *(states, index, chain.offsets, chain.successors, chain.weights, float(chain.total), costs, values, inside)
    )


def _factorise(components: Components, component: int, solved: Bits, costs: Any, values: Any) -> None:
    """One component by a sparse factorisation; the sweeps that follow make it more accurate."""
    from scipy.sparse import csc_matrix
    from scipy.sparse.linalg import splu

    chain, states = components.chain, _unsolved_states(components, component, solved)
    index = {int(x): k for k, x in enumerate(states)}
    rows, columns, entries = [], [], []
    right = np.empty(len(states))
    for k, x in enumerate(states):
        leaving = 0
        right[k] = chain.total * (costs[x] if len(costs) else 1.0)
        for y, w in chain.steps(int(x)):
            leaving += w
            if y in index:
                rows.append(k)
                columns.append(index[y])
                entries.append(-float(w))
            else:
                right[k] += w * values[y]
        rows.append(k)
        columns.append(k)
        entries.append(float(leaving))
    matrix = csc_matrix((entries, (rows, columns)), shape=(len(states), len(states)))
    try:
        found = splu(matrix).solve(right)
    except RuntimeError:  # singular as far as rounding can show: keep the values of the sweeps
        return
    if np.isfinite(found).all() and (found >= 0).all():
        values[states] = found
