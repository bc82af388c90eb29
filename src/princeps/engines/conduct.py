"""From a population to a result: first hit, faults and recoveries, holding, recording, limits.

All engines are led through a run by this one piece of code, so that they can only differ in how they advance.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import ClassVar

from princeps.engines.fault_times import default_limit, fault_times
from princeps.engines.last_change import at_last_change
from princeps.engines.moments import Moments
from princeps.engines.population import Population, Stop, StopCondition
from princeps.engines.random_changes import random_changes
from princeps.engines.stuck import Watch, is_stuck_at_last
from princeps.model import limits
from princeps.model.faults import AnyFault, TornFault
from princeps.model.interruptions import require_interruption
from princeps.model.protocol import Counted
from princeps.model.record import Record
from princeps.model.result import FaultResult, Result
from princeps.model.run import Run
from princeps.model.script import SIDES_OF_A_PAIR


@dataclass(frozen=True)
class Progress:
    """What an observer is shown now and then."""

    run: Run
    steps: int
    leaders: int
    phase: str
    unit: ClassVar[str] = "steps"

    def measures(self) -> list[tuple[str, float]]:
        """What a progress bar shows: texts with a place for their number."""
        done = ("{} steps", self.steps), ("parallel time {}", self.steps / self.run.n)
        return [*done, ("{} leaders", self.leaders)]


ProgressObserver = Callable[[Progress], None]


class Conductor:
    """Leads one population through one run."""

    def __init__(self, run: Run, population: Population, observer: ProgressObserver | None = None) -> None:
        self.run, self.population, self.observer = run, population, observer
        self.watch = Watch(population)
        self.is_stuck = False  # nothing can change any more, unless a fault comes
        self.first_hit: int | None = None
        self.faults: list[FaultResult] = []
        self.open_faults: list[int] = []
        self.fault_stream = run.stream("faults")
        self.upcoming = fault_times(run, self.fault_stream)
        self.next_fault = next(self.upcoming, None)
        self.lost_at: int | None = None
        self.verdicts: dict[str, bool | None] = dict.fromkeys(type(run.protocol).verdicts)
        names = ("steps", "parallel_time", *(name for name, _ in run.record))
        self.columns = Record((name, []) for name in names)
        self.next_sample = 0
        if run.record:
            self.spacing = Fraction(str(run.every)) * run.n  # 0.1 means a tenth, not the nearest binary fraction
        self.moments = Moments(run, population)
        self.limit = default_limit(run)

    # -- the loop -----------------------------------------------------------------------------------------------

    def perform(self) -> bool:
        """Run to the end; False if interrupted by Ctrl-C, with everything up to then kept."""
        try:
            while not self._turn():
                if self.observer is not None:
                    self.observer(Progress(self.run, self.population.steps, self.population.leaders, self._phase()))
        except KeyboardInterrupt as error:
            require_interruption(error)
            if self._seeking() and isinstance(self.run.goal, Counted) and self.population.holds():
                self._hit(self.population.steps)  # it was met by the very last interaction
            return False
        return True

    def _turn(self) -> bool:
        """One stretch between two things that must happen at exact steps; True when the run is over."""
        now = self.population.steps
        self.is_stuck = self.population.silent or self.is_stuck or self.watch.sees_stuck(self.population)
        if self.arrive(now):
            return True
        self.advance(now)
        return False

    def arrive(self, now: int) -> bool:
        """What is due at this step; True when the run is over."""
        population = self.population
        self._record(now)
        self.moments.see(now)
        if self.limit is None or now < self.limit:
            self._strike(now)
        if self._seeking() and (now == 0 or self.open_faults) and population.holds():
            self._hit(now)
        return self._over(now)

    def advance(self, now: int) -> None:
        """To the next step at which something is due."""
        population, due = self.population, self.next_fault
        if due is not None and due.at == now and isinstance(due.fault, TornFault):
            self._tear(due.fault)
            return
        portion = population.portion()
        until = [now + (min(portion, self.watch.stretch(now)) if population.is_cut_free else portion)]
        until += [self.limit] if self.limit is not None else []
        until += [due.at] if due is not None else []
        until += [self.next_sample] if self.run.record else []
        stop_at = StopCondition.OUTPUT if self.run.hold else StopCondition.NOTHING
        stop_at = StopCondition.GOAL if self._seeking() else stop_at
        if self.moments.advance(min(until) - now, stop_at) is Stop.FULFILLED:  # else it is called again, after a look
            if stop_at is StopCondition.GOAL:
                self._hit(population.steps)
            else:
                self.lost_at = population.steps

    def _seeking(self) -> bool:
        return self.first_hit is None or bool(self.open_faults)

    def _phase(self) -> str:
        if self.first_hit is None:
            return "electing"
        if self.open_faults:
            return "recovering"
        return "holding" if self.run.hold else "waiting for a fault" if self.next_fault else "elected"

    def _over(self, now: int) -> bool:
        if self.population.exhausted or self.lost_at is not None or self._record_is_full:
            return True
        if self.limit is not None and now >= self.limit:
            return True
        if self.is_stuck and self.next_fault is None and (self._seeking() or self._holds_for_ever):
            return True
        if self.run.scheduler.listed is not None:
            return False  # a given schedule is followed to its end, past the goal
        return not self._seeking() and self.next_fault is None and not self.run.hold

    @property
    def _holds_for_ever(self) -> bool:
        return self.run.hold and self.limit is None and self.first_hit is not None

    @property
    def _record_is_full(self) -> bool:
        return len(self.columns["steps"]) >= limits.SAMPLES or self.moments.is_full

    # -- what happens at exact steps ----------------------------------------------------------------------------

    def _hit(self, step: int) -> None:
        if self.first_hit is None:
            self.first_hit = step
            self.verdicts.update(self._verdicts())
        for k in self.open_faults:
            self.faults[k] = replace(self.faults[k], recovery_steps=step - self.faults[k].step)
        self.open_faults.clear()

    def _strike(self, now: int) -> None:
        """Overwrite agents; a torn interaction is a step, which `advance` does."""
        while self.next_fault is not None and self.next_fault.at == now:
            fault = self.next_fault.fault
            if isinstance(fault, TornFault):
                return
            self.population.overwrite(random_changes(self.population, self.fault_stream, fault.agents))
            self._struck(fault)

    def _tear(self, fault: TornFault) -> None:
        """The next interaction of the scheduler, of which one side alone takes its new state."""
        side = fault.side or SIDES_OF_A_PAIR[self.fault_stream.below(2)]
        if self.population.tear(side):
            self._struck(fault, side)
        while self.next_fault is not None and self.next_fault.at < self.population.steps:
            self.next_fault = next(self.upcoming, None)  # two faults may name one interaction, which is torn once

    def _struck(self, fault: AnyFault, side: str | None = None) -> None:
        self.is_stuck = False
        self.watch.begin(self.population)
        self.open_faults.append(len(self.faults))
        self.faults.append(FaultResult(self.population.steps, fault.agents, None, side))
        self.next_fault = next(self.upcoming, None)

    def _record(self, now: int, last: bool = False) -> None:
        """A sample when one is due, and one of the last configuration."""
        due = now >= self.next_sample or (last and self.columns["steps"][-1:] != [now])
        if not self.run.record or not due:
            return
        self.columns["steps"].append(now)
        self.columns["parallel_time"].append(now / self.run.n)
        counted = self.population.census([predicate for _, predicate in self.run.record])
        for (name, _), value in zip(self.run.record, counted, strict=True):
            self.columns[name].append(value)
        self.next_sample = ceil((now // self.spacing + 1) * self.spacing)

    # -- the end ------------------------------------------------------------------------------------------------

    def _ended_stuck(self) -> bool:
        """The goal is not met, and never will be; a steady rate of faults would have gone on."""
        if not self._seeking() or self.next_fault is not None or any(fault.every for fault in self.run.faults):
            return False
        return self.is_stuck or is_stuck_at_last(self.population)

    def _go_back(self) -> int:
        """To the last change, which ended a run that is stuck, or holds its leader for ever."""
        struck = max((fault.step for fault in self.faults), default=0)
        self.population, changed = at_last_change(self)
        end = max(struck, changed, self.first_hit or 0)
        kept = bisect_right(self.columns["steps"], end)
        for column in self.columns.values():
            del column[kept:]
        self.moments.go_back(self.population, end)
        return end

    def result(self, seconds: float, interrupted: bool) -> Result:
        run = self.run
        stuck = not interrupted and self._ended_stuck()
        for_ever = not interrupted and self.is_stuck and self._holds_for_ever and self.next_fault is None
        end = self._go_back() if stuck or for_ever else self.population.steps
        population = self.population
        self._record(end, last=True)
        self.moments.see(end, last=True)
        holding = run.hold and self.first_hit is not None
        return Result(
            protocol=run.protocol.name,
            params=run.protocol.params,
            n=run.n,
            graph=run.topology.text,
            start=run.start,
            until=run.until,
            seed=run.seed,
            trial=run.trial,
            engine=population.engine,
            why=population.why,
            steps=end if self.first_hit is None else self.first_hit,
            converged=self.first_hit is not None,
            leaders=population.leaders,
            leader=population.leader(),
            seconds=seconds,
            events=population.events,
            total_steps=end,
            interrupted=interrupted,
            stuck=stuck,
            stopped=self._stopped(),
            hold=run.hold,
            steady_faults=any(fault.every for fault in run.faults),
            held=self.lost_at is None if holding else None,
            held_steps=(self.lost_at or end) - (self.first_hit or 0) if holding else None,
            faults=tuple(self.faults) if run.faults else None,
            verdicts=self.verdicts,
            record=self.columns if run.record else None,
            states=self.moments.history,
            snapshots=self.moments.kept_snapshots(),
            command=run.command(),
            not_repeatable=run.why_not_repeatable,
        )

    def _stopped(self) -> str:
        """By what, where it was neither the goal nor the limit."""
        if self.population.exhausted:
            return self.run.scheduler.at_the_end
        if self.moments.is_full:
            return f"the record of states holds {self.moments.history_in_words()}: give a larger --every"
        return f"the record has {limits.SAMPLES:,} samples: give a larger --every" if self._record_is_full else ""

    def _verdicts(self) -> dict[str, bool | None]:
        """The judgements that belong to the goal just met."""
        cls = type(self.run.protocol)
        due = {name: verdict for name, verdict in cls.verdicts.items() if verdict.at == self.run.until}
        if not due:
            return {}
        counts = self.population.counts_for([verdict.rule for verdict in due.values()])
        protocol = self.run.protocol
        return {name: protocol.ask(verdict.rule, counts, protocol.constants) for name, verdict in due.items()}


def conduct(run: Run, population: Population, observer: ProgressObserver | None = None) -> Result:
    return finish(Conductor(run, population, observer))


def finish(conductor: Conductor) -> Result:
    began = time.perf_counter()
    finished = conductor.perform()
    return conductor.result(time.perf_counter() - began, interrupted=not finished)
