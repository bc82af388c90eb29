"""The step of the last change, of a run in which nothing can change any more."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from princeps.engines.population import Population
from princeps.engines.registry import engine_named

if TYPE_CHECKING:
    from princeps.engines.conduct import Conductor


def at_last_change(conductor: Conductor) -> tuple[Population, int]:
    """The population right after the last change, and that step, 0 if there was none.

    An engine that does not keep the step gives the same run from its beginning, to the first step with as many changes.
    """
    population, run = conductor.population, conductor.run
    events, known, why = population.events or 0, population.last_change, population.why
    struck, end = len(conductor.faults), population.steps
    if known is not None or (events == 0 and not struck):
        return population, known or 0
    del population
    engine = engine_named(conductor.population.engine)
    del conductor.population  # there may not be room for two
    again = type(conductor)(replace(run, snapshots=(), record_states=False), engine.make(run))
    population = again.population
    population.why = why
    while True:
        now = population.steps
        again.arrive(now)
        if population.events == events and len(again.faults) == struck:
            return population, now  # a fault was the last change
        if now > end:
            raise AssertionError(f"the run was not repeated: {population.events} changes in {now} steps, not {events}")
        before = population.snapshot()
        again.advance(now)
        if population.events == events and len(again.faults) == struck:
            if population.steps == now + 1:  # perhaps a torn interaction, which only the conductor repeats
                return population, population.steps
            break
    low, high = 0, population.steps - now  # too few changes after `low` steps, all of them after `high`
    while high - low > 1:
        middle = (low + high) // 2
        population.restore(before)
        population.advance_exactly(middle - low)
        if population.events == events:
            high = middle
        else:
            low, before = middle, population.snapshot()
    population.restore(before)
    population.advance_exactly(high - low)
    return population, population.steps
