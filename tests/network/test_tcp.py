"""Populations over TCP: the same nodes, one connection for each pair of neighbours."""

from __future__ import annotations

import os
import random
import socket
from collections.abc import Iterator
from contextlib import suppress

import pytest

import princeps
from princeps.errors import RunError
from princeps.network.chaos import Chaos
from princeps.network.forking import Child, fork
from princeps.network.launcher import Launcher, Launching
from princeps.network.membership import membership_of
from princeps.network.observer import Observer
from princeps.network.planning import CONDUCTED, TCP, Plan
from princeps.network.replay import AGREES
from princeps.network.rings.stream import framed
from princeps.network.running import run_network
from princeps.network.tcp import MAX_STRANGERS, Connections
from princeps.network.wire import HELLO, Frame, Refusal, decode, encode
from tests.conftest import PATIENCE, wait_for
from tests.network.runs import listen, read_run, run_until

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
    """A connection breaks with its process; the next incarnation is connected again, and meets others."""
    run, numbers = read_run("timer", 6, seed=3), random.Random(1)
    observer = Observer(run)
    killed, died = list[int](), list[int]()
    with Launcher(run, Launching(rate=20.0, over_tcp=True, loss=0.1, duplicates=0.1)) as launcher:
        for _ in range(16):
            victim, other = numbers.sample(range(6), 2)
            killed.append(victim)
            own, next_one = observer.linearizer.agents[victim], launcher.incarnations[victim] + 1
            launcher.pause(other, 0.2)
            launcher.kill(victim)
            died += listen(
                *(launcher, observer),
                lambda own=own, next_one=next_one: own.incarnation == next_one and own.version >= 10,
                restarts=True,
            )
        launcher.stop()
        listen(launcher, observer, lambda: not observer.unsettled)
    assert died == killed, "nobody dies but those who were killed"
    assert (observer.replay.verdict, launcher.failure, observer.counters.torn) == (AGREES, "", 0)


@pytest.mark.medium
@pytest.mark.parametrize("agent", [0, 2])
def test_a_restarted_agent_is_connected_again(agent: int) -> None:
    """Whether it makes the connections (0) or others make them to it (2)."""
    run = read_run("timer", 3, seed=1)
    observer = Observer(run)
    with Launcher(run, Launching(rate=20.0, over_tcp=True)) as launcher:

        def met() -> int:
            return sum(count for pair, count in observer.replay.pairs.items() if agent in pair)

        listen(launcher, observer, lambda: met() >= 10)
        launcher.kill(agent)
        before = met()
        died = listen(launcher, observer, lambda: met() >= before + 60, restarts=True)
        assert (died, launcher.incarnations[agent]) == ([agent], 2)
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
        listen(launcher, observer, lambda: observer.replay.interactions >= 20)
        for stranger in strangers:
            stranger.close()
    assert (observer.replay.verdict, launcher.failure) == (AGREES, "")


def test_sending_into_a_broken_connection_kills_nobody() -> None:
    """A signal would, and look like a kill."""

    def work(control: int, log: int) -> None:
        one, other = socket.socketpair()
        other.close()
        try:
            one.send(b"into nothing")
        except BrokenPipeError:
            raise RunError("it lives on") from None

    kept: list[Child] = []
    fork(work, (), kept.append)
    assert kept[0].bury() == "it lives on"


# -- strangers ---------------------------------------------------------------------------------------------------------


class Two:
    """Agents 0 and 1, connected, in this process."""

    def __init__(self) -> None:
        self.member = membership_of(read_run("timer", 2, seed=1), b"secret")
        self.listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
        self.addresses = {agent: listener.getsockname() for agent, listener in enumerate(self.listeners)}
        self.refused: list[Refusal] = []
        self.hellos: list[bytes] = []
        self.agents = [
            Connections(
                *(self.listeners[agent], self.member, agent, 1, {1 - agent}, self.addresses),
                refuse=self.refused.append,
                seen=self.hellos.append,
            )
            for agent in range(2)
        ]

    def heard(self) -> list[tuple[int, bytes]]:
        """Whatever has arrived at the agents."""
        found = []
        for agent, own in enumerate(self.agents):
            with suppress(BlockingIOError):
                found.append((agent, own.recv(2000)))
        return found

    def send(self, agent: int, data: bytes) -> None:
        """And wait until it has arrived."""
        self.agents[agent].sendto(data, self.addresses[1 - agent])
        found: list[tuple[int, bytes]] = []
        wait_for(lambda: (1 - agent, data) in found or bool(found.extend(self.heard())))

    def close(self) -> None:
        for own in self.agents:
            own.close()


