"""What independent replicas say about a rate, and when they say nothing."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt
from statistics import fmean, median, stdev

from scipy.stats import t

ESTIMATED, NO_ESTIMATE, INCONCLUSIVE, INCONSISTENT = "estimated", "no estimate", "inconclusive", "inconsistent"
CONFIDENCE = 0.95
MAX_RATIO = 5.0  # of the largest replica to the median: one lucky trial decides the mean
MAX_ERROR = 0.3  # relative standard error
MIN_REPLICAS = 20

Interval = tuple[float, float]


@dataclass(frozen=True)
class Rate:
    """The mean of replicas, each an unbiased estimate of the same rate."""

    replicas: tuple[float, ...]

    @property
    def mean(self) -> float:
        return fmean(self.replicas) if self.replicas else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return stdev(self.replicas) / sqrt(len(self.replicas)) if len(self.replicas) > 1 else inf

    @property
    def relative_error(self) -> float:
        return self.error / self.mean if self.mean > 0 else inf

    @property
    def interval(self) -> Interval:
        """Of the rate, by Student's t; not below 0."""
        half = self.error * quantile(len(self.replicas) - 1)
        return max(0.0, self.mean - half), self.mean + half

    @property
    def spread(self) -> tuple[float, float, float]:
        """The smallest, the median and the largest replica."""
        return min(self.replicas), median(self.replicas), max(self.replicas)

    @property
    def verdict(self) -> str:
        if not any(self.replicas):
            return NO_ESTIMATE
        _, middle, largest = self.spread
        if len(self.replicas) < MIN_REPLICAS or self.relative_error > MAX_ERROR or largest > MAX_RATIO * middle:
            return INCONCLUSIVE
        return ESTIMATED


def quantile(freedom: int) -> float:
    """By how many standard errors a two-sided interval extends."""
    return float(t.ppf((1 + CONFIDENCE) / 2, freedom)) if freedom > 0 else inf


def agree(rates: list[Rate]) -> bool:
    """All intervals overlap."""
    return max(rate.interval[0] for rate in rates) <= min(rate.interval[1] for rate in rates)


def total(rates: list[Rate]) -> tuple[float, float, Interval]:
    """The sum of independent rates, its standard error and its interval."""
    mean, error = sum(rate.mean for rate in rates), sqrt(sum(rate.error**2 for rate in rates))
    half = error * quantile(min(len(rate.replicas) for rate in rates) - 1)
    return mean, error, (max(0.0, mean - half), mean + half)
