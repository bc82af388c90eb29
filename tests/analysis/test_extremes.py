"""Very long times, very many configurations, quantiles met exactly: where floating point is at its end."""

from __future__ import annotations

from fractions import Fraction
from math import inf

import numpy as np
import pytest

import princeps
from princeps.analysis.analysis import analyse, prepare
from princeps.analysis.options import AnalysisOptions
from princeps.model import (
    Agent,
    Bit,
    Blocks,
    Closed,
    Config,
    Counted,
    Counts,
    Params,
    PopulationProtocol,
    Range,
    Uniform,
)


def half(n: int, p: Params) -> list[tuple[int, dict[str, int]]]:
    """half of them lead"""
    return [(n // 2, {"leader": 1}), (n - n // 2, {})]


def few(c: Counts, p: Params) -> int:
    return c.leaders <= 1


def differ(u: Config, n: int, p: Params) -> int:
    return u[0].s != u[1].s


class Ehrenfest(PopulationProtocol):
    """Equals change one of them: the number of leaders is drawn to the middle, and the ends take for ever."""

    topology = "complete"
    leader = Bit()
    starts = {"initial": Blocks(half)}
    goals = {"few": Counted(few)}
    default_goal = "few"

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.leader == b.leader:
            a.leader = 1 - a.leader


class Tenths(PopulationProtocol):
    """Of two agents with ten states each, 90 of 100 configurations differ."""

    topology = "complete"
    guarantee = "loosely-stabilizing"
    s = Range(10)
    starts = {"random": Uniform()}
    goals = {"differ": Closed(differ)}

    @staticmethod
    def is_leader(a: Agent, p: Params) -> int:
        return a.s == 0

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.s == b.s:
            a.s = (a.s + 1) % 10


class Quiet(PopulationProtocol):
    """Two followers make a leader."""

    topology = "complete"
    guarantee = "loosely-stabilizing"
    leader = Bit()
    starts = {"random": Uniform()}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.leader == 0 and b.leader == 0:
            a.leader = 1


def ehrenfest_time(n: int) -> list[Fraction]:
    """Expected steps from k leaders down to 1, by the recursion of a birth and death chain."""
    down = [Fraction(k * (k - 1), n * (n - 1)) for k in range(n + 1)]
    up = [Fraction((n - k) * (n - k - 1), n * (n - 1)) for k in range(n + 1)]
    fall = [Fraction(0)] * (n + 2)  # from k to k - 1
    for k in range(n, 1, -1):
        fall[k] = (1 + up[k] * (fall[k + 1] if k < n else 0)) / down[k]
    times = [Fraction(0), Fraction(0)]
    for k in range(2, n + 1):
        times.append(times[-1] + fall[k])
    return times


@pytest.mark.parametrize("n", [12, 20, 30])
def test_long_times_are_right_to_the_last_places_and_certified(n: int) -> None:
    truth = ehrenfest_time(n)
    found = princeps.exact(Ehrenfest, n)
    assert found.mean == pytest.approx(float(truth[n // 2]), rel=1e-12)
    assert found.worst == pytest.approx(float(truth[n - 1]), rel=1e-12)  # the last follower can never become a leader
    low, high = found.mean_interval
    assert Fraction(low) <= truth[n // 2] <= Fraction(high)


def test_the_worst_start_comes_first_even_where_intervals_overlap() -> None:
    n = 24
    run, start = prepare(Ehrenfest, n)
    _, problem = analyse(run, start, None, AnalysisOptions())
    leaders = problem.space.leaders[problem.worst_states]
    assert len(leaders) > 1
    assert leaders[0] == n - 1
    result, problem = analyse(run, start, None, AnalysisOptions(rational=True))
    assert [sum(state[0] for state in one.states) for one in result.worst_starts] == [n - 1]
    assert result.worst_exact == ehrenfest_time(n)[n - 1]
    assert result.worst_count == n


def test_variance_of_long_times_is_not_bent_by_a_wide_certificate() -> None:
    """A time that is nearly geometric has a standard deviation like its mean."""
    found = princeps.exact(Ehrenfest, 30, variance=True)
    assert found.variance == pytest.approx(found.mean**2, rel=1e-3)
    low, high = found.variance_interval
    assert low <= found.variance <= high


def test_beyond_double_precision_nothing_is_certified_and_nothing_hangs() -> None:
    found = princeps.exact(Ehrenfest, 44, variance=True)
    assert found.mean_interval[0] <= float(ehrenfest_time(44)[22]) <= found.mean_interval[1]
    assert found.mean_interval[1] == inf
    assert found.as_json()["mean_interval"][1] is None


@pytest.mark.parametrize("reduce", [True, False])
def test_a_quantile_that_is_met_exactly_is_met(reduce: bool) -> None:
    found = princeps.exact(Tenths, 2, target="differ", distribution=True, reduce=reduce)
    assert found.quantiles["start"] == {0.5: 0, 0.9: 0, 0.99: 1}


def test_a_mean_that_underflows_is_not_certified_to_be_nothing() -> None:
    found = princeps.exact(Quiet, 1200, target="some:leader")
    assert found.mean_interval[1] > 0
    assert found.worst == 1


def test_means_of_wide_counts_are_ordinary_numbers() -> None:
    """More than 20 agents: multiplicities are Python's own integers."""
    found = princeps.exact(Quiet, 24, target="some:leader", rational=True)
    assert found.mean_exact == Fraction(1, 2**24)
    assert isinstance(found.mean, float)
    assert np.isfinite(found.mean_interval).all()
