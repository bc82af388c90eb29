"""The fastest constants among those that hold a unique leader long enough.

For each way of losing the leader, the smallest value of the parameter that makes it rarer; for every combination of the other
parameters that are worth trying. Estimates of the search choose; what is claimed in the end comes from runs of their own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from math import ceil, inf, log
from typing import Any

from princeps.campaign.identity import identity
from princeps.campaign.store import Store
from princeps.errors import RunError
from princeps.model.description import Description, read
from princeps.model.randomness import seed_words
from princeps.model.run import Run
from princeps.rare.climbing import NotRare
from princeps.rare.collecting import Collector, Series
from princeps.rare.holding import refuse
from princeps.rare.losses import losses_of
from princeps.rare.pilot import NoWayUp, levels_by_pilot
from princeps.rare.statistics import MIN_REPLICAS, Rate
from princeps.tuning.certifying import Certificate, certify
from princeps.tuning.convergence import Convergence, Settling, patience
from princeps.tuning.declared import given_numbers, in_words, tuning_of
from princeps.tuning.report import Point, Printed, TuneResult
from princeps.tuning.search import UPPER, Tried, smallest

SEARCH_EFFORT = 300  # trials at each level: enough to choose, not to claim
GUESS = 4.0  # times ln n: where the search for a parameter begins
GENEROUS = 10.0  # times ln n: of parameters whose turn has not come
PRINTED_TRIALS = 5
PRINTED_STEPS = 2 * 10**10  # of these trials: more are not spent on a comparison

Observer = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Wanted:
    description: Description  # with a seed; its parameters are not tuned
    hold: float
    effort: int
    jobs: int
    start: str | None = None  # only from this one


@dataclass
class Tuner:
    """One question; `result` at any time, from what is finished."""

    wanted: Wanted
    store: Store | None
    observe: Observer
    points: list[Point] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    chosen: Point | None = None
    certificates: list[Certificate] = field(default_factory=list)
    printed: Printed | None = None

    def __post_init__(self) -> None:
        self.began, self.steps = time.perf_counter(), 0
        run = self._run({})
        self.tuning = tuning_of(run)
        refuse(run)
        if run.scheduler.draws_uniform_arcs and run.protocol.input_field is not None:
            raise RunError(f"the agents of {run.protocol.name} have identifiers: princeps tune is not for it.")
        self.first = run
        self.losses = losses_of(run)
        starts = (self.wanted.start,) if self.wanted.start else tuple(type(run.protocol).starts)
        self.settling = Settling(starts, self.wanted.hold, self.store)
        self.rates: dict[tuple[str, tuple[tuple[str, int], ...]], Rate | None] = {}

    # -- the whole way -------------------------------------------------------------------------------------------

    def tune(self) -> TuneResult:
        found: dict[str, int] = {}
        for number, combination in enumerate(self._combinations()):
            self._search(combination, found, first=number == 0)
        fitting = [point for point in self.points if point.fits and self._is_smallest(point)]
        if not fitting:
            raise RunError(
                f"no constants were found that hold a leader for {self.wanted.hold:g} steps: lower --hold, or fix fewer."
            )
        self.chosen = min(fitting, key=lambda point: point.convergence.mean)
        self._certify()
        self._compare()
        return self.result()

    def result(self) -> TuneResult:
        run = self.first
        return TuneResult(
            protocol=run.protocol.name,
            spec=self.wanted.description.spec,
            fixed=given_numbers(run, self.wanted.description),
            n=run.n,
            hold=self.wanted.hold,
            seed=run.seed,
            starts=self.settling.starts if self.wanted.start else (),
            points=tuple(self.points),
            chosen=self.chosen,
            certificates=tuple(self.certificates),
            printed=self.printed,
            effort=self.wanted.effort,
            notes=tuple(self.notes),
            steps=self.steps + self.settling.steps,
            seconds=time.perf_counter() - self.began,
        )

    def _is_smallest(self, point: Point) -> bool:
        """Of those that differ in the parameter searched for: the times of the others may be shorter by luck only."""
        name = self._last
        rest = {**point.constants, name: 0}
        alike = [other for other in self.points if other.fits and {**other.constants, name: 0} == rest]
        return not name or point.constants[name] == min(other.constants[name] for other in alike)

    # -- searching -----------------------------------------------------------------------------------------------

    @property
    def tuned(self) -> list[tuple[str, str]]:
        """Ways of losing the leader, with the parameter of each that the user did not give."""
        given = self.wanted.description.params
        return [(loss, name) for loss, name in self.tuning.raises.items() if name not in given]

    def _combinations(self) -> list[dict[str, int]]:
        """Of the other parameters, the middle one first: what is found with it is the guess for all."""
        names = [name for name in self.tuning.tries if name not in self.wanted.description.params]
        lists = [self._values(name) for name in names]
        found = [dict(zip(names, values, strict=True)) for values in product(*lists)]
        middle = len(found) // 2
        return [found[middle], *found[:middle], *found[middle + 1 :]]

    def _values(self, name: str) -> list[int]:
        least = self._least(name)
        asked = self.first.protocol.ask(self.tuning.tries[name], self.first.n)
        values = sorted({max(least, int(value)) for value in asked})
        if not values:
            raise RunError(
                f"tuning of {self.first.protocol.name} tries no value of {name}: return some from its function."
            )
        return values

    def _least(self, name: str) -> int:
        return type(self.first.protocol).choosable()[name].min

    def _search(self, combination: Mapping[str, int], found: dict[str, int], first: bool) -> None:
        """All parameters with the first combination; then the last one only, since the others are about other losses."""
        tuned, wide = self.tuned, ceil(GENEROUS * log(max(self.first.n, 3)))
        constants = {**combination, **{name: max(wide, self._least(name)) for _, name in tuned}, **found}
        remaining = 1 / self.wanted.hold
        if not tuned:
            self._point(constants)
            return
        for k, (loss, name) in enumerate(tuned):
            last = k == len(tuned) - 1
            if not (first or last):
                rate = self._rate(loss, self._cached(loss, constants))
                remaining -= inf if rate is None else rate.mean + UPPER * rate.error
                continue
            guess = found.get(name) or ceil(GUESS * log(max(self.first.n, 3)))
            allowed = max(remaining, 0.0) / (len(tuned) - k)
            if allowed <= 0:
                return
            try:
                best, tried = smallest(
                    self._rates_along(loss, name, constants), allowed, guess, self._least(name), name
                )
            except RunError as error:
                self.notes.append(f"{in_words(combination)}: {error}")
                return
            constants[name] = found[name] = best.value
            remaining -= best.upper
            if last:
                self._points_along(name, constants, tried)

    def _rates_along(self, loss: str, name: str, constants: Mapping[str, int]) -> Callable[[int], Rate | None]:
        return lambda value: self._rate(loss, {**constants, name: value})

    def _points_along(self, name: str, constants: Mapping[str, int], tried: list[Tried]) -> None:
        for one in tried:
            if one.upper < inf:
                self._point({**constants, name: one.value})

    def _rate(self, loss: str, constants: Mapping[str, int]) -> Rate | None:
        """Of one way of losing the leader, by its first level function; None where that is not rare."""
        key = loss, tuple(sorted(constants.items()))
        if key not in self.rates:
            self.observe(f"searching: {loss} with {in_words(constants)}", len(self.points), 0)
            self.rates[key] = self._estimated(loss, constants)
        return self.rates[key]

    def _estimated(self, loss: str, constants: Mapping[str, int]) -> Rate | None:
        run = self._run(constants)
        trial = self.settling.measured(run, self.settling.starts[0], 1)
        if trial.unfinished:
            return None
        declared = losses_of(run)[loss]
        try:
            levels = levels_by_pilot(run, declared.levels[0], declared.kind)
            series = Series(self._described(constants), identity(run), loss, 0, levels, SEARCH_EFFORT)
            Collector(self.wanted.jobs, self.store).collect([(series, MIN_REPLICAS)])
        except (NotRare, NoWayUp):
            return None
        self.steps += series.steps
        return Rate(series.rates)

    def _point(self, constants: Mapping[str, int]) -> None:
        run = self._run(constants)
        self.observe(f"convergence with {in_words(constants)}", len(self.points), 0)
        rates = [
            self._rate(loss, constants if name == self._last else self._cached(loss, constants))
            for loss, name in self._all
        ]
        if any(rate is None or not rate.mean for rate in rates):
            return
        known = [rate for rate in rates if rate is not None]
        slowest = self.settling.slowest(run)
        upper = sum(rate.mean + UPPER * rate.error for rate in known)
        holding = 1 / sum(rate.mean for rate in known)
        self.points.append(
            Point(
                dict(constants), holding, 1 / upper, slowest[0], tuple(one.start for one in slowest), self.wanted.hold
            )
        )

    @property
    def _all(self) -> list[tuple[str, str]]:
        return [(loss, self.tuning.raises.get(loss, "")) for loss in self.losses]

    @property
    def _last(self) -> str:
        return self.tuned[-1][1] if self.tuned else ""

    def _cached(self, loss: str, constants: Mapping[str, int]) -> Mapping[str, int]:
        """The constants with which this rate was estimated first, if its own parameter has the same value."""
        name = self.tuning.raises.get(loss)
        for known, pairs in self.rates:
            if known == loss and name is not None and dict(pairs).get(name) == constants.get(name):
                return dict(pairs)
        return constants

    # -- the winner ----------------------------------------------------------------------------------------------

    def _certify(self) -> None:
        """By runs of their own; what fails narrowly gets one more of the parameter that is about the commonest loss."""
        assert self.chosen is not None
        constants = dict(self.chosen.constants)

        def described(constants: Mapping[str, int], seed: int) -> Description:
            return self._described(constants).with_options(seed=seed)

        words = seed_words(self.first.seed, 0, "tune certify")
        raised = dict(self.tuned)
        for attempt, found in enumerate(
            certify(described, constants, raised, self.wanted, words, self.store, self.observe)
        ):
            self.certificates.append(found)
            self.steps += found.found.steps
            constants = dict(found.constants)
            self.observe("certifying", attempt + 1, 0)
        slowest = self.settling.afresh(self._run(constants), list(self.chosen.slowest))
        searched, holding = self.chosen, self.certificates[-1].found.mean or self.chosen.holding
        self.chosen = replace(searched, constants=constants, convergence=slowest, holding=holding)
        others = [point for point in self.points if point is not searched or constants != dict(searched.constants)]
        self.points = [*others, self.chosen]  # with its fresh figures, in the table and on the figure

    def _compare(self) -> None:
        """With the constants of the formulas, from the same start."""
        assert self.chosen is not None
        names = [name for name in self.chosen.constants if name not in self.wanted.description.params]
        run = self._run({})
        values = {name: int(getattr(run.protocol.constants, name)) for name in names}
        expected = run.protocol.expected_steps(run.n, run.protocol.constants) or patience(run)
        if PRINTED_TRIALS * (expected + self.settling.window(run)) > PRINTED_STEPS:
            self.notes.append(
                f"convergence with {in_words(values)}, the formulas' values, would take too long to compare"
            )
            return
        self.observe("convergence with the formulas' constants", 0, 0)
        found: Convergence = self.settling.measured(run, self.chosen.convergence.start, PRINTED_TRIALS)
        self.printed = Printed(values, found)

    def _described(self, constants: Mapping[str, int]) -> Description:
        description = self.wanted.description
        return replace(description, params={**description.params, **constants})

    def _run(self, constants: Mapping[str, int]) -> Run:
        run: Any = read(self._described(constants))
        assert isinstance(run, Run)
        return run
