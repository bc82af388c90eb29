"""Laws of growth a x^p (log x)^q, and their coefficients by weighted least squares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from princeps.campaign.survival import Numbers

POOR = 2.0  # standard errors by which a law may miss the points
PERCENTILES = (2.5, 97.5)
ALTERNATIVE = 0.1  # of the bootstrap's replicates: a law that is the best in as many of them cannot be distinguished from the winner
# power of x, power of log x
LAWS = ((0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (1, 3), (2, 0), (2, 1), (3, 0))
FitInterval = tuple[float, float]


def laws_of(measure: str, by: str) -> tuple[tuple[int, int], ...]:
    """The candidates. Parallel time is steps divided by n: of the same trials both have the same law, but for that n."""
    shift = 1 if measure == "parallel_time" and by == "n" else 0
    return tuple((power - shift, logs) for power, logs in LAWS)


@dataclass(frozen=True)
class Law:
    """a x^power (log x)^logs."""

    power: float
    logs: int
    coefficient: float
    interval: FitInterval
    misfit: float  # root of the mean square, in standard errors
    support: float  # share of the bootstrap's replicates in which it is the best of the laws with one coefficient
    free: bool = False
    power_interval: FitInterval | None = None

    def text(self, x: str = "n") -> str:
        if self.free:
            return f"{x}^{self.power:.3g}"
        power = {0: "", 1: x}.get(int(self.power), f"{x}^{self.power:g}")
        logs = {0: "", 1: f"log {x}"}.get(self.logs, f"log^{self.logs} {x}")
        if self.power == -1:
            return f"{logs or 1} / {x}"
        return " ".join(part for part in (power, logs) if part) or "1"

    def with_coefficient(self, x: str) -> str:
        """Like `0.98 +- 0.03 of n^2`."""
        half = (self.interval[1] - self.interval[0]) / 2
        number = f"{_rounded(self.coefficient, half)} +- {_rounded(half, half)}"
        constant = self.power == 0 and self.logs == 0 and not self.free
        return f"{number}, constant in {x}" if constant else f"{number} of {self.text(x)}"

    def __call__(self, x: ArrayLike) -> Numbers:
        values: Numbers = self.coefficient * np.asarray(x, float) ** self.power * np.log(x) ** self.logs
        return values


def one_coefficient(shapes: Any, weights: Any, values: Any) -> tuple[Any, Any]:
    """Coefficient and weighted sum of squares for each law (last axis), for each row of values."""
    coefficients = (values * weights) @ shapes.T / (shapes**2 @ weights)
    rest = values[..., None, :] - coefficients[..., None] * shapes
    return coefficients, (rest**2 * weights).sum(axis=-1)


def log_linear(columns: Sequence[Any], weights: Any, values: Any) -> tuple[Any, Any]:
    """log y = c_0 + c_1 column_1 + ..., for each row of values; the coefficients, and the weighted sum of squares."""
    design = np.stack([np.ones_like(weights), *columns], axis=1)
    roots = np.sqrt(weights)
    solver = np.linalg.pinv(design * roots[:, None])
    found = (values * roots) @ solver.T
    rest = values - found @ design.T
    return found, (rest**2 * weights).sum(axis=-1)


def log_factor(
    winner: Law, logs: Any, weights: Any, values: Any, again: Any, widening: float
) -> tuple[float | None, FitInterval | None]:
    """The exponent of log x beside the winner's power of x."""
    if winner.free:
        return None, None
    column = [np.log(logs)]
    found, _ = log_linear(column, weights, np.log(values) - winner.power * logs)
    many, _ = log_linear(column, weights, np.log(again) - winner.power * logs)
    return float(found[1]), bootstrap_interval(float(found[1]), many[..., 1], widening)


def bootstrap_interval(value: float, replicates: Any, widening: float) -> FitInterval:
    low, high = np.percentile(replicates, PERCENTILES)
    return value - widening * max(0.0, value - float(low)), value + widening * max(0.0, float(high) - value)


def variable_text(by: str) -> str:
    return by if by.isidentifier() else f"({by})"


def alternatives_to(winner: Law, laws: Sequence[Law]) -> list[Law]:
    """The laws that these sizes cannot tell from the winner, the best first."""
    if winner.free:
        return []
    others = [law for law in laws if law is not winner and law.support >= ALTERNATIVE]
    return sorted(others, key=lambda law: -law.support)


def verdict_on(
    winner: Law, nearest: Law, free: Law, by: str, log_interval: FitInterval | None, alternatives: Sequence[Law] = ()
) -> str:
    x = variable_text(by)
    number = winner.with_coefficient(x)
    if alternatives:
        named = [law.with_coefficient(x) for law in alternatives[:2]] + ["others"] * (len(alternatives) > 2)
        others = " or ".join(named)
        number = f"{number}; these sizes cannot tell it from {others}"
    if log_interval is None:
        return f"{number}; no law with a whole exponent fits, the nearest is {nearest.text(x)}: try larger sizes"
    if winner.misfit > POOR:
        return f"{number}, the best of the laws, but it misses by {winner.misfit:.1f} errors: try larger sizes"
    low, high = log_interval
    known = f"the exponent of the logarithm is only known to be {low:.2g} to {high:.2g}"
    decided = winner.logs - 0.5 < low and high < winner.logs + 0.5
    if winner.logs == 0:  # lower-order terms of either sign are no logarithm
        decided = -0.5 < high < 0.5
    if not decided:
        open_question = winner.logs == 0 and high > 0.5
        return f"{number}; a log factor cannot be excluded ({known})" if open_question else f"{number}; {known}"
    if alternatives:
        return number
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
