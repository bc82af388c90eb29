"""Kaplan and Meier's estimate of a survival function from values of which some are only known to be larger."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.float64]

NORMAL = 1.959963984540054  # standard errors to either side at 95 %


@dataclass(frozen=True)
class Survival:
    """After `times[k]` a share `share[k]` is still going on, with its 95 % band; before the first time it is 1."""

    times: Numbers
    share: Numbers
    low: Numbers
    high: Numbers
    last: float  # the largest value seen, of whatever kind; beyond it nothing is known

    def quantile(self, q: float) -> float | None:
        """The first time at which the share is at most 1 - q; None if the trials were cut off before."""
        reached = np.flatnonzero(self.share <= 1 - q + 1e-12)
        return float(self.times[reached[0]]) if len(reached) else None

    @property
    def restricted_mean(self) -> float:
        """The mean of the smaller of the value and `last`: a lower bound of the mean."""
        edges = np.concatenate([[0.0], self.times, [self.last]])
        heights = np.concatenate([[1.0], self.share])
        return float(np.sum(heights * np.diff(edges)))


def kaplan_meier(ended: Any, cut: Any) -> Survival:
    """At equal times those that end come before those that are cut off."""
    times, deaths = np.unique(np.asarray(ended, float), return_counts=True)
    everything = np.sort(np.concatenate([np.asarray(ended, float), np.asarray(cut, float)]))
    at_risk = len(everything) - np.searchsorted(everything, times, side="left")
    share = np.cumprod(1 - deaths / np.maximum(at_risk, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        greenwood = np.cumsum(deaths / (at_risk * (at_risk - deaths)))
        # The band of log(-log S), which stays between 0 and 1.
        width = NORMAL * np.sqrt(greenwood) / np.abs(np.log(share))
        low, high = share ** np.exp(width), share ** np.exp(-width)
    inside = (share > 0) & (share < 1)
    finite = everything[everything < inf]
    return Survival(
        times,
        share.astype(float),
        np.where(inside, low, share),
        np.where(inside, high, share),
        float(finite[-1]) if len(finite) else 0.0,
    )
