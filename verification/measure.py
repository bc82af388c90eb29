"""Samples of runs, their means with standard errors, and a straight line through them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from princeps.campaign.tasks import DescribedTrials
from princeps.campaign.trials import run_trials
from princeps.model.description import describe
from princeps.model.result import Result

JOBS = 2
SEED = 20200303


@dataclass(frozen=True)
class Mean:
    """A mean over trials with its standard error."""

    trials: int
    value: float
    error: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Mean:
        array = np.asarray(values, dtype=float)
        return cls(len(array), float(array.mean()), float(array.std(ddof=1) / sqrt(len(array))))

    def over(self, unit: float) -> Mean:
        return Mean(self.trials, self.value / unit, self.error / unit)

    def rounded(self) -> Mean:
        """As the tables show it."""
        return Mean(self.trials, round(self.value, 3), round(self.error, 3))


@dataclass(frozen=True)
class Line:
    """Least squares, each mean weighted by its trials, with the standard error of the slope.

    Weights that come from the spread of the samples would favour means that came out small: the times are skewed.
    """

    slope: float
    error: float

    @classmethod
    def through(cls, places: Sequence[float], means: Sequence[Mean]) -> Line:
        x = np.asarray(places, dtype=float)
        y = np.array([mean.value for mean in means])
        errors = np.array([mean.error for mean in means])
        trials = np.array([mean.trials for mean in means], dtype=float)
        centred = trials * (x - np.average(x, weights=trials))
        share = centred / float((centred * x).sum())  # how much each mean contributes to the slope
        return cls(float((share * y).sum()), sqrt(float((share**2 * errors**2).sum())))

    @property
    def z(self) -> float:
        """The slope in standard errors."""
        return self.slope / self.error


def pooled(means: Sequence[Mean]) -> Mean:
    """One mean over all sizes, each weighted by its trials."""
    trials = sum(mean.trials for mean in means)
    value = sum(mean.trials * mean.value for mean in means) / trials
    return Mean(trials, value, sqrt(sum((mean.trials * mean.error) ** 2 for mean in means)) / trials)


def sample(name: str, n: int, trials: int, max_steps: int | None = None, **params: int) -> list[Result]:
    """Trials 0, 1, ... of one run, in this order: the seed determines them all."""
    described = DescribedTrials(describe(name, n=n, seed=SEED, max_steps=max_steps, params=params))
    results = sorted(run_trials(described, range(trials), jobs=JOBS), key=lambda result: result.trial)
    if max_steps is None and not all(result.converged for result in results):
        raise RuntimeError(f"{name} at n = {n}: a run without a limit ended before its goal.")
    return results
