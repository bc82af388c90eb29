"""The parts of a cluster without sockets: its nodes in virtual time, terms, incarnations, and its file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import princeps
from princeps.errors import PrincepsError, RunError
from princeps.network.cluster.file import read_cluster
from princeps.network.cluster.incarnation import BLOCK, Remembered
from princeps.network.cluster.judging import judge_logs
from princeps.network.cluster.terms import PAUSE, Terms
from princeps.network.handshake import LOG
from princeps.network.log import parsed
from princeps.network.observer import Observer
from princeps.network.replay import AGREES
from tests.conftest import Command
from tests.network.cluster_tools import KEY, Wires, write


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
    "another graph": ({"graph": '"ring"'}, "Leave graph out, or insist with force = true."),
    "force": ({"force": '"yes"'}, "force 'yes' is not understood: write force = true."),
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


def test_a_graph_that_the_protocol_is_not_made_for(tmp_path: Path) -> None:
    """Where the file insists; the judge does not ask again."""
    wires = Wires(read_cluster(write(tmp_path, 3, protocol="fratricide", graph="ring", force=True)))
    for agent in range(3):
        wires.start(agent)
    wires.go_on(40)
    wires.write_logs(tmp_path / "logs")
    found = judge_logs([str(tmp_path / "logs")])
    assert (found.replay, found.graph, found.agents) == (AGREES, "ring", 3)
    assert found.interactions > 10


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
        (["node", "--join", "nothere.toml", "--agent", "1", "--agent", "01"], "--agent 1 is given twice"),
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
