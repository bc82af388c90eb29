"""The fastest clock that keeps everybody together but for a small probability (Lemma 8 of P_LL: the synchronisation).

A clock goes wrong in a trial if, when a goal of the file's `synchronises` is first met (somebody gets the next colour), somebody
still satisfies its predicate (has not got the last one). The probability falls as the parameter grows; the smallest value that
is good enough is bracketed, and certified by trials that had no part in the choice.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Any

from princeps.campaign import evidence
from princeps.campaign.identity import identity
from princeps.campaign.store import Store
from princeps.engines.population import Stop, StopCondition
from princeps.engines.simulate import make_population
from princeps.errors import RunError
from princeps.model.description import Description, read, reader_of_trials
from princeps.model.run import Run
from princeps.tuning.certifying import ATTEMPTS, CONFIDENCE
from princeps.tuning.clock_report import ClockPoint, ClockResult, Times
from princeps.tuning.convergence import FRESH_FROM

BATCHES = (0.3, 1.0, 3.1, 10.0)  # divided by the failure allowed: trials after which a value may be decided
TIMED = 100  # trials of the mean time
PATIENCE = 200  # n times the parameter times this: steps after which a trial counts as a failure

Observer = Callable[[str, int, int], None]


@dataclass
class ClockTuner:
    description: Description  # with a seed
    failure: float
    store: Store | None
    observe: Observer
    points: dict[int, ClockPoint] = field(default_factory=dict)
    chosen: int | None = None
    certificates: list[ClockPoint] = field(default_factory=list)
    times: dict[int, Times] = field(default_factory=dict)  # by the parameter's value

    def __post_init__(self) -> None:
        self.began = time.perf_counter()
        run = self._run({})
        tuning = type(run.protocol).tuning
        if tuning is None or not tuning.synchronises:
            raise RunError(
                f"{run.protocol.name} has no clock to tune: declare tuning = Tuning(synchronises={{...}}) in its file, as "
                f"docs/tune.md shows; constants that hold a leader are found with --hold."
            )
        self.name, self.checks = next(iter(tuning.synchronises.items()))
        if self.name in self.description.params:
            raise RunError(f"{self.name} is given, and there is nothing else to tune: leave -p {self.name}=... out.")
        self.run = run
        self.printed = int(getattr(run.protocol.constants, self.name))
        self.least = type(run.protocol).choosable()[self.name].min
        if self.store is not None:
            evidence.create_table(self.store)

    def tune(self) -> ClockResult:
        low, high = self.least - 1, self.printed
        if not self._fits(high):
            raise RunError(
                f"with {self.name} = {high}, the formula's value, the clock fails more often than {self.failure:g}: allow more."
            )
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self._fits(middle) else (middle, high)
        self.chosen = high
        for _ in range(ATTEMPTS):
            point = self._certified(self.chosen)
            self.certificates.append(point)
            if point.upper <= self.failure or self.chosen >= self.printed:
                break
            self.chosen += 1
        for value in dict.fromkeys((self.chosen, self.printed)):
            self.observe(f"mean time with {self.name} = {value}", 0, 0)
            self.times[value] = self._timed(value)
        return self.result()

    def result(self) -> ClockResult:
        return ClockResult(
            protocol=self.run.protocol.name,
            spec=self.description.spec,
            fixed={name: int(getattr(self.run.protocol.constants, name)) for name in self.description.params},
            n=self.run.n,
            failure=self.failure,
            seed=self.run.seed,
            name=self.name,
            printed=self.printed,
            chosen=self.chosen,
            points=tuple(self.points[value] for value in sorted(self.points)),
            certificates=tuple(self.certificates),
            times=dict(self.times),
            seconds=time.perf_counter() - self.began,
        )

    # -- how often it fails --------------------------------------------------------------------------------------

    def _fits(self, value: int) -> bool:
        """Decided as soon as the trials show it; what they leave open counts as too often."""
        failures = trials = 0
        for share in BATCHES:
            more = ceil(share / self.failure) - trials
            self.observe(f"clock with {self.name} = {value}", trials, trials + more)
            failures, trials = failures + self._failures(value, trials, more), trials + more
            self.points[value] = ClockPoint(value, failures, trials, CONFIDENCE)
            if self.points[value].upper <= self.failure:
                return True
            if self.points[value].lower > self.failure:
                return False
        return False

    def _certified(self, value: int) -> ClockPoint:
        """Fresh trials; several attempts together are wrong with at most 5 %."""
        level = 1 - (1 - CONFIDENCE) / ATTEMPTS
        failures = trials = 0
        for share in (*BATCHES[2:], 2 * BATCHES[-1]):
            more = ceil(1.5 * share / self.failure) - trials
            self.observe(f"certifying {self.name} = {value}", trials, trials + more)
            failures, trials = failures + self._failures(value, FRESH_FROM + trials, more), trials + more
            point = ClockPoint(value, failures, trials, level)
            if point.upper <= self.failure:
                break
        return point

    def _failures(self, value: int, first: int, number: int) -> int:
        key = self._key("failures", value, first, number)
        known = {} if self.store is None else evidence.saved_parts(self.store, key, 1)
        if 0 in known:
            return int(known[0])
        readers = {goal: reader_of_trials(self._described(value, goal)) for goal in self.checks}
        limit = PATIENCE * self.run.n * value
        found = sum(fails(readers, self.checks, trial, limit) for trial in range(first, first + number))
        self._keep(key, value, found)
        return found

    def _timed(self, value: int) -> Times:
        """Fresh trials of the whole election."""
        key = self._key("times", value, FRESH_FROM, TIMED)
        known = {} if self.store is None else evidence.saved_parts(self.store, key, 1)
        if 0 in known:
            return Times(tuple(known[0]))
        reader = reader_of_trials(self._described(value, type(self.run.protocol).default_goal))
        steps = []
        for trial in range(FRESH_FROM, FRESH_FROM + TIMED):
            run: Any = reader(trial)
            population = make_population(run)
            while population.advance(1 << 40, StopCondition.GOAL) is not Stop.FULFILLED:
                pass
            steps.append(int(population.steps))
        self._keep(key, value, steps)
        return Times(tuple(steps))

    # -- bookkeeping ---------------------------------------------------------------------------------------------

    def _key(self, what: str, value: int, first: int, number: int) -> str:
        run = self._run({self.name: value})
        asked = ["tune clock", what, identity(run), run.seed, dict(self.checks), first, number]
        return hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:32]

    def _keep(self, key: str, value: int, found: Any) -> None:
        if self.store is not None:
            evidence.save_part(self.store, key, 0, "princeps.tuning.clock:fails", {self.name: value}, found, 0.0)

    def _described(self, value: int, until: str) -> Description:
        described = replace(self.description, params={**self.description.params, self.name: value})
        return described.with_options(until=until)

    def _run(self, constants: Mapping[str, int]) -> Run:
        run: Any = read(replace(self.description, params={**self.description.params, **constants}))
        assert isinstance(run, Run)
        return run


def fails(readers: Mapping[str, Callable[[int], Any]], checks: Mapping[str, str], trial: int, limit: int) -> bool:
    """Is anybody left behind when the first one goes on? A goal that is not met within the limit counts as well."""
    for goal, behind in checks.items():
        run = readers[goal](trial)
        population = make_population(run)
        if population.advance_exactly(limit, StopCondition.GOAL) is not Stop.FULFILLED:
            return True
        (late,) = population.census([type(run.protocol).all_predicates()[behind]])
        if late:
            return True
    return False
