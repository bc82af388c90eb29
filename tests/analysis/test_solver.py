"""Slow components, which are solved directly: long random walks with known hitting times."""

from __future__ import annotations

from fractions import Fraction

import pytest

from princeps.analysis import solver
from princeps.analysis.hitting_times import (
    expected_times,
    second_moments,
)
from tests.analysis import chain_tools
from tests.analysis.cases import check_all
from tests.analysis.chain_tools import (
    Steps,
    Value,
    bits,
    exact_times,
    make_chain,
    within,
)
from tests.analysis.hitting_checks import check, holds, problem


def walk_times(length: int, home: int, away: int, total: int) -> list[Value]:
    """From k to k - 1 it takes total / home, and away / home times what it takes from k + 1 to k."""
    each, out = [Fraction(total, home)], [Fraction(0)]
    for _ in range(length - 1):
        each.append(Fraction(total, home) + Fraction(away, home) * each[-1])
    for step in reversed(each):
        out.append(out[-1] + step)
    return list(out)


WALKS = [(20, 1, 2, 3), (26, 1, 2, 10), (17, 1, 3, 4), (9, 1, 10, 13), (4, 1, 100, 101), (300, 1, 1, 2), (99, 2, 1, 3)]


def check_walk(case: tuple[int, int, int, int], method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    length, *_, total = case
    truth = walk_times(*case)
    _, target, components, certain = problem(make_chain(chain_tools.walk(*case), total), bits(length + 1, [0]))
    calls = []
    actual = getattr(solver, method)
    monkeypatch.setattr(solver, "MAX_SWEEPS", 3)
    monkeypatch.setattr(solver, "MAX_ELIMINATED", 10**6 if method == "_eliminate" else 0)
    monkeypatch.setattr(solver, "MAX_UPDATES", 10**6)
    monkeypatch.setattr(solver, method, lambda *given: (calls.append(given), actual(*given))[1])
    times = expected_times(components, target, certain)
    assert calls
    check(times, truth, max(1e-9, 2.0**-44 * float(truth[-1])))
    squares = second_moments(components, target, certain, times)
    assert holds(squares.interval(float(squares.values[-1])), walk_second_moment(*case))


@pytest.mark.parametrize("method", ["_eliminate", "_factorise"])
def test_long_walks(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def check_case(case: tuple[int, int, int, int]) -> None:
        with monkeypatch.context() as patch:
            check_walk(case, method, patch)

    check_all(WALKS, check_case)


def walk_second_moment(length: int, home: int, away: int, total: int) -> Fraction:
    """Sums of the same kind, each step at k costing 2 E[T] - 1."""
    times = walk_times(length, home, away, total)
    cost = [2 * Fraction(time) - 1 for time in times]
    each, sum_ = Fraction(total, home) * cost[length], Fraction(0)
    for k in range(length, 0, -1):
        sum_ += each
        each = Fraction(total, home) * cost[k - 1] + Fraction(away, home) * each
    return sum_


def test_beyond_double_precision_there_is_still_a_truth_in_the_interval() -> None:
    """No answer is narrow at 10^18 steps, where one step is lost in rounding; none is wrong."""
    case = (60, 1, 2, 3)
    _, target, components, certain = problem(make_chain(chain_tools.walk(*case), 3), bits(61, [0]))
    times = expected_times(components, target, certain)
    below, above = times.bounds()
    assert all(within(*each) for each in zip(below, walk_times(*case), above, strict=True))
    squares = second_moments(components, target, certain, times)
    assert holds(squares.interval(float(squares.values[-1])), walk_second_moment(*case))


def test_several_slow_components_are_all_factorised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "MAX_ELIMINATED", 0)
    monkeypatch.setattr(solver, "MAX_UPDATES", 10**5)
    steps: Steps = [[]]
    truth: list[Value] = [Fraction(0)]
    for _ in range(6):  # one walk after the other: each ends where the one before begins
        first, last = len(steps) - 1, truth[-1]
        steps += [[(y + first, w) for y, w in out] for out in chain_tools.walk(16, 1, 2)[1:]]
        truth += [value + last for value in walk_times(16, 1, 2, 3)[1:]]
    _, target, components, certain = problem(make_chain(steps), bits(len(steps), [0]))
    assert (components.count, components.largest) == (7, 16)
    check(expected_times(components, target, certain), truth, 1e-8)


def test_a_singular_factor_is_no_answer_and_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "MAX_ELIMINATED", 0)
    monkeypatch.setattr(solver, "MAX_UPDATES", 10**4)
    heavy = 2**60  # so that heavy + 1 is rounded to heavy
    chain, target, components, certain = problem(make_chain([[], [(2, heavy), (0, 1)], [(1, heavy)]]), bits(3, [0]))
    low, high = expected_times(components, target, certain).bounds()
    assert all(within(*case) for case in zip(low, exact_times(chain, target), high, strict=True))
