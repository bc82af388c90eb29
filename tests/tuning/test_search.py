"""The smallest value of a parameter: found where the rate is known, whatever the shape of its curve."""

from __future__ import annotations

from collections.abc import Callable
from math import exp

import pytest

from princeps.errors import RunError
from princeps.rare.statistics import Rate
from princeps.tuning.search import smallest


def exactly(rate: float) -> Rate:
    return Rate((rate,) * 20)


@pytest.mark.parametrize("guess", [1, 5, 19, 60])
@pytest.mark.parametrize(
    "law", [lambda k: exp(-2.3 * k), lambda k: exp(-0.58 * k), lambda k: 1 / k**4, lambda k: exp(-0.05 * k * k)]
)
def test_the_smallest_that_is_allowed(law: Callable[[int], float], guess: int) -> None:
    asked: list[int] = []

    def rate_of(value: int) -> Rate:
        asked.append(value)
        return exactly(law(value))

    best, tried = smallest(rate_of, law(37) * 1.0001, guess, 1, "t_max")
    assert best.value == 37
    assert len(asked) == len(set(asked)) == len(tried)
    assert 36 in asked


def test_what_is_not_rare_is_too_small() -> None:
    best, _ = smallest(lambda value: None if value < 30 else exactly(exp(-value)), exp(-35.5), 4, 1, "t_max")
    assert best.value == 36


def test_noise_counts_against_a_value() -> None:
    noisy = Rate((0.5e-6, 1.5e-6) * 10)
    assert smallest(lambda value: noisy if value < 20 else exactly(1e-7), 1e-6, 19, 1, "t_max")[0].value == 20


def test_the_least_value_may_do() -> None:
    assert smallest(lambda value: exactly(1e-9), 1e-6, 4, 3, "t_max")[0].value == 3


def test_a_parameter_that_does_nothing_is_refused() -> None:
    with pytest.raises(RunError, match="no value of t_max"):
        smallest(lambda value: exactly(1e-3), 1e-6, 4, 1, "t_max")
