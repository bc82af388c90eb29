"""Schedulers that an adversary governs: which one is meant, what is refused beside it, and the analysis of the fair one."""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction

import numpy as np

from princeps.analysis.arc_moves import arc_moves
from princeps.analysis.exploration import explore_all, explore_from_start
from princeps.analysis.fair_report import FairAdversary
from princeps.analysis.fairness import find_homes, path_between, round_trip, winning_starts
from princeps.analysis.lassos import Lasso, lasso_of
from princeps.analysis.noisy import refuse_fine_noise
from princeps.analysis.options import AnalysisOptions
from princeps.analysis.state_space import StateSpace
from princeps.analysis.targets import find_target
from princeps.errors import RunError, UnknownName
from princeps.model.limits import CONFIGURATIONS, read_limit
from princeps.model.options import ExactOptions, is_given, options_of
from princeps.model.run import Run
from princeps.model.starts import starting_states

UNIFORM, WEAKLY_FAIR, NOISY = "uniform", "weakly-fair", "noisy"
TAKEN_BY_NOISY = (
    *("scheduler", "target", "rational", "reduce", "automorphisms", "limit", "jobs", "past_target", "export", "check"),
)
TAKEN_BY_FAIR = ("scheduler", "target", "reduce", "limit", "jobs")


def read_adversary(text: str) -> Fraction | None:
    """The noise of a noisy adversary; None for the weakly fair one. Anything else is refused."""
    if text == WEAKLY_FAIR:
        return None
    kind, colon, given = text.partition(":")
    if kind != NOISY or not colon:
        raise UnknownName("scheduler", text, (UNIFORM, WEAKLY_FAIR, f"{NOISY}:EPS"))
    try:
        noise = Fraction(given.strip())
    except (ValueError, ZeroDivisionError):
        noise = Fraction(0)
    if not 0 < noise <= 1:
        raise RunError(
            f"--scheduler {text!r}: {given!r} is no share of uniform steps above 0 and up to 1: write it like noisy:0.1 or "
            f"noisy:1/3. With none of them the question is --scheduler weakly-fair."
        )
    return noise


def noise_of(options: AnalysisOptions) -> Fraction | None:
    """Of the noisy adversary that is asked for; None where the scheduler is uniform."""
    if options.scheduler in (None, UNIFORM):
        return None
    return read_adversary(str(options.scheduler))


def refuse_noisy(run: Run, options: AnalysisOptions) -> None:
    """What cannot be asked of a noisy adversary."""
    refuse_beside(options, TAKEN_BY_NOISY)
    if run.protocol.tosses:
        raise RunError(
            f"--scheduler {options.scheduler}: the rule of {run.protocol.name} tosses coins, which a noisy adversary is not "
            f"analysed with: take --scheduler weakly-fair."
        )
    noise = noise_of(options)
    if noise is not None:
        refuse_fine_noise(run.topology.arc_count, noise)


def refuse_beside(options: AnalysisOptions, taken: tuple[str, ...]) -> None:
    """An adversary has an answer of its own: what it does not say is refused."""
    given = (one for one in options_of(ExactOptions).values() if is_given(getattr(options, one.name), one))
    other = next((one for one in given if one.name not in taken), None)
    if other is not None:
        raise RunError(
            f"--scheduler {options.scheduler} has an answer of its own: leave {other.flag} out, or ask for it without."
        )


def fair_adversary(run: Run, start: str, options: AnalysisOptions) -> FairAdversary:
    """Can an adversary that schedules every arc infinitely often avoid the target for ever?"""
    began = time.perf_counter()
    refuse_beside(options, TAKEN_BY_FAIR)
    target = find_target(run.protocol, options.target)
    limit = None if options.limit is None else read_limit(options.limit, CONFIGURATIONS)
    progress, reduce = options.progress, options.reduce
    if start == "all":
        space = explore_all(run, [target], reduce, (), progress, limit, symmetric=False)
    else:
        most = limit or CONFIGURATIONS
        space = explore_from_start(run, [target], reduce, (), False, progress, most, symmetric=False)
    found = _found(space, start, target.name)
    return replace(found, seconds=time.perf_counter() - began)


def _found(space: StateSpace, start: str, target_name: str) -> FairAdversary:
    run, target = space.run, space.members(target_name)
    moves = arc_moves(space.configurations, target)
    homes = find_homes(moves, space.progress)
    winning = winning_starts(moves, homes)
    if space.start is not None:
        winning &= np.arange(space.size) == space.start
    lasso: Lasso | None = None
    example: int | None = None
    if winning.any():
        sizes = homes.sizes()
        smallest = np.flatnonzero(homes.component_of == int(sizes.argmin()))
        example = space.start if space.start is not None else int(smallest[0])
        if not run.protocol.tosses:
            stem = path_between(moves, example, homes.members)
            enters = example if not stem else moves.results_of(*stem[-1])[0]
            cycle = round_trip(moves, homes, enters)
            states = starting_states(run) if space.start is not None else space.configurations.states_of(example)
            lasso = lasso_of(run, moves, states, stem, cycle)
    shown = run.protocol.space.shown
    return FairAdversary(
        protocol=run.protocol.name,
        params=run.protocol.params,
        n=run.n,
        graph=run.topology.text,
        start=start,
        scheduler=WEAKLY_FAIR,
        target=target_name,
        configurations=space.original_size,
        reduced=space.size,
        target_size=space.original_count(target),
        adversary_wins=bool(winning.any()),
        certain=not run.protocol.tosses,
        winning=space.original_count(winning),
        outside=space.original_count(~target),
        listed_winning=int(winning.sum()),
        listed_outside=int((~target).sum()),
        homes=homes.count,
        home_leaders=tuple(np.unique(space.leaders[homes.members]).tolist()),
        winning_start=None if example is None else tuple(map(shown, space.configurations.states_of(example))),
        lasso=lasso,
        fields=run.protocol.space.names,
    )
