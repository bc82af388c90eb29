"""A session going forward: new steps at the end of its timeline, known ones in the past, to a step or to a goal.

An engine that draws interactions in batches is asked exactly as the conductor asks it, and every call is an event of its
own; all others may be cut anywhere, so that checkpoints can be kept on the way.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from princeps.engines.population import Population, Stop, StopCondition
from princeps.engines.simulate import make_population
from princeps.engines.stuck import Watch
from princeps.engines.timeline import Timeline, whole
from princeps.errors import RunError
from princeps.model.ad_hoc_goals import read_goal
from princeps.model.announcing import announces
from princeps.model.interruptions import stands_where_interrupted
from princeps.model.protocol import Counted
from princeps.model.randomness import Stream
from princeps.model.reached import Reach
from princeps.model.run import Run
from princeps.model.script import Script, ScriptEvent, Steps, protocol_identity
from princeps.model.script_text import with_text

Self = TypeVar("Self", bound="RunningSession")


class RunningSession(Timeline):
    """A population and its timeline."""

    def __init__(self, run: Run) -> None:
        self.population: Population = make_population(run)
        self.run = replace(run, engine=self.population.engine, scheduler=run.scheduler.spelled_out())
        self.cut_free = self.population.is_cut_free
        self._attacks = run.stream("faults")
        self._reach = Reach([type(run.protocol)])
        self._whole_calls = 0  # the step after the last call of an engine that draws batches
        super().__init__(self.population.checkpoint_spacing)

    @announces("session.step")
    @stands_where_interrupted
    def step(self: Self, steps: int = 1) -> Self:
        """This many interactions, or up to the end of a given list of pairs; in the past along what was done."""
        self._refuse_change()
        rest = self._follow(whole(steps, "step"))
        if rest:
            self._advance(rest, None)
        return self

    @announces("session.run_until")
    @stands_where_interrupted
    def run_until(self, goal: str | None = None, max_steps: int | None = None) -> bool:
        """Forward to the first configuration that meets the goal (by default the run's own); False if there is none.

        It gives up after `max_steps`, at the run's own limit, when a given list of pairs ends, and where nothing can
        change any more. In the past it follows what was done; with an engine that draws batches it then looks only at
        the points where the session stood.
        """
        self._refuse_change()
        name = self._goal(goal)
        limit = self._room(max_steps)
        self.population.set_goal(name)
        if self.population.holds():
            return True
        end = None if limit is None else self.steps + limit
        if self.in_the_past and self._seek(name, end):
            return True
        if self.in_the_past or end == self.steps:
            return False
        return self._advance(None if end is None else end - self.steps, name) is Stop.FULFILLED

    def _room(self, max_steps: int | None) -> int | None:
        """How many steps there are up to this limit and the run's own."""
        limit = None if max_steps is None else whole(max_steps, "max_steps")
        if self.run.max_steps is not None:
            room = max(0, self.run.max_steps - self.steps)
            limit = room if limit is None else min(limit, room)
        return limit

    def _refuse_change(self) -> None:
        """A session is one run: its past and its future follow one rule, which the engine has compiled."""
        if not self._reach.is_current():
            name = type(self.run.protocol).__name__
            raise RunError(
                f"{name}, or a constant or function that it uses, has been changed since this session began: begin "
                f"another one with princeps.session({name}, ...)."
            )

    def _seek(self, goal: str, end: int | None) -> bool:
        """Along the timeline, to its end or to this step, until the goal holds."""
        while self.in_the_past and (end is None or self.steps < end):
            event = self._events[self._index]
            if isinstance(event, Steps) and self.cut_free:
                rest = event.count - self._offset
                rest = rest if end is None else min(rest, end - self.steps)
                self.population.set_goal(goal)
                before = self.steps
                stop = self.population.advance_exactly(rest, StopCondition.GOAL)
                self._offset += self.steps - before
                self._normalise()
                self._set_stream(self._streams[self._index])
                if stop is Stop.FULFILLED:
                    return True
                continue
            if end is not None and self._end_of(self._index) > end:
                return False
            self._go((self._index + 1, 0))
            self.population.set_goal(goal)
            if self.population.holds():
                return True
        return False

    def _end_of(self, number: int) -> int:
        return self._begins[number + 1] if number + 1 < len(self._begins) else self._end

    def _advance(self, limit: int | None, goal: str | None) -> Stop:
        """New steps at the end of the timeline, at most `limit`; to the goal if one is named."""
        stop_at = StopCondition.NOTHING if goal is None else StopCondition.GOAL
        return self._advance_freely(limit, stop_at) if self.cut_free else self._advance_batches(limit, goal, stop_at)

    def _advance_freely(
        self, limit: int | None, stop_at: StopCondition, advance: Callable[[int], Stop] | None = None
    ) -> Stop:
        """`advance` goes at most so many steps in another way than the population's own."""
        population, stop, watch = self.population, Stop.BUDGET, Watch(self.population)
        end = None if limit is None else self.steps + limit
        while end is None or self.steps < end:
            before = self.steps
            chunk = population.portion()
            if stop_at is not StopCondition.GOAL or isinstance(population.run.goal, Counted):
                chunk = max(1, population.steps_for(self._checkpoints.work_to_next(population.work)))
            chunk = chunk if end is None else min(chunk, end - before)
            try:
                stop = population.advance(chunk, stop_at) if advance is None else advance(chunk)
                if stop is Stop.SILENT and end is not None:
                    population.pass_time(end - self.steps)
            except BaseException:
                self._keep_whole_steps(Steps(self.steps - before), before)
                raise
            self._record(Steps(self.steps - before), before)
            self._keep_checkpoint()
            if stop not in (Stop.BUDGET, Stop.EARLY):
                break
            if end is None and watch.sees_stuck(population):
                return Stop.SILENT
        return stop

    def _advance_batches(
        self, limit: int | None, goal: str | None, stop_at: StopCondition, wanted: int | None = None
    ) -> Stop:
        """New steps with an engine that draws batches: one event. `wanted` is where a script says that they ended; 1 if one
        call of the engine is wanted."""
        began = self._whole_calls = self.steps
        try:
            stop = self._advance_call(began, limit, stop_at, wanted, keep=True)
        except BaseException:
            self._keep_whole_steps(Steps(self._whole_calls - began, goal, limit, is_one_call=True), began)
            raise
        self._record(Steps(self.steps - began, goal, limit, is_one_call=True), began)
        self._keep_checkpoint()
        return stop

    def _advance_call(
        self, began: int, limit: int | None, stop_at: StopCondition, wanted: int | None = None, keep: bool = False
    ) -> Stop:
        """As the conductor does it: whole portions, the last one up to the limit. `wanted` ends a repetition."""
        population = self.population
        while True:
            done = self.steps - began
            room = population.portion() if limit is None else min(population.portion(), limit - done)
            if room == 0 or (wanted is not None and done >= wanted):
                return Stop.BUDGET
            stop = population.advance(room, stop_at)
            if stop is Stop.SILENT and limit is not None:
                population.pass_time(limit - (self.steps - began))
            self._whole_calls = self.steps
            if stop not in (Stop.BUDGET, Stop.EARLY):
                return stop
            if keep:
                self._keep_checkpoint(unfinished=self.steps - began)

    def _redo(self, event: ScriptEvent, done: int, wanted: int) -> None:
        if not isinstance(event, Steps):
            self._apply(event)
        elif not event.is_one_call:
            self.population.advance_exactly(wanted - done)
        else:
            if event.until is not None:
                self.population.set_goal(event.until)
            stop_at = StopCondition.NOTHING if event.until is None else StopCondition.GOAL
            self._advance_call(self.steps - done, event.limit, stop_at, wanted)

    def _goal(self, name: Any) -> str:
        """A goal of the protocol by its name, or a condition; by default the run's own."""
        if name is None:
            return self.run.until
        return read_goal(self.run.protocol, name)

    @property
    def engine(self) -> str:
        return self.population.engine

    @property
    def steps(self) -> int:
        return self.population.steps

    def _separate(self) -> None:
        population = make_population(self.run)
        population.why = self.population.why
        population.restore(self.population.snapshot())
        self.population = population
        self._attacks = Stream(self._attacks.words)

    def _save(self) -> Any:
        return self.population.snapshot()

    def _load(self, saved: Any) -> None:
        self.population.restore(saved)

    def _work(self) -> int:
        return self.population.work

    def _size(self) -> int:
        return self.population.snapshot_bytes

    def _stream(self) -> Any:
        return self._attacks.words

    def _set_stream(self, stood: Any) -> None:
        self._attacks = Stream(stood)

    @property
    def command(self) -> str:
        return self.run.command()

    @property
    def words(self) -> str:
        return self.run.words()

    @property
    def identity(self) -> str | None:
        return protocol_identity(self.run.protocol)

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(filter(None, [self.run.protocol.file()]))

    def _complete(self, script: Script) -> Script:
        return with_text(script, self.run, type(self.run.protocol))

    @abstractmethod
    def _apply(self, event: ScriptEvent) -> None:
        """Anything but steps."""
