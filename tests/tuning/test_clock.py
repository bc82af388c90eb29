"""princeps.tune with --failure: the fastest clock of P_LL."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.model.class_content import class_identity
from princeps.model.description import reader_of_trials
from princeps.model.reading import make_run
from princeps.protocols.p_ll import PLL
from princeps.tuning.clock import fails
from princeps.tuning.clock_report import ClockPoint
from tests.conftest import Command


def share(c_max: int, trials: int = 60) -> float:
    described = {
        goal: reader_of_trials(
            princeps.model.description.describe("p_ll", 16, params={"c_max": c_max}, seed=5, until=goal)
        )
        for goal in ("first_color_2", "color_0_again")
    }
    checks = PLL.tuning.synchronises["c_max"]
    return sum(fails(described, checks, trial, 10**6) for trial in range(trials)) / trials


def test_a_fast_clock_leaves_somebody_behind_and_the_papers_does_not() -> None:
    assert share(4) > 0.9
    assert share(41 * 4) == 0


def test_the_chosen_clock_is_certified_and_faster(tmp_path: Path) -> None:
    store = str(tmp_path / "clock.db")
    found: Any = princeps.tune("p_ll", 16, failure=0.2, seed=1, store=store, progress=False)
    assert found.verdict == "certified"
    assert 4 < found.chosen < 41 * 4
    assert found.fails_at_most <= 0.2
    assert share(found.chosen, 200) <= 0.2
    assert found.times[found.chosen].mean < found.times[164].mean
    assert found.constants == {"c_max": found.chosen}
    again: Any = princeps.tune("p_ll", 16, failure=0.2, seed=1, store=store, progress=False)
    assert (again.points, again.times) == (found.points, found.times)
    assert again.seconds < found.seconds


def test_intervals_of_a_share() -> None:
    none = ClockPoint(3, 0, 100, 0.95)
    assert none.upper == pytest.approx(1 - 0.05**0.01, rel=1e-6)
    assert none.lower == 0
    assert ClockPoint(3, 100, 100, 0.95).upper == 1
    assert ClockPoint(3, 100, 100, 0.95).lower == pytest.approx(0.05**0.01, rel=1e-6)


def test_c_max_may_be_given_and_left_alone_it_changes_nothing() -> None:
    assert class_identity(PLL) == "6875c51664b697d1ca52"  # as before it could be given
    free, given = make_run("p_ll", 8, seed=1), make_run("p_ll", 8, seed=1, params={"c_max": 123})
    assert free.protocol.constants.c_max == given.protocol.constants.c_max == 123
    assert "c_max" not in free.protocol.params
    assert given.protocol.params["c_max"] == 123
    one, other = princeps.run("p_ll", 8, seed=1), princeps.run("p_ll", 8, seed=1, c_max=123)
    assert one.steps == other.steps


def test_on_the_command_line(quick: Command) -> None:
    outcome = quick("tune", "p_ll", "-n", 8, "--failure", "0.3", "--seed", 1, "--json")
    assert outcome.code == 0, outcome.stderr
    found = outcome.object
    assert found["options"] == f"-p c_max={found['constants']['c_max']}"
    assert found["fails_at_most"] <= 0.3
    assert found["command"] == "princeps tune p_ll -n 8 --failure 0.3 --seed 1"
    refused = quick("tune", "p_ll", "-n", 8)
    assert (refused.code, refused.stdout) == (2, "")
    assert "--failure 0.001" in refused.stderr
    assert "Traceback" not in refused.stderr
