"""Real processes and sockets on this machine: whatever happens, none of them is left."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import princeps
from princeps.errors import PrincepsError
from princeps.network.chaos import Chaos, Cut, Kill
from princeps.network.forking import Child, fork
from princeps.network.launcher import Launcher, Launching
from princeps.network.observer import Observer
from princeps.network.planning import CONDUCTED, MEMORY, Plan
from princeps.network.replay import AGREES
from princeps.network.running import run_network
from tests.conftest import PATIENCE, Command, Start, wait_for
from tests.network.runs import listen, read_run, run_until

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def children(parent: int = 0) -> set[int]:
    """Processes that this one, or another, has started and that still exist."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = path.read_text()
        except OSError:
            continue
        if int(text.rpartition(")")[2].split()[1]) == (parent or os.getpid()):
            found.add(int(path.parent.name))
    return found


@pytest.fixture
def leaves_nothing() -> Iterator[None]:
    before, open_before = children(), len(os.listdir("/proc/self/fd"))
    yield
    assert children() == before
    assert len(os.listdir("/proc/self/fd")) == open_before


@pytest.mark.medium
@pytest.mark.usefixtures("leaves_nothing")
def test_an_election_over_udp_ends_at_its_goal_and_is_replayed() -> None:
    found = princeps.net("fratricide", n=4, seed=1, rate=200)
    assert found.converged
    assert found.replay == AGREES
    assert found.leaders == 1
    assert found.counters["torn"] == found.counters["open"] == 0
    assert found.counters["whole"] == found.all_interactions >= found.interactions > 0
    assert set(found.as_json()) >= {"mode", "seconds", "recoveries", "counters", "replay", "pairs_p_value", "leader"}


@pytest.mark.medium
@pytest.mark.usefixtures("leaves_nothing")
def test_a_conducted_run_over_udp_equals_the_reference() -> None:
    """However many frames are lost and repeated."""
    run = read_run("p_rl", 4, seed=2)
    found = run_network(run, Plan(CONDUCTED, chaos=Chaos(loss=0.2, duplicates=0.2)))
    expected = princeps.run("p_rl", n=4, seed=2, engine="reference")
    assert (found.interactions, found.leader, found.replay) == (expected.steps, expected.leader, AGREES)
    assert found.counters["repeated"] > 0


def test_whoever_is_shown_a_run_can_end_it() -> None:
    run = read_run("timer", 5, seed=1)
    found = run_network(run, Plan(transport=MEMORY, duration=60.0), lambda observer, seconds: seconds >= 2.0)
    assert 2.0 <= found.seconds < 4.0
    assert run_network(run, Plan(transport=MEMORY, duration=3.0), lambda observer, seconds: None).seconds == 3.0


def test_a_limit_on_interactions() -> None:
    found = run_network(read_run("timer", 5, seed=1, max_steps=7, until="leaders > 5"), Plan(transport=MEMORY))
    assert not found.converged
    assert 7 <= found.all_interactions < 12, "what was begun is finished"


@pytest.mark.slow
@pytest.mark.usefixtures("leaves_nothing")
def test_kills_are_survived() -> None:
    run = read_run("timer", 6, seed=3)
    kills = (Kill(0.5, "random", 0.2), Kill(0.6, "leader"))
    found = run_until(
        *(run, Plan(rate=100.0, chaos=Chaos(0.2, 0.2, kills))),
        lambda observer: (
            observer.counters.starts > 10 and any(one.interactions is not None for one in observer.recoveries)
        ),
    )
    assert found.replay == AGREES
    assert found.counters["torn"] == 0
    came_back = [
        one for one in found.recoveries if one["restarted_at"] is not None
    ]  # others died before their first word
    assert found.counters["starts"] == 6 + len(came_back)


@pytest.mark.slow
@pytest.mark.usefixtures("leaves_nothing")
def test_several_agents_in_a_process_die_and_come_back_together() -> None:
    run = read_run("timer", 6, seed=3)
    plan = Plan(per_process=3, chaos=Chaos(kills=(Kill(0.5, "4"),)))
    found = run_until(run, plan, lambda observer: observer.counters.starts == 9)
    assert found.replay == AGREES
    assert sorted(one["agent"] for one in found.recoveries) == [3, 4, 5]


