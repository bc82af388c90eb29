"""Judges of evidence: every verdict can be given, a true claim is not called violated, and the power is what they say."""

from __future__ import annotations

import re
from math import log
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom, norm

from princeps.papers.answers import law_of
from princeps.papers.judging import (
    SIGNIFICANCE,
    Z_POWER,
    Z,
    demonstrated,
    exhaustive,
    fair,
    limits,
    mean_at_least,
    mean_at_most,
    mean_is,
    probability_at_least,
    probability_at_most,
    watched,
)
from princeps.papers.judging_growth import exponent_of_a_log, grows_at_least, grows_at_most
from princeps.papers.verdicts import (
    AS_PRINTED,
    DEMONSTRATED,
    INCONCLUSIVE,
    NOT_TESTABLE,
    PROVED,
    SUPPORTED,
    VIOLATED,
    Part,
    readings,
    together,
)
from tests.tables import in_one_test


def test_the_quantiles_are_those_of_the_significance_and_of_the_power() -> None:
    assert norm.sf(Z) == pytest.approx(SIGNIFICANCE, rel=0.01)
    assert norm.sf(Z_POWER) == pytest.approx(0.01, rel=0.01)


@in_one_test(("events", "trials"), [(0, 50), (3, 50), (50, 50), (17, 1000)])
def test_the_limits_of_a_probability_are_those_that_would_just_be_rejected(events: int, trials: int) -> None:
    low, high = limits(events, trials)
    if events:
        assert binom.sf(events - 1, trials, low) == pytest.approx(SIGNIFICANCE, rel=1e-6)
    if events < trials:
        assert binom.cdf(events, trials, high) == pytest.approx(SIGNIFICANCE, rel=1e-6)
    assert low <= events / trials <= high


@in_one_test(
    ("events", "trials", "bound", "verdict"),
    [
        (0, 1000, 0.05, SUPPORTED),
        (10, 10_000, 0.01, SUPPORTED),
        (200, 1000, 0.1, VIOLATED),
        (3, 1000, 1e-9, VIOLATED),
        (0, 1000, 1e-9, NOT_TESTABLE),
        (100, 1000, 0.1, INCONCLUSIVE),
    ],
)
def test_at_most(events: int, trials: int, bound: float, verdict: str) -> None:
    assert probability_at_most(events, trials, bound, "so").verdict == verdict
    assert probability_at_least(trials - events, trials, 1 - bound, "so").verdict == verdict


def test_what_a_sample_without_events_excludes() -> None:
    part = probability_at_most(0, 1000, 1e-9, "so")
    assert "excludes more than 0.004595 (99 %)" in part.says  # 1 - 0.01^(1/1000)


@pytest.mark.parametrize(("trials", "bound"), [(500, 0.1), (2000, 0.05)])
def test_the_power_against_a_larger_probability_is_what_it_says(trials: int, bound: float) -> None:
    part = probability_at_most(0, trials, bound, "so")
    found = re.search(r"a probability of (\S+) would", part.power)
    assert found is not None
    detected = float(found[1])
    rejected = sum(
        binom.pmf(events, trials, detected)
        for events in range(trials + 1)
        if binom.pmf(events, trials, detected) > 1e-12
        and probability_at_most(events, trials, bound, "so").verdict == VIOLATED
    )
    assert 0.985 < rejected < 0.999


@in_one_test(("events", "verdict"), [(5000, SUPPORTED), (5100, SUPPORTED), (5400, VIOLATED), (4600, VIOLATED)])
def test_fair(events: int, verdict: str) -> None:
    assert fair(events, 10_000, 0.5, 0.05, "so").verdict == verdict


def test_fair_wants_enough_trials() -> None:
    assert fair(50, 100, 0.5, 0.05, "so").verdict == INCONCLUSIVE


def test_means() -> None:
    values = np.random.default_rng(1).exponential(10, 4000)
    assert mean_at_most(values, 12, "so").verdict == SUPPORTED
    assert mean_at_most(values, 10, "so").verdict == INCONCLUSIVE
    assert mean_at_most(values, 9, "so").verdict == VIOLATED
    assert mean_is(values, 10, 0.15, "so").verdict == SUPPORTED
    assert mean_is(values, 10, 0.01, "so").verdict == INCONCLUSIVE
    assert mean_is(values, 11, 0.15, "so").verdict == VIOLATED
    assert mean_is(values, 9, 0.15, "so").verdict == VIOLATED


def test_a_true_mean_is_hardly_ever_called_violated_and_a_wrong_one_nearly_always() -> None:
    rng = np.random.default_rng(2)
    samples = rng.normal(100, 10, (2000, 400))
    assert not any(mean_is(values, 100, 0.04, "so").verdict == VIOLATED for values in samples)
    wrong = [mean_is(values, 104, 0.04, "so").verdict for values in samples]
    assert wrong.count(VIOLATED) >= 0.99 * len(wrong)


