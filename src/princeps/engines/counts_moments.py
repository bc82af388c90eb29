"""The configuration at given steps of a run of the counts engine, without changing the run.

A budget that ended at such a step would cut the batch it lies in, and the run would be another one. So the run goes on
as if nobody looked, up to the first batch or round of single events that ends beyond the step. Then the population goes
back to where this one began, is led to the step, shown, and put where the run had come to.

*Rounds of single events* are repeated with a budget that ends at the step: the wait for the next event is only shortened.

*Batches* are repeated with the same pairs. Where the run applied them one by one, it drew an order, which is drawn again.
Where it applied them all at once, every order is equally likely, given all that the run has drawn, and one is drawn
from a stream aside. A batch among the agents that are not inert takes more steps than it has interactions: of these the
last is the last step, and the others are anywhere before it. How many of them come before the step in question is
hypergeometric, and drawn from the same stream.

Both streams begin anew at each batch, named by its first step: whoever looks at two steps of one batch sees two moments
of the same order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from princeps.engines import counts_state
from princeps.engines.population import NextStep, Show, Stop, StopCondition
from princeps.lowering.multiset import BATCH_DONE, IS_ROUND, LEFT_HIGH, LOOK_AFTER
from princeps.lowering.multiset_steps import DIGIT
from princeps.model.randomness import Stream, seed_words
from princeps.model.run import Run

if TYPE_CHECKING:
    from princeps.engines.counts import CountsPopulation

SHARE = 0.8  # of the way to the step in one call: how far an effort goes is only known of the last one
LARGEST_COMPILED = 10**15  # steps, of which the compiled hypergeometric law is exact


def advance_showing(
    population: CountsPopulation, budget: int, stop_at: StopCondition, next_after: NextStep, show: Show
) -> Stop:
    """`advance`, and `show(step)` at each step of interest that it passes."""
    full = population.effort
    begun, before = population.steps, population.snapshot()
    due = next_after(begun)
    assert due is not None
    try:
        while True:
            population.effort = max(1, min(full, int(SHARE * (due - begun) / population.pace)))
            stop = population.advance(budget, stop_at)
            done = population.steps - begun
            if population.listed is not None or population.steps <= due:
                population.pace = max(population.pace / 4, done / population.effort, 1e-300)
                return stop
            if population.effort == 1:
                _look_within(population, before, begun, budget, stop_at, next_after, show)
                return stop
            population.pace = max(4 * population.pace, done / population.effort)
            population.restore(before)
    finally:
        population.effort = full


def _look_within(
    population: CountsPopulation,
    before: Any,
    begun: int,
    budget: int,
    stop_at: StopCondition,
    next_after: NextStep,
    show: Show,
) -> None:
    """Within one batch, or one round of single events, which began at the step `begun`."""
    after, end = population.snapshot(), population.steps
    facts = population.facts.copy()
    due, step = [], next_after(begun)
    while step is not None and step < end:
        due.append(step)
        step = next_after(step)
    interactions = [0] * len(due)
    if not facts[IS_ROUND] and facts[LEFT_HIGH] >= 0:  # else it is a round, or nothing has changed
        interactions = _interactions(population.run, begun, end, int(facts[BATCH_DONE]), due)
    try:
        for step, count in zip(due, interactions, strict=True):
            population.restore(before)
            if facts[IS_ROUND]:
                population.advance(step - begun, stop_at)
            elif count:
                population.facts[LOOK_AFTER] = count
                population.order[:] = seed_words(population.run.seed, population.run.trial, f"order of {begun}")
                allowed = min(budget, DIGIT * DIGIT - 1)
                population._call_kernel(stop_at, allowed // DIGIT, allowed % DIGIT)
            show(step)
    finally:  # also after Ctrl-C
        population.restore(after)


def _interactions(run: Run, begun: int, end: int, done: int, due: list[int]) -> list[int]:
    """How many of the `done` interactions of a batch took place up to each step; all others changed nothing."""
    steps = end - begun
    if steps == done:
        return [step - begun for step in due]
    purpose = f"moments of {begun}"
    if steps > LARGEST_COMPILED:
        placed = sorted(Stream.of(run.seed, run.trial, purpose).sample(steps - 1, done - 1))
        return [int(np.searchsorted(placed, step - begun)) for step in due]
    rng = np.array(seed_words(run.seed, run.trial, purpose), np.uint64)
    found, passed, counts = 0, 0, []
    for step in due:
        left, wanted = steps - 1 - passed, step - begun - passed
        found += int(counts_state.counts_kernel().among_first(rng, left, done - 1 - found, wanted))
        passed = step - begun
        counts.append(found)
    return counts
