"""Every way in which a connection can break between two ends: each message is delivered once, in order."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable
from copy import copy
from typing import Any, NamedTuple

import pytest

from princeps.network.rings.link import LinkEnd
from princeps.network.rings.stream import LENGTH
from princeps.network.wire import Frame
from tests.network.rings.link_tools import Inbox, end_of, taken_from

Cuts = Callable[[int], Iterable[int]]
BODIES = (b"a", b"b", b"c")


class Pair(NamedTuple):
    """Two ends, what each took, the bytes under way to each, what is still to be sent by each, breaks that are left."""

    ends: tuple[LinkEnd, LinkEnd]
    inboxes: tuple[Inbox, Inbox]
    pipes: tuple[bytes, bytes]
    left: tuple[int, int]
    breaks: int
    is_connected: bool

    def key(self) -> Any:
        states = tuple(
            (e.expected, e.next_number, tuple(e.held), e.answered, e.greeted, e.closing, e.splitter.rest, e.is_up)
            for e in self.ends
        )
        return states, self.pipes, self.left, self.breaks, self.is_connected


def copied(pair: Pair) -> Pair:
    ends, inboxes = tuple(map(copy, pair.ends)), tuple(map(copy, pair.inboxes))
    for end in ends:
        end.held, end.outgoing, end.counters = deque(end.held), bytearray(), Counter(end.counters)
        end.splitter = copy(end.splitter)
    for inbox in inboxes:
        inbox.taken = list(inbox.taken)
    return pair._replace(ends=ends, inboxes=inboxes)


def first_frame(data: bytes) -> int:
    """Its bytes, or as many as there are."""
    length: int = LENGTH.unpack_from(data)[0] + LENGTH.size
    return min(length, len(data))


def successors(pair: Pair, cuts: Cuts) -> list[Pair]:
    found = []
    for me in (0, 1):
        if pair.left[me]:
            new = copied(pair)
            new.ends[me].send(BODIES[new.ends[me].next_number - 1])
            left = tuple(count - (who == me) for who, count in enumerate(new.left))
            found.append(flushed(new._replace(left=left)))
        if pair.pipes[me]:
            found += [received(pair, me, size) for size in {first_frame(pair.pipes[me]), len(pair.pipes[me])}]
    if pair.is_connected and pair.breaks:
        found.append(broken(pair))
        for me in (0, 1):  # whatever part of a frame has arrived
            for size in cuts(first_frame(pair.pipes[me])) if pair.pipes[me] else ():
                assert broken(received(pair, me, size)).key() == found[-1].key()
    if not pair.is_connected:
        new = copied(pair)
        for end in new.ends:
            end.connected(0.0)
        found.append(flushed(new._replace(is_connected=True)))
    return found


def received(pair: Pair, me: int, size: int) -> Pair:
    new = copied(pair)
    data, rest = new.pipes[me][:size], new.pipes[me][size:]
    new.ends[me].receive(0.0, data, new.inboxes[me].take, new.inboxes[me].lose)
    return flushed(new._replace(pipes=(rest, new.pipes[1]) if me == 0 else (new.pipes[0], rest)))


def broken(pair: Pair) -> Pair:
    """Both ends notice it, and all bytes under way are lost."""
    new = copied(pair)
    for end in new.ends:
        end.disconnected(0.0)
    return new._replace(pipes=(b"", b""), breaks=pair.breaks - 1, is_connected=False)


def flushed(pair: Pair) -> Pair:
    to_one, to_zero = (taken_from(end) for end in pair.ends)
    return pair._replace(pipes=(pair.pipes[0] + to_zero, pair.pipes[1] + to_one))


def explore(sent: tuple[int, int], breaks: int, cuts: Cuts, ends: Any = None) -> int:
    """All reachable states; the number of them."""
    first = Pair(ends or (end_of(0), end_of(1)), (Inbox(), Inbox()), (b"", b""), sent, breaks, False)
    waiting, seen, complete = [first], {first.key()}, 0
    while waiting:
        pair = waiting.pop()
        for me in (0, 1):
            bodies = BODIES[: len(pair.inboxes[me].taken)]
            assert pair.inboxes[me].taken == list(enumerate(bodies, 1)), "not once and in order"
            assert not pair.ends[me].closing
            assert not pair.inboxes[me].lost
            other = pair.ends[1 - me]
            assert other.oldest <= pair.ends[me].expected, "something was forgotten that was not acted upon"
        after = successors(pair, cuts)
        if all(new.breaks < pair.breaks for new in after):  # nothing can happen without a break: all has arrived
            complete += 1
            assert [len(inbox.taken) for inbox in pair.inboxes] == [sent[1], sent[0]]
            assert not pair.ends[0].held
            assert not pair.ends[1].held
        for new in after:
            key = new.key()
            if key not in seen:
                seen.add(key)
                waiting.append(new)
    assert complete
    return len(seen)


def few(length: int) -> list[int]:
    return [1, length // 2, length - 1]


def every_byte(length: int) -> range:
    return range(1, length)


@pytest.mark.medium
@pytest.mark.parametrize(("sent", "breaks", "cuts"), [((2, 0), 1, every_byte), ((3, 0), 1, few), ((1, 1), 1, few)])
def test_each_message_is_delivered_once_in_order(sent: tuple[int, int], breaks: int, cuts: Cuts) -> None:
    assert explore(sent, breaks, cuts) > 60


@pytest.mark.medium
@pytest.mark.parametrize(("sent", "breaks", "cuts"), [((3, 0), 3, every_byte), ((2, 2), 2, few)])
def test_each_of_more_messages_is_delivered_once_in_order(sent: tuple[int, int], breaks: int, cuts: Cuts) -> None:
    assert explore(sent, breaks, cuts) > 60


class Forgetful(LinkEnd):
    """Keeps nothing that it has sent."""

    def send(self, body: bytes) -> None:
        super().send(body)
        if self.greeted:
            self.held.popleft()


class Early(LinkEnd):
    """Acknowledges with the HELLO of a new connection one number more than it acted upon."""

    def _answer(self, frame: Frame) -> None:
        is_later = self.counters["connections"] > 1
        self.expected += is_later
        super()._answer(frame)
        self.expected -= is_later


@pytest.mark.medium
@pytest.mark.parametrize("wrong", [Forgetful, Early])
def test_the_exploration_notices_wrong_links(wrong: type[LinkEnd]) -> None:
    ends = [end_of(0), end_of(1)]
    for end in ends:
        end.__class__ = wrong
    with pytest.raises((AssertionError, IndexError)):
        explore((2, 0), 1, few, tuple(ends))
