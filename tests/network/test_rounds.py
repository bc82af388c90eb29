"""Several agents of one process: what a round of them writes, sends, and does first."""

import os
import socket
from collections.abc import Iterator
from itertools import count
from types import SimpleNamespace

import pytest

from princeps.model.description import describe, read
from princeps.model.run import Run
from princeps.network import udp
from princeps.network.handshake import LOG, Node
from princeps.network.making import make_node
from princeps.network.membership import Timing, membership_of
from princeps.network.udp import LATEST, Round, Sender, _due, write_whole


class Recording(Sender):
    """Notes what the log held when a frame was sent."""

    def __init__(self, log: int, reader: int, cut_off: frozenset[int] = frozenset()) -> None:
        super().__init__(socket.socket(socket.AF_INET, socket.SOCK_DGRAM), {}, log)
        self.cut_off, self.reader = cut_off, reader
        self.sent: list[tuple[int, bytes, bytes]] = []

    def send(self, to: int, data: bytes) -> None:
        self.sent.append((to, data, os.read(self.reader, 1 << 16)))


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    yield reader, writer
    os.close(reader)
    os.close(writer)


def test_every_line_of_a_round_is_in_the_log_before_its_first_frame_is_sent(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    reader, writer = pipe
    written = list[bytes]()
    write = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: (written.append(data), write(fd, data))[1])
    said, first = Round(writer), Recording(writer, reader)
    said.add(first, [(LOG, b"one\n"), (1, b"frame of one")])
    said.add(Recording(writer, reader), [(LOG, b"two\n")])
    assert not written
    assert not first.sent
    said.carry_out()
    assert first.sent == [(1, b"frame of one", b"one\ntwo\n")]
    assert written == [b"one\ntwo\n"]
    said.carry_out()
    assert len(first.sent) == len(written) == 1


def test_a_round_sends_nothing_across_a_cut(pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    said, sender = Round(writer), Recording(writer, reader, frozenset({1}))
    said.add(sender, [(LOG, b"line\n"), (1, b"lost"), (2, b"kept")])
    said.carry_out()
    assert [sent[:2] for sent in sender.sent] == [(2, b"kept")]


def test_a_log_that_takes_a_line_in_parts_gets_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = list[bytes]()
    monkeypatch.setattr(os, "write", lambda fd, data: (taken.append(data[:3]), len(data[:3]))[1])
    write_whole(7, b'["take",0,1]\n')
    assert b"".join(taken) == b'["take",0,1]\n'
    assert len(taken) == 5


def test_of_several_agents_that_are_due_the_first_alone_asks() -> None:
    assert _due([3.0, 2.48, 2.49], 2.5) == (1,)
    assert _due([3.0, 2.6, 2.7], 2.5) == ()


def test_all_that_are_due_are_served_when_a_process_is_very_late() -> None:
    now = 2.5
    assert _due([3.0, now - 2 * LATEST, now - LATEST / 2], now) == [1, 2]


def test_agents_of_a_busy_process_seldom_refuse_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """At a rate that one process cannot carry, all ten are due again and again."""
    run = read(describe("timer", 10, seed=1))
    assert isinstance(run, Run)
    sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(10)]
    for own in sockets:
        own.setblocking(False)
        own.bind(("127.0.0.1", 0))
    addresses = {k: own.getsockname() for k, own in enumerate(sockets)}
    log, (control, other_end) = os.open(os.devnull, os.O_WRONLY), os.pipe()
    member = membership_of(run)
    nodes = [make_node(Node, run, member, k, 1, (0, 1), 4000 / 9, Timing(), ()) for k in range(10)]
    seats = [(node, Sender(sockets[k], addresses, log)) for k, node in enumerate(nodes)]
    asked, moments = 0, count()

    def clock() -> float:
        """Moves whenever it is looked at, so that nothing depends on the machine; after 2,000 requests the loop is ended."""
        nonlocal asked
        before, asked = asked, sum(node.tally.requests for node in nodes)
        if before < 2000 <= asked:
            os.close(other_end)
        return 40e-6 * next(moments)

    monkeypatch.setattr(udp, "time", SimpleNamespace(monotonic=clock))
    udp.serve(seats, control)
    for fd in (log, control):
        os.close(fd)
    for own in sockets:
        own.close()
    assert sum(node.version for node in nodes) > 1000
    assert sum(node.tally.refused for node in nodes) < 0.35 * asked


def test_agents_of_one_process_remember_states_together() -> None:
    run = read(describe("timer", 3, seed=1))
    assert isinstance(run, Run)
    member = membership_of(run)
    first, second = (make_node(Node, run, member, k, 1, (0, 1), 1.0, Timing(), ()) for k in (0, 1))
    assert first.codec is second.codec
    assert first.texts is second.texts
    assert first.results is second.results
