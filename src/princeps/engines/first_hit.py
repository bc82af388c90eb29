"""The exact first step at which a goal on the whole configuration holds.

Such a goal cannot be kept account of interaction by interaction. Where it is promised to be closed, it is tested after
a window of steps; when it has become true, the window is replayed from a snapshot with the same random stream, halving
it until the first step is found. Where nothing is promised, it is tested after every change.
"""

from __future__ import annotations

from typing import Any, Protocol

from princeps.engines.population import Stop, StopCondition


class Replayable(Protocol):
    """What the search needs of a population."""

    @property
    def steps(self) -> int: ...
    @property
    def events(self) -> int: ...
    def holds(self) -> bool: ...
    def copy(self) -> Any: ...
    def restore(self, saved: Any) -> None: ...
    def advance_plainly(self, budget: int, stop_at: StopCondition) -> Stop: ...


def advance_window(population: Replayable, budget: int) -> Stop:
    """`budget` steps, or as many as it takes until a closed goal holds for the first time."""
    before, first = population.copy(), population.steps
    stop = population.advance_plainly(budget, StopCondition.NOTHING)
    if not population.holds():
        return stop
    low, high = 0, population.steps - first  # false after `low` steps of the window, true after `high`
    while high - low > 1:
        middle = (low + high) // 2
        population.restore(before)
        population.advance_plainly(middle - low, StopCondition.NOTHING)
        if population.holds():
            high = middle
        else:
            low, before = middle, population.copy()
    population.restore(before)
    population.advance_plainly(high - low, StopCondition.NOTHING)
    return Stop.FULFILLED


def advance_testing(population: Replayable, budget: int) -> Stop:
    """On a graph that the protocol is not made for, a closed goal may be left again: test after every change."""
    stop = Stop.BUDGET
    for _ in range(budget):
        changes = population.events
        stop = population.advance_plainly(1, StopCondition.NOTHING)
        if stop is Stop.LIST_ENDED:
            return stop
        if population.events != changes and population.holds():
            return Stop.FULFILLED
    return stop
