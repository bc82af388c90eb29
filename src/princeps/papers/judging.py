"""Verdicts from numbers: pure functions, each of which can return violated.

SIGNIFICANCE is the chance of calling a true claim violated, for each judgement; CONFIDENCE that of the intervals.
POWER is the probability with which the fault that a part names would have been called violated, or would at least
have kept it from being supported.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import ceil, inf, log, sqrt
from typing import Any

import numpy as np

from princeps.papers.verdicts import (
    DEMONSTRATED,
    HOLDS,
    INCONCLUSIVE,
    NOT_TESTABLE,
    PROVED,
    SUPPORTED,
    VIOLATED,
    Part,
)

SIGNIFICANCE = 1e-6
CONFIDENCE = "confidence 1 - 1e-6"
POWER = 0.99
Z = 4.753  # of the normal law at SIGNIFICANCE, one side
Z_POWER = 2.326


def number(value: float) -> str:
    """A number with four significant digits; very large and very small ones with an exponent."""
    if value == 0 or 1e-3 <= abs(value) < 1e6:
        return f"{value:,.4g}" if abs(value) < 1e4 else f"{value:,.0f}"
    return f"{value:.3g}"


# -- exhaustive --------------------------------------------------------------------------------------------------------


def exhaustive(
    breaches: int, cases: int, what: str, unit: str = "configurations", *, breach: str = "", **more: Any
) -> Part:
    """All cases of the sizes given were looked at."""
    if cases == 0:
        return Part(INCONCLUSIVE, f"{what}: there was no case to look at", 0, 0, f"0 {unit}", **more)
    if breaches:
        says = f"{what}: broken in {breaches:,} of {cases:,} {unit}" + (f", first by {breach}" if breach else "")
        return Part(VIOLATED, says, breaches, 0, f"{cases:,} {unit}", **more)
    return Part(PROVED, f"{what}: holds in all {cases:,} {unit}", 0, 0, f"{cases:,} {unit}", **more)


def demonstrated(part: Part, covers: str) -> Part:
    """A statement about all algorithms, which holds on those that were run: what is covered, and nothing beyond it."""
    if part.verdict not in HOLDS:
        return part
    return replace(part, verdict=DEMONSTRATED, says=f"{part.says}; shown on {covers}, not of all algorithms")


def watched(breaches: int, cases: int, steps: int, what: str, *, breach: str = "", least: int = 1, **more: Any) -> Part:
    """Asserted on every step; `cases` are the steps at which there was something to assert."""
    sample = f"{cases:,} cases in {steps:,} steps"
    if breaches:
        return Part(VIOLATED, f"{what}: broken {breaches:,} times, first by {breach}", breaches, 0, sample, **more)
    if cases < least:
        return Part(INCONCLUSIVE, f"{what}: only {cases:,} cases came up", 0, 0, sample, **more)
    rate = 1 - (1 - POWER) ** (1 / cases)
    power = f"a fault in more than 1 of {1 / rate:,.0f} cases would have been seen with probability {POWER}"
    return Part(SUPPORTED, f"{what}: never broken", 0, 0, sample, power, **more)


# -- probabilities -----------------------------------------------------------------------------------------------------


def limits(events: int, trials: int, significance: float = SIGNIFICANCE) -> tuple[float, float]:
    """Clopper and Pearson's, each side at this significance."""
    from scipy.special import betaincinv

    low = 0.0 if events == 0 else float(betaincinv(events, trials - events + 1, significance))
    high = 1.0 if events == trials else float(betaincinv(events + 1, trials - events, 1 - significance))
    return low, high


def probability_at_most(events: int, trials: int, bound: float, what: str, **more: Any) -> Part:
    """P(event) <= bound. A bound that no sample of this size can confirm is not testable here."""
    low, high = limits(events, trials)
    share = events / trials
    sample = f"{events:,} of {trials:,} trials, {CONFIDENCE}"
    seen = f"{what}: {events:,} of {trials:,}, that is {number(share)}"
    if low > bound:
        return Part(VIOLATED, f"{seen}, certainly more than {number(bound)}", share, bound, sample, **more)
    if high <= bound:
        power = _power_text(trials, bound, lambda probability: probability)
        return Part(
            SUPPORTED,
            f"{seen}, at most {number(high)} <= {number(bound)}",
            share,
            bound,
            sample,
            power,
            **more,
        )
    if limits(0, trials)[1] > bound:  # not even a sample without any event would do
        excludes = f"the sample excludes more than {number(limits(events, trials, 0.01)[1])} (99 %)"
        needed = ceil(log(1 / SIGNIFICANCE) / bound) if bound > 1e-300 else inf
        says = f"{seen}; to confirm {number(bound)} would take {number(needed)} trials; {excludes}"
        return Part(NOT_TESTABLE, says, share, bound, sample, **more)
    return Part(INCONCLUSIVE, f"{seen}, between {number(low)} and {number(high)}", share, bound, sample, **more)


def probability_at_least(events: int, trials: int, bound: float, what: str, **more: Any) -> Part:
    """P(event) >= bound."""
    low, high = limits(events, trials)
    share = events / trials
    sample = f"{events:,} of {trials:,} trials, {CONFIDENCE}"
    seen = f"{what}: {events:,} of {trials:,}, that is {number(share)}"
    if high < bound:
        return Part(VIOLATED, f"{seen}, certainly less than {number(bound)}", share, bound, sample, **more)
    if low >= bound:
        power = _power_text(trials, 1 - bound, lambda probability: 1 - probability)
        return Part(
            SUPPORTED,
            f"{seen}, at least {number(low)} >= {number(bound)}",
            share,
            bound,
            sample,
            power,
            **more,
        )
    if limits(trials, trials)[0] < bound:  # not even a sample without any failure would do
        excludes = f"the sample excludes less than {number(limits(events, trials, 0.01)[0])} (99 %)"
        return Part(
            NOT_TESTABLE,
            f"{seen}; to confirm {number(bound)} takes more; {excludes}",
            share,
            bound,
            sample,
            **more,
        )
    return Part(INCONCLUSIVE, f"{seen}, between {number(low)} and {number(high)}", share, bound, sample, **more)


