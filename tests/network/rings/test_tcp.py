"""Rings of processes of the operating system, over TCP."""

from __future__ import annotations

import os
import random
import select
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress

import pytest

from princeps.engines.rings.simulate import simulate_ring
from princeps.errors import RunError
from princeps.network.greeting import NONCE
from princeps.network.rings.faults import Faults, Kill, Partition
from princeps.network.rings.launcher import RingLauncher, play_over_tcp
from princeps.network.rings.place import GREETING
from princeps.network.rings.report import REMEMBERED, RingNetResult
from princeps.network.rings.stream import Splitter
from princeps.network.wire import HELLO
from tests.conftest import PATIENCE, wait_for
from tests.network.rings.link_tools import frame
from tests.network.rings.test_memory import check_result
from tests.ring_tools import LIBRARY, planned, random_asymmetric

A_2 = planned("a_k", "3,1,1,2", k=2)


def storm(seed: int, n: int) -> Faults:
    draw = random.Random(seed)
    cuts = [draw.uniform(0.02, 0.2) for _ in range(2)]
    return Faults(
        resets=40.0,
        partitions=tuple(
            Partition(begin, begin + draw.uniform(0.05, 0.3), frozenset(draw.sample(range(n), draw.randrange(1, n))))
            for begin in cuts
        ),
    )


def nothing_is_left(launcher: RingLauncher, pids: list[int]) -> None:
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    for address in launcher.addresses:
        with socket.socket() as free:
            free.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # of connections that have just ended
            free.bind(address)


@pytest.mark.medium
def test_an_election_through_resets_and_a_partition_leaves_nothing() -> None:
    with RingLauncher(A_2, storm(1, 4), 1) as launcher:
        pids = [one.pid for one in launcher.running.values()]
        result = launcher.play(10_000, PATIENCE)
    check_result(result, A_2)
    assert (result.messages, result.counters["bad_frames"]) == (42, 0), (
        "a neighbour that was interrupted is no stranger"
    )
    nothing_is_left(launcher, pids)


@pytest.mark.medium
def test_a_killed_process_is_the_end_unless_its_log_is_remembered() -> None:
    result = play_over_tcp(A_2, Faults(kills=(Kill(2, 3),)))
    assert result.outcome == "stalled"
    assert result.stalled is not None
    assert result.stalled.died == ("process 2 (label 1) died after 3 actions",)
    assert "waits for a message of process 2, which is dead" in result.stalled.waits[3]
    result = play_over_tcp(A_2, Faults(kills=(Kill(2, 3),), restart="durable"))
    check_result(result, A_2)
    assert result.outcome == f"elected: {REMEMBERED}"


@pytest.mark.medium
def test_strangers_do_not_interrupt_a_link() -> None:
    run = planned("b_k", "3,1,1,2", k=2)
    with RingLauncher(run, Faults(partitions=(Partition(0.0, 0.5, frozenset({0})),)), 1) as launcher:
        strangers = []
        for draw in range(40):
            stranger = socket.create_connection(launcher.addresses[draw % 4])
            greeting = frame(HELLO, 1, GREETING.pack(3, 1, bytes(NONCE)), key=b"wrong")
            stranger.sendall((random.Random(draw).randbytes(100), greeting, b"\xff\xff", b"")[draw % 4])
            strangers.append(stranger)
        result = launcher.play(10_000, PATIENCE)
        for stranger in strangers:
            stranger.close()
    check_result(result, run)
    assert 0 < result.counters["bad_frames"] <= 40


