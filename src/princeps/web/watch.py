"""A watch: one run being watched, its branches, whether it plays and how fast. No threads and no sockets here.

`tick` does what is due and says how long nothing will be. Nothing here draws from the run's streams, and how fast a
run is played, or how often it is looked at, never changes it (of the engine `counts`, which draws batches, whole calls
are played at full speed; steps that somebody or a speed counts out divide them, by the same law).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from time import perf_counter, thread_time
from typing import Any

from princeps.engines.opening import session_described
from princeps.engines.rings.session import RingSession
from princeps.engines.session import Session
from princeps.errors import RunError
from princeps.model.description import Description
from princeps.web.about import about
from princeps.web.advancing import Advancing
from princeps.web.branches import Branches, Held
from princeps.web.judging import Judging
from princeps.web.marks import leaders_in_words
from princeps.web.pace import Pace
from princeps.web.past import recall
from princeps.web.ring_frame import refuse_large_ring
from princeps.web.series import FAULT, GOAL, LEADERS, LOST
from princeps.web.shown_command import ShownCommand
from princeps.web.shown_engine import with_numbers
from princeps.web.status import status_of
from princeps.web.story import story_of

AT_ONCE = 4096  # steps that are done without looking up
POINTS_AT_ONCE = 32  # of the plots, among them
STEPS = "steps"


class Watch:
    """Everything is done by one thread."""

    def __init__(self, clock: Callable[[], float] = perf_counter) -> None:
        self.pace = Pace(clock)
        self.version = 0  # grows with every change of what is shown
        self.run_number = 0  # grows when the run becomes another one
        self.branches: Branches | None = None
        self.playing = False
        self.seeking: str | None = None  # what `next` looks for, or STEPS up to the target
        self.target = 0
        self.found: bool | None = None  # how that ended
        self.note = ""  # why it does not play
        self.shows = ""  # what was found by an analysis, and is seen in this run
        self.shown_command = ShownCommand()

    # -- the run ------------------------------------------------------------------------------------------------

    def open(self, description: Description) -> None:
        """Another run, at its start."""
        self.begin(session_described(with_numbers(description)))

    def open_story(self, name: str, n: str | None = None) -> bool:
        """The run of the story of a protocol of the library, with all its steps before it; False if it has none of this size."""
        story = story_of(name)
        if story is None or (n is not None and n != str(story.options.get("n", ""))):
            return False
        self.begin(story.session())
        self.goto(0)
        return True

    def begin(self, session: Held, shows: str = "") -> None:
        if isinstance(session, RingSession):
            refuse_large_ring(session)
        here = session.steps
        session.goto(session.last_step)  # what was done after the step that is shown has its curve as well
        branches = Branches(session)
        recall(branches.current, session)
        branches.goals_are_marked = branches.current.is_hit_known
        advancing, judging = Advancing(branches.current, again=session.steps > 0), Judging(session)
        self.branches, self.advancing, self.judging, self.shows = branches, advancing, judging, shows
        self.run_number += 1
        self.playing, self.seeking, self.note = False, None, ""
        self.pace.open(session)
        self._look()
        if here != session.steps:
            self.goto(here)

    @property
    def session(self) -> Held:
        if self.branches is None:
            raise RunError("no run is watched yet: choose a protocol.")
        return self.branches.session

    @property
    def hurries(self) -> bool:
        """The engine goes as fast as it can."""
        return self.seeking is not None or (self.playing and self.pace.speed is None)

    @property
    def is_open(self) -> bool:
        return self.branches is not None

    # -- time ---------------------------------------------------------------------------------------------------

    def play(self) -> None:
        self.session  # noqa: B018 - refused where there is none
        if not self.playing:
            self.playing, self.seeking, self.note = True, None, ""
            self.pace.begin()
            self.version += 1

    def pause(self, note: str = "") -> None:
        was_moving = self.moves
        if was_moving:
            self._settle()
        if self.seeking is not None:
            self._end_seeking(False)
        if was_moving or note != self.note:
            self.version += 1  # a status that was told just before says that something is still sought
        self.playing, self.note = False, note

    def _settle(self) -> None:
        """What a status says of the goal is exact where nothing plays."""
        with suppress(Exception):  # a rule that fails has said so already
            self.advancing.settle()

    def _end_seeking(self, found: bool) -> None:
        self.seeking, self.found = None, found
        self.advancing.looks_for_goal = not self.advancing.branch.is_met

    def set_speed(self, value: float | None) -> None:
        self.pace.choose(value)
        self.version += 1

    def seek(self, what: str) -> None:
        """To the next change, leader change or goal: portion by portion, so that `pause` ends it."""
        session = self.session
        self.pause()
        if what != GOAL and isinstance(session, Session) and not session.cut_free:
            session.population.refuse("draws interactions in batches, and does not stop within one at a change")
        self.seeking, self.found = what, None
        self.version += 1

    def step(self, count: int) -> None:
        """Many steps are sought like a change, so that `pause` ends them."""
        session = self.session
        self.pause()
        end = session.steps + count
        divides = self._divides(session)
        if count > AT_ONCE and (divides or end > session.last_step):
            if not divides:
                session.goto(session.last_step)
            self.seeking, self.found, self.target = STEPS, None, end
            return
        if session.in_the_past or not divides:
            session.step(count)
        else:
            self._steps_to(end, -(-count // POINTS_AT_ONCE))
            self._settle()
        self._look()

    @staticmethod
    def _divides(session: Held) -> bool:
        """How steps are asked for does not matter."""
        return not isinstance(session, Session) or session.cut_free

    def _steps_to(self, end: int, apart: int) -> None:
        """New steps, with points so far apart; time goes on where nothing can change any more, and where the goal is met."""
        session = self.session
        while session.steps < end:
            before = session.steps
            self.advancing.portion(min(apart, end - before))
            self._look()
            if session.steps == before:
                if not isinstance(session, RingSession):
                    session.step(end - before)
                return

    def goto(self, step: int) -> None:
        """To the nearest step that can be gone to."""
        session = self.session
        self.pause()
        session.goto(session.standing_points(step)[0])
        self._look()

    def tick(self) -> float | None:
        """What is due; seconds until something is due again, None if nothing is."""
        if self.seeking is not None:
            self._seek_on()
            return 0.0
        if not self.playing:
            return None
        if steps := self.pace.due():
            self.pace.did(self._play(steps))
        return self.pace.wait()

    def _play(self, steps: int) -> int:
        """How many were done."""
        session, began, before = self.session, thread_time(), self.session.steps
        if session.in_the_past:  # what was done is followed to its end
            here = min(session.steps + steps, session.last_step)
            there = session.standing_points(here)[1]
            session.goto(there)
            if session.in_the_past and there == session.last_step:
                session.step(0)
        elif self.advancing.portion(steps, counted_out=self.pace.speed is not None):
            self.pause("the goal is met")
        elif self.advancing.is_stuck:
            self.pause("nothing can happen any more")
        self.pace.took(thread_time() - began, min(steps, session.steps - before))
        self._look()
        return session.steps - before

    def _seek_on(self) -> None:
        session, what, began = self.session, self.seeking, thread_time()
        most, before = self.pace.portion, session.steps
        if what == STEPS:
            if session.in_the_past:
                session.goto(min(before + most, self.target, session.last_step))
            elif isinstance(session, Session) and not session.cut_free:
                self.advancing.step_once(session, self.target - before)
            else:
                self._steps_to(min(before + most, self.target), most)
            found = session.steps >= self.target
        elif what == GOAL:
            found = self._seek_goal(most)
        else:
            found = (session.next_change if what == "change" else session.next_leader_change)(max_steps=most)
        moved = session.steps - before
        self.pace.took(thread_time() - began, max(moved, most))
        is_stuck = (
            self.advancing.is_stuck and what != STEPS and not session.in_the_past
        )  # time passes where nothing changes
        if found or is_stuck or (moved == 0 and not session.in_the_past):
            self._settle()
            self._end_seeking(bool(found))
            holds = what == GOAL and self.advancing.goal_stays and self.advancing.branch.is_met
            self.note = "" if found else "the goal holds, and stays" if holds else "nothing can change any more"
        self._look()

    def _seek_goal(self, most: int) -> bool:
        """In the past the next mark says where; at the end of it the run goes on until the goal becomes true."""
        session = self.session
        assert self.branches is not None
        if not session.in_the_past:
            return self.advancing.seek_goal(most)
        there = self.branches.next_mark(GOAL, session.steps)
        session.goto(session.last_step if there is None else session.standing_points(there)[1])
        return there is not None

    # -- acting -------------------------------------------------------------------------------------------------

    def act(self, what: str, action: Callable[[Held], Any]) -> None:
        """Something is done to the run: in the past it makes a branch."""
        was_playing = self.playing
        branches, session = self.branches, self.session
        assert branches is not None
        left = branches.current
        self._settle()
        held, leaders = self.advancing.goal_holds(), session.leaders
        if session.in_the_past:
            branches.fork(what)
            try:
                action(self.session)
            except BaseException:
                branches.remove_last(left)
                raise
        else:
            action(session)
        branch = branches.current
        step = self.session.steps
        branch.series.mark(step, FAULT, what)
        if self.session.leaders != leaders:
            branch.series.mark(step, LEADERS, leaders_in_words(self.session.leaders))
        branch.hit, branch.is_met, branch.is_hit_known, branch.tested = None, False, True, step
        self.advancing = Advancing(branch, again=held)
        if held and not branch.is_met:
            branch.series.mark(step, LOST, "the goal no longer holds")
        self._look()
        if was_playing:
            self.play()

    def switch(self, number: int) -> None:
        assert self.session is not None
        assert self.branches is not None
        self.pause()
        self.advancing = Advancing(self.branches.switch(number), again=True)
        self._look()

    # -- looking ------------------------------------------------------------------------------------------------

    def _look(self) -> None:
        """What is shown has changed."""
        self.version += 1
        assert self.branches is not None
        branch, session = self.branches.current, self.session
        if not session.in_the_past:
            self.judging.sample(branch, session, self.moves, self.hurries)

    @property
    def moves(self) -> bool:
        """It plays, or goes to something."""
        return self.playing or self.seeking is not None

    def about(self) -> dict[str, Any]:
        """What the page must know of the run."""
        return about(self.session, self.shows)

    def beside_frame(self) -> dict[str, Any]:
        """What the header of a frame says otherwise than the session."""
        return {}

    def status(self) -> dict[str, Any]:
        return status_of(self)
