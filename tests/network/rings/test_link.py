"""One end of a link, by itself: what it takes, what it refuses, and what it says."""

from __future__ import annotations

import pytest

from princeps.network.greeting import NONCE
from princeps.network.rings.link import HEARTBEAT, SILENCE, LinkEnd
from princeps.network.rings.place import GREETING
from princeps.network.rings.stream import LENGTH, Splitter, framed
from princeps.network.wire import ACKED, CHALLENGE, DATA, HELLO, REQ
from tests.network.rings.link_tools import NUMBER, Inbox, challenge, end_of, frame, frames_in, hello, taken_from

GREET = challenge() + hello(1)


def greeted(end: LinkEnd | None = None) -> tuple[LinkEnd, Inbox]:
    """End 1, connected, after the HELLO of end 0."""
    end, inbox = end or end_of(1), Inbox()
    end.connected(0.0)
    end.receive(0.0, GREET, inbox.take, inbox.lose)
    taken_from(end)
    return end, inbox


def test_a_repeated_number_is_acknowledged_again_and_not_acted_upon() -> None:
    end, inbox = greeted()
    for _ in range(2):
        end.receive(0.0, frame(DATA, 1, b"a"), inbox.take, inbox.lose)
        assert frames_in(taken_from(end)) == [(ACKED, 1, b"")]
    assert inbox.taken == [(1, b"a")]
    assert end.counters["duplicates"] == 1
    assert not end.closing


@pytest.mark.parametrize("number", [2, 3, 2**64 - 1])
def test_a_number_behind_a_gap_is_refused(number: int) -> None:
    end, inbox = greeted()
    end.receive(0.0, frame(DATA, number, b"b"), inbox.take, inbox.lose)
    assert inbox.taken == []
    assert end.closing == "gaps"
    assert end.counters["bad_frames"] == 1
    assert taken_from(end) == b""


@pytest.mark.parametrize(
    "data",
    [
        frame(DATA, 1, b"a", key=b"wrong"),
        frame(DATA, 1, b"a", sender=1),
        frame(DATA, 1, b"a", incarnation=2),  # without its HELLO
        frame(DATA, 1, b"illegal"),
        frame(REQ, 1, b"a"),
        frame(ACKED, 1),  # of a message that was never sent
        challenge(),  # a second time
        hello(1),
        hello(1, incarnation=2),
        framed(b""),
        framed(bytes(100)),
        bytes([0xFF] * (1 << 16) + [0xFF]),
        frame(DATA, 1, b"a")[:-1] + b"?",
    ],
)
def test_what_is_no_frame_of_the_other_end_closes_the_connection(data: bytes) -> None:
    end, inbox = greeted()
    end.receive(0.0, data + frame(DATA, 1, b"a"), inbox.take, inbox.lose)
    assert inbox.taken == []
    assert end.closing
    assert end.counters["bad_frames"] == 1
    end.receive(0.0, frame(DATA, 1, b"a"), inbox.take, inbox.lose)
    assert inbox.taken == []


def test_a_hello_must_name_the_link_and_numbers_that_can_be() -> None:
    for wrong in (
        hello(1, link=1),
        hello(1, nonce=bytes(NONCE)),
        frame(HELLO, 1, b""),
        hello(3),  # expects what was never sent
        hello(0),
    ):
        end, inbox = end_of(1), Inbox()
        end.connected(0.0)
        end.receive(0.0, challenge() + wrong + frame(DATA, 1, b"a"), inbox.take, inbox.lose)
        assert (inbox.taken, bool(end.closing)) == ([], True), wrong
    for beginning in (hello(1), frame(CHALLENGE, 0, b"short") + hello(1)):
        end, inbox = end_of(1), Inbox()
        end.connected(0.0)
        end.receive(0.0, beginning, inbox.take, inbox.lose)
        assert end.closing
        assert not end.greeted


def test_an_earlier_incarnation_is_refused_and_a_gap_needs_a_later_one() -> None:
    end, inbox = greeted()
    end.disconnected(0.0)
    end.connected(0.0)
    end.receive(0.0, challenge() + hello(1, 3), inbox.take, inbox.lose)
    assert end.closing == "numbers"
    assert inbox.lost == []
    end.connected(0.0)
    end.receive(0.0, challenge(2) + hello(1, 3, incarnation=2), inbox.take, inbox.lose)
    end.receive(0.0, frame(DATA, 3, b"c", incarnation=2), inbox.take, inbox.lose)
    assert inbox.lost == [(1, 2)]
    assert inbox.taken == [(3, b"c")]
    end.connected(0.0)
    end.receive(0.0, GREET, inbox.take, inbox.lose)
    assert end.closing == "an earlier incarnation"


def test_only_a_fresh_hello_of_the_other_end_is_recognised() -> None:
    end, _ = greeted()
    asked = bytes([7] * NONCE)
    fresh = challenge() + hello(1, nonce=asked)
    assert end.recognises(fresh, asked)
    assert end.recognises(fresh + b"more", asked)
    assert all(end.recognises(fresh[:size], asked) is None for size in range(len(fresh)))
    assert end.recognises(challenge(2) + hello(1, nonce=asked, incarnation=2), asked), "of the next incarnation"
    for wrong in (
        GREET,  # the answer to another number
        hello(1, nonce=asked),
        frame(DATA, 1, b"a"),
        challenge() + challenge(),
        fresh[:-1] + b"?",
    ):
        assert end.recognises(wrong, asked) is False


