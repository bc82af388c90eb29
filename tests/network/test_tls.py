"""Clusters over TCP, with and without TLS."""

from __future__ import annotations

import asyncio
import shutil
import socket
import subprocess
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import princeps
from princeps.cli.net_node_verb import _watch
from princeps.errors import PrincepsError
from princeps.network.cluster.judging import judge_logs
from princeps.network.cluster.member import Member
from princeps.network.replay import AGREES
from princeps.network.tcp import Connections
from tests.network.cluster_tools import toml, until, write

Certificates = Callable[[str, str], dict[str, str]]


@pytest.fixture
def certificates(tmp_path: Path) -> Certificates:
    """Makes the certificate of an agent by an authority, which is made at its first use; gives the table of cluster.toml."""
    if shutil.which("openssl") is None:
        pytest.skip("needs the command openssl")

    def openssl(*words: object) -> None:
        subprocess.run(["openssl", *map(str, words)], cwd=tmp_path, check=True, capture_output=True)

    def make(authority: str, agent: str) -> dict[str, str]:
        key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        if not (tmp_path / f"{authority}.pem").exists():
            subject = ["-x509", "-days", 2, "-subj", f"/CN={authority}"]
            openssl("req", *key, *subject, "-keyout", f"{authority}.key", "-out", f"{authority}.pem")
        openssl("req", *key, "-subj", f"/CN={agent}", "-keyout", f"{agent}.key", "-out", f"{agent}.csr")
        by = ["-CA", f"{authority}.pem", "-CAkey", f"{authority}.key", "-CAcreateserial", "-days", 2]
        openssl("x509", "-req", "-in", f"{agent}.csr", *by, "-out", f"{agent}.pem")
        (tmp_path / f"{agent}.key").chmod(0o600)
        return {"certificate": f"{agent}.pem", "key": f"{agent}.key", "authority": f"{authority}.pem"}

    return make


async def one_leads_alone(members: list[Member]) -> Member:
    others = len(members) - 1
    await until(lambda: sum(me.leads for me in members) == 1 and all(len(me.peers) == others for me in members))
    return next(me for me in members if me.leads)


def check_logs(directory: Path) -> None:
    found = judge_logs([str(directory / "logs")])
    assert (found.replay, found.unplaced, found.damaged) == (AGREES, 0, 0)
    assert found.interactions > 0


@pytest.mark.medium
def test_a_cluster_over_tcp_elects_and_one_comes_back(tmp_path: Path) -> None:
    path = write(tmp_path, 3, transport="tcp")

    async def play() -> None:
        async with AsyncExitStack() as stack:
            # the largest number first: those who make the connections come later, and find it
            members = [await stack.enter_async_context(princeps.member(path, agent)) for agent in (2, 0, 1)]
            leader = await one_leads_alone(members)
            await leader.aclose()
            rest = [me for me in members if me is not leader]
            await until(lambda: all(leader.agent not in me.peers for me in rest))
            back = await stack.enter_async_context(princeps.member(path, leader.agent))
            await one_leads_alone([*rest, back])
            assert back.incarnation == 2
            assert [me.counters["bad_frames"] for me in members] == [0, 0, 0]

    asyncio.run(play())
    check_logs(tmp_path)


@pytest.mark.medium
def test_one_who_only_answers_is_found_by_those_who_make_connections(tmp_path: Path) -> None:
    """On the directed ring agent 2 asks agent 0, which never asks agent 2 and has to make the connection."""
    path = write(tmp_path, 3, transport="tcp", graph="directed-ring", protocol="p_rl")

    async def play() -> None:
        async with princeps.member(path, 0) as zero, princeps.member(path, 1):
            await asyncio.sleep(0.1)
            async with princeps.member(path, 2) as two:
                await until(lambda: 0 in two.peers and 2 in zero.peers)

    asyncio.run(play())


@pytest.mark.medium
def test_another_authority_is_not_let_in_and_elections_go_on(tmp_path: Path, certificates: Certificates) -> None:
    ours = [
        write(tmp_path, 5, f"cluster-{k}.toml", transport="tcp", tls=certificates("ours", f"agent-{k}"))
        for k in range(3)
    ]
    theirs = write(tmp_path, 5, "eve.toml", transport="tcp", tls=certificates("theirs", "eve"))
    plain = write(tmp_path, 5, "plain.toml", transport="tcp")

    async def play() -> None:
        async with AsyncExitStack() as stack:
            members = [await stack.enter_async_context(princeps.member(ours[k], k + 1)) for k in range(3)]
            await one_leads_alone(members)
            for path, agent in ((theirs, 0), (theirs, 4), (plain, 4)):  # it makes the connections, or they do
                for me in members:
                    own = me._opened().socket
                    assert isinstance(own, Connections)
                    own.notes.clear()
                async with princeps.member(path, agent) as eve:
                    await until(partial(any_refused, *members))
                    if path == theirs:
                        await until(partial(any_refused, eve))
                    await all_go_on(members)
                    assert (eve.peers, eve.failure) == ({}, "")
                    assert all(agent not in me.peers and not me.failure for me in members)
            await one_leads_alone(members)
            assert any("agent 4" in me.not_let_in for me in members)
            async with princeps.member(ours[0], 4) as late:  # the true one
                await one_leads_alone([*members, late])
                assert not any("agent 4" in me.not_let_in for me in members), "it is connected now"
            assert any(me.counters.get("not let in by TLS", 0) for me in members)

    asyncio.run(play())


