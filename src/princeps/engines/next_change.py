"""Forward to the exact next interaction that changes something.

No kernel stops at a change. The count of changes is looked at after one step, two more, four more, ...; the stretch in
which it has grown is halved from a snapshot, as in last_change.py.
"""

from __future__ import annotations

from princeps.engines.population import Population, Stop


def advance_to_change(population: Population, budget: int) -> Stop:
    """At most `budget` steps; FULFILLED right after the first that changes something."""
    events, stretch = population.events, 1
    while budget > 0:
        before, began = population.snapshot() if stretch > 1 else None, population.steps
        stop = population.advance_exactly(min(stretch, budget))
        if population.events != events:
            if population.steps - began > 1:
                _first(population, events, before, population.steps - began)
            return Stop.FULFILLED
        if stop is not Stop.BUDGET:
            return stop
        budget -= population.steps - began
        stretch *= 2
    return Stop.BUDGET


def _first(population: Population, events: int | None, before: object, high: int) -> None:
    """From the snapshot to the first of `high` steps that changes something."""
    low = 0
    while high - low > 1:
        middle = (low + high) // 2
        population.restore(before)
        population.advance_exactly(middle - low)
        if population.events != events:
            high = middle
        else:
            low, before = middle, population.snapshot()
    population.restore(before)
    population.advance_exactly(high - low)
