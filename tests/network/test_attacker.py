"""Frames that nobody of the run sent, or that were sent before: none is accepted, none changes anything."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from princeps.model.randomness import Stream
from princeps.network.handshake import LOG, Node
from princeps.network.replay import AGREES
from princeps.network.state_codec import StateCodec
from princeps.network.virtual import VirtualRun
from princeps.network.wire import (
    COMMIT,
    HEAD,
    LARGEST_DATAGRAM,
    NAMES,
    REQ,
    SMALLEST,
    TAG_BYTES,
    Frame,
    Refusal,
    decode,
    encode,
)
from tests.network.explorer import MEMORY, TABLES
from tests.network.runs import read_run

KEY, RUN = b"0123456789abcdef", 77
FRAMES = 100_000


def memory_of(node: Node) -> Any:
    """All that a node's future depends on."""
    return [getattr(node, name) for name in MEMORY], [dict(getattr(node, name)) for name in TABLES]


def finished_run() -> tuple[VirtualRun, list[tuple[int, bytes]]]:
    """A run in which nobody is busy, with every frame that it sent."""
    network, sent = VirtualRun(read_run("timer", 4, seed=1), rate=20.0), list[tuple[int, bytes]]()
    network.network.seen = lambda sender, to, data: sent.append((to, data))
    network.run_until(interactions=300)
    rates = [node.rate for node in network.nodes]
    for node in network.nodes:
        node.stop()
    network.network.run(done=lambda: not any(node.busy for node in network.nodes))
    for node, rate in zip(network.nodes, rates, strict=True):
        node.rate = rate
    return network, sent


def forged(chance: Random, sent: list[tuple[int, bytes]]) -> Iterator[bytes]:
    """Random, truncated, lengthened, oversized, bit-flipped, with a random tag, and with the tag of another key."""
    while True:
        _, data = sent[chance.randrange(len(sent))]
        yield chance.randbytes(chance.randrange(80))
        head = HEAD.pack(b"Pr", 1, 1 + chance.randrange(6), chance.getrandbits(32), 2, 1, 1, chance.getrandbits(64))
        yield head + chance.randbytes(8 + chance.randrange(40))
        yield data[: chance.randrange(len(data))]
        yield data + chance.randbytes(1 + chance.randrange(8))
        yield data + bytes(LARGEST_DATAGRAM)
        bit = chance.randrange(8 * len(data))
        yield data[: bit // 8] + bytes([data[bit // 8] ^ 1 << bit % 8]) + data[bit // 8 + 1 :]
        yield data[:-TAG_BYTES] + chance.randbytes(TAG_BYTES)
        _, _, kind, run, to, sender, incarnation, counter = HEAD.unpack_from(data)
        body = data[HEAD.size : -TAG_BYTES]
        yield encode(Frame(kind, run, to, sender, incarnation, counter, body), b"another key, 16+")


@pytest.mark.medium
def test_none_of_many_forged_frames_is_accepted() -> None:
    network, sent = finished_run()
    node = network.nodes[2]
    before, frames = memory_of(node), forged(Random(9), sent)
    for k in range(FRAMES):
        if k == 1000:
            tracemalloc.start()
            size = tracemalloc.get_traced_memory()[0]
        if k == 6000:
            assert tracemalloc.get_traced_memory()[0] - size < 20_000, "memory stays what it was"
            tracemalloc.stop()
        assert node.receive(network.network.now, next(frames)) == []
    assert node.tally.bad_frames == FRAMES
    assert set(node.tally.bad) == {Refusal.SHORT, Refusal.LONG, Refusal.MAGIC, Refusal.TAG, Refusal.VERSION}
    assert memory_of(node) == before
    network.run_until(interactions=network.replay.interactions + 100)
    assert network.replay.verdict == AGREES


def test_recorded_frames_change_nothing() -> None:
    """Whoever listens may send everything again, to anybody, in any order: answers at most, never a line of the log."""
    network, sent = finished_run()
    Stream.of(3, 0, "order").shuffle(sent)
    before = [memory_of(node) for node in network.nodes]
    for to, data in sent:
        for agent, node in enumerate(network.nodes):
            answers = node.receive(network.network.now, data)
            assert all(target != LOG for target, _ in answers)
            assert agent == to or not answers
    assert [memory_of(node) for node in network.nodes] == before
    assert sum(node.tally.bad[Refusal.RECEIVER] for node in network.nodes) == 3 * len(sent)


@pytest.mark.parametrize(
    ("frame", "why"),
    [
        (Frame(REQ, RUN + 1, 0, 1, 1, 1), Refusal.RUN),
        (Frame(99, RUN, 0, 1, 1, 1), Refusal.KIND),
        (Frame(REQ, RUN, 0, 1, 1, 1, bytes(LARGEST_DATAGRAM)), Refusal.LONG),
    ],
)
def test_frames_with_a_right_tag_can_be_wrong_otherwise(frame: Frame, why: Refusal) -> None:
    assert decode(encode(frame, KEY), KEY, RUN) is why


def test_a_frame_comes_back_as_it_was() -> None:
    frame = Frame(COMMIT, RUN, 3, 999, 5, 2**63, b"body")
    assert decode(encode(frame, KEY), KEY, RUN) == frame
    assert [decode(encode(frame, KEY)[:k], KEY, RUN) for k in (0, SMALLEST - 1)] == [Refusal.SHORT] * 2
    assert len({*NAMES.values()}) == len(NAMES)


@pytest.mark.parametrize("name", ["p_rl", "p_ll", "numbered", "infection"])
def test_only_legal_states_are_read(name: str) -> None:
    """Every byte string is a legal state or none, and a state has one spelling."""
    run = read_run(name, 8, seed=1)
    codec, stream, chance = StateCodec(run.protocol.space), Stream.of(1, 0, "states"), Random(1)
    blank = (5,) + (0,) * (len(run.protocol.space.names) - 1)
    for _ in range(300):
        state = run.protocol.space.random_state(stream, blank)
        data = codec.encode(state)
        assert StateCodec(run.protocol.space).decode(data) == state
        for other in (data[:-1], data + b"\0", chance.randbytes(len(data))):
            found = codec.decode(other)
            assert found is None or (run.protocol.space.is_legal(found) and codec.encode(found) == other)
    assert codec.join(state, state) != codec.encode(state) + codec.encode(state)
    assert codec.split(codec.join(state, blank)) in ((state, blank), None)


def test_illegal_states_and_orders_in_frames_with_a_right_tag_are_refused() -> None:
    network, _ = finished_run()
    node, now = network.nodes[0], network.network.now
    request = encode(Frame(REQ, node.run, 0, 1, 1, 10**6), node.key)
    ((to, _),) = node.receive(now, request)
    assert to == 1
    before = memory_of(node)
    for body in (b"", b"\0\0\0\1", b"\0\0\0\1\xff\xff", b"\0\0\0\2\0\0", b"\0\0\0\1" + bytes(600)):
        assert node.receive(now, encode(Frame(COMMIT, node.run, 0, 1, 1, 10**6, body), node.key)) == []
    assert memory_of(node) == before
    assert node.tally.bad[Refusal.BODY] == 5
