"""Agents of a cluster: each is started by somebody, over sockets of the loopback interface."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import socket
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.errors import PrincepsError, RunError
from princeps.model.starts import starting_states
from princeps.network.cluster.file import Cluster, read_cluster
from princeps.network.cluster.incarnation import BLOCK, Remembered
from princeps.network.cluster.joining import offer_of
from princeps.network.cluster.judging import judge_logs
from princeps.network.cluster.member import Member
from princeps.network.cluster.node import ClusterNode
from princeps.network.cluster.terms import PAUSE, Terms
from princeps.network.handshake import LOG
from princeps.network.log import parsed
from princeps.network.making import make_node
from princeps.network.membership import restart_state
from princeps.network.observer import Observer
from princeps.network.replay import AGREES
from tests.conftest import Command, Start, wait_for

KEY = "a key of more than sixteen bytes"


def write(directory: Path, n: int = 4, name: str = "cluster.toml", **given: Any) -> Path:
    """A file with free ports; those of another file of the same directory are kept."""
    before = next(iter(directory.glob("*.toml")), None)
    if before is not None:
        ports = [port for _, port in read_cluster(before).addresses]
    else:
        kind = socket.SOCK_STREAM if given.get("transport") == "tcp" else socket.SOCK_DGRAM
        sockets = [socket.socket(socket.AF_INET, kind) for _ in range(n)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        ports = [one.getsockname()[1] for one in sockets]
        for one in sockets:
            one.close()
    values: dict[str, Any] = {"protocol": "timer", "rate": 200, "logs": "logs", **given}
    lines = [f"{key} = {toml(value)}" for key, value in values.items()]
    lines.append(f"agents = {json.dumps([f'127.0.0.1:{port}' for port in ports])}")
    path = directory / name
    path.write_text("\n".join(lines))
    return path


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {toml(part)}" for key, part in value.items()) + "}"
    return json.dumps(value)


async def until(condition: Callable[[], bool], seconds: float = 30.0) -> None:
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.01)


# -- members ---------------------------------------------------------------------------------------------------------


@pytest.mark.medium
def test_a_cluster_elects_and_one_comes_back(tmp_path: Path) -> None:
    path = write(tmp_path)
    heard: list[tuple[bool, int]] = []

    async def play() -> None:
        async with AsyncExitStack() as stack:
            members = [await stack.enter_async_context(princeps.member(path)) for _ in range(4)]
            assert [me.agent for me in members] == [0, 1, 2, 3], "the first whose address is free"
            await until(lambda: sum(me.leads for me in members) == 1 and all(len(me.peers) == 3 for me in members))
            leader = next(me for me in members if me.leads)
            assert await leader.leadership() == leader.term
            assert leader.term % 4 == leader.agent
            leader.on_change(lambda leads, term: heard.append((leads, term)))
            term = leader.term
            leader.outbid(term + 1000)
            await until(lambda: leader.term > term + 1000)
            await leader.aclose()
            assert not leader.leads
            with pytest.raises(RunError, match="closed"):
                await leader.leadership()
            rest = [me for me in members if me is not leader]
            await until(lambda: all(leader.agent not in me.peers for me in rest))
            back = await stack.enter_async_context(princeps.member(path, leader.agent))
            assert back.incarnation == 2
            await until(lambda: all(me.peers.get(back.agent) == 2 for me in rest))
            everybody = [*rest, back]
            await until(lambda: sum(me.leads for me in everybody) == 1)
            last = next(me for me in everybody if me.leads)
            await until(lambda: last.term > leader.term)

    asyncio.run(play())
    assert heard[-1][0] is False
    found = judge_logs([str(tmp_path / "logs")])
    assert (found.replay, found.unplaced, found.damaged) == (AGREES, 0, 0)
    assert (found.counters["starts"], found.counters["torn"], found.logs) == (5, 0, 5)
    assert found.interactions == found.counters["whole"] > 0
    check_that_the_judge_sees_mistakes(tmp_path / "logs")


def check_that_the_judge_sees_mistakes(logs: Path) -> None:
    """A state that the rule does not give, a log that is not there, and bytes that are no line."""
    path = logs / "agent-0.1.log"
    lines = path.read_text().splitlines(keepends=True)
    place = next(k for k, line in enumerate(lines) if line.startswith('["meet"'))
    meet = json.loads(lines[place])
    meet[8] = [1 - meet[8][0], *meet[8][1:]]
    path.write_text("".join([*lines[:place], json.dumps(meet) + "\n", *lines[place + 1 :]]))
    found = judge_logs([str(logs)])
    assert "in the model" in found.replay
    assert not found.succeeded
    path.write_text("".join([*lines, "garbage\n", '["meet",0,1,99]\n', '["meet",0,1']))
    found = judge_logs([str(logs)])
    assert (found.replay, found.damaged, found.succeeded) == (AGREES, 2, False), "a torn last line is none"
    path.unlink()
    found = judge_logs([str(logs)])
    assert found.unplaced > 0
    assert "missing" in found.report().text()


def test_in_a_thread(tmp_path: Path) -> None:
    path = write(tmp_path, 2, protocol="fratricide")
    with princeps.member(path) as one, princeps.member(path) as other:
        assert one.wait(20)
        wait_for(lambda: one.leads != other.leads, 20)
        leader, follower = (one, other) if one.leads else (other, one)
        assert not follower.wait(0.05)
        assert leader.state == {"leader": 1}
        with pytest.raises(PrincepsError, match="no agent whose address is free"):
            princeps.member(path).__enter__()
        with pytest.raises(PrincepsError, match="agent 1 cannot have its address 127"):
            princeps.member(path, 1).__enter__()
    assert not leader.leads
    with pytest.raises(PrincepsError, match="no agent 2"):
        princeps.member(path, 2).__enter__()
    with pytest.raises(PrincepsError, match="async with"):
        princeps.member(path).agent  # noqa: B018


def test_a_callback_that_nobody_would_await_is_refused(tmp_path: Path) -> None:
    async def tell(leads: bool, term: int) -> None: ...

    me = princeps.member(write(tmp_path))
    for wrong in (tell, None, "leads"):
        with pytest.raises(PrincepsError, match="give a plain function"):
            me.on_change(wrong)


def test_a_callback_that_raises_does_not_end_the_agent(tmp_path: Path) -> None:
    path, complaints, heard = write(tmp_path, n=2, protocol="fratricide"), list[Any](), list[bool]()

    async def play() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, about: complaints.append(about["exception"]))
        async with princeps.member(path, 0) as one, princeps.member(path, 1) as two:
            for me in (one, two):
                me.on_change(lambda leads, term: 1 // 0)
                me.on_change(lambda leads, term: heard.append(leads))
            await until(lambda: one.leads != two.leads)
            await until(lambda: False in heard)
            assert (one.failure, two.failure) == ("", "")

    asyncio.run(play())
    assert {type(error) for error in complaints} == {ZeroDivisionError}


DIFFERENT: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "protocol": ({"protocol": "fratricide"}, ("'timer'", "'fratricide'", "protocol")),
    "content": ({"protocol": "mine.py:Timer"}, ("content of the protocol",)),
    "params": ({"params": {"t_max": 9}}, ("params", "'t_max = 9'", "'t_max = 32'")),
    "version": ({}, ("version of princeps", "'9.9.9'", f"{princeps.__version__!r}")),
    "seed": ({"seed": 5}, ("seed", "'5'", "'0'")),
}


@pytest.mark.parametrize("what", DIFFERENT)
def test_another_definition_is_refused(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given, words = DIFFERENT[what]
    if what == "content":
        import princeps.protocols.timer as library

        text = Path(str(library.__file__)).read_text()
        changed = text.replace("- 1", "- 2", 1)
        assert changed != text
        (tmp_path / "mine.py").write_text(changed)
        given = {"protocol": f"mine.py:{next(n for n, v in vars(library).items() if _is_of(v, library))}"}
    ours, theirs = write(tmp_path), write(tmp_path, name="other.toml", **given)

    async def play() -> None:
        async with princeps.member(ours, 0) as one, princeps.member(ours, 1) as two:
            await one.joined()
            await two.joined()
            if what == "version":
                monkeypatch.setattr(princeps, "__version__", "9.9.9")
            async with princeps.member(theirs, 2) as newcomer:
                with pytest.raises(RunError, match=r"agent [01] refuses this agent") as refused:
                    async with asyncio.timeout(10):
                        await newcomer.joined()
                assert all(word in str(refused.value) for word in words)
                assert not newcomer.leads
                await until(lambda: 2 in one.differs)
            assert set(one.peers) == {1}, "those who had joined go on"
            assert not one.failure

    asyncio.run(play())


def _is_of(value: object, module: object) -> bool:
    return isinstance(value, type) and value.__module__ == getattr(module, "__name__", "")


def test_a_wrong_key_never_joins_and_garbage_does_nothing(tmp_path: Path) -> None:
    ours = write(tmp_path, key=KEY, protocol="fratricide")
    theirs = write(tmp_path, name="other.toml", key=KEY + "!", protocol="fratricide")
    numbers = random.Random(1)

    async def play() -> None:
        async with princeps.member(ours, 0) as one, princeps.member(ours, 1) as two, princeps.member(theirs, 2) as eve:
            assert any("chmod 600" in warning for warning in one.cluster.warnings)
            await one.joined()
            await until(lambda: one.counters.get("wrong tag", 0) > 5 and eve.counters.get("wrong tag", 0) > 5)
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
                for size in range(0, 2000, 50):
                    sender.sendto(numbers.randbytes(size), one.cluster.addresses[0])
            await until(lambda: one.counters.get("not a frame", 0) > 5)
            assert (eve.peers, eve.failure) == ({}, "")
            assert set(one.peers) == {1}
            assert not one.failure
            await two.joined()

    asyncio.run(play())


def test_a_lost_state_directory_is_noticed(tmp_path: Path) -> None:
    path = write(tmp_path, 2)

    async def play() -> None:
        async with princeps.member(path, 0) as one:
            for _ in range(2):
                async with princeps.member(path, 1) as two:
                    await two.joined()
                    await until(lambda: 1 in one.peers)
            (tmp_path / "state" / "agent-1.json").unlink()
            async with princeps.member(path, 1) as two:
                with pytest.raises(RunError, match="incarnation 2 of agent 1, and this is 1"):
                    async with asyncio.timeout(10):
                        await two.joined()

    asyncio.run(play())


# -- without sockets -------------------------------------------------------------------------------------------------


class Wires:
    """Nodes of a cluster in virtual time; every frame is kept."""

    def __init__(self, cluster: Cluster, loss: float = 0.0) -> None:
        self.cluster, self.now, self.loss, self.numbers = cluster, 0.0, loss, random.Random(1)
        self.nodes: dict[int, ClusterNode] = {}
        self.frames: list[tuple[int, bytes]] = []
        self.lines: list[bytes] = []

    def start(self, agent: int, incarnation: int = 1) -> None:
        run = self.cluster.run
        state = starting_states(run)[agent]
        if incarnation > 1:
            state = restart_state(run, agent, incarnation, state)
        timing, rate = self.cluster.timing, self.cluster.arc_rate
        node = make_node(ClusterNode, run, self.cluster.membership, agent, incarnation, state, rate, timing, ())
        assert isinstance(node, ClusterNode)
        node.prepare(offer_of(run), bytes([agent, incarnation] * 8), Terms(agent, run.n, 0, lambda count: None))
        self.nodes[agent] = node
        self.carry(node.start(self.now))

    def carry(self, outputs: list[tuple[int, bytes]]) -> None:
        for to, data in outputs:
            if to == LOG:
                self.lines.append(data)
                continue
            self.frames.append((to, data))
            if to in self.nodes and self.numbers.random() >= self.loss:
                self.carry(self.nodes[to].receive(self.now, data))

    def go_on(self, rings: int) -> None:
        for _ in range(rings):
            node = min(self.nodes.values(), key=lambda node: node.next_timer())
            self.now = node.next_timer()
            self.carry(node.timer(self.now))


def test_recorded_frames_of_an_earlier_incarnation_do_nothing(tmp_path: Path) -> None:
    wires = Wires(read_cluster(write(tmp_path, 2, protocol="timer")))
    wires.start(0)
    wires.start(1)
    wires.go_on(50)
    assert sum(line.startswith(b'["meet"') for line in wires.lines) > 20
    recorded = [data for to, data in wires.frames if to == 1]
    wires.start(0, 2)
    wires.start(1, 2)
    wires.go_on(5)
    node = wires.nodes[1]
    assert node.joined == {0: 2}
    before = node.state, node.version, node.mode, node.x, node.joined.copy(), node.terms.heard
    for data in recorded:
        assert not any(to == LOG for to, _ in node.receive(wires.now, data))
    assert (node.state, node.version, node.mode, node.x, node.joined, node.terms.heard) == before
    del wires.nodes[0]
    fresh = Wires(wires.cluster)
    fresh.start(1, 3)
    node = fresh.nodes[1]
    answers = [kind for data in recorded for kind in node.receive(0.0, data)]
    assert node.joined == {}
    assert not node.busy, "nobody can freeze it by recordings"
    assert len(answers) <= 2 * len(recorded)


@pytest.mark.medium
def test_what_a_lease_tears_is_in_the_log_and_the_replay_agrees(tmp_path: Path) -> None:
    """Nobody says who died, and half of all frames are lost."""
    wires = Wires(read_cluster(write(tmp_path, 4, lease="100ms", rate=20)), loss=0.5)
    incarnations = [1, 1, 1, 1]
    for agent in range(4):
        wires.start(agent)
    for _ in range(30):
        wires.go_on(100)
        agent = wires.numbers.randrange(4)
        incarnations[agent] += 1
        wires.start(agent, incarnations[agent])
    wires.loss = 0.0
    wires.go_on(1000)
    observer = Observer(wires.cluster.run)
    for line in map(parsed, sorted(wires.lines, key=lambda line: json.loads(line)[1])):
        assert line is not None
        observer.read(line, 0.0)
    observer.finish(0.0)
    counters = observer.counters
    assert observer.replay.verdict == AGREES
    assert counters.adds_up
    assert min(counters.torn, counters.undone, counters.completed) > 0
    assert [len(agent.lines) for agent in observer.linearizer.agents] == [0, 0, 0, 0]
    assert counters.starts == sum(incarnations)
    leaders = [agent for agent, node in wires.nodes.items() if node.terms.leads]
    assert len(leaders) == 1
    assert wires.nodes[leaders[0]].terms.own == max(node.terms.heard for node in wires.nodes.values())


def test_terms() -> None:
    reserved: list[int] = []
    one, other = Terms(0, 2, 0, reserved.append), Terms(1, 2, 0, lambda count: None)
    one.see(0.0, True)
    other.see(0.0, True)
    assert (one.own, other.own, reserved) == (2, 3, [1])
    one.hear(other.own)
    one.see(0.1, True)
    assert one.own == 2, "not at once"
    one.see(PAUSE, True)
    assert one.own == 4 > other.own
    one.see(PAUSE + 0.1, False)
    one.see(PAUSE + 0.2, True)
    assert one.own == 6, "a new one with every gain"
    one.outbid(77)
    assert one.own == 78
    again = Terms(0, 2, 39, lambda count: None)  # 39 is the count of 78
    again.see(0.0, True)
    assert again.own > 78, "also after a restart"


def test_incarnations_never_repeat(tmp_path: Path) -> None:
    for expected in (1, 2, 3):
        found = Remembered(tmp_path, 0)
        assert found.incarnation == expected
        with pytest.raises(RunError, match="agent 0 already runs"):
            Remembered(tmp_path, 0)
        found.reserve(expected)
        assert found.reserved == 1 + BLOCK
        found.close()
    for text in ("", "[]", '{"incarnation": -1, "reserved": 0}', '{"incarnation": 4294967295, "reserved": 0}'):
        (tmp_path / "agent-0.json").write_text(text)
        with pytest.raises(RunError, match="holds no incarnation"):
            Remembered(tmp_path, 0)


# -- bad input -------------------------------------------------------------------------------------------------------

GOOD = {"protocol": '"timer"', "agents": '["127.0.0.1:7001", "127.0.0.1:7002"]'}
REFUSED: dict[str, tuple[dict[str, str | None], str]] = {
    "no protocol": ({"protocol": None}, "protocol is missing"),
    "unknown protocol": ({"protocol": '"timmer"'}, "timmer"),
    "ring algorithm": ({"protocol": '"a_k"'}, "a_k"),
    "no file": ({"protocol": '"nothere.py:Mine"'}, "nothere.py"),
    "unknown key": ({"leese": '"2s"'}, "'leese': did you mean lease"),
    "no agents": ({"agents": None}, "agents is missing"),
    "one agent": ({"agents": '["127.0.0.1:7001"]'}, "two agents or more"),
    "no port": ({"agents": '["127.0.0.1", "127.0.0.1:7002"]'}, "agents: agent 0 has '127.0.0.1'"),
    "large port": ({"agents": '["127.0.0.1:70000", "127.0.0.1:7002"]'}, "agents: agent 0"),
    "number": ({"agents": '[7001, "127.0.0.1:7002"]'}, "agents: agent 0 has 7001"),
    "empty part": ({"agents": '["127..0.1:7001", "127.0.0.1:7002"]'}, "agents: agent 0 has '127..0.1:7001'"),
    "no host": ({"agents": '["127.0.0.1\\u0000:7001", "127.0.0.1:7002"]'}, "agents: agent 0 has"),
    "twice": ({"agents": '["127.0.0.1:7001", "127.0.0.1:7001"]'}, "agents 0 and 1 have the same address"),
    "gap": ({"agents": '{0 = "127.0.0.1:7001", 2 = "127.0.0.1:7002"}'}, "no address of agent 1"),
    "n": ({"n": "3"}, "n = 3, and agents has 2"),
    "params": ({"params": "3"}, "params 3"),
    "parameter": ({"params": "{Q = 3}"}, "'Q'"),
    "graph": ({"graph": '"rng"'}, "rng"),
    "graph's type": ({"graph": "3"}, "graph 3"),
    "seed": ({"seed": '"one"'}, "seed 'one'"),
    "lease": ({"lease": '"soon"'}, "lease 'soon'"),
    "lease zero": ({"lease": "0"}, "lease 0"),
    "no lease": ({"lease": '"none"'}, "who is dead"),
    "rate": ({"rate": "-1"}, "rate -1"),
    "rate's type": ({"rate": "true"}, "rate True"),
    "logs": ({"logs": "1"}, "logs 1"),
    "state": ({"state": '""'}, "state ''"),
    "short key": ({"key": '"short"'}, "key has 5 bytes"),
    "no key file": ({"key_file": '"nothere"'}, "key_file"),
    "both keys": ({"key": '"a"', "key_file": '"b"'}, "key and key_file"),
    "no key": ({"agents": '["127.0.0.1:7001", "10.0.0.1:7002"]'}, "key is missing, and 10.0.0.1"),
    "no key by name": ({"agents": '["localhost:7001", "example.org:7002"]'}, "key is missing, and example.org"),
    "no TOML": ({"rate": "["}, "is no TOML"),
}


@pytest.mark.medium
def test_mistakes_in_the_file(tmp_path: Path, quick: Command) -> None:
    path = tmp_path / "cluster.toml"
    for what, (changes, sentence) in REFUSED.items():
        lines = [f"{key} = {value}" for key, value in (GOOD | changes).items() if value is not None]
        path.write_text("\n".join(lines))
        with pytest.raises(PrincepsError) as refused:
            princeps.member(path)
        assert sentence in str(refused.value), what
        assert "cluster.toml" in str(refused.value), what
        assert "\n" not in str(refused.value), what
    done = quick("net", "node", "--join", path)
    assert (done.code, done.stderr.count("\n")) == (2, 1)


def test_a_file_as_it_should_be(tmp_path: Path) -> None:
    (tmp_path / "cluster.key").write_text(KEY + "\n")
    (tmp_path / "cluster.key").chmod(0o600)
    path = tmp_path / "cluster.toml"
    path.write_text(
        'protocol = "p_rl"\nparams = {N = 4}\nkey_file = "cluster.key"\nlease = "500ms"\n'
        '[agents]\n0 = "10.0.0.1:7001"\n1 = "[::1]:7002"\n2 = "example.org:7003"\n'
    )
    found = read_cluster(path)
    assert found.addresses == (("10.0.0.1", 7001), ("::1", 7002), ("example.org", 7003))
    assert (found.address(1), found.lease, found.secret, found.warnings) == ("[::1]:7002", 0.5, KEY.encode(), ())
    assert (found.run.protocol.given["N"], found.state, found.logs) == (4, tmp_path / "state", None)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["node"], "--join"),
        (["node", "--join", "nothere.toml"], "'nothere.toml' cannot be read"),
        (["judge", "nothere.log"], "cannot be read"),
        (["judge", "."], "holds no logs"),
        (["judge", "some.txt"], "is no log"),
    ],
)
def test_bad_words(
    quick: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "some.txt").write_text('["start",0,1]\n')
    done = quick("net", *words)
    assert done.code == 2
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


# -- processes -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_processes_that_are_killed_come_back(start: Start, tmp_path: Path, quick: Command) -> None:
    path = write(tmp_path, lease="500ms", key=KEY)
    running = {agent: start("net", "node", "--join", path, "--agent", agent) for agent in range(4)}
    for agent in running:
        assert f"agent {agent}, incarnation 1" in _line(running[agent])
    numbers = random.Random(3)
    for _ in range(6):
        agent = numbers.randrange(4)
        running[agent].kill()
        running[agent].wait()
        running[agent] = start("net", "node", "--join", path, "--agent", agent)
        assert f"agent {agent}, incarnation" in _line(running[agent])

    async def ask() -> Member:
        """The fourth agent is this process."""
        running[3].send_signal(signal.SIGTERM)
        assert running[3].wait(30) == 0
        async with princeps.member(path, 3) as me:
            await until(lambda: len(me.peers) == 3)
            await asyncio.sleep(3)
        return me

    me = asyncio.run(ask())
    assert not me.failure
    for agent in range(3):
        running[agent].send_signal(signal.SIGTERM if agent else signal.SIGINT)
    assert [running[agent].wait(30) for agent in range(3)] == [0, 0, 0]
    assert all("Traceback" not in str(running[agent].communicate()[1]) for agent in range(3))
    done = quick("net", "judge", tmp_path / "logs", "--json")
    found = json.loads(done.stdout)
    assert (done.code, found["replay"], found["unplaced"], found["counters"]["starts"]) == (0, AGREES, 0, 11)
    assert len(os.listdir(tmp_path / "logs")) == 11


def _line(process: Any) -> str:
    return str(process.stdout.readline())
