"""What is known of a point so far, as sums: tallies of different machines, days and batches add up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, sqrt

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Tally:
    """Exact sums of whole numbers, so that the order in which they are added does not matter."""

    trials: int = 0
    censored: int = 0  # cut off by the step limit: the true value is at least the one counted here
    never: int = 0  # nothing could change any more, and the goal was not met: the true value is infinite
    total: int = 0
    squares: int = 0
    seconds: float = 0.0

    @classmethod
    def of(cls, values: Iterable[int]) -> Tally:
        found = list(values)
        return cls(trials=len(found), total=sum(found), squares=sum(value * value for value in found))

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.trials + other.trials,
            self.censored + other.censored,
            self.never + other.never,
            self.total + other.total,
            self.squares + other.squares,
            self.seconds + other.seconds,
        )

    @property
    def is_complete(self) -> bool:
        """Every trial has a value of its own."""
        return not self.censored and not self.never

    @property
    def mean(self) -> float | None:
        """With censored trials it is a lower bound, and infinite if some trial never ends."""
        if not self.trials:
            return None
        return inf if self.never else self.total / self.trials

    @property
    def sd(self) -> float | None:
        """Of complete trials only."""
        if self.trials < 2 or not self.is_complete:
            return None
        return sqrt(max(0, self.squares * self.trials - self.total**2) / (self.trials * (self.trials - 1)))

    @property
    def interval(self) -> tuple[float, float] | None:
        """Of the mean, at 95 %, by Student's law."""
        return interval_of(self.mean, self.sd, self.trials)

    @property
    def precision(self) -> float:
        """Half the interval beside the mean; infinite where there is none."""
        interval = self.interval
        if interval is None:
            return inf
        half = (interval[1] - interval[0]) / 2
        return half / abs(self.mean) if self.mean else 0.0 if half == 0 else inf


def interval_of(mean: float | None, sd: float | None, trials: int) -> tuple[float, float] | None:
    if mean is None or sd is None:
        return None
    half = student(trials - 1) * sd / sqrt(trials)
    return mean - half, mean + half


def student(freedom: int) -> float:
    """How many standard errors reach to either side at 95 %."""
    from scipy.special import stdtrit  # a fifth of a second, paid when the first interval is asked for

    return float(stdtrit(freedom, (1 + CONFIDENCE) / 2))
