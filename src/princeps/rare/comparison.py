"""The same estimator beside the exact rate, in the largest population for which that can be computed."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from princeps.analysis.exploration import explore_from_start
from princeps.analysis.holding import KINDS, until_lost
from princeps.analysis.survival import survival
from princeps.analysis.targets import find_target
from princeps.errors import TooLarge
from princeps.lowering.kernels import kernels_of
from princeps.model.losses import Loss
from princeps.model.reading import make_run
from princeps.model.run import Run
from princeps.rare.climbing import Climber
from princeps.rare.losses import losses_of
from princeps.rare.pilot import NoWayUp, levels_by_pilot
from princeps.rare.replica import one_replica
from princeps.rare.statistics import MIN_REPLICAS, Rate

MAX_CONFIGURATIONS = 20_000
MAX_WORK = 4_000_000_000
EFFORT = 500
MAX_ERRORS = 4.0  # standard errors between the estimate and the exact rate


@dataclass(frozen=True)
class Compared:
    """One level function at small n."""

    loss: str
    level: int
    exact: float  # the rate
    rate: Rate

    @property
    def deviation(self) -> float:
        """In standard errors."""
        return (self.rate.mean - self.exact) / self.rate.error if self.rate.error > 0 else 0.0

    @property
    def agrees(self) -> bool:
        return abs(self.deviation) <= MAX_ERRORS


@dataclass(frozen=True)
class Comparison:
    n: int
    params: dict[str, int]
    compared: tuple[Compared, ...]
    why_not: str = ""  # if there is none

    @property
    def agrees(self) -> bool:
        return all(one.agrees for one in self.compared)


def compare(run: Run, name: Any) -> Comparison:
    """`name`: the protocol as it was named."""
    losses = losses_of(run)
    given = next((dict(loss.at) for loss in losses.values() if loss.at), None)
    found = None
    if run.protocol.input_field is None and run.topology.text == "complete":
        found = _largest(run, name)
        if found is None and given is not None:
            n = given.pop("n")
            small = make_run(name, n, params={**run.protocol.params, **given}, seed=run.seed)
            rates = exact_rates(small, name)
            found = None if rates is None else (small, rates)
    if found is None:
        return Comparison(0, {}, (), "no population with these constants is small enough for an exact rate")
    small, rates = found
    compared = [
        Compared(loss, k, rates[losses[loss].kind], _estimated(small, losses[loss], loss, k))
        for loss in losses
        for k in range(len(losses[loss].levels))
        if rates[losses[loss].kind] > 0
    ]
    return Comparison(small.n, dict(small.protocol.params), tuple(compared))


def _largest(run: Run, name: Any) -> tuple[Run, dict[str, float]] | None:
    found = None
    for n in range(3, run.n + 1):
        small = make_run(name, n, params=run.protocol.params, seed=run.seed)
        rates = exact_rates(small, name)
        if rates is None:
            break
        found = small, rates
    return found


def _quiet(phase: str, done: int, total: int) -> None:
    """A comparison says nothing of its own costs, which are limited."""


def exact_rates(run: Run, name: Any) -> dict[str, float] | None:
    """Quasi-stationary rates by kind of loss; None if there are too many configurations, or nothing is rare."""
    try:
        started = make_run(name, run.n, params=run.protocol.params, start=_settled(run))
        leader = find_target(run.protocol, "leader")
        space = explore_from_start(started, [leader], progress=_quiet, limit=MAX_CONFIGURATIONS, ends=[(leader, False)])
    except (TooLarge, NoWayUp):
        return None
    until = until_lost(space)
    chosen = until.chosen
    present = [k for k in range(len(KINDS)) if until.losses[k][chosen].any()]
    found = survival(until.components, chosen, until.losses[present], space.progress, MAX_WORK)
    out = dict.fromkeys(KINDS, 0.0)
    for k, (low, high) in zip(present, found.rates(np.flatnonzero(chosen)), strict=True):
        if not high <= low * 1.001:
            return None
        out[KINDS[k]] = sqrt(low * high)
    return out


def _settled(run: Run) -> str:
    """Any configuration that keeps being reached, as a start."""
    loss = next(iter(losses_of(run).values()))
    climber = Climber(run, loss.levels[0], "comparison", 0)
    climber.settle()
    kernels = kernels_of(run.protocol)
    states = [kernels.unpack(climber.agents, agent) for agent in range(run.n)]
    return "states:" + ";".join(",".join(map(str, state)) for state in states)


def _estimated(run: Run, loss: Loss, name: str, level: int) -> Rate:
    try:
        levels = levels_by_pilot(run, loss.levels[level], loss.kind)
    except NoWayUp:
        return Rate((0.0,) * MIN_REPLICAS)
    stream = f"comparison {name} {level}"
    rates = [
        one_replica(run, loss.levels[level], loss.kind, levels, EFFORT, stream, k).rate for k in range(MIN_REPLICAS)
    ]
    return Rate(tuple(rates))
