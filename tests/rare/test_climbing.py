"""The kernel that follows a level: against the plain rule, and levels computed anew after every step."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
import pytest

from princeps.lowering.level_status import AT_POSITION, DOWN, LOST, UP
from princeps.model.losses import Largest, Level, Mean, SoftMin, Spent
from princeps.model.reading import make_run
from princeps.rare.climbing import Climber, tables_of
from princeps.rare.losses import losses_of

CASES = [
    ("timer", 5, {"t_max": 5}),
    ("p_pl", 6, {"t_virus": 3, "t_max": 7, "t_emit": 12}),
]


def plain_level(run: Any, level: Level, states: list[Any]) -> float:
    protocol = run.protocol
    agents = [protocol.agent(state) for state in states]
    if level.while_some is not None and not any(level.while_some(a, protocol.constants) for a in agents):
        return -1e300
    tables, weights = tables_of(run, level)
    out = 0.0
    for table, weight, term in zip(tables, weights, level.terms, strict=True):
        values = [int(term.of(a, protocol.constants)) for a in agents]
        out += weight * (max(values) if isinstance(term, Largest) else sum(int(table[v]) for v in values))
    return out


@pytest.mark.medium
@pytest.mark.parametrize(("name", "n", "params"), CASES)
def test_every_step_is_the_rules_and_every_level_the_plain_one(name: str, n: int, params: dict[str, int]) -> None:
    run = make_run(name, n, params=params, seed=3)
    lost = 0
    for loss in losses_of(run).values():
        for level in loss.levels:
            climber = Climber(run, level, "test", 0)
            climber.settle()
            unpack = climber.kernels.unpack
            states = [unpack(climber.agents, i) for i in range(n)]
            for _ in range(1500):
                status = climber.climb(-inf, inf, 1)
                place = int(climber.cursor[AT_POSITION]) - 1
                i, j = int(climber.left[place]), int(climber.right[place])
                before = [state[0] for state in states]
                states[i], states[j] = run.protocol.step(states[i], states[j])
                assert states == [unpack(climber.agents, k) for k in range(n)]
                assert (status == LOST) == (before != [state[0] for state in states])
                if status == LOST:
                    lost += 1
                    climber.settle()
                    states = [unpack(climber.agents, k) for k in range(n)]
                else:
                    assert climber.value == pytest.approx(plain_level(run, level, states), rel=1e-12)
    assert lost > 0


def test_it_stops_at_the_goal_and_at_the_floor() -> None:
    run = make_run("timer", 6, params={"t_max": 9}, seed=1)
    level = losses_of(run)["timeout"].levels[1]
    climber = Climber(run, level, "test", 1)
    climber.settle()
    low = climber.value
    assert climber.climb(-inf, low + 1) in (UP, LOST)
    assert climber.value >= low + 1
    assert climber.climb(low, inf) in (DOWN, LOST)


def test_tables_are_whole_numbers_and_do_not_overflow() -> None:
    run = make_run("timer", 1000, params={"t_max": 8000}, seed=1)

    def of(a: Any, p: Any) -> int:
        return int(a.timer)

    for term in (SoftMin(of), SoftMin(of, base=0.5), Spent(of, top=lambda p: p.t_max), Mean(of)):
        tables, _ = tables_of(run, Level((term,)))
        assert tables.dtype == np.int64
        assert (tables >= 0).all()
        assert int(tables.max()) * run.n < 2**63
