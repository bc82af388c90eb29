"""What replicas say, and when they say nothing."""

from __future__ import annotations

from math import inf, isclose

import numpy as np
import pytest

from princeps.rare.report import HoldResult, LevelEstimate, ModeEstimate
from princeps.rare.statistics import (
    ESTIMATED,
    INCONCLUSIVE,
    INCONSISTENT,
    NO_ESTIMATE,
    Rate,
    agree,
    total,
)

NARROW = Rate(tuple(1e-9 * (1 + 0.01 * k) for k in range(20)))


def mode(*rates: Rate) -> ModeEstimate:
    return ModeEstimate("timeout", "created", tuple(LevelEstimate("a level", 5, rate) for rate in rates))


def result(*modes: ModeEstimate, others: int = 0) -> HoldResult:
    return HoldResult("timer", {"t_max": 9}, 5, 1, 1000, modes, None, others, 10, 0.1, "princeps hold timer")


def test_no_success_is_no_estimate_and_never_infinity() -> None:
    none = Rate((0.0,) * 20)
    assert none.verdict == NO_ESTIMATE
    found = result(mode(none, NARROW))
    assert (found.verdict, found.mean, found.interval) == (NO_ESTIMATE, None, None)
    assert found.as_json()["mean"] is None
    assert "no estimate" in repr(found)


def test_spread_replicas_are_inconclusive() -> None:
    assert Rate((1e-9,) * 19 + (8e-9,)).verdict == INCONCLUSIVE  # one lucky replica
    assert Rate((1e-9,) * 5).verdict == INCONCLUSIVE  # too few
    assert Rate(tuple(float(k % 3 == 0) for k in range(20))).verdict == INCONCLUSIVE  # the median is 0
    assert NARROW.verdict == ESTIMATED
    assert result(mode(NARROW, Rate((1e-9,) * 19 + (8e-9,)))).verdict == INCONCLUSIVE


def test_levels_that_disagree_are_inconsistent() -> None:
    other = Rate(tuple(3 * rate for rate in NARROW.replicas))
    assert not agree([NARROW, other])
    assert result(mode(NARROW, other)).verdict == INCONSISTENT
    assert result(mode(NARROW, NARROW)).verdict == ESTIMATED
    assert result(mode(NARROW, NARROW), others=1).verdict == INCONCLUSIVE


def test_rates_of_modes_are_added() -> None:
    mean, error, (low, high) = total([NARROW, NARROW])
    assert isclose(mean, 2 * NARROW.mean)
    assert isclose(error, 2**0.5 * NARROW.error)
    assert low < mean < high
    found = result(mode(NARROW, NARROW), mode(NARROW, NARROW))
    assert found.mean == pytest.approx(1 / mean)
    assert found.interval == pytest.approx((1 / high, 1 / low))


def test_an_interval_covers_as_often_as_it_says() -> None:
    """Of replicas that spread as those of splitting do, log-normally by 30 %: at least 90 in 100, and not all."""
    rng = np.random.default_rng(1)
    truth, hits, trials = float(np.exp(0.3**2 / 2)), 0, 2000
    for _ in range(trials):
        low, high = Rate(tuple(rng.lognormal(0.0, 0.3, 20).tolist())).interval
        hits += low <= truth <= high
    assert 0.92 < hits / trials < 0.97
    assert Rate((1.0,)).interval[1] == inf