def _power_text(trials: int, bound: float, shown: Callable[[float], float]) -> str:
    """Which probability above the bound would be called violated; in a small sample, would not have been supported."""
    from scipy.stats import binom

    violated = int(binom.isf(SIGNIFICANCE, trials, bound)) + 1  # the smallest number of events that is called violated
    if violated <= trials:
        detected = _smallest_detected(lambda p: binom.sf(violated - 1, trials, p) >= POWER, bound)
        return f"a probability of {number(shown(detected))} would be called violated with probability {POWER}"
    max_events = max(events for events in range(trials + 1) if limits(events, trials)[1] <= bound)
    detected = _smallest_detected(lambda p: binom.cdf(max_events, trials, p) <= 1 - POWER, bound)
    return f"a probability of {number(shown(detected))} would not have been supported, with probability {POWER}"


def _smallest_detected(enough: Callable[[float], bool], low: float) -> float:
    """The smallest probability for which it is enough."""
    high = 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def fair(events: int, trials: int, probability: float, margin: float, what: str, **more: Any) -> Part:
    """P(event) is exactly this; a deviation by the margin must be noticed."""
    low, high = limits(events, trials, SIGNIFICANCE / 2)
    share = events / trials
    sample = f"{events:,} of {trials:,} trials, {CONFIDENCE}"
    seen = f"{what}: {events:,} of {trials:,}, that is {share:.4f}"
    if not low <= probability <= high:
        return Part(VIOLATED, f"{seen}, certainly not {number(probability)}", share, probability, sample, **more)
    error = sqrt(probability * (1 - probability) / trials)
    if (Z + 0.15 + Z_POWER) * error > margin:
        return Part(INCONCLUSIVE, f"{seen}; too few to notice {number(margin)}", share, probability, sample, **more)
    power = f"{number(probability)} +- {number(margin)} would be called violated with probability {POWER} or more"
    return Part(SUPPORTED, f"{seen}, as {number(probability)} would give", share, probability, sample, power, **more)


# -- means -------------------------------------------------------------------------------------------------------------


def mean_of(values: Any) -> tuple[float, float]:
    """Mean and standard error."""
    array = np.asarray(values, float)
    return float(array.mean()), float(array.std(ddof=1) / sqrt(len(array))) if len(array) > 1 else inf


def mean_at_most(values: Any, bound: float, what: str, **more: Any) -> Part:
    """The expectation is at most the bound."""
    mean, error = mean_of(values)
    sample = f"{len(values):,} trials, {CONFIDENCE}"
    seen = f"{what}: mean {number(mean)} +- {number(error)}"
    if mean - Z * error > bound:
        return Part(VIOLATED, f"{seen}, certainly more than {number(bound)}", mean, bound, sample, **more)
    if mean + Z * error <= bound:
        detected = bound + (Z + Z_POWER) * error
        power = f"a mean of {number(detected)} would be called violated with probability {POWER}"
        says = f"{seen}, that is {number(mean / bound)} of the bound {number(bound)}"
        return Part(SUPPORTED, says, mean, bound, sample, power, **more)
    return Part(INCONCLUSIVE, f"{seen}, too near to {number(bound)}", mean, bound, sample, **more)


def mean_at_least(values: Any, bound: float, what: str, **more: Any) -> Part:
    """The expectation is at least the bound."""
    mean, error = mean_of(values)
    sample = f"{len(values):,} trials, {CONFIDENCE}"
    seen = f"{what}: mean {number(mean)} +- {number(error)}"
    if mean + Z * error < bound:
        return Part(VIOLATED, f"{seen}, certainly less than {number(bound)}", mean, bound, sample, **more)
    if mean - Z * error >= bound:
        detected = bound / (1 + (Z + Z_POWER) * error / mean)  # if its error is as large a share of it
        power = f"a mean of {number(detected)} would be called violated with probability {POWER}"
        says = f"{seen}, that is {number(mean / bound)} of the bound {number(bound)}"
        return Part(SUPPORTED, says, mean, bound, sample, power, **more)
    return Part(INCONCLUSIVE, f"{seen}, too near to {number(bound)}", mean, bound, sample, **more)


def mean_is(values: Any, expected: float, margin: float, what: str, **more: Any) -> Part:
    """The expectation is exactly this; a relative deviation by the margin must be noticed."""
    mean, error = mean_of(values)
    sample = f"{len(values):,} trials, {CONFIDENCE}"
    seen = f"{what}: mean {number(mean)} +- {number(error)}, expected {number(expected)}"
    if abs(mean - expected) > (Z + 0.15) * error:
        return Part(VIOLATED, f"{seen}: {(mean - expected) / error:+.1f} errors away", mean, expected, sample, **more)
    if (Z + 0.15 + Z_POWER) * error > margin * abs(expected):
        return Part(INCONCLUSIVE, f"{seen}; too few to notice {margin:.1%}", mean, expected, sample, **more)
    power = f"a mean {margin:.1%} away would be called violated with probability {POWER} or more"
    return Part(SUPPORTED, seen, mean, expected, sample, power, **more)