@pytest.mark.usefixtures("leaves_nothing")
@pytest.mark.parametrize(("per_process", "expected"), [(1, [(0,), (1,), (2,), (3,)]), (2, [(0, 1), (2, 3)])])
def test_agents_that_died_at_once_come_back_in_processes_of_their_own(
    per_process: int, expected: list[tuple[int, ...]]
) -> None:
    with Launcher(read_run("timer", 4, seed=1), Launching(per_process=per_process)) as launcher:
        for agent in range(4):
            launcher.kill(agent)
        died = list[int]()
        while len(died) < 4:
            died += [line[1] for line in launcher.read(1.0) if line[0] == "dead"]
        launcher.restart(died)
        assert sorted(process.agents for process in launcher.processes.values()) == expected
        assert launcher.incarnations == [2] * 4


@pytest.mark.medium
@pytest.mark.usefixtures("leaves_nothing")
def test_orders_for_a_stopped_agent_are_heard_when_it_goes_on() -> None:
    """More of them than its pipe holds: many cuts, or one of hundreds of agents."""
    run = read_run("timer", 3, seed=1)
    observer = Observer(run)
    with Launcher(run, Launching(rate=20.0)) as launcher:
        listen(launcher, observer, lambda: observer.replay.interactions >= 5)
        launcher.pause(1, 10_000.0)
        for _ in range(2000):
            launcher.cut({1: [0, 2]})
            launcher.cut({})
        assert any(child.untold for child in launcher.children)
        launcher.resume()
        met = observer.linearizer.agents[1].version
        listen(launcher, observer, lambda: observer.linearizer.agents[1].version >= met + 10)
        assert not any(child.untold for child in launcher.children)
    assert (observer.replay.verdict, launcher.failure) == (AGREES, "")


@pytest.mark.usefixtures("leaves_nothing")
def test_a_launcher_that_fails_leaves_nothing() -> None:
    launcher = Launcher(read_run("timer", 3, seed=1), Launching())
    with pytest.raises(ZeroDivisionError), launcher:
        raise ZeroDivisionError
    assert len(launcher.addresses) == 3
    for address in launcher.addresses.values():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
            free.bind(address)


@pytest.mark.usefixtures("leaves_nothing")
def test_a_mistake_in_a_rule_is_told_by_the_launcher(tmp_path: Path) -> None:
    file = tmp_path / "faulty.py"
    file.write_text(
        "from princeps import *\n\n\nclass Faulty(PopulationProtocol):\n    name = 'faulty'\n    leader = Bit()\n"
        "    starts = {'random': Uniform()}\n\n    @staticmethod\n    def interact(a, b, p):\n"
        "        a.leader = 7\n"
    )
    with pytest.raises(PrincepsError, match=r"faulty.py:11: leader = 7 is outside"):
        princeps.net(str(file), n=3, seed=1, rate=200)


@pytest.mark.usefixtures("leaves_nothing")
def test_no_clock_runs_before_all_agents_are_there() -> None:
    """Those that are forked first would meet more often than others."""
    run = read_run("timer", 4, seed=1)
    with Launcher(run, Launching(rate=300.0)) as launcher:
        time.sleep(0.3)
        heard = list[str]()
        while heard.count("start") < 4:
            heard += [line[0] for line in launcher.read(0.1)]
        assert set(heard) <= {"start", "tally"}
        wait_for(lambda: "meet" in [line[0] for line in launcher.read(0.1)])


def test_an_agent_that_dies_before_it_is_there_is_not_waited_for() -> None:
    run, heard = read_run("timer", 3, seed=1), list[str]()
    with Launcher(run, Launching(rate=300.0)) as launcher:
        launcher.kill(1)
        while not {"dead", "meet"} <= set(heard):
            heard += [line[0] for line in launcher.read(0.1)]


