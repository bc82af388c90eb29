"""Long holding times: enclosed without a subtraction, against fractions and a closed form."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any

import numpy as np
import pytest

import princeps
from princeps.analysis import rational
from princeps.analysis.exploration import explore_all
from princeps.analysis.holding import CREATED, FALLEN, KINDS, until_lost
from princeps.analysis.state_space import StateSpace
from princeps.analysis.survival import survival
from princeps.analysis.targets import find_target
from princeps.model.reading import make_run
from tests.analysis.chain_tools import within
from tests.analysis.example_protocols import Anything


def relative_width(interval: tuple[float, float]) -> float:
    return interval[1] / interval[0] - 1


@pytest.mark.parametrize("t_max", [20, 40, pytest.param(100, marks=pytest.mark.slow)])
def test_a_time_of_any_length_is_certified(t_max: int) -> None:
    """Three agents, the two followers' timers at 0 or 1: (3^t_max + 1) / 2 steps."""
    found = princeps.exact("timer", 3, t_max=t_max, hold=True).holding
    assert within(found.shortest_interval[0], Fraction(3**t_max + 1, 2), found.shortest_interval[1])
    assert relative_width(found.shortest_interval) < 1e-11
    assert relative_width(found.mean_interval) < 1e-11
    assert found.mean_interval[0] <= found.mean <= found.mean_interval[1]


def test_a_time_that_no_double_holds_has_no_upper_bound() -> None:
    found = princeps.exact("timer", 3, t_max=640, hold=True, start="states:1,640;0,640;0,640", past_target=True)
    low, high = found.holding.shortest_interval
    assert (low > 0, high) == (True, inf)


LOOSE: list[tuple[Any, int, dict[str, Any]]] = [
    ("timer", 2, {"t_max": 1}),
    ("timer", 3, {"t_max": 6}),
    ("timer", 4, {"t_max": 5}),
    ("p_pl", 2, {"N": 2, "virus_factor": 1, "emit_factor": 1}),
]


def space_of(name: Any, n: int, params: dict[str, Any]) -> StateSpace:
    run = make_run(name, n, params=params)
    return explore_all(run, [find_target(run.protocol, "leader")])


def check(space: StateSpace) -> bool:
    """Every state's fraction lies in its interval; True if some interval is narrow."""
    until = until_lost(space)
    chosen = until.chosen
    found = survival(until.components, chosen, until.losses, max_work=10_000_000)
    values = rational.hitting_times(
        until.components.chain, until.target | ~until.certain, until.components.component_of, lambda done, total: None
    )
    for x in np.flatnonzero(chosen):
        assert within(found.low[x], values[x], found.high[x]), (x, values[x])
    return bool(chosen.any()) and float((found.high[chosen] / found.low[chosen]).max()) < 1 + 1e-9


@pytest.mark.parametrize(("name", "n", "params"), LOOSE)
def test_every_interval_holds_the_fraction(name: Any, n: int, params: dict[str, Any]) -> None:
    assert check(space_of(name, n, params))


@pytest.mark.medium
def test_every_interval_of_arbitrary_protocols_holds_the_fraction() -> None:
    narrow = [check(space_of(Anything, 3, {"u": u, "busy": (10, 25)[u % 2]})) for u in range(30)]
    assert any(narrow)


@pytest.mark.parametrize(
    ("name", "n", "params"),
    [("timer", 3, {"t_max": 5}), ("p_pl", 3, {"N": 3, "t_virus": 3, "t_max": 2, "t_emit": 2})],
)
def test_rates_by_kind_are_those_of_the_quasi_stationary_distribution(
    name: str, n: int, params: dict[str, Any]
) -> None:
    """Against what remains of the uniform distribution, of the component that only a loss leaves."""
    until = until_lost(space_of(name, n, params))
    chain, of = until.components.chain, until.components.component_of
    heads = [{int(of[y]) for y, _ in chain.steps(int(x))} for x in range(chain.size)]
    lost = int(of[chain.size - 1])
    kept = {c for c in set(of[until.chosen].tolist()) if all(heads[x] <= {c, lost} for x in np.flatnonzero(of == c))}
    states = max((np.flatnonzero(of == c) for c in kept), key=len)
    found = survival(until.components, until.chosen, until.losses)
    index = {int(x): i for i, x in enumerate(states)}
    matrix = np.zeros((len(states), len(states)))
    for i, x in enumerate(states):
        matrix[i, i] = 1 - sum(w for _, w in chain.steps(int(x))) / chain.total
        for y, w in chain.steps(int(x)):
            if y in index:
                matrix[i, index[y]] += w / chain.total
    share = np.full(len(states), 1 / len(states))
    for _ in range(500):
        share = share @ matrix
        share /= share.sum()
    rates = [float(share @ until.losses[kind][states]) / chain.total for kind in range(len(KINDS))]
    for (low, high), rate in zip(found.rates(states), rates, strict=True):
        assert low * (1 - 1e-9) <= rate <= high * (1 + 1e-9)
        assert high <= low * (1 + 1e-9)
    assert rates[KINDS.index(CREATED)] > 0
    assert (rates[KINDS.index(FALLEN)] > 0) == (name == "p_pl")
