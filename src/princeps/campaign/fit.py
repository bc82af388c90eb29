"""How does it grow? Laws with one coefficient, fitted to the means by weighted least squares.

A law of growth is a statement about large n, so that at finite n no law fits exactly: lower-order terms remain. They
are taken for a second, systematic error of 1/sqrt(n) of the value, but no less than one per cent: small populations
say little about the law, however often they were run. (Without it P_RL's n^2, whose factor still rises by a tenth from
n = 64 to n = 256, would pass for n^2 log n.) Where even the best law misses by more than both errors together, all
intervals are widened by the factor of the misfit (Birge's ratio).

Intervals come from the bootstrap: trials are drawn again, with replacement, within each point, and the systematic
errors with them.

The law with the smallest misfit wins, unless the free power is clearly better. Whether a logarithm is in it is judged
apart: its exponent is left free in x^b (log x)^g, and all of g's interval must be nearer to the law's whole number than
to the next one. A law that misses by more than two errors, or is beaten by a free power, gets no such praise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log, sqrt
from typing import Any

import numpy as np

from princeps.campaign.results import Results
from princeps.campaign.sample import Sample
from princeps.campaign.series import Series, along, series_of, value_of
from princeps.errors import PrincepsError, RunError

CLEARLY = 10.0  # in sums of squares, that is in twice the logarithm of the likelihood
POOR = 2.0  # standard errors that even the best law misses by
FLOOR = 0.01  # of the systematic error
REPLICATES = 1000
RESAMPLED = 2000  # trials of a point; the mean of more is normal to all intents
ENDS = (2.5, 97.5)  # percentiles
# power of x, power of log x
LAWS = ((0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (1, 3), (2, 0), (2, 1), (3, 0))
Interval = tuple[float, float]


@dataclass(frozen=True)
class Law:
    """a x^power (log x)^logs."""

    power: float
    logs: int
    coefficient: float
    interval: Interval
    misfit: float  # root of the mean square, in standard errors
    support: float  # share of the bootstrap's replicates in which it is the best of the laws with one coefficient
    free: bool = False
    power_interval: Interval | None = None

    def text(self, x: str = "n") -> str:
        if self.free:
            return f"{x}^{self.power:.3g}"
        power = {0: "", 1: x}.get(int(self.power), f"{x}^{self.power:g}")
        logs = {0: "", 1: f"log {x}"}.get(self.logs, f"log^{self.logs} {x}")
        return " ".join(part for part in (power, logs) if part)

    def __call__(self, x: Any) -> Any:
        return self.coefficient * np.asarray(x, float) ** self.power * np.log(x) ** self.logs


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
    interval: Interval
    exponent: float  # of the free power
    exponent_interval: Interval
    log_exponent: float | None
    log_interval: Interval | None
    misfit: float
    rivals: list[dict[str, Any]]
    verdict: str
    best: Law

    def as_json(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "best"}


def fits(
    results: Results, *, measure: str | None = None, by: str = "n", smallest: float = 0, seed: int = 0
) -> list[Fit]:
    """A fit for every series that has at least three sizes; an error if there is none."""
    everything = along(series_of(results, measure), by)
    found, complaints = [], []
    for series in everything:
        try:
            found.append(fit_series(series, by, smallest, seed, everything))
        except PrincepsError as error:  # of a parameter that this protocol does not have, say
            complaints.append(str(error))
    if not found:
        raise RunError(complaints[0] if complaints else f"store {results.path!r} holds no trials: run a sweep first.")
    return found


def fit_series(series: Series, by: str = "n", smallest: float = 0, seed: int = 0, beside: Sequence[Series] = ()) -> Fit:
    label = series.label(beside)
    used = [(point, sample) for point, sample in zip(series.points, series.samples, strict=True) if point.n >= smallest]
    xs = np.array([value_of(by, point) for point, _ in used])
    if len(set(xs.tolist())) < 3:
        raise RunError(
            f"{label}: a law of growth needs at least 3 different values of {by}, and there are {len(set(xs.tolist()))}: "
            f"sweep more, like -n 1e2,1e3,1e4,1e5."
        )
    if xs.min() <= 1:
        raise RunError(f"{label}: {by} = {xs.min():g} is too small for a law of growth: leave it out with --from.")
    samples = [sample for _, sample in used]
    statistic = "mean" if all(sample.is_complete for sample in samples) else "median"
    values, errors = _estimates(samples, statistic, series, label)
    lower_order = np.array([max(FLOOR, 1 / sqrt(point.n)) for point, _ in used])
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
        if statistic == "mean" and 1 < sample.trials <= RESAMPLED:
            drawn = rng.integers(0, sample.trials, (REPLICATES, sample.trials))
            columns.append(sample.ended[drawn].mean(axis=1))
        else:
            columns.append(np.maximum(rng.normal(value, error, REPLICATES), value / 100))
    systematic = rng.normal(0, lower_order, (REPLICATES, len(samples)))
    return np.array(columns).T * np.exp(systematic)


def _report(series: Series, label: str, by: str, statistic: str, xs: Any, values: Any, errors: Any, again: Any) -> Fit:
    weights = 1 / errors**2
    logs, log_weights = np.log(xs), weights * values**2
    shapes = np.array([xs**power * logs**log_power for power, log_power in LAWS])
    coefficients, misfits = _one_coefficient(shapes, weights, values)
    again_coefficients, again_misfits = _one_coefficient(shapes, weights, again)
    support = np.bincount(again_misfits.argmin(axis=1), minlength=len(LAWS)) / REPLICATES
    freedom = len(xs) - 1

    powers, power_misfit = _log_linear([logs], log_weights, np.log(values))
    again_powers, _ = _log_linear([logs], log_weights, np.log(again))
    best = int(misfits.argmin())
    plainly_free = len(xs) > 3 and misfits[best] > power_misfit + CLEARLY  # no whole exponent comes near
    lack = float(power_misfit) / (freedom - 1) if plainly_free else float(misfits[best]) / freedom
    stretch = sqrt(max(1.0, lack))
    found = [
        Law(
            *LAWS[k],
            float(coefficients[k]),
            _interval(float(coefficients[k]), again_coefficients[:, k], stretch),
            sqrt(float(misfits[k]) / freedom),
            float(support[k]),
        )
        for k in range(len(LAWS))
    ]
    exponent = float(powers[1])
    free = Law(
        *(exponent, 0, float(np.exp(powers[0]))),
        _interval(float(np.exp(powers[0])), np.exp(again_powers[..., 0]), stretch),
        *(sqrt(float(power_misfit) / max(1, freedom - 1)), 0.0, True),
        _interval(exponent, again_powers[..., 1], stretch),
    )
    winner = free if plainly_free else found[best]
    log_exponent, log_interval = _log_factor(winner, logs, log_weights, values, again, stretch)
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
        law=winner.text(_x(by)),
        coefficient=winner.coefficient,
        interval=winner.interval,
        exponent=exponent,
        exponent_interval=free.power_interval or (-inf, inf),
        log_exponent=log_exponent,
        log_interval=log_interval,
        misfit=winner.misfit,
        rivals=[
            {
                "law": law.text(_x(by)) + (" (free power)" if law.free else ""),
                "coefficient": law.coefficient,
                "interval": law.interval,
                "misfit": law.misfit,
                "support": law.support,
            }
            for law in rivals
        ],
        verdict=_verdict(winner, found[best], free, by, log_interval),
        best=winner,
    )


def _one_coefficient(shapes: Any, weights: Any, values: Any) -> tuple[Any, Any]:
    """Coefficient and weighted sum of squares for each law (last axis), for each row of values."""
    coefficients = (values * weights) @ shapes.T / (shapes**2 @ weights)
    rest = values[..., None, :] - coefficients[..., None] * shapes
    return coefficients, (rest**2 * weights).sum(axis=-1)


def _log_linear(columns: Sequence[Any], weights: Any, values: Any) -> tuple[Any, Any]:
    """log y = c_0 + c_1 column_1 + ..., for each row of values; the coefficients, and the weighted sum of squares."""
    design = np.stack([np.ones_like(weights), *columns], axis=1)
    roots = np.sqrt(weights)
    solver = np.linalg.pinv(design * roots[:, None])
    found = (values * roots) @ solver.T
    rest = values - found @ design.T
    return found, (rest**2 * weights).sum(axis=-1)


def _log_factor(
    winner: Law, logs: Any, weights: Any, values: Any, again: Any, stretch: float
) -> tuple[float | None, Interval | None]:
    """The exponent of log x beside the winner's power of x."""
    if winner.free:
        return None, None
    column = [np.log(logs)]
    found, _ = _log_linear(column, weights, np.log(values) - winner.power * logs)
    many, _ = _log_linear(column, weights, np.log(again) - winner.power * logs)
    return float(found[1]), _interval(float(found[1]), many[..., 1], stretch)


