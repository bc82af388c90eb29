"""A session going to the next change: of anything, or of who leads. Exact, in the past and at the end of the timeline."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from princeps.engines.next_change import advance_to_change
from princeps.engines.population import Stop, StopCondition
from princeps.engines.session_running import RunningSession
from princeps.engines.stuck import is_stuck
from princeps.model.announcing import announces
from princeps.model.script import Alive, Dead, ForcedPair, ScriptEvent, SetStates, Steps, Torn

LOOKED_AT = 1 << 14  # pairs of states, to see at once that nothing can change any more


class SeekingSession(RunningSession):
    """Both methods return whether there was such a change; without a limit they end where nothing can change any more."""

    @announces("session.next_change")
    def next_change(self, max_steps: int | None = None) -> bool:
        """Forward to the next step after which an agent is in another state, within `max_steps`; in the past along what
        was done, attacks included."""
        return self._next(
            max_steps,
            lambda steps: advance_to_change(self.population, steps),
            lambda agent: self.population.state(agent),
        )

    @announces("session.next_leader_change")
    def next_leader_change(self, max_steps: int | None = None) -> bool:
        """The same to the next step after which an agent leads that did not, or leads no more."""
        advance, leads = self.population.advance_exactly, self.run.protocol.leads

        def look(agent: int) -> bool:
            return agent not in self.population.dead and bool(leads(self.population.state(agent)))

        return self._next(max_steps, lambda steps: advance(steps, StopCondition.OUTPUT), look)

    def step_to(self, most: int, stop_at: StopCondition, counted_out: bool = False) -> bool:
        """At the end of the timeline: at most so many new steps, or to the first that fulfils the condition; whether one did.

        As `run_until` and `next_leader_change`, for somebody who calls it again and again and looks for himself whether
        anything can change any more. An engine that draws batches is asked as `run` asks it, one call each time: `most`
        is left to it, unless the steps are `counted_out`, as `step` does.
        """
        self._refuse_change()
        goal = self.run.until if stop_at is StopCondition.GOAL else None
        if goal is not None:
            self.population.set_goal(goal)
        if self.cut_free:
            return self._advance_freely(most, stop_at) is Stop.FULFILLED
        return (
            self._advance_batches(self._room(most if counted_out else None), goal, stop_at, wanted=1) is Stop.FULFILLED
        )

    def step_noting(self, most: int, note: Callable[[], bool]) -> bool:
        """At the end of the timeline: at most so many new steps; `note` is called after each at which who leads changes, and
        says whether to stop there; whether it did. What is done is recorded once, not at every change: as fast as
        `step_to` without a condition where changes are rare, and twice as fast as with one where they are not."""
        self._refuse_change()
        population = self.population

        def advance(steps: int) -> Stop:
            end = population.steps + steps
            while (rest := end - population.steps) > 0:
                stop = population.advance(rest, StopCondition.OUTPUT)
                if stop is Stop.FULFILLED:
                    if note():
                        return stop
                elif stop is not Stop.EARLY:
                    return stop
            return Stop.BUDGET

        return self._advance_freely(most, StopCondition.OUTPUT, advance) is Stop.FULFILLED

    def step_once(self, most: int) -> None:
        """One call of an engine that draws batches, of at most so many new steps: `step` makes as many as there must be."""
        self._refuse_change()
        self._advance_batches(most, None, StopCondition.NOTHING, wanted=1)

    def _next(self, max_steps: int | None, advance: Callable[[int], Stop], look: Callable[[int], Any]) -> bool:
        self._refuse_change()
        if not self.cut_free:
            self.population.refuse("draws interactions in batches, and does not stop within one at a change")
        limit = self._room(max_steps)
        end = None if limit is None else self.steps + limit
        while self.in_the_past and (end is None or self.steps < end):
            if self._follow_to_change(end, advance, look):
                return True
        if self.in_the_past or end == self.steps or is_stuck(self.population, LOOKED_AT):
            return False
        rest = None if end is None else end - self.steps
        return self._advance_freely(rest, StopCondition.OUTPUT, advance) is Stop.FULFILLED

    def _follow_to_change(self, end: int | None, advance: Callable[[int], Stop], look: Callable[[int], Any]) -> bool:
        """One event of the timeline, or its part up to the change."""
        event = self._events[self._index]
        if isinstance(event, Steps):
            rest = event.count - self._offset
            before = self.steps
            stop = advance(rest if end is None else min(rest, end - before))
            self._offset += self.steps - before
            if self._offset == event.count:
                self._index, self._offset = self._index + 1, 0
            self._set_stream(self._streams[self._index])
            return stop is Stop.FULFILLED
        agents = _touched(event)
        seen = [look(agent) for agent in agents]
        self._go((self._index + 1, 0))
        return seen != [look(agent) for agent in agents]


def _touched(event: ScriptEvent) -> list[int]:
    """The agents whose states an event may change."""
    match event:
        case SetStates(changes):
            return [agent for agent, _ in changes]
        case ForcedPair(i, j) | Torn(i, j):
            return [i, j]
        case Dead(agent) | Alive(agent):
            return [agent]
        case _:
            return []