def test_what_finds_no_action_stays_at_the_head_of_the_link() -> None:
    end, inbox = greeted()
    end.receive(0.0, frame(DATA, 1, b"stuck") + frame(DATA, 2, b"b"), inbox.take, inbox.lose)
    assert inbox.taken == []
    assert end.stuck
    assert end.expected == 1
    assert not end.closing
    assert taken_from(end) == b""


def test_a_message_is_kept_until_it_is_acknowledged_and_sent_again_on_a_new_connection() -> None:
    end, inbox = greeted()
    for body in (b"x", b"y", b"z"):
        end.send(body)
    assert [number for _, number, _ in frames_in(taken_from(end))] == [1, 2, 3]
    end.receive(0.0, frame(ACKED, 1), inbox.take, inbox.lose)
    assert list(end.held) == [b"y", b"z"]
    assert end.peak == 3
    end.disconnected(0.0)
    end.send(b"w")
    end.connected(0.0)
    assert frames_in(taken_from(end)) == [(CHALLENGE, 0, NUMBER)]
    end.receive(0.0, challenge(nonce=bytes(NONCE)) + hello(3), inbox.take, inbox.lose)
    greeting = GREETING.pack(0, 2, bytes(NONCE))
    assert frames_in(taken_from(end)) == [(HELLO, 1, greeting), (DATA, 3, b"z"), (DATA, 4, b"w")]
    assert end.counters["resent"] == 1
    assert end.peak == 3


def test_frames_may_be_cut_anywhere() -> None:
    data = GREET + frame(DATA, 1, b"a") + frame(DATA, 2, b"") + frame(DATA, 3, bytes(300))
    cuts = [[data[:at], data[at:]] for at in range(len(data) + 1)]
    for pieces in (*cuts, [data[at : at + 1] for at in range(len(data))]):
        end, inbox = end_of(1), Inbox()
        end.connected(0.0)
        for piece in pieces:
            end.receive(0.0, piece, inbox.take, inbox.lose)
        assert inbox.taken == [(1, b"a"), (2, b""), (3, bytes(300))]
        assert not end.closing


def test_half_a_frame_is_forgotten_with_its_connection() -> None:
    end, inbox = greeted()
    end.receive(0.0, frame(DATA, 1, b"a")[:-1], inbox.take, inbox.lose)
    end.disconnected(0.0)
    end.connected(0.0)
    end.receive(0.0, GREET + frame(DATA, 1, b"a"), inbox.take, inbox.lose)
    assert inbox.taken == [(1, b"a")]
    assert not end.closing


def test_no_more_than_a_frame_is_ever_kept() -> None:
    splitter = Splitter()
    for _ in range(100):
        splitter.feed(b"\xff" * 4096)
        assert len(splitter.rest) < (1 << 16) + LENGTH.size


def test_timers_dial_keep_alive_and_give_up() -> None:
    end = end_of(0)
    assert end.next_timer() == 0.0
    end.timer(0.0)
    assert end.dial
    assert end.next_timer() is None
    waits = []
    for _ in range(12):
        end.disconnected(0.0)
        assert end.dial_at is not None
        waits.append(end.dial_at)
    assert 0 < waits[0] < 0.05
    assert 0.5 <= max(waits) <= 1.0
    assert len(set(waits)) > 6
    end, inbox = greeted()
    assert end.next_timer() == HEARTBEAT
    end.timer(HEARTBEAT)
    assert frames_in(taken_from(end)) == [(ACKED, 0, b"")]
    end.receive(2.0, frame(ACKED, 0), inbox.take, inbox.lose)
    end.timer(2.0 + SILENCE - 0.1)
    assert not end.closing
    end.timer(2.0 + SILENCE)
    assert end.closing == "silent"


def test_an_end_that_knows_the_other_dead_does_not_dial() -> None:
    end = end_of(0)
    end.told_dead()
    end.disconnected(0.0)
    assert end.next_timer() is None


def test_a_recorded_conversation_that_is_sent_again_does_nothing() -> None:
    sender, receiver, inbox, recorded = end_of(0), end_of(1), Inbox(), b""
    numbers = iter(range(1, 100))
    for end in (sender, receiver):
        end.fresh = lambda: next(numbers).to_bytes(NONCE, "big")
        end.connected(0.0)
    for body in (b"a", b"b"):
        sender.send(body)
        for _ in range(3):
            said = taken_from(sender)
            recorded += said
            receiver.receive(0.0, said, inbox.take, inbox.lose)
            sender.receive(0.0, taken_from(receiver), inbox.take, inbox.lose)
    assert inbox.taken == [(1, b"a"), (2, b"b")]
    assert [kind for kind, _, _ in frames_in(recorded)] == [CHALLENGE, HELLO, DATA, DATA]
    before = (receiver.expected, receiver.next_number, receiver.oldest, receiver.peer_incarnation)
    number = receiver.fresh()
    assert receiver.recognises(recorded, number) is False, "it does not even replace the connection"
    receiver.disconnected(0.0)
    for data, why in ((recorded, "no fresh HELLO"), (recorded[len(GREET) :], "no HELLO")):
        receiver.connected(0.0)
        receiver.receive(0.0, data, inbox.take, inbox.lose)
        assert (receiver.closing, receiver.greeted) == (why, False)
        assert inbox.taken == [(1, b"a"), (2, b"b")]
        assert (receiver.expected, receiver.next_number, receiver.oldest, receiver.peer_incarnation) == before
    fresh = end_of(1, incarnation=2)  # knows nothing of earlier conversations
    fresh.connected(0.0)
    fresh.receive(0.0, recorded, inbox.take, inbox.lose)
    assert (fresh.closing, len(inbox.taken)) == ("no fresh HELLO", 2)
