"""Certified hitting times: every interval holds the fraction that a plain elimination finds, whatever is done to it."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import inf

import numpy as np
import pytest

from princeps.analysis import hitting_times, solver
from princeps.analysis.chain import Chain
from princeps.analysis.hitting_times import (
    UNIT_COSTS,
    CertifiedTimes,
    certify,
    expected_times,
    probabilities,
    second_moments,
)
from tests.analysis import chain_tools
from tests.analysis.cases import check_all
from tests.analysis.chain_tools import (
    bits,
    exact_squares,
    exact_times,
    make_chain,
    random_steps,
    within,
)
from tests.analysis.hitting_checks import Problem, check, holds, problem


def random_problem(seed: int, traps: int = 0, sizes: int = 5) -> Problem:
    rng = np.random.default_rng(seed)
    heaviest = int(rng.choice([1, 1, 9, 10_000]))
    steps = random_steps(rng, rng.integers(1, 8, sizes).tolist(), heaviest, traps)
    chain = make_chain(steps, weighted=heaviest > 1 or bool(rng.integers(2)))
    chain = Chain(
        chain.offsets, chain.successors, chain.weights, chain.changes_output, chain.total + int(rng.integers(0, 50))
    )
    return problem(chain, bits(chain.size, {0, *rng.integers(0, chain.size, int(rng.integers(0, 3))).tolist()}))


@pytest.mark.medium
def test_the_interval_of_every_state_holds_the_fraction(monkeypatch: pytest.MonkeyPatch) -> None:
    def check_case(seed: int) -> None:
        with monkeypatch.context() as patch:
            chain, target, components, certain = random_problem(seed, traps=seed % 3)
            truth = exact_times(chain, target)
            times = expected_times(components, target, certain)
            check(times, truth, 1e-9)
            assert [value == inf for value in times.values] == [value == inf for value in truth]
            patch.setattr(hitting_times, "PORTION", 1)  # interrupted as often as possible
            patch.setattr(solver, "PORTION", 1)
            reports: list[tuple[str, int, int]] = []
            again = expected_times(components, target, certain, None, lambda *report: reports.append(report))
            assert (again.values == times.values).all()
            assert (again.low, again.high) == (times.low, times.high)
            assert {what for what, _, _ in reports} == {"solving", "certifying"}

    check_all(range(30), check_case)


def test_the_problems_are_not_trivial() -> None:
    found = [random_problem(seed, traps=seed % 3) for seed in range(30)]
    assert sum(not certain.all() for *_, certain in found) >= 10
    assert all((certain & ~target).any() and components.largest > 3 for _, target, components, certain in found)
    assert {len(chain.weights) > 0 for chain, *_ in found} == {True, False}


# -- wrong values have wide intervals, never wrong ones --------------------------------------------------------------


def test_perturbed_values_are_certified_less_narrowly() -> None:
    def check_case(case: tuple[float, int]) -> None:
        eps, seed = case
        chain, target, components, certain = random_problem(seed, traps=seed % 2)
        truth = exact_times(chain, target)
        times = expected_times(components, target, certain)
        rng = np.random.default_rng(seed)
        for share in (0.1, 0.5, 1.0):
            signs = np.where(rng.random(chain.size) < share, rng.choice([-1, 1], chain.size), 0)
            values = times.values * (1 + eps * signs)
            low, high = certify(chain, target | ~certain, values, (UNIT_COSTS, UNIT_COSTS))
            below, above = CertifiedTimes(values, low, high, 0).bounds()
            assert all(within(*case) for case in zip(below, truth, above, strict=True))
            changed = signs[certain & ~target]
            if changed.any() and eps >= 1e-9:
                assert high - low > max(times.high - times.low, eps / 10)
        scaled = certify(chain, target | ~certain, 3 * times.values, (UNIT_COSTS, UNIT_COSTS))
        assert scaled == pytest.approx((3 * times.low, 3 * times.high), rel=1e-12)

    check_all(product([1e-3, 1e-6, 1e-9, 1e-12, 2.0**-52], range(8)), check_case)


def test_what_is_no_super_solution_has_no_upper_bound() -> None:
    def check_case(seed: int) -> None:
        chain, target, components, certain = random_problem(seed, sizes=6)
        truth = exact_times(chain, target)
        times = expected_times(components, target, certain)
        low_of = {x: min(times.values[y] for y, _ in chain.steps(x)) for x in np.flatnonzero(~target)}
        x = max(low_of, key=lambda state: low_of[state])
        values = times.values.copy()
        values[x] = low_of[x] / 2  # less than all that follows: no steps are so few
        wrong = CertifiedTimes(values, *certify(chain, target, values, (UNIT_COSTS, UNIT_COSTS)), 0)
        assert wrong.low == 0.0
        assert (wrong.bounds()[1][~target] == inf).all()
        assert wrong.interval(values[x])[1] == inf
        assert all(low <= value for low, value in zip(wrong.bounds()[0], truth, strict=True))

    check_all(range(8), check_case)


def test_arbitrary_values_are_certified() -> None:
    def check_case(seed: int) -> None:
        chain, target, *_ = random_problem(seed)
        truth = exact_times(chain, target)
        rng = np.random.default_rng(seed)
        guess = np.array([float(value) for value in truth]) * rng.uniform(0.9, 1.1, chain.size)
        wild = rng.uniform(1, 1000, chain.size)
        wild[target] = 0
        for values in (guess, wild):
            below, above = CertifiedTimes(values, *certify(chain, target, values, (UNIT_COSTS, UNIT_COSTS)), 0).bounds()
            assert all(within(*case) for case in zip(below, truth, above, strict=True))

    check_all(range(8), check_case)


def test_residuals_are_rounded_outwards() -> None:
    """For any numbers f, what certify says of (f - P f) / cost holds of the fractions that these numbers are."""

    def check_case(seed: int) -> None:
        chain, target, *_ = random_problem(seed)
        rng = np.random.default_rng(seed)
        for scale in (1.0, 1e9, 1e15):
            values = np.where(target, 0.0, scale * rng.uniform(1, 1 + 10.0 ** -rng.integers(0, 12), chain.size))
            costs, given = rng.uniform(1, 2, chain.size), [Fraction(value) for value in values]
            for x in np.flatnonzero(~target):
                follow = [
                    (given[y], w) for y, w in chain.steps(x)
                ]  # f(x) is nearly their mean: what is left is rounding
                values[x] = float(sum(f * w for f, w in follow) / sum(w for _, w in follow)) * (1 + 1e-12)
                given[x] = Fraction(values[x])
                truth = sum(w * (given[x] - given[y]) for y, w in chain.steps(x)) / chain.total / Fraction(costs[x])
                low, high = certify(chain, np.arange(chain.size) != x, values, (costs, costs))
                assert low <= max(truth, 0)
                assert high >= truth

    check_all(range(10), check_case)


@pytest.mark.parametrize("bad", [inf, float("nan")])
def test_values_that_are_no_numbers_prove_nothing(bad: float) -> None:
    chain, target = make_chain(chain_tools.walk(4, 1, 2)), bits(5, [0])
    for x in range(1, 5):
        values = np.where(np.arange(5) == x, bad, np.arange(5.0))
        assert certify(chain, target, values, (UNIT_COSTS, UNIT_COSTS)) == (0.0, inf)


def test_intervals_are_rounded_outwards() -> None:
    rng = np.random.default_rng(5)
    values, shares = rng.uniform(1, 9, 5000), rng.uniform(0, 1, 5000)
    shares /= shares.sum()
    for low, high in zip(rng.uniform(0.5, 1, 50), rng.uniform(1, 2, 50), strict=True):
        times = CertifiedTimes(values, float(low), float(high), 0)
        for value, below, above in zip(values[:200], *times.bounds(), strict=False):
            ends = Fraction(value) / Fraction(high), Fraction(value) / Fraction(low)
            assert within(below, ends[0], inf)
            assert within(0, ends[1], above)
            below, above = times.interval(float(value))
            assert within(below, ends[0], inf)
            assert within(0, ends[1], above)
    mean = sum(Fraction(value) * Fraction(share) for value, share in zip(values, shares, strict=True))
    assert holds(CertifiedTimes(values, 1.0, 1.0, 0).interval(float((values * shares).sum()), len(values)), mean)


# -- second moments, probabilities -----------------------------------------------------------------------------------


def test_second_moments() -> None:
    def check_case(seed: int) -> None:
        chain, target, components, certain = random_problem(seed, traps=seed % 2, sizes=4)
        times = expected_times(components, target, certain)
        check(second_moments(components, target, certain, times), exact_squares(chain, target), 1e-8)

    check_all(range(20), check_case)


def test_probabilities(monkeypatch: pytest.MonkeyPatch) -> None:
    def check_case(case: tuple[int, int]) -> None:
        max_sweeps, seed = case
        with monkeypatch.context() as patch:
            patch.setattr(solver, "MAX_SWEEPS", max_sweeps)
            patch.setattr(hitting_times, "PORTION", 5)
            patch.setattr(solver, "PORTION", 5)
            chain, target, components, certain = random_problem(seed)
            rng = np.random.default_rng(seed)
            target = target | (rng.random(chain.size) < 0.15)
            chain, target, components, certain = problem(chain, target)
            times = expected_times(components, target, certain)
            at = np.where(rng.random(chain.size) < 0.5, 1.0, 0.0)
            truth = chain_tools.solved(chain, target, lambda x: Fraction(0), lambda x: Fraction(at[x]))
            values, off = probabilities(components, target, times, at)
            for value, error, wanted in zip(values, off, truth, strict=True):
                assert abs(Fraction(value) - Fraction(wanted)) <= error
                assert error < 1e-10 * max(1, times.values.max())

    check_all(product([200, 2], range(20)), check_case)
