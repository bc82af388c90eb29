"""One number for a sample, and how well it is known."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from princeps.campaign.sample import Sample

MIN_TRIALS = 6  # trials that tell anything about a median at 95 %: 2 / 2^5 is more than 5 %


class StatisticEstimate(NamedTuple):
    """With its 95 % interval, as far as that is known.

    `at_least`: not even the value is known; it is larger than what is given here, up to which the trials went.
    """

    value: float
    low: float | None = None
    high: float | None = None
    reached: float | None = None  # where the upper end is unknown: it is larger than this
    at_least: bool = False

    @property
    def ends(self) -> list[float]:
        """All that must be seen in the figure."""
        return [end for end in (self.value, self.low, self.high, self.reached) if end is not None]


def estimate_statistic(sample: Sample, statistic: str) -> StatisticEstimate | None:
    """The mean, or Kaplan and Meier's median, which also trials that were cut off tell; None without trials."""
    if not sample.trials:
        return None
    if statistic == "mean":
        mean = sample.mean
        return None if mean is None else StatisticEstimate(mean, *(sample.interval or (None, None)))
    survival = sample.survival
    median = sample.quantile(0.5)
    if median is None:
        return StatisticEstimate(survival.last, at_least=True)
    if sample.trials < MIN_TRIALS:
        return StatisticEstimate(median)
    low, high = _crossing(survival, survival.low), _crossing(survival, survival.high)
    return StatisticEstimate(median, low, high, survival.last if high is None else None)


def _crossing(survival: Any, edge: Any) -> float | None:
    """When an edge of the band comes down to one half: an end of the median's interval (Brookmeyer and Crowley)."""
    below = np.flatnonzero(edge <= 0.5)
    return float(survival.times[below[0]]) if len(below) else None
