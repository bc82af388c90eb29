"""Two ends of a link for tests, and the bytes between them."""

from __future__ import annotations

from princeps.model.randomness import Stream
from princeps.network.greeting import NONCE
from princeps.network.rings.link import LinkEnd, Taken
from princeps.network.rings.place import GREETING, LinkPlace
from princeps.network.rings.stream import Splitter, framed
from princeps.network.wire import CHALLENGE, HELLO, LARGEST_STREAM_FRAME, Frame, Refusal, decode, encode

RUN, KEY = 7, b"secret"
NUMBER = bytes(range(NONCE))  # of every CHALLENGE, where no test says otherwise


def end_of(me: int, incarnation: int = 1, taken: int = 0, sent: int = 0, held: tuple[bytes, ...] = ()) -> LinkEnd:
    """End 0 makes the connection to end 1 over link 0; messages go both ways."""
    place = LinkPlace(RUN, 0, me, 1 - me, incarnation, KEY, dials=me == 0, receives=True)
    return LinkEnd(place, Stream.of(1, 0, "jitter"), taken, sent, held, fresh=lambda: NUMBER)


class Inbox:
    """What the process at an end took, in the order in which it acted on it."""

    def __init__(self) -> None:
        self.taken: list[tuple[int, bytes]] = []
        self.lost: list[tuple[int, int]] = []

    def take(self, number: int, body: bytes) -> Taken:
        if body == b"illegal":
            return Taken.ILLEGAL
        if body == b"stuck":
            return Taken.STUCK
        self.taken.append((number, body))
        return Taken.ACTED

    def lose(self, first: int, last: int) -> None:
        self.lost.append((first, last))


def frame(kind: int, counter: int, body: bytes = b"", sender: int = 0, incarnation: int = 1, key: bytes = KEY) -> bytes:
    return framed(encode(Frame(kind, RUN, 1 - sender, sender, incarnation, counter, body), key))


def hello(expected: int, oldest: int = 1, link: int = 0, nonce: bytes = NUMBER, incarnation: int = 1) -> bytes:
    """Of end 0."""
    return frame(HELLO, expected, GREETING.pack(link, oldest, nonce), incarnation=incarnation)


def challenge(incarnation: int = 1, nonce: bytes = NUMBER) -> bytes:
    """Of end 0."""
    return frame(CHALLENGE, 0, nonce, incarnation=incarnation)


def taken_from(end: LinkEnd) -> bytes:
    data = bytes(end.outgoing)
    end.outgoing.clear()
    return data


def frames_in(data: bytes) -> list[tuple[int, int, bytes]]:
    """Kind, counter and body of each."""
    found = []
    for piece in Splitter().feed(data):
        read = decode(piece, KEY, RUN, LARGEST_STREAM_FRAME)
        assert not isinstance(read, Refusal)
        found.append((read.kind, read.counter, read.body))
    return found
