"""Starts that are given for one run: a state for everybody, numbers of agents by state, lists that say how many there are."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import princeps
from princeps.errors import PrincepsError
from princeps.model.description import read_command
from tests.conftest import Command
from tests.tables import in_one_test

ZOMBIES = "examples/zombies.py:Zombies"
PLAIN: dict[str, Any] = {"engine": "reference", "seed": 3}


def repeated(result: Any) -> Any:
    """By its command."""
    description = read_command(result.command)
    return princeps.run(description.protocol, description.n, start=description.options.start, **PLAIN)


SAME: dict[str, tuple[dict[str, Any], str]] = {
    "numbers of agents": ({"start": {"LEADER": 3, "ZOMBIE": 2}}, "states:LEADER;LEADER;LEADER;ZOMBIE;ZOMBIE"),
    "of numpy, and none": ({"start": {"LEADER": np.int64(5), "ZOMBIE": 0}}, "states:0;0;0;0;0"),
    "states by number": ({"start": {0: 3, 2: 2}}, "states:0;0;0;2;2"),
    "as the command line says it": ({"start": "counts:ZOMBIE=2,LEADER=3"}, "states:1;1;0;0;0"),
    "everybody": ({"start": "LEADER", "n": 5}, "states:0;0;0;0;0"),
    "everybody by number": ({"start": 0, "n": 5}, "states:0;0;0;0;0"),
    "a list without n": ({"start": ["LEADER", "LEADER", "ZOMBIE", "LEADER", "FOLLOWER"]}, "states:0;0;1;0;2"),
    "mappings without n": ({"start": [{"role": 0}] * 5}, "states:0;0;0;0;0"),
    "an array without n": ({"start": np.array([0, 1, 0, 1, 0])}, "states:0;1;0;1;0"),
}


@in_one_test("name", SAME)
def test_what_is_given_is_a_list_of_states(name: str) -> None:
    given, states = SAME[name]
    result = princeps.run(ZOMBIES, **given, **PLAIN)
    expected = princeps.run(ZOMBIES, 5, start=states, **PLAIN)
    assert (result.n, result.steps, result.leader) == (5, expected.steps, expected.leader)
    assert repeated(result).steps == result.steps


def test_every_function_takes_them(tmp_path: Path) -> None:
    start = {"LEADER": 2, "ZOMBIE": 1}
    states = ["LEADER", "LEADER", "ZOMBIE"]
    ways: list[Callable[[Any], Any]] = [
        lambda start: [one.steps for one in princeps.trials(ZOMBIES, start=start, trials=3, **PLAIN)],
        lambda start: princeps.exact(ZOMBIES, start=start, target="quiet", rational=True).worst_exact,
        lambda start: princeps.session(ZOMBIES, start=start, seed=3).step(20).configuration["role"].tolist(),
    ]
    for way in ways:
        assert way(start) == way(states)
    asked: dict[str, Any] = {"trials": 2, "jobs": 1, "engine": "reference", "store": tmp_path / "s.db"}
    (one,) = princeps.sweep(ZOMBIES, start=start, **asked)
    assert (one.n, one.start) == (3, "counts:LEADER=2,ZOMBIE=1")
    two = princeps.sweep(ZOMBIES, n=[3, 4], start=["LEADER", "initial"], **asked)
    assert [(point.n, point.trials) for point in two] == [(3, 2), (4, 2)]  # both are the same point


def test_a_sweep_over_several_starts(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"trials": 2, "jobs": 1, "engine": "reference", "store": tmp_path / "s.db"}
    found = princeps.sweep("p_rl", n=4, N=4, start=["random", "all_leaders"], **asked)
    assert {point.start for point in found} == {"random", "all_leaders"}


@pytest.mark.medium
def test_numbers_need_no_list_of_agents() -> None:
    found = princeps.run(ZOMBIES, start={"LEADER": 1, "FOLLOWER": 10**12 - 1}, seed=1, max_steps=10)
    assert (found.engine, found.n, found.leaders) == ("counts", 10**12, 1)


def test_on_the_command_line(quick: Command) -> None:
    said = quick("run", ZOMBIES, "--start", "counts:LEADER=1,FOLLOWER=2", "--engine", "reference", "--seed", 1)
    assert "n = 3, reached leader" in said.stdout


REFUSED: dict[str, tuple[str, dict[str, Any], str]] = {
    "no state": (
        ZOMBIES,
        {"start": {"KING": 2}},
        "'KING', which is no state: the states are LEADER, ZOMBIE, FOLLOWER.",
    ),
    "a field": (
        ZOMBIES,
        {"start": {"role": 2}},
        "'role', which is a field and no state: give one mapping for each agent",
    ),
    "a protocol without names": ("p_rl", {"start": {"L": 2}, "N": 4}, "which is no state with a name: give a list"),
    "another n": (
        ZOMBIES,
        {"start": {"LEADER": 2}, "n": 3},
        "has 2 agents in its blocks for n = 3: let them add up to n.",
    ),
    "no n": (ZOMBIES, {"start": "LEADER"}, "how many agents?"),
    "one agent": (ZOMBIES, {"start": {"LEADER": 1}}, "n = 1 is too small"),
    "no number": (ZOMBIES, {"start": "counts:LEADER"}, "write numbers of agents by state, like counts:L=2,F=1."),
    "a negative number": (ZOMBIES, {"start": {"LEADER": -1}}, "-1 is no number of agents: give 0 or more."),
    "nearly a state": (ZOMBIES, {"start": "LEADR", "n": 3}, "unknown start 'LEADR': did you mean LEADER?"),
    "agents with ids": ("numbered", {"start": 1, "n": 3}, "unknown start '1'"),
}


@in_one_test("name", REFUSED)
def test_what_cannot_be_meant_is_refused(name: str) -> None:
    protocol, given, says = REFUSED[name]
    with pytest.raises(PrincepsError) as refused:
        princeps.run(protocol, **given, **PLAIN)
    assert says in str(refused.value)


def test_a_snapshot_of_one_run_is_the_start_of_another() -> None:
    first = princeps.run("p_rl", n=8, N=8, snapshots=[20], **PLAIN).snapshots
    assert first is not None
    found = princeps.run("p_rl", N=8, start=first[20], snapshots=[0], **PLAIN)
    assert found.n == 8
    assert found.snapshots is not None
    assert found.snapshots[0].counts == first[20].counts
    assert found.snapshots[0].agents() == first[20].agents()
    assert found.start.startswith("states:")
    unnumbered = dataclasses.replace(first[20], fields=None)
    assert sorted(unnumbered.agents()) == sorted(first[20].agents())
    with pytest.raises(PrincepsError, match="too many for a list of states"):
        dataclasses.replace(unnumbered, n=10**7).agents()
    with pytest.raises(PrincepsError, match=r"start=result\.snapshots\[100\]"):
        princeps.run("majority", start={"opinion=0": 3, "opinion=1": 2}, **PLAIN)
