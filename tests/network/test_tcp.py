"""Populations over TCP: the same nodes, one connection for each pair of neighbours."""

from __future__ import annotations

import os
import socket
import time

import pytest

import princeps
from princeps.errors import PrincepsError
from princeps.network.chaos import Chaos, Kill, Pause
from princeps.network.launcher import Launcher, Launching
from princeps.network.observer import Observer
from princeps.network.planning import CONDUCTED, TCP, Plan
from princeps.network.replay import AGREES
from princeps.network.running import run_network
from tests.network.runs import read_run

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


@pytest.mark.medium
@pytest.mark.parametrize("given", [{}, {"per_process": 3}, {"graph": "ring", "force": True}])
def test_an_election_over_tcp(given: dict[str, object]) -> None:
    found = princeps.net("fratricide", n=5, seed=1, rate=200, transport="tcp", until="leaders < 4", **given)
    assert (found.converged, found.replay, found.transport) == (True, AGREES, "tcp")
    assert found.counters["torn"] == found.counters["bad_frames"] == 0


@pytest.mark.medium
def test_a_conducted_run_over_tcp_equals_the_reference() -> None:
    run = read_run("p_rl", 4, seed=2)
    found = run_network(run, Plan(CONDUCTED, TCP, chaos=Chaos(loss=0.2, duplicates=0.2)))
    expected = princeps.run("p_rl", n=4, seed=2, engine="reference")
    assert (found.interactions, found.leader, found.replay) == (expected.steps, expected.leader, AGREES)


@pytest.mark.slow
def test_kills_and_pauses_are_survived() -> None:
    """A connection breaks with its process; the next incarnation is connected again."""
    run = read_run("timer", 6, seed=3)
    chaos = Chaos(0.1, 0.1, (Kill(0.5, "random", 0.2),), pauses=(Pause(0.7, "random", 0.3, 0.9),))
    found = run_network(run, Plan(transport=TCP, duration=5.0, rate=100.0, chaos=chaos))
    assert (found.replay, found.counters["torn"]) == (AGREES, 0)
    assert len(found.recoveries) > 10
    assert found.all_interactions > 50


@pytest.mark.medium
@pytest.mark.parametrize("agent", [0, 2])
def test_a_restarted_agent_is_connected_again(agent: int) -> None:
    """Whether it makes the connections (0) or others make them to it (2)."""
    run = read_run("timer", 3, seed=1)
    observer = Observer(run)
    with Launcher(run, Launching(rate=20.0, over_tcp=True)) as launcher:

        def met() -> int:
            return sum(count for pair, count in observer.replay.pairs.items() if agent in pair)

        def listen(meetings: int) -> None:
            end = time.monotonic() + 30
            while met() < meetings and time.monotonic() < end:
                for line in list(launcher.read(0.1)):
                    observer.read(line, launcher.seconds)
                    if line[0] == "dead":
                        launcher.restart([line[1]])

        listen(10)
        launcher.kill(agent)
        before = met()
        listen(before + 60)
        assert (met() >= before + 60, launcher.incarnations[agent]) == (True, 2)
    assert (observer.replay.verdict, launcher.failure) == (AGREES, "")


@pytest.mark.medium
def test_strangers_are_not_heard() -> None:
    run = read_run("timer", 3, seed=1)
    observer = Observer(run)
    with Launcher(run, Launching(rate=20.0, over_tcp=True)) as launcher:
        strangers = []
        for k in range(100):
            strangers.append(socket.create_connection(launcher.addresses[k % 3]))
            strangers[-1].sendall(os.urandom(k))
        end = time.monotonic() + 30
        while observer.replay.interactions < 20 and time.monotonic() < end:
            for line in launcher.read(0.1):
                observer.read(line, launcher.seconds)
        for stranger in strangers:
            stranger.close()
    assert observer.replay.interactions >= 20
    assert (observer.replay.verdict, launcher.failure) == (AGREES, "")


def test_the_attacker_is_one_of_datagrams() -> None:
    with pytest.raises(PrincepsError, match="leave 'garbage' out"):
        princeps.net("timer", n=3, seed=1, transport="tcp", chaos="garbage 10/s")
