"""When a goal that has been met is lost, and holds again: marks of a branch, while somebody plays it."""

from __future__ import annotations

from princeps.engines.session import Session
from princeps.web.branches import Branch
from princeps.web.series import GOAL, LOST
from princeps.web.shares import Share

SEARCH_SHARE = 0.01  # of the time, for going back to the step at which the goal was lost


class GoalChanges:
    """Of a goal on counts, which is known at every step."""

    def __init__(self, branch: Branch, session: Session, holds: bool) -> None:
        self.branch, self.session, self.holds = branch, session, holds
        self._searches = Share(SEARCH_SHARE)

    def note(self, holds: bool) -> None:
        """It holds now, or not, since the present step."""
        if holds != self.holds:
            self._mark(self.session.steps, holds)

    def note_since(self, began: int) -> None:
        """The same, since some step after `began`: that at which it was lost is searched by going back, if there is time."""
        session, holds = self.session, self.session.population.holds()
        if holds or not self.holds or not session.cut_free:
            self.note(holds)
        elif self._searches.may(hurries=True):
            with self._searches:
                self._mark(self._lost_after(began), False)
        else:
            self.holds = False
            self.branch.series.leave_out_changes()

    def _lost_after(self, low: int) -> int:
        """It holds at `low`, and not now; the session stays."""
        session, here = self.session, self.session.steps
        high = here
        while high - low > 1:
            middle = (low + high) // 2
            session.goto(middle)
            low, high = (middle, high) if session.population.holds() else (low, middle)
        session.goto(here)
        return high

    def _mark(self, step: int, holds: bool) -> None:
        self.holds = holds
        goal = self.session.run.until
        said = (GOAL, f"the goal {goal} holds again") if holds else (LOST, f"the goal {goal} no longer holds")
        self.branch.series.mark(step, *said)