class Overheard(RingLauncher):
    """Somebody is between processes 3 and 0, and passes on what each says."""

    def _start(self, me: int) -> None:
        if self.incarnations == [0] * 4:
            self.between, self.zero = socket.create_server(("127.0.0.1", 0)), self.addresses[0]
            self.addresses[0] = self.between.getsockname()
        super()._start(me)

    def pass_on(self) -> None:
        """Once process 3 has said HELLO, all that it said is said once more over a connection of one's own."""
        recorded, has_replayed = b"", False
        three, zero = self.between.accept()[0], socket.create_connection(self.zero)
        with three, zero, suppress(OSError):
            while True:
                for ready in select.select([three, zero], (), ())[0]:
                    data = ready.recv(1 << 16)
                    if not data:
                        return
                    (zero if ready is three else three).sendall(data)
                    recorded += data if ready is three else b""
                if len(Splitter().feed(recorded)) >= 2 and not has_replayed:
                    has_replayed = True
                    with socket.create_connection(self.zero) as other, suppress(OSError):
                        other.sendall(recorded)
                        while other.recv(1000):  # until it is closed
                            pass


@pytest.mark.medium
def test_a_recorded_greeting_does_not_interrupt_a_link() -> None:
    with Overheard(A_2, Faults()) as launcher:
        passing = threading.Thread(target=launcher.pass_on, daemon=True)
        passing.start()
        result = launcher.play(10_000, PATIENCE)
        passing.join(PATIENCE)
        launcher.between.close()
    check_result(result, A_2)
    assert (result.counters["bad_frames"], result.counters["connections"]) == (1, 8), "each link was made once"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a_k", "b_k"])
def test_exact_message_counts_on_fifty_rings(name: str) -> None:
    for seed in range(50):
        draw = random.Random(seed)
        ring = random_asymmetric(draw.randrange(2, 13), draw.randrange(2, 7), draw)
        run = planned(name, ring, k=max(2, ring.multiplicity))
        check_result(play_over_tcp(run, storm(seed, ring.n), seed), run)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in LIBRARY if name not in ("a_k", "b_k")])
def test_every_other_algorithm(name: str) -> None:
    run = planned(name, "3,1,5,2,4", seed=3)
    result = play_over_tcp(run, storm(3, 5), 3)
    assert (result.converged, result.replay) == (True, "agrees"), result


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a_k", "b_k"])
def test_kills_at_many_moments(name: str) -> None:
    run = planned(name, "3,1,1,2", k=2)
    for action in range(1, 11):
        kills = (Kill(action % 4, action), Kill((action + 1) % 4, action + 2))
        result = play_over_tcp(run, Faults(resets=10.0, kills=kills, restart="durable"), action)
        check_result(result, run)
        result = play_over_tcp(run, Faults(resets=10.0, kills=kills), action)
        assert result.replay == "agrees"
        assert result.outcome == "stalled" or not result.deaths or result.converged
        result = play_over_tcp(run, Faults(kills=kills, restart="amnesia"), action, max_steps=400, limit=20.0)
        assert result.replay == "agrees"


@pytest.mark.slow
def test_a_launcher_that_is_killed_leaves_no_process() -> None:
    code = (
        "from tests.network.rings.test_tcp import *\n"
        "with RingLauncher(A_2, Faults(partitions=(Partition(0.0, 60.0, frozenset({0})),))) as launcher:\n"
        "    print(*[one.pid for one in launcher.running.values()], flush=True)\n"
        "    launcher.play(10_000, 60.0)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as launcher:
        assert launcher.stdout is not None
        pids = [int(word) for word in launcher.stdout.readline().split()]
        assert len(pids) == 4
        launcher.send_signal(signal.SIGKILL)
    wait_for(lambda: not any(_is_running(pid) for pid in pids))


def _is_running(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_mistake_in_a_process_is_one_sentence() -> None:
    class Broken(RingLauncher):
        def _become(self, *given: object) -> None:
            raise RunError("the disk is full: free some space.")

    with Broken(A_2, Faults()) as launcher, pytest.raises(RunError, match="ended by a mistake: the disk is full"):
        launcher.play(100, PATIENCE)


def test_an_end_after_a_while_says_so() -> None:
    faults = Faults(partitions=(Partition(0.0, 60.0, frozenset(range(4))),))
    result: RingNetResult = play_over_tcp(A_2, faults, limit=0.2)
    assert (result.outcome, result.converged) == ("not finished", False)
    assert simulate_ring(A_2).converged
