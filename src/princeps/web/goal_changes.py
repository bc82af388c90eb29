"""When a goal that has been met is lost, and holds again: marks of a branch, while somebody plays it."""

from __future__ import annotations

from typing import Any

from princeps.engines.session import Session
from princeps.web.branches import Branch
from princeps.web.series import GOAL, LOST
from princeps.web.shares import Share

SEARCH_SHARE = 0.005  # of the time, for going back to the step at which the goal was lost
FEW = 1024  # steps among which it is searched at once
MAX_AGENTS = 100_000  # that are copied before every portion


class GoalChanges:
    """Of a goal on counts, which is known at every step."""

    def __init__(self, branch: Branch, session: Session, holds: bool) -> None:
        self.branch, self.session, self.holds = branch, session, holds
        self._searches = Share(SEARCH_SHARE)
        self._began = 0  # the step before the present portion
        self._before: Any = None  # the population there

    def note(self, holds: bool) -> None:
        """It holds now, or not, since the present step."""
        if holds != self.holds:
            self._mark(self.session.steps, holds)

    def begin(self, is_seen: bool) -> None:
        """Before a portion: whence the step at which the goal is lost can be searched, unless the engine stops there."""
        population, self._began = self.session.population, self.session.steps
        can_search = self.holds and not is_seen and self.session.cut_free and self.session.n <= MAX_AGENTS
        self._before = population.snapshot() if can_search else None

    def end(self) -> None:
        """After it: the goal holds, or was lost at some step of the portion, which is searched if there is time."""
        session, holds = self.session, self.session.population.holds()
        steps = session.steps - self._began
        if holds or not self.holds or steps <= 1 or not session.cut_free:
            self.note(holds)
        elif self._before is not None and (steps <= FEW or self._searches.may(hurries=True)):
            with self._searches:
                self._mark(self._began + self._first_lost(steps), False)
        else:
            self.holds = False
            self.branch.series.leave_out_changes()

    def _first_lost(self, high: int) -> int:
        """So many steps after the beginning; the population stays where it is."""
        population, low, before = self.session.population, 0, self._before
        after = population.snapshot()
        while high - low > 1:
            middle = (low + high) // 2
            population.restore(before)
            population.advance_exactly(middle - low)
            if population.holds():
                low, before = middle, population.snapshot()
            else:
                high = middle
        population.restore(after)
        return high

    def _mark(self, step: int, holds: bool) -> None:
        self.holds = holds
        goal = self.session.run.until
        said = (GOAL, f"the goal {goal} holds again") if holds else (LOST, f"the goal {goal} no longer holds")
        self.branch.series.mark(step, *said)