def grown(power: float, logs: float, noise: float = 0.02, sizes: tuple[int, ...] = (256, 1024, 4096, 16384)) -> Any:
    rng = np.random.default_rng(3)
    samples = [rng.normal(1, noise, 200) * n**power * log(n) ** logs for n in sizes]
    return law_of(sizes, samples)


@pytest.mark.parametrize(
    ("true", "claimed", "verdict"),
    [
        ((2, 0), (2, 0), SUPPORTED),
        ((2, 0), (3, 0), SUPPORTED),
        ((2, 1), (2, 0), VIOLATED),
        ((2, 0), (1, 1), VIOLATED),
        ((0, 1), (0, 1), SUPPORTED),
        ((0, 2), (0, 1), VIOLATED),
        ((1, 3), (1, 3), SUPPORTED),
        ((1, 3), (1, 2), VIOLATED),
        ((1, 1), (1, 2), SUPPORTED),
    ],
)
def test_growth(true: tuple[float, int], claimed: tuple[float, int], verdict: str) -> None:
    assert grows_at_most(grown(*true), *claimed, "so").verdict == verdict


def test_growth_over_a_narrow_range_is_not_decided() -> None:
    fit = grown(2, 0, noise=0.5, sizes=(16, 20, 24, 28))
    assert grows_at_most(fit, 2, 0, "so").verdict == INCONCLUSIVE


@pytest.mark.parametrize(("claimed", "verdict"), [((2, 0), SUPPORTED), ((1, 1), SUPPORTED), ((2, 1), VIOLATED)])
def test_growth_from_below(claimed: tuple[float, int], verdict: str) -> None:
    assert grows_at_least(grown(2, 0), *claimed, "so").verdict == verdict


def test_a_logarithm_is_worth_a_slope() -> None:
    fit = grown(0, 1)
    assert exponent_of_a_log(fit) == pytest.approx(fit.exponent, abs=0.01)


def test_exhaustive_and_watched() -> None:
    assert exhaustive(0, 10, "so").verdict == PROVED
    assert exhaustive(1, 10, "so").verdict == VIOLATED
    assert exhaustive(0, 0, "so").verdict == INCONCLUSIVE  # nothing was looked at
    assert watched(0, 10, 100, "so").verdict == SUPPORTED
    assert watched(2, 10, 100, "so", breach="this").verdict == VIOLATED
    assert watched(0, 5, 100, "so", least=10).verdict == INCONCLUSIVE


# -- parts and readings ------------------------------------------------------------------------------------------------


def part(verdict: str) -> Part:
    return Part(verdict, verdict)


@in_one_test(
    ("verdicts", "whole"),
    [
        ((PROVED, PROVED), PROVED),
        ((PROVED, SUPPORTED), SUPPORTED),
        ((SUPPORTED, NOT_TESTABLE), NOT_TESTABLE),
        ((NOT_TESTABLE, INCONCLUSIVE), INCONCLUSIVE),
        ((VIOLATED, PROVED), VIOLATED),
    ],
)
def test_a_claim_holds_no_better_than_its_weakest_part(verdicts: tuple[str, ...], whole: str) -> None:
    outcome = together([part(verdict) for verdict in verdicts])
    assert outcome.verdict == whole
    assert outcome.main.verdict == whole


@in_one_test(
    ("printed", "repaired", "verdict"),
    [
        (VIOLATED, SUPPORTED, AS_PRINTED),
        (VIOLATED, PROVED, AS_PRINTED),
        (VIOLATED, VIOLATED, VIOLATED),
        (SUPPORTED, SUPPORTED, SUPPORTED),
        (INCONCLUSIVE, SUPPORTED, SUPPORTED),
        (VIOLATED, INCONCLUSIVE, INCONCLUSIVE),
    ],
)
def test_two_readings(printed: str, repaired: str, verdict: str) -> None:
    outcome = readings([part(printed)], [part(repaired)])
    assert outcome.verdict == verdict
    assert [one.says for one in outcome.parts] == [f"repaired: {repaired}", f"as printed: {printed}"]


def test_what_holds_of_some_algorithms_is_demonstrated_and_what_fails_on_one_is_refuted() -> None:
    part = demonstrated(exhaustive(0, 5, "it is so", "rings"), "a_k, n <= 3")
    assert part.verdict == DEMONSTRATED
    assert part.says.endswith("shown on a_k, n <= 3, not of all algorithms")
    assert demonstrated(exhaustive(1, 5, "it is so", "rings"), "a_k").verdict == VIOLATED
    assert together([part, exhaustive(0, 1, "a proof", "ring")]).verdict == DEMONSTRATED


def test_a_mean_is_held_to_a_bound_from_below() -> None:
    values = np.tile([90.0, 110.0], 50)
    assert mean_at_least(values, 80, "it").verdict == SUPPORTED
    assert mean_at_least(values, 99, "it").verdict == INCONCLUSIVE
    assert mean_at_least(values, 120, "it").verdict == VIOLATED
