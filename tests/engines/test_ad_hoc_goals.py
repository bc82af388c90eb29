"""Runs and sessions to a condition that a user writes: every engine stops at the first step that meets it."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from pathlib import Path

import pytest

import princeps
from princeps.engines.simulate import simulate
from princeps.model.description import read_command
from princeps.model.reading import make_run, read_run

HALF = "2 * count(leader == 0) >= n"  # of fratricide: steps change the number of followers by at most one
MIXED = "leaders < 9 and count(epoch == 1 and leader == 0) > 11"


def first_step(name: str, n: int, seed: int, leaders: int) -> int:
    """One step after the other."""
    session = princeps.session(name, n, seed=seed, engine="reference")
    while session.leaders > leaders:
        session.step()
    return session.steps


@pytest.mark.parametrize("engine", ["reference", "agents"])
def test_the_first_step_is_found(engine: str) -> None:
    for seed in range(1, 4):
        result = princeps.run("fratricide", 20, seed=seed, until=HALF, engine=engine)
        assert result.converged
        assert (result.steps, result.leaders) == (first_step("fratricide", 20, seed, 10), 10)
        assert result.until == HALF


@pytest.mark.medium
def test_packed_and_interned_agents_agree_with_the_reference() -> None:
    steps = [princeps.run("p_ll", 40, seed=5, until=MIXED, engine=e).steps for e in ("reference", "agents")]
    assert steps[0] == steps[1] > 0


@pytest.mark.medium
def test_counts_hits_exactly_and_keeps_the_law() -> None:
    """No batch overshoots, and the mean is the one that the exact analysis gives: z < 5.5 has p = 4e-8."""
    exact = princeps.exact("fratricide", 20, until=HALF)
    run = make_run("fratricide", 20, until=HALF, engine="counts", seed=7)
    results = [simulate(replace(run, trial=k)) for k in range(400)]
    assert {result.leaders for result in results} == {10}
    steps = [result.steps for result in results]
    mean = sum(steps) / len(steps)
    deviation = sqrt(sum((one - mean) ** 2 for one in steps) / (len(steps) - 1))
    assert abs(mean - exact.mean) / (deviation / sqrt(len(steps))) < 5.5
    assert exact.target == HALF
    assert exact.reachable


def test_the_command_repeats_the_run() -> None:
    result = princeps.run("fratricide", 20, seed=3, until=" 2*count(leader==0)>=n", engine="agents")
    assert f"--until '{HALF}'" in result.command
    again = simulate(read_run(read_command(result.command)))
    assert (again.steps, again.until, again.command) == (result.steps, result.until, result.command)


def test_what_can_never_come_is_stuck() -> None:
    result = princeps.run("fratricide", 20, seed=3, until="leaders == 0", engine="agents")
    last = princeps.run("fratricide", 20, seed=3, until="leader", engine="agents")
    assert (result.converged, result.stuck, result.steps) == (False, True, last.steps)


def test_faults_checks_and_holding() -> None:
    text = "leaders == 1 and count(shield == 1) >= 1"
    faulty = princeps.run("p_pl", 6, until=text, fault=["300:3"], check=True, seed=1)
    assert faulty.converged
    assert faulty.faults is not None
    assert faulty.faults[0].recovery_steps is not None
    held = princeps.run("p_pl", 6, until=text, hold=True, max_steps=20_000, engine="reference", seed=1)
    assert held.converged
    assert held.held_steps is not None


@pytest.mark.parametrize("engine", ["reference", "agents", pytest.param("counts", marks=pytest.mark.medium)])
def test_sessions_run_until_a_condition(engine: str, tmp_path: Path) -> None:
    session = princeps.session("fratricide", 20, seed=4, engine=engine)
    assert session.run_until(HALF)
    assert session.leaders == 10
    assert session.holds(HALF)
    assert session.holds("leaders==10")
    assert not session.holds("leaders == 9")
    reached = session.steps
    assert session.run_until("leaders == 3")
    assert session.leaders == 3
    session.save(str(tmp_path / "script"))
    again = princeps.replay(str(tmp_path / "script"))
    assert (again.steps, again.leaders) == (session.steps, 3)
    again.goto(reached)
    assert again.leaders == 10


def test_events_stops_at_the_first_hit() -> None:
    """On a ring no two leaders are neighbours at the end, so that half of the agents follow at some step."""
    session = princeps.session("fratricide", 20, seed=4, engine="events", graph="undirected-ring", force=True)
    assert session.run_until(HALF)
    assert session.leaders == 10
    assert session.back(1).leaders == 11


def test_no_estimate_is_made_of_a_condition_that_nobody_knows() -> None:
    from princeps.engines.estimate import estimate

    assert estimate(make_run("fratricide", 20, until=HALF, engine="reference")).steps is None
    assert estimate(make_run("fratricide", 20, engine="reference")).steps is not None
