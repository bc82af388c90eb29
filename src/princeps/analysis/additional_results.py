"""Results that an analysis computes only if its options ask for them."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import islice
from math import inf

import numpy as np

from princeps.analysis import rational
from princeps.analysis.external_tools import export_and_check
from princeps.analysis.hitting_problem import HittingProblem
from princeps.analysis.holding import holding
from princeps.analysis.options import AnalysisOptions
from princeps.analysis.report import Exact, WorstStart
from princeps.analysis.set_reports import report_set
from princeps.analysis.state_space import StateSpace
from princeps.analysis.targets import SAFE
from princeps.errors import RunError, TooLarge
from princeps.model.states import State

MAX_WORST_STARTS = 10_000  # that are kept, and
MAX_WORST_AGENTS = 1_000_000  # in all of them
MAX_RATIONAL = 1_000_000  # configurations with exact fractions
MAX_QUANTILES_WORK = 4e11  # steps of the chain that are followed for quantiles


def add_results(result: Exact, problem: HittingProblem, options: AnalysisOptions) -> None:
    space = problem.space
    finite = problem.worst < inf
    if options.rational:
        _add_fractions(result, problem)
    if options.variance and finite:
        result.variance, result.variance_interval = problem.variance()
    if options.distribution and finite:
        if problem.quantiles_work() > MAX_QUANTILES_WORK:
            raise TooLarge(
                f"the distribution of about {problem.worst:,.0f} steps over {space.size:,} configurations takes too "
                f"long to follow: leave --distribution out (--variance is quick)."
            )
        result.quantiles = problem.quantiles()
    if options.leaders and finite:
        result.leaders_at_target = problem.leaders_at_target()
    if options.hold:
        held = holding(space, problem.target)
        result.holding = held
        if held.shortest_start is not None:
            result.holding_start = _shown(space, held.shortest_start)
    if options.sets:
        result.sets = [report_set(space, name) for name in (SAFE, *space.sets)]
    if options.export is not None or options.check is not None:
        export_and_check(result, problem, options)


def worst_starts(space: StateSpace, numbers: Iterable[int]) -> list[WorstStart]:
    return [
        WorstStart(_shown(space, int(x)), int(space.multiplicity[x]))
        for x in islice(numbers, max(1, min(MAX_WORST_STARTS, MAX_WORST_AGENTS // space.run.n)))
    ]


def _shown(space: StateSpace, x: int) -> tuple[State, ...]:
    """The states of a configuration, whose values show their names."""
    return tuple(map(space.run.protocol.space.shown, space.configurations.states_of(x)))


def _add_fractions(result: Exact, problem: HittingProblem) -> None:
    """Exact fractions, and which starts are exactly the worst."""
    if problem.worst == inf:
        raise RunError(
            f"{result.target} is not reached for certain from every configuration, so that its mean is infinite: "
            f"leave --rational out to see where it is not."
        )
    space = problem.space

    def progress(done: int, total: int) -> None:
        space.progress("exact fractions", done, total)

    refuse_many_fractions(space)
    values = problem.fractions(progress)
    candidates = [int(x) for x in problem.worst_states]
    result.worst_exact = worst = rational.largest([values[x] for x in candidates])
    candidates = [x for x in candidates if values[x] == worst]
    problem.worst_states = np.array(candidates)
    result.worst_count = sum(int(space.multiplicity[x]) for x in candidates)
    result.worst_starts = worst_starts(space, candidates)
    start = space.start
    mean: Fraction = values[start] if start is not None else rational.weighted_mean(values, space.multiplicity)
    result.mean_exact = mean
    result.worst, result.mean = float(worst), float(mean)


def refuse_many_fractions(space: StateSpace) -> None:
    if space.size > MAX_RATIONAL:
        raise TooLarge(
            f"{space.size:,} configurations are too many for exact fractions (at most {MAX_RATIONAL:,}): "
            f"leave --rational out for a certified interval."
        )