def _interval(value: float, replicates: Any, stretch: float) -> Interval:
    low, high = np.percentile(replicates, ENDS)
    return value - stretch * max(0.0, value - float(low)), value + stretch * max(0.0, float(high) - value)


def _x(by: str) -> str:
    return by if by.isidentifier() else f"({by})"


def _verdict(winner: Law, nearest: Law, free: Law, by: str, log_interval: Interval | None) -> str:
    x = _x(by)
    half = (winner.interval[1] - winner.interval[0]) / 2
    number = f"{_rounded(winner.coefficient, half)} +- {_rounded(half, half)} of {winner.text(x)}"
    if log_interval is None:
        return f"{number}; no law with a whole exponent fits, the nearest is {nearest.text(x)}: try larger sizes"
    if winner.misfit > POOR:
        return f"{number}, the best of the laws, but it misses by {winner.misfit:.1f} errors: try larger sizes"
    low, high = log_interval
    known = f"the exponent of the logarithm is only known to be {low:.2g} to {high:.2g}"
    settled = winner.logs - 0.5 < low and high < winner.logs + 0.5
    if winner.logs == 0:  # lower-order terms of either sign are no logarithm
        settled = -0.5 < high < 0.5
    if not settled:
        open_question = winner.logs == 0 and high > 0.5
        return f"{number}; a log factor cannot be excluded ({known})" if open_question else f"{number}; {known}"
    if winner.logs and free.misfit < 0.75 * winner.misfit:
        return f"{number}; {free.text(x)} fits as well: try larger sizes"
    factor = "log factor" if winner.logs <= 1 else f"log^{winner.logs} factor"
    return f"{number}; {factor} {'supported' if winner.logs else 'not supported'}"


def _rounded(value: float, error: float) -> str:
    """As many digits as the error leaves, two of its own."""
    if error <= 0 or value == 0:
        return f"{value:.4g}"
    digits = int(np.floor(log(abs(value), 10))) - int(np.floor(log(error, 10))) + 2
    return f"{value:.{min(max(digits, 2), 8)}g}"
