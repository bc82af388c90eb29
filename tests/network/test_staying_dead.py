"""Agents that are dead for good, or have never started: they lead nobody, and no goal is met by them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.network.cluster.file import read_cluster
from princeps.network.cluster.judging import judge_logs
from princeps.network.report import NetResult
from tests.network.cluster_tools import Wires, write


def net(name: str, n: int, chaos: str, **given: Any) -> NetResult:
    found = princeps.net(name, n=n, seed=3, transport="memory", chaos=chaos, **given)
    assert isinstance(found, NetResult)
    assert found.replay == "agrees"
    return found


def test_a_dead_leader_does_not_lead() -> None:
    """Of fratricide there is never another one."""
    found = net("fratricide", 5, "5s: kill leader", duration="10s", restart="none")
    assert (found.converged, found.leaders, found.leader) == (False, 0, None)
    assert not found.succeeded
    assert [leaders for *_, leaders in found.history] == [5, 4, 3, 2, 1, 0]
    (died,) = found.recoveries
    assert (died["restarted_at"], died["interactions"], died["seconds"]) == (None, None, None)


def test_those_who_are_left_elect_another_one() -> None:
    """A timer runs out among the others: one leader of them, and that is the goal."""
    found = net("timer", 5, "1s: kill leader", duration="20s", restart="none")
    (died,) = found.recoveries
    assert (found.converged, found.leaders) == (True, 1)
    assert found.leader != died["agent"]
    assert died["restarted_at"] is None
    assert (died["interactions"] or 0) > 0, "from its death on"
    assert [leaders for *_, leaders in found.history][-2:] == [0, 1]
    assert found.report().text().count("1 agent died, 1 recovery") == 1


def test_a_run_whose_agents_are_all_dead_has_no_leader_and_ends() -> None:
    plan = "; ".join(f"1s: kill {agent}" for agent in range(3))
    for until in ("leader", "leaders == 3"):  # met before; never met
        found = net("fratricide", 3, plan, duration="3s", restart="none", until=until)
        assert (found.converged, found.leaders, found.leader) == (False, 0, None)
    found = net("fratricide", 3, plan, restart="none", until="leaders == 0 and n == 4")
    assert not found.converged
    assert found.seconds < 3, "nobody is left to meet anybody"


def test_a_goal_on_the_whole_configuration_is_not_met_while_somebody_is_dead() -> None:
    """p_rl's ring is cut, whatever the states are."""
    found = net("p_rl", 5, "5s: kill 0", duration="10s", restart="none")
    assert found.steps is not None, "it was met before"
    assert not found.converged


def test_a_goal_on_counts_is_one_of_those_who_are_left() -> None:
    found = net("fratricide", 5, "5s: kill leader", duration="6s", restart="none", until="leaders == 0 and n == 4")
    assert found.converged
    assert found.steps is not None


def test_the_script_of_such_a_run_is_repeated(tmp_path: Path) -> None:
    path = tmp_path / "run.script"
    for name, duration in (("timer", "3s"), ("timer", "20s"), ("fratricide", "3s")):
        found = net(name, 5, "1s: kill leader", duration=duration, restart="none", save_script=path, force=True)
        for engine in ("reference", "agents"):
            again = princeps.replay(path, engine=engine)
            assert again.steps == found.all_interactions
            assert (again.leaders, again.leader, again.holds()) == (found.leaders, found.leader, found.converged)
            assert again.dead_agents == {found.recoveries[0]["agent"]}


def test_one_who_comes_back_was_never_away() -> None:
    """What a run with restarts gives has not changed: nobody is missing between a death and a return."""
    found = net("fratricide", 5, "5s: kill leader", duration="6s", restart="initial")
    assert (found.converged, found.leaders) == (True, 1)
    assert [leaders for *_, leaders in found.history] == [5, 4, 3, 2, 1]


@pytest.mark.parametrize("started", [(0, 1), (0, 1, 2)])
def test_the_judge_counts_those_who_have_started(tmp_path: Path, started: tuple[int, ...]) -> None:
    """All agents of fratricide lead at the beginning; agent 2 may never have been there."""
    wires = Wires(read_cluster(write(tmp_path, 3, protocol="fratricide")))
    for agent in started:
        wires.start(agent)
    wires.go_on(40)
    wires.write_logs(tmp_path / "logs")
    found = judge_logs([str(tmp_path / "logs")])
    leading = [agent for agent in started if wires.nodes[agent].terms.leads]
    assert (found.replay, found.agents, found.leaders, found.leader) == ("agrees", len(started), 1, leading[0])
    assert found.history[0] == (0, len(started))
    assert ("; 1 agent without a log" in found.report().text()) == (len(started) == 2)
