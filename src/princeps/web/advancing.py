"""One portion of new steps of the branch that is watched, and the exact steps at which something happened in it.

A change of who leads and the first hit of the run's goal are marked. The engine stops at changes of leaders while they
are rare. A goal on numbers of leaders can only be met at such a change; for other goals on counts the engine stops at
the goal instead, and the portion is gone through a second time where the number of leaders has changed. A goal on the
whole configuration, which is promised to stay, is tested after portions, and its first hit is then searched by going
back. A goal on counts that is lost later, and holds again, is marked as well (goal_changes.py). How portions are cut never changes a run.
"""

from __future__ import annotations

from time import thread_time

from princeps.engines.population import StopCondition
from princeps.engines.rings.session import RingSession
from princeps.engines.session import Session
from princeps.engines.stuck import Watch as Stuckness
from princeps.lowering.vocabulary import counts_asked
from princeps.model.protocol import Counted
from princeps.web.between import Between
from princeps.web.branches import Branch
from princeps.web.goal_changes import GoalChanges
from princeps.web.marks import leaders_in_words
from princeps.web.series import GOAL, LEADERS
from princeps.web.shares import Share

MANY_CHANGES = 16  # of leaders in one portion: then the next ones are not stopped at them
PORTIONS_WITHOUT = 16  # so many
LOSING_SECONDS = 0.02  # in one portion that waits for the goal to be lost
PIECES = 64  # of the steps that are done already: so many points has a curve for each doubling of its length
PIECES_OF_PORTION = 3  # at most: each costs 0.05 ms
FIRST_POINTS = 256  # of a curve, for which a portion may have more pieces: all of them cost 13 ms
TEST_SHARE = 0.005  # of the time, for tests of a goal on the whole configuration
SECOND_SHARE = 0.005  # for portions that are gone through a second time


