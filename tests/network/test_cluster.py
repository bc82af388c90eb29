"""Agents of a cluster: each is started by somebody, over sockets of the loopback interface."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import socket
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.errors import PrincepsError, RunError
from princeps.network.cluster.incarnation import Remembered
from princeps.network.cluster.judging import judge_logs
from princeps.network.cluster.member import Member
from princeps.network.replay import AGREES
from tests.conftest import PATIENCE, Command, Start, wait_for
from tests.network.cluster_tools import KEY, until, write

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
            assert leader.term > term + 1000, "at once: the next write is fenced with it"
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
    path = max(logs.iterdir(), key=lambda path: path.read_text().count('\n["meet"'))  # some may have asked nobody
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
        assert one.wait(PATIENCE)
        wait_for(lambda: one.leads != other.leads)
        leader, follower = (one, other) if one.leads else (other, one)
        assert not follower.wait(0.05)
        assert leader.state == {"leader": 1}
        term = leader.term
        leader.outbid(term + 1000)
        assert leader.term > term + 1000, "also from another thread"
        follower.outbid(term + 5000)
        assert not follower.leads
        with pytest.raises(PrincepsError, match="no agent whose address is free"):
            princeps.member(path).__enter__()
        with pytest.raises(PrincepsError, match="agent 1 cannot have its address 127"):
            princeps.member(path, 1).__enter__()
    assert not leader.leads
    leader.outbid(leader.term)  # it is closed: nothing happens
    with pytest.raises(PrincepsError, match="no agent 2"):
        princeps.member(path, 2).__enter__()
    with pytest.raises(PrincepsError, match="async with"):
        princeps.member(path).agent  # noqa: B018


def test_a_term_that_cannot_be_written_down_ends_the_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And not the loop: as for any other term, nobody may lead with one that could come again."""
    path = write(tmp_path, 2, protocol="fratricide")

    def full(remembered: Remembered) -> None:
        raise RunError("the disk is full.")

    async def play() -> None:
        async with princeps.member(path, 0) as me:
            term = await me.leadership()
            monkeypatch.setattr(Remembered, "_write", full)
            me.outbid(term + 100_000)
            assert (me.failure, me.leads, me.term) == ("the disk is full.", False, term)
            monkeypatch.undo()

    asyncio.run(play())


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
                    async with asyncio.timeout(PATIENCE):
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
                    async with asyncio.timeout(PATIENCE):
                        await two.joined()

    asyncio.run(play())


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
        assert running[3].wait(PATIENCE) == 0
        async with princeps.member(path, 3) as me:
            await until(lambda: len(me.peers) == 3)
            await until(lambda: me.counters["requests"] > 100)
        return me

    me = asyncio.run(ask())
    assert not me.failure
    for agent in range(3):
        running[agent].send_signal(signal.SIGTERM if agent else signal.SIGINT)
    assert [running[agent].wait(PATIENCE) for agent in range(3)] == [0, 0, 0]
    assert all("Traceback" not in str(running[agent].communicate()[1]) for agent in range(3))
    done = quick("net", "judge", tmp_path / "logs", "--json")
    found = json.loads(done.stdout)
    assert (done.code, found["replay"], found["unplaced"], found["counters"]["starts"]) == (0, AGREES, 0, 11)
    assert len(os.listdir(tmp_path / "logs")) == 11


def _line(process: Any) -> str:
    return str(process.stdout.readline())
