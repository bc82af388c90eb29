"""Points of the curves within one call of an engine that draws batches, which may go from the start of a run to its end.

Where counts jump from one end of a call to the other, the call is repeated from where it began and looked at on the way
(`Population.advance_showing`): the same run, by the same draws, and the session stands where it stood.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from time import thread_time
from typing import Any, TypeVar

from princeps.engines.population import Stop, StopCondition
from princeps.engines.session import Session

EVEN_POINTS = 64  # of one call, equally far apart
HALVINGS = 24  # and so many that lie ever closer to where it began
JUMP = 16  # a count that changes by more than this part of the agents, or by more than a factor of two, has jumped
FREE_SECONDS = 1.0  # of processor time that may be spent on it in any case
SHARE = 0.02  # and this part of the time

T = TypeVar("T")


class Between:
    """Of one branch; `call` around every call of the engine."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._began, self._spent = thread_time(), 0.0

    def call(
        self, advance: Callable[[], T], budget: int | None, stop_at: StopCondition, show: Callable[[int], None]
    ) -> T:
        """What `advance` says; `show` is called in the configurations of steps within it, where that is worth while."""
        population: Any = self.session.population
        if self._spent > FREE_SECONDS + SHARE * (thread_time() - self._began) or population.listed is not None:
            return advance()
        before, first, counts = population.snapshot(), self.session.steps, self._counts()
        met = advance()
        if self._has_jumped(counts) and self.session.steps > first + 1:
            began = thread_time()
            self._repeat(before, first, budget, stop_at, show)
            self._spent += thread_time() - began
        return met

    def _counts(self) -> list[int]:
        return [self.session.leaders, *self.session.census.values()]

    def _has_jumped(self, before: list[int]) -> bool:
        n, both = self.session.n, zip(before, self._counts(), strict=True)
        return any(JUMP * abs(a - b) > n or max(a, b) > 2 * min(a, b) + 1 for a, b in both)

    def _repeat(
        self, before: Any, first: int, budget: int | None, stop_at: StopCondition, show: Callable[[int], None]
    ) -> None:
        population: Any = self.session.population
        after, last = population.snapshot(), population.steps
        grid = grid_between(first, last)

        def following(now: int) -> int:
            place = bisect_right(grid, now)
            return grid[place] if place < len(grid) else last

        def seen(step: int) -> None:
            if step < last:
                show(step)  # which the population does not know within a batch

        try:
            population.restore(before)
            while population.steps < last:
                room = population.portion() if budget is None else budget - (population.steps - first)
                stop = population.advance_showing(room, stop_at, following, seen)
                if stop not in (Stop.BUDGET, Stop.EARLY):
                    return
        finally:
            population.restore(after)


def grid_between(first: int, last: int) -> list[int]:
    """Steps within (first, last), in their order."""
    length = last - first
    even = {first + length * k // EVEN_POINTS for k in range(1, EVEN_POINTS)}
    halved = {first + (length >> k) for k in range(1, HALVINGS)}
    return sorted(step for step in even | halved if first < step < last)
