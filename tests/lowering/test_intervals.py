"""A goal on intervals: never a wrong no, and a no wherever the goal is plainly out of reach."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import princeps
from princeps.lowering.jit import njit
from princeps.lowering.kernels import Kernels
from princeps.lowering.pointers import call
from princeps.model.fields import Counts, Params
from princeps.model.protocol import Counted
from tests.tables import in_one_test

CONSTANT = 3


def one(c: Counts, p: Params) -> int:
    return c.leaders == 1


def more_than_half(c: Counts, p: Params) -> int:
    return 2 * c.leaders > c.n


def either_end(c: Counts, p: Params) -> int:
    return c.leaders == c.n or c.y == c.n or c.leaders + c.y == 0


def between(c: Counts, p: Params) -> int:
    return 2 <= c.leaders < c.y - 1


def negated(c: Counts, p: Params) -> int:
    return not (c.leaders >= CONSTANT and c.y != 2)


def arithmetic(c: Counts, p: Params) -> int:
    return max(c.leaders, c.y) - min(c.leaders, 4) >= abs(c.y - 5) + 1


def squares(c: Counts, p: Params) -> int:
    return c.leaders * c.leaders == c.y * CONSTANT


def sums_of_truths(c: Counts, p: Params) -> int:
    return (c.leaders > 2) + (c.y > 3) == 1


def choice(c: Counts, p: Params) -> int:
    return (c.y if c.leaders > 1 else -c.y) == -4


def divisions(c: Counts, p: Params) -> int:
    return c.leaders // 2 == 3 and c.y % 2 == 1


def bare(c: Counts, p: Params) -> int:
    return c.leaders


GOALS = [
    one,
    more_than_half,
    either_end,
    between,
    negated,
    arithmetic,
    squares,
    sums_of_truths,
    choice,
    divisions,
    bare,
]


@njit
def ask(function: int, first: int, second: int, third: int) -> int:
    return int(call(function, first, second, third))


def compiled(goal: Counted, n: int) -> tuple[object, object]:
    """The goal and its twin on intervals, as functions of (leaders, y)."""
    kernels = Kernels(princeps.protocol("majority", n=n))
    tracked = ["leaders", "y"]
    met, within = kernels.goal_at(goal, tracked), kernels.reach_at(goal, tracked)

    def holds(leaders: int, y: int) -> bool:
        counts = np.array([leaders, y, n], np.int64)
        return bool(ask(met, counts.ctypes.data, kernels.constants.ctypes.data, 0))

    def reachable(low: tuple[int, int], high: tuple[int, int]) -> bool:
        lows, highs = np.array([*low, n], np.int64), np.array([*high, n], np.int64)
        return bool(ask(within, lows.ctypes.data, highs.ctypes.data, kernels.constants.ctypes.data))

    return holds, reachable


@pytest.mark.slow
@in_one_test("rule", GOALS, ids=lambda rule: rule.__name__)
def test_a_goal_that_is_met_in_the_box_is_never_denied(rule: object) -> None:
    n = 8
    holds, reachable = compiled(Counted(rule), n)
    truth = {(x, y): holds(x, y) for x, y in product(range(n + 1), repeat=2)}
    plain = {(x, y): bool(rule(Counts({"leaders": x, "y": y, "n": n}), None)) for x, y in truth}
    assert truth == plain
    needless = boxes = 0
    for x0, y0 in product(range(0, n + 1, 2), repeat=2):
        for x1, y1 in product(range(x0, n + 1), range(y0, n + 1)):
            possible = any(truth[x, y] for x, y in product(range(x0, x1 + 1), range(y0, y1 + 1)))
            answer = reachable((x0, y0), (x1, y1))
            assert answer or not possible, (x0, y0, x1, y1)
            needless += answer and not possible
            boxes += not possible
    if rule in (one, more_than_half, either_end, bare):
        assert needless == 0
    elif rule not in (divisions, choice):
        assert needless < boxes / 2


def test_counts_of_a_quadrillion_are_told_apart() -> None:
    n = 10**15
    _, reachable = compiled(Counted(either_end), n)
    assert reachable((n - 5, 0), (n, 0))
    assert not reachable((n - 5, 1), (n - 1, 4))
    _, squared = compiled(Counted(squares), n)
    assert squared((3 * 10**7, 3 * 10**14), (3 * 10**7, 3 * 10**14))