def any_refused(*members: Member) -> bool:
    return any("certificate" in why or "TLS" in why for me in members for why in me.not_let_in.values())


async def all_go_on(members: list[Member]) -> None:
    before = {me: me.counters["requests"] for me in members}
    await until(lambda: all(me.counters["requests"] > 20 + before[me] for me in members))


def test_a_node_says_once_who_is_not_let_in(capsys: pytest.CaptureFixture[str]) -> None:
    why = {"agent 2": "its certificate is not accepted here: unable to get local issuer certificate"}
    me = SimpleNamespace(agent=0, failure="", differs={}, not_let_in=why, peers={1: 1}, counters={})

    async def play() -> None:
        stop = asyncio.Event()
        watching = asyncio.create_task(_watch(me, stop))
        await asyncio.sleep(0.5)
        me.failure = "enough"
        await watching
        assert stop.is_set()

    asyncio.run(play())
    said = capsys.readouterr().err
    assert said.count("agent 2 is not connected with agent 0: its certificate is not accepted here") == 1


def test_frames_under_tls_cannot_be_read_on_the_wire(tmp_path: Path, certificates: Certificates) -> None:
    """Agent 1 is somebody who only listens, and shows no certificate."""
    path = write(tmp_path, 2, transport="tcp", tls=certificates("ours", "agent"))

    async def play() -> bytes:
        cluster = princeps.member(path, 0).cluster
        heard = bytearray()
        with socket.create_server(cluster.addresses[1]) as server:
            server.setblocking(False)
            async with princeps.member(path, 0):
                loop = asyncio.get_running_loop()
                made, _ = await loop.sock_accept(server)
                with made:
                    made.setblocking(False)
                    while len(heard) < 100:
                        heard += await loop.sock_recv(made, 1 << 16)
        return bytes(heard)

    assert asyncio.run(play())[:2] == b"\x16\x03"  # the ClientHello of TLS


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "transport": ({"transport": "sctp"}, "transport 'sctp' is not understood"),
    "transport's type": ({"transport": 1}, "transport 1 is not understood"),
    "udp": ({"transport": "udp", "tls": {}}, "tls is for connections"),
    "left out": ({"tls": {}}, "tls is for connections"),
    "no table": ({"tls": "agent.pem"}, "tls 'agent.pem' is not understood"),
    "unknown part": ({"tls": {"certificat": "a.pem"}}, "tls knows no 'certificat': did you mean certificate"),
    "missing part": ({"tls": {"certificate": "a.pem", "key": "a.key"}}, "the authority of tls is missing"),
    "no path": ({"tls": {"certificate": 1, "key": "k", "authority": "c"}}, "the certificate of tls 1 is no path"),
    "no file": ({"tls": {"certificate": "a.pem", "key": "k", "authority": "c"}}, "a.pem' cannot be read: No such file"),
    "no PEM": ({"tls": {"certificate": "x", "key": "x", "authority": "x"}}, "x' holds no certificate in PEM"),
}


def read(directory: Path, **given: Any) -> Member:
    values = {"protocol": "timer", "agents": ["127.0.0.1:7001", "127.0.0.1:7002"], **given}
    path = directory / "cluster.toml"
    path.write_text("\n".join(f"{key} = {toml(value)}" for key, value in values.items()))
    return princeps.member(path)


@pytest.mark.parametrize("what", WRONG)
def test_mistakes_in_the_file(what: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_text("no certificate")
    given, sentence = WRONG[what]
    with pytest.raises(PrincepsError) as refused:
        read(tmp_path, **(given if what == "left out" else {"transport": "tcp"} | given))
    assert sentence in str(refused.value)
    assert "cluster.toml" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_certificates_that_do_not_fit(tmp_path: Path, certificates: Certificates) -> None:
    one, other = certificates("ours", "one"), certificates("ours", "other")
    secret = ["openssl", "ec", "-aes128", "-passout", "pass:secret", "-in", "one.key", "-out", "secret.key"]
    subprocess.run(secret, cwd=tmp_path, check=True, capture_output=True)
    for tls, sentence in (
        (one | {"key": other["key"]}, "are no certificate and its key in PEM"),
        (one | {"certificate": one["key"]}, "are no certificate and its key in PEM"),
        (one | {"key": "secret.key"}, "it has a password"),
    ):
        with pytest.raises(PrincepsError, match=sentence):
            read(tmp_path, transport="tcp", tls=tls)
    assert read(tmp_path, transport="tcp", tls=one).cluster.warnings == ()
    (tmp_path / "one.key").chmod(0o644)
    (warning,) = read(tmp_path, transport="tcp", tls=one).cluster.warnings
    assert "one.key holds a key" in warning