class Advancing:
    """Advances one branch; made anew when another is watched."""

    def __init__(self, branch: Branch, again: bool = False) -> None:
        """`again`: whether the goal holds already is nothing to mark."""
        self.branch = branch
        assert branch.session is not None
        self.session = branch.session
        self.is_stuck = False
        self.tests = self.by_leaders = self.goal_stays = False
        self.goal_changes: GoalChanges | None = None  # of a goal that can be lost
        self._without = 0  # portions that are not stopped at changes of leaders
        self._tests, self._seconds = Share(TEST_SHARE), Share(SECOND_SHARE)
        if isinstance(self.session, Session):
            population, run = self.session.population, self.session.run
            self.between = Between(self.session)
            self.stuckness = Stuckness(population)
            self.is_counted = isinstance(run.goal, Counted)
            asked = counts_asked(run.protocol, [run.goal.rule], run.goal) if self.is_counted else []
            self.by_leaders = self.is_counted and set(asked) <= {"leaders", "n"}
            self.tests = not self.is_counted and run.keeps_promises and population.numbers_agents
            self.goal_stays = run.goal.closed and run.keeps_promises
            if self.is_counted and not self.goal_stays:
                self.goal_changes = GoalChanges(branch, self.session, population.holds())
        if not branch.is_met and not self.session.in_the_past:
            self._begin(again)
        self.looks_for_goal = not branch.is_met

    def _begin(self, again: bool) -> None:
        """What is known of the goal before the first new step; where it holds, and nobody knows since when, it stays so."""
        branch, here = self.branch, self.session.steps
        if not self.goal_holds():
            branch.tested = here
            branch.is_hit_known = branch.is_hit_known or self.goal_stays
        elif again or not branch.is_hit_known:
            branch.is_met, branch.hit = True, here if branch.is_hit_known else None
        else:
            self._hit(here)

    def goal_holds(self) -> bool:
        session = self.session
        if isinstance(session, RingSession):
            return session.over and session.leaders == 1 and not session.violations
        return session.holds()

    def portion(self, steps: int, counted_out: bool = False) -> bool:
        """At most so many new steps; whether the goal was met for the first time.

        An engine that draws batches is asked for one whole batch after the other, unless the steps are `counted_out`.
        """
        if isinstance(self.session, RingSession):
            return self._ring_portion(self.session, steps)
        return self._population_portion(self.session, steps, counted_out)

    # -- populations --------------------------------------------------------------------------------------------

    def _population_portion(self, session: Session, steps: int, counted_out: bool) -> bool:
        before = session.steps
        seeking = self.looks_for_goal
        waits = seeking or (self.goal_changes is not None and not self.goal_changes.holds)  # it becomes true next
        hit = False
        if self.goal_changes is not None and not seeking:
            self.goal_changes.begin(self.by_leaders and self._marks_leaders)
        if not session.cut_free:
            met = self._call(session, steps, StopCondition.GOAL if waits else StopCondition.NOTHING, counted_out)
            hit = met and seeking and self._hit(session.steps)
        elif waits and not self.tests and not (self.by_leaders and self._marks_leaders):
            hit = self._to_goal(session, steps) and seeking and self._hit(session.steps)
        else:
            hit = self._to_changes(session, steps, seeking and self.by_leaders)
            hit = hit or (seeking and self.tests and self._tested(session))
        if self.goal_changes is not None and not seeking:
            self.goal_changes.end()
        self.is_stuck = self._sees_stuck(session, session.steps == before)
        if self.is_stuck and self.looks_for_goal and self.tests:
            hit = self._tested(session, now=True)
        self._without = max(0, self._without - 1)
        return hit

    def _call(self, session: Session, steps: int, condition: StopCondition, counted_out: bool) -> bool:
        """One call of an engine that draws batches, with points of the plot within it where they are missed."""

        budget = steps if counted_out else None
        return self.between.call(lambda: session.step_to(steps, condition, counted_out), budget, condition, self._point)

    def step_once(self, session: Session, most: int) -> None:
        """As `Session.step_once`, with points within it."""
        self.between.call(lambda: session.step_once(most), most, StopCondition.NOTHING, self._point)

    def _point(self, step: int) -> None:
        assert isinstance(self.session, Session)
        self.branch.series.add((step, self.session.leaders, tuple(self.session.census.values())))

    @property
    def _marks_leaders(self) -> bool:
        return self._without == 0

    def _to_changes(self, session: Session, steps: int, watches_goal: bool) -> bool:
        """Stopping at every change of leaders; whether the goal is met at one."""
        if not self._marks_leaders:
            self.branch.series.leave_out_changes()
            self._advance(session, steps, StopCondition.NOTHING)
            return False
        population, changes, is_met = session.population, 0, False
        notes_goal = self.by_leaders and self.goal_changes is not None and not self.looks_for_goal

        def note() -> bool:
            nonlocal changes, is_met
            changes += 1
            self._mark_leaders(population.steps, population.leaders)
            is_met = watches_goal and population.holds()
            if notes_goal:
                assert self.goal_changes is not None
                self.goal_changes.note(population.holds())
            return is_met or changes == MANY_CHANGES

        session.step_noting(steps, note)
        if is_met:
            return self._hit(session.steps)
        if changes == MANY_CHANGES:
            self._without = PORTIONS_WITHOUT
        return False

    def _advance(self, session: Session, steps: int, condition: StopCondition) -> bool:
        """In pieces, with a point of the plot after each: a run that is over after one portion has a curve, too."""
        end = session.steps + steps
        is_short = len(self.branch.series.points) < FIRST_POINTS
        least = max(1, session.n // PIECES, steps // (PIECES if is_short else PIECES_OF_PORTION))
        while session.steps < end:
            before = session.steps
            piece = max(least, before // PIECES)
            is_met = session.step_to(min(piece, end - before), condition)
            if session.steps > before:
                self.branch.series.add((session.steps, session.leaders, ()))  # predicates would have to be counted
            if is_met or session.steps == before or session.population.silent:
                return is_met
        return False

    def _to_goal(self, session: Session, steps: int) -> bool:
        leaders, began = session.leaders, session.steps
        met = self._advance(session, steps, StopCondition.GOAL)
        if session.leaders != leaders:
            if self._marks_leaders and self._seconds.may(hurries=True):
                with self._seconds:
                    self._second_time(session, began)
            else:
                self.branch.series.leave_out_changes()
        return met

    def _second_time(self, session: Session, began: int) -> None:
        """The portion that was just done once more, for the changes of leaders in it."""
        end, changes = session.steps, 0
        session.goto(began)
        while changes < MANY_CHANGES and session.next_leader_change(max_steps=end - session.steps):
            changes += 1
            self._mark_leaders(session.steps, session.leaders)
        if changes == MANY_CHANGES:
            self._without = PORTIONS_WITHOUT
        session.goto(end)

    def _tested(self, session: Session, now: bool = False) -> bool:
        """Does a goal that stays hold now? Then back to where it did first."""
        if not (now or self._tests.may(hurries=True)):
            return False
        with self._tests:
            holds = session.holds()
        if not holds:
            self.branch.tested = session.steps
            return False
        first = self._first_hit(session)
        session.goto(first).forget_future()
        self.branch.series.drop_after(first)
        return self._hit(first)

    def _first_hit(self, session: Session) -> int:
        """Of a goal that stays, and holds now: it held since this step. An attack may end it, so none is gone back over."""
        attacked = max((step for step, _ in session.attacks), default=0)
        low, high = max(self.branch.tested, attacked), session.steps  # it does not hold at `low`, and does at `high`
        while high - low > 1:
            middle = (low + high) // 2
            session.goto(middle)
            low, high = (low, middle) if session.holds() else (middle, high)
        return high

    def settle(self) -> None:
        """Where playing stops, the first hit of a goal that is tested now and then is found; the session stays."""
        session = self.session
        if not (isinstance(session, Session) and self.tests and self.looks_for_goal) or session.in_the_past:
            return
        here = session.steps
        if self.branch.tested == here:
            return
        if session.holds():
            first = self._first_hit(session)
            session.goto(here)
            self._hit(first)
        else:
            self.branch.tested = here

    # -- the next goal ------------------------------------------------------------------------------------------

    def seek_goal(self, most: int) -> bool:
        """At most so many new steps towards the next one at which the goal becomes true; whether it did.

        A goal that holds must be lost first; one that stays never is.
        """
        if not self.looks_for_goal and self.goal_holds():
            if isinstance(self.session, Session) and not self.goal_stays:
                self._until_lost(self.session, most)
            return False
        self.looks_for_goal = True
        return self.portion(most)

    def _until_lost(self, session: Session, most: int) -> None:
        began, end, until = session.steps, session.steps + most, thread_time() + LOSING_SECONDS
        condition = StopCondition.OUTPUT if self.by_leaders else StopCondition.NOTHING
        while session.steps < end and thread_time() < until:
            before = session.steps
            if session.step_to(end - before if self.by_leaders else 1, condition):
                self._mark_leaders(session.steps, session.leaders)
            if session.steps == before or not session.population.holds():
                break
        if self.goal_changes is not None:
            self.goal_changes.note(session.population.holds())
        self.is_stuck = self._sees_stuck(session, session.steps == began)

    def _sees_stuck(self, session: Session, stands: bool) -> bool:
        population = session.population
        return stands or population.silent or population.exhausted or self.stuckness.sees_stuck(population)

    # -- rings --------------------------------------------------------------------------------------------------

    def _ring_portion(self, session: RingSession, steps: int) -> bool:
        began, seeking = session.steps, self.looks_for_goal
        if session.next_leader_change(max_steps=steps):
            self._mark_leaders(session.steps, session.leaders)
        self.is_stuck = session.over or session.steps == began
        return seeking and session.over and self.goal_holds() and self._hit(session.steps)

    # -- marks --------------------------------------------------------------------------------------------------

    def _mark_leaders(self, step: int, leaders: int) -> None:
        self.branch.series.mark(step, LEADERS, leaders_in_words(leaders))

    def _hit(self, step: int) -> bool:
        branch = self.branch
        if branch.is_hit_known and not branch.is_met:
            branch.hit = step
        branch.is_met, self.looks_for_goal = True, False
        if self.goal_changes is not None:
            self.goal_changes.holds = True
        goal = self.session.run.until if isinstance(self.session, Session) else "leader"
        branch.series.mark(step, GOAL, f"the goal {goal} is met")
        return True