def test_a_connection_that_was_reset_does_not_end_a_process() -> None:
    """Whatever the signals of whoever started it."""

    def work(control: int, log: int) -> None:
        one, other = socket.socketpair()
        other.close()
        with pytest.raises(BrokenPipeError):
            one.send(b"x")
        os.write(log, b"goes on\n")

    made = list[Child]()
    before = signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        fork(work, [], made.append)
    finally:
        signal.signal(signal.SIGPIPE, before)
    (child,) = made
    wait_for(lambda: select.select([child.log], (), (), 0)[0] != [])
    said = child.read()
    assert (child.bury(), said) == ("", b"goes on\n")


@pytest.mark.slow
def test_nobody_survives_a_launcher_that_is_killed() -> None:
    program = (
        "import sys\nfrom tests.network.runs import read_run\nfrom princeps.network.launcher import Launcher, Launching\n"
        "with Launcher(read_run('timer', 4, seed=1), Launching()) as launcher:\n"
        "    print(*(process.pid for process in launcher.processes.values()), flush=True)\n"
        "    sys.stdin.read()\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pids = [int(word) for word in parent.stdout.readline().split()]
    assert len(pids) == 4
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids))


@pytest.mark.slow
def test_ctrl_c_ends_everything_and_prints_what_was_done(start: Start) -> None:
    running = start("net", "timer", "-n", "4", "--for", "60s", "--json", "--seed", "1")
    wait_for(lambda: len(children(running.pid)) == 4)
    nodes = children(running.pid)
    time.sleep(1)
    running.send_signal(signal.SIGINT)
    out, _ = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    assert not any(Path(f"/proc/{pid}").exists() for pid in nodes)
    found = json.loads(out)
    assert found["interrupted"]
    assert found["replay"] == AGREES


def test_frames_of_a_stranger_are_counted_and_do_no_harm() -> None:
    run = read_run("timer", 3, seed=1)
    observer = Observer(run)
    with Launcher(run, Launching(rate=20.0)) as launcher, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
        for k in range(300):
            stranger.sendto(os.urandom(k % 90), launcher.addresses[k % 3])
        stranger.sendto(bytes(5000), launcher.addresses[0])
        launcher.end()
        listen(launcher, observer, lambda: not launcher.processes)
    assert not launcher.failure
    assert observer.replay.verdict == AGREES


# -- words -----------------------------------------------------------------------------------------------------------


def test_the_command_line(quick: Command) -> None:
    done = quick("net", "p_rl", "-n", "5", "--seed", "1", "--transport", "memory", "--json")
    assert (done.code, done.object["replay"], done.object["n"]) == (0, AGREES, 5)
    again = quick(*done.object["command"].split()[1:], "--json")
    assert again.object["interactions"] == done.object["interactions"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--chaos", "loss 200%"], "loss 200%"),
        (["--chaos", "1s: kill 9"], "kill 9"),
        (["--chaos", "1s: cut 0-1|1-2 for 1s"], "cut 0-1|1-2"),
        (["--for", "soon"], "like 60s"),
        (["--mode", "fast"], "unknown mode"),
        (["--transport", "pigeon"], "unknown transport"),
        (["--rate", "0"], "--rate '0'"),
        (["--mode", "conducted", "--chaos", "1s: kill 1"], "--mode free"),
        (["--scheduler", "self-meeting"], "--mode conducted"),
        (["-n", "1e12"], "1,000,000,000,000 agents"),
        (["-n", "600", "--transport", "udp"], "--per-process 2"),
        (["-n", "6", "--per-process", "0"], "--per-process 0 is too small: give at least 1"),
    ],
)
def test_bad_words_are_refused(quick: Command, words: list[str], sentence: str) -> None:
    done = quick("net", "fratricide", "-n", "4", "--transport", "memory", "--seed", "1", *words)
    assert done.code == 2
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.usefixtures("leaves_nothing")
def test_a_cut_over_udp() -> None:
    run = read_run("timer", 4, seed=1)
    cut = Cut(0.2, 2 * PATIENCE, frozenset({0, 1}), frozenset({2, 3}))
    found = run_until(run, Plan(chaos=Chaos(cuts=(cut,))), lambda observer: observer.counters.told("unanswered") > 0)
    assert found.replay == AGREES
    assert found.counters["torn"] == found.counters["open"] == 0
