"""Where an end of a link is, what it signs as such, and which frames are of the other end of the same link."""

from __future__ import annotations

from dataclasses import dataclass
from struct import Struct

from princeps.network.greeting import NONCE
from princeps.network.rings.stream import framed
from princeps.network.wire import ACKED, CHALLENGE, DATA, HELLO, LARGEST_STREAM_FRAME, Frame, Refusal, decode, encode

GREETING = Struct(f">IQ{NONCE}s")  # the number of the link, the oldest number that is still held, the answer
KINDS = (CHALLENGE, HELLO, DATA, ACKED)


@dataclass(frozen=True)
class LinkPlace:
    """Which end of which link this is; link i leads from process i to the next one clockwise."""

    run: int
    link: int
    me: int
    peer: int
    incarnation: int
    key: bytes
    dials: bool  # this end makes the connections
    receives: bool  # messages may arrive here

    def framed(self, kind: int, counter: int, body: bytes) -> bytes:
        """With its length before it."""
        return framed(encode(Frame(kind, self.run, self.peer, self.me, self.incarnation, counter, body), self.key))

    def read(self, piece: bytes) -> Frame | str:
        """A frame of the other end, or why it is none."""
        frame = decode(piece, self.key, self.run, LARGEST_STREAM_FRAME)
        if isinstance(frame, Refusal):
            return frame.value
        if frame.to != self.me:
            return Refusal.RECEIVER.value
        if frame.sender != self.peer or frame.kind not in KINDS:
            return Refusal.SENDER.value
        if frame.kind == CHALLENGE and len(frame.body) != NONCE:
            return Refusal.BODY.value
        if frame.kind == HELLO and (len(frame.body) != GREETING.size or GREETING.unpack(frame.body)[0] != self.link):
            return "another link"
        return frame

    def greeting(self, hello: Frame) -> tuple[int, bytes]:
        """The oldest number that the other end still holds, and the number that it answers."""
        _, oldest, nonce = GREETING.unpack(hello.body)
        return oldest, nonce