@pytest.fixture
def two() -> Iterator[Two]:
    found = Two()
    found.send(0, b"hello")
    found.send(1, b"hello, too")
    yield found
    found.close()


def said_by_a_stranger(two: Two, data: bytes, ends: bool = True) -> socket.socket:
    stranger = socket.create_connection(two.addresses[1], PATIENCE)
    stranger.sendall(data)
    if ends:
        stranger.shutdown(socket.SHUT_WR)
    return stranger


def test_a_recorded_greeting_takes_nobodys_place(two: Two) -> None:
    before = two.agents[1].connections[0]
    (hello,) = two.hellos
    assert isinstance(decode(hello, two.member.key, two.member.run), Frame), "its tag is right"
    with said_by_a_stranger(two, framed(hello) + framed(b"and more"), ends=False) as stranger:
        wait_for(lambda: bool(two.heard()) or bool(two.refused))
        while stranger.recv(1000):  # the challenge, and then the end
            pass
    assert two.refused == [Refusal.GREETING]
    assert two.agents[1].connections[0] is before
    two.send(0, b"still here")
    two.send(1, b"here, too")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (framed(b""), Refusal.SHORT),
        (framed(bytes(100)), Refusal.MAGIC),
        (b"\x00", Refusal.SHORT),
        (b"\x01\x00only the beginning", Refusal.SHORT),
        (b"\xff\xff", Refusal.LONG),  # at once, before anything of it has come
        (framed(encode(Frame(HELLO, 1, 1, 0, 1, 0, bytes(16)), b"another key")), Refusal.TAG),
    ],
)
def test_what_is_no_greeting_closes_the_connection_and_is_counted(two: Two, data: bytes, why: Refusal) -> None:
    with said_by_a_stranger(two, data, ends=why is not Refusal.LONG) as stranger:
        wait_for(lambda: bool(two.heard()) or bool(two.refused))
        while stranger.recv(1000):
            pass
    assert two.refused == [why]
    two.send(0, b"still here")


def test_few_strangers_are_waited_for(two: Two) -> None:
    strangers = []
    for k in range(3 * MAX_STRANGERS):
        strangers.append(said_by_a_stranger(two, b"\x00", ends=False))
        wait_for(lambda: bool(two.heard()) or len(two.agents[1].strangers) >= min(k + 1, MAX_STRANGERS))  # noqa: B023
    two.send(0, b"still here")
    assert len(two.agents[1].strangers) == MAX_STRANGERS
    assert len(two.agents[1].selector.get_map()) == MAX_STRANGERS + 3
    for stranger in strangers:
        stranger.close()


@pytest.mark.medium
def test_garbage_over_connections_changes_nothing() -> None:
    def has_been_attacked(observer: Observer) -> bool:
        told = observer.counters
        return min(observer.replay.interactions - 10, told.replayed, told.told("bad_frames")) > 0

    plan = Plan(transport=TCP, rate=100.0, chaos=Chaos(garbage=300.0))
    found = run_until(read_run("timer", 4, seed=1), plan, has_been_attacked)
    counters = found.counters
    assert (found.replay, counters["torn"], found.recoveries) == (AGREES, 0, [])
    assert 0 < counters["bad_frames"] <= counters["forged"] + counters["replayed"]


@pytest.mark.slow
def test_memory_and_descriptors_stay_what_they_are_under_garbage() -> None:
    run = read_run("timer", 4, seed=1)
    observer = Observer(run)
    with Launcher(run, Launching(rate=20.0, over_tcp=True, garbage=5000.0)) as launcher:
        pids = [process.pid for process in launcher.processes.values() if process.agents]
        sizes: list[list[int]] = []
        descriptors = 0

        def attacked() -> bool:
            """By so many frames more, while elections go on."""
            nonlocal descriptors
            descriptors = max([descriptors, *(len(os.listdir(f"/proc/{pid}/fd")) for pid in pids)])
            counters = observer.counters
            return min(counters.forged - frames, 100 * (observer.replay.interactions - before)) > 2500

        for _ in range(4):
            frames, before = observer.counters.forged, observer.replay.interactions
            assert listen(launcher, observer, attacked) == []
            sizes.append([resident(pid) for pid in pids])
        assert len(launcher.processes) == 5
    assert descriptors < MAX_STRANGERS + 40
    assert max(last - first for first, last in zip(sizes[0], sizes[-1], strict=True)) < 2 << 20
    assert observer.counters.forged > 10_000
    assert (observer.replay.verdict, launcher.failure) == (AGREES, "")


def resident(pid: int) -> int:
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
