"""How a measure grows with n: laws with one coefficient, fitted to the means by weighted least squares.

A law of growth is a statement about large n, so that at finite n no law fits exactly: lower-order terms remain. They
are modelled as a second, systematic error of 1/sqrt(n) of the value, at least one per cent: small populations say
little about the law, however often they were run. (Without it P_RL's n^2, whose factor still rises by a tenth from
n = 64 to n = 256, would be taken for n^2 log n.) Where even the best law misses by more than both errors together, all
intervals are widened by the factor of the misfit (Birge's ratio).

Intervals come from the bootstrap: trials are drawn again, with replacement, within each point, and the systematic
errors with them.

Steps and parallel time are one question: the laws of parallel time in n are those of steps divided by n, so that the
answers correspond. The law with the smallest misfit is chosen, unless the free power is clearly better; one that is the
best in a tenth of the bootstrap's replicates is named beside it, as one that cannot be told from it. Whether it contains a logarithm is
judged separately: its exponent is left free in x^b (log x)^g, and all of g's interval must be nearer to the law's whole
number than to the next one. Of a law that misses by more than two errors, or fits worse than a free power, this is not
said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import Any, TypedDict

import numpy as np

from princeps.campaign.law import (
    FitInterval,
    Law,
    alternatives_to,
    bootstrap_interval,
    laws_of,
    log_factor,
    log_linear,
    one_coefficient,
    variable_text,
    verdict_on,
)
from princeps.campaign.results import Results
from princeps.campaign.sample import Sample
from princeps.campaign.series import Series, along, series_of, value_of
from princeps.errors import PrincepsError, RunError
from princeps.model.machine import say
from princeps.wording import either

CLEARLY_BETTER = 10.0  # in sums of squares, that is in twice the logarithm of the likelihood
SMALLEST_SYSTEMATIC_ERROR = 0.01
REPLICATES = 1000
MAX_TOLD = 5  # series that are left out, with the reason
LARGEST_X = 1e60  # its third power, and that times a value, are still numbers
LARGEST_LOGARITHM = 700.0  # of a coefficient that is a number
MAX_RESAMPLED = 2000  # trials of a point; the mean of more is nearly normal


class Rival(TypedDict):
    """Another law, with what speaks for it."""

    law: str
    coefficient: float
    interval: FitInterval
    misfit: float
    support: float  # the share of the bootstrap's replicates in which it is the best


@dataclass(frozen=True)
class Fit:
    """Its attributes are the keys of `fit --json`."""

    protocol: str
    series: str
    measure: str
    statistic: str  # mean; median where trials were cut off
    by: str
    sizes: list[float]
    values: list[float]
    errors: list[float]  # of the values, as shares of them, the systematic ones included
    law: str
    coefficient: float
    interval: FitInterval
    exponent: float  # of the free power
    exponent_interval: FitInterval
    log_exponent: float | None
    log_interval: FitInterval | None
    misfit: float
    rivals: list[Rival]
    verdict: str
    alternatives: list[str]  # laws that these sizes cannot tell from it
    best: Law

    def __repr__(self) -> str:
        what = (
            self.measure.replace("_", " ") if self.statistic == "mean" else f"median {self.measure.replace('_', ' ')}"
        )
        return f"{self.series}, {what} against {self.by}: {self.verdict}"

    def as_json(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "best"}


def fits(
    results: Results, *, measure: str | None = None, by: str = "n", smallest: float = 0, seed: int = 0
) -> list[Fit]:
    """A fit for every series that has at least three sizes; an error if there is none."""
    everything = along(series_of(results, measure), by)
    found, refusals = [], []
    for series in everything:
        try:
            found.append(fit_series(series, by, smallest, seed, everything))
        except PrincepsError as error:  # of a parameter that this protocol does not have, say
            refusals.append(str(error))
    if not found:
        raise RunError(refusals[0] if refusals else f"store {results.path!r} holds no trials: run a sweep first.")
    for sentence in refusals[:MAX_TOLD]:
        say(f"left out: {sentence}")
    if len(refusals) > MAX_TOLD:
        say(f"left out: {len(refusals) - MAX_TOLD} more series.")
    return found


def fit_series(series: Series, by: str = "n", smallest: float = 0, seed: int = 0, beside: Sequence[Series] = ()) -> Fit:
    label = series.label(beside)
    used = [(point, sample) for point, sample in zip(series.points, series.samples, strict=True) if point.n >= smallest]
    xs = np.array([value_of(by, point) for point, _ in used])
    if len(set(xs.tolist())) < 3:
        raise RunError(
            f"{label}: a law of growth needs at least 3 different values of {by}, and there are {len(set(xs.tolist()))}: "
            f"sweep more, like {either('-n 1e2,1e3,1e4,1e5', 'n=[100, 1000, 10_000, 100_000]')}."
        )
    if xs.min() <= 1:
        raise RunError(f"{label}: {by} = {xs.min():g} is too small for a law of growth: leave it out with --from.")
    if xs.max() > LARGEST_X:
        raise RunError(f"{label}: the formula reaches {xs.max():.3g}: choose one that stays below {LARGEST_X:g}.")
    samples = [sample for _, sample in used]
    statistic = "mean" if all(sample.is_complete for sample in samples) else "median"
    values, errors = _estimates(samples, statistic, series, label)
    lower_order = np.array([max(SMALLEST_SYSTEMATIC_ERROR, 1 / sqrt(point.n)) for point, _ in used])
    again = _replicates(samples, values, errors, lower_order, statistic, seed)
    return _report(series, label, by, statistic, xs, values, np.hypot(errors, lower_order * values), again)


def _estimates(samples: Sequence[Sample], statistic: str, series: Series, label: str) -> tuple[Any, Any]:
    """What is fitted, and its standard errors."""
    values, errors = [], []
    for point, sample in zip(series.points[-len(samples) :], samples, strict=True):
        value = sample.mean if statistic == "mean" else sample.quantile(0.5)
        if value is None:
            raise RunError(
                f"{label}, n = {point.n}: {len(sample.cut) + sample.never} of {sample.trials} trials did not end, so that "
                f"neither mean nor median is known: raise --max-steps and sweep again."
            )
        if value <= 0:
            raise RunError(f"{label}, n = {point.n}: its {statistic} is 0, which no law of growth fits: use --from.")
        if sample.trials < 2:
            raise RunError(f"{label}, n = {point.n}: one trial has no error to weigh it by: sweep with more --trials.")
        low, high = sample.quantile(0.16), sample.quantile(0.84)
        sd = sample.sd if sample.sd is not None else ((high or 2 * value - (low or 0)) - (low or 0)) / 2
        values.append(value)
        errors.append((1.0 if statistic == "mean" else 1.2533) * sd / sqrt(sample.trials))
    return np.array(values), np.array(errors)


def _replicates(
    samples: Sequence[Sample], values: Any, errors: Any, lower_order: Any, statistic: str, seed: int
) -> Any:
    """The same estimates from trials drawn again: a row for each replicate."""
    rng = np.random.default_rng(seed)
    columns = []
    for sample, value, error in zip(samples, values, errors, strict=True):
        if statistic == "mean" and 1 < sample.trials <= MAX_RESAMPLED:
            drawn = rng.integers(0, sample.trials, (REPLICATES, sample.trials))
            columns.append(sample.ended[drawn].mean(axis=1))
        else:
            columns.append(np.maximum(rng.normal(value, error, REPLICATES), value / 100))
    systematic = rng.normal(0, lower_order, (REPLICATES, len(samples)))
    return np.array(columns).T * np.exp(systematic)


def _report(series: Series, label: str, by: str, statistic: str, xs: Any, values: Any, errors: Any, again: Any) -> Fit:
    weights = 1 / errors**2
    logs, log_weights = np.log(xs), weights * values**2
    laws = laws_of(series.measure, by)
    shapes = np.array([xs**power * logs**log_power for power, log_power in laws])
    coefficients, misfits = one_coefficient(shapes, weights, values)
    again_coefficients, again_misfits = one_coefficient(shapes, weights, again)
    support = np.bincount(again_misfits.argmin(axis=1), minlength=len(laws)) / REPLICATES
    freedom = len(xs) - 1

    powers, power_misfit = log_linear([logs], log_weights, np.log(values))
    again_powers, _ = log_linear([logs], log_weights, np.log(again))
    if not all(abs(given).max() < LARGEST_LOGARITHM for given in (powers, again_powers)):
        raise RunError(
            f"{label}: {by} goes only from {xs.min():.6g} to {xs.max():.6g}, too little for a law of growth: "
            f"choose a --by that grows, or larger sizes."
        )
    best = int(misfits.argmin())
    free_is_better = len(xs) > 3 and misfits[best] > power_misfit + CLEARLY_BETTER  # no whole exponent comes near
    lack = float(power_misfit) / (freedom - 1) if free_is_better else float(misfits[best]) / freedom
    widening = sqrt(max(1.0, lack))
    found = [
        Law(
            *laws[k],
            float(coefficients[k]),
            bootstrap_interval(float(coefficients[k]), again_coefficients[:, k], widening),
            sqrt(float(misfits[k]) / freedom),
            float(support[k]),
        )
        for k in range(len(laws))
    ]
    exponent = float(powers[1])
    free = Law(
        *(exponent, 0, float(np.exp(powers[0]))),
        bootstrap_interval(float(np.exp(powers[0])), np.exp(again_powers[..., 0]), widening),
        *(sqrt(float(power_misfit) / max(1, freedom - 1)), 0.0, True),
        bootstrap_interval(exponent, again_powers[..., 1], widening),
    )
    winner = free if free_is_better else found[best]
    log_exponent, log_interval = log_factor(winner, logs, log_weights, values, again, widening)
    alternatives = alternatives_to(winner, found)
    rivals = sorted((law for law in [*found, free] if law is not winner), key=lambda law: law.misfit)
    return Fit(
        protocol=series.protocol,
        series=label,
        measure=series.measure,
        statistic=statistic,
        by=by,
        sizes=xs.tolist(),
        values=values.tolist(),
        errors=(errors / values).tolist(),
        law=winner.text(variable_text(by)),
        coefficient=winner.coefficient,
        interval=winner.interval,
        exponent=exponent,
        exponent_interval=free.power_interval or (-inf, inf),
        log_exponent=log_exponent,
        log_interval=log_interval,
        misfit=winner.misfit,
        rivals=[
            {
                "law": law.text(variable_text(by)) + (" (free power)" if law.free else ""),
                "coefficient": law.coefficient,
                "interval": law.interval,
                "misfit": law.misfit,
                "support": law.support,
            }
            for law in rivals
        ],
        verdict=verdict_on(winner, found[best], free, by, log_interval, alternatives),
        alternatives=[law.text(variable_text(by)) for law in alternatives],
        best=winner,
    )
