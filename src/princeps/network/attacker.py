"""Somebody who belongs to no run and sends frames to its agents: garbage of several kinds, and what was overheard.

    random       any bytes
    truncated    the beginning of a frame
    oversized    a frame with more behind it
    flipped      a frame with one bit changed
    another key  a frame of the run's own form, with the tag of another key
    redirected   a frame as it was, to somebody else
    replayed     a frame as it was, to its receiver

All but the last are forged, and a node must refuse every one of them. A replayed frame is genuine: its node counts it as
a repetition, or answers it, and nothing else happens. The frames that it works with are overheard on the network.
"""

from __future__ import annotations

from collections import deque
from math import inf

from princeps.model.randomness import Stream
from princeps.network.handshake import LOG, Outputs
from princeps.network.log import line_of
from princeps.network.wire import HEAD, LARGEST_DATAGRAM, MAGIC, NAMES, TAG_BYTES, VERSION, Frame, encode

ATTACKER = 0xFFFFFFFE  # no agent has this number
OTHER_KEY = b"a key of no run, nor of any other"
MEMORY = 256  # frames that were overheard last
KINDS = tuple(NAMES)
BURST = 64  # frames that are sent at once, at most


class Attacker:
    """A participant that sends `rate` frames a second to agents 0 to n - 1."""

    def __init__(self, stream: Stream, n: int, rate: float) -> None:
        self.stream, self.n, self.pause = stream, n, 1.0 / rate
        self.overheard: deque[bytes] = deque(maxlen=MEMORY)
        self.forged = self.replayed = 0
        self.due = inf

    def start(self, now: float) -> Outputs:
        self.due = now + self.pause
        return [(LOG, self.tally_line())]

    def receive(self, now: float, data: bytes) -> Outputs:
        """Overhears a frame that somebody sent to somebody."""
        self.overheard.append(data)
        return []

    def next_timer(self) -> float:
        return self.due

    def timer(self, now: float) -> Outputs:
        out: Outputs = []
        while self.due <= now and len(out) < BURST:
            out.append(self.next_frame())
            self.due += self.pause
        if self.due <= now:  # it does not catch up
            self.due = now + self.pause
        return out

    def tally_line(self) -> bytes:
        return line_of("garbage", self.forged, self.replayed)

    def next_frame(self) -> tuple[int, bytes]:
        """To whom, and what."""
        below = self.stream.below
        to, kind = below(self.n), below(7)
        frame = self.overheard[below(len(self.overheard))] if self.overheard else self._own_frame(to)
        receiver = HEAD.unpack_from(frame)[4]
        if kind == 6 and receiver < self.n and self.overheard:
            self.replayed += 1
            return receiver, frame
        self.forged += 1
        if kind == 0:
            return to, self._bytes(below(80))
        if kind == 1:
            return to, frame[: below(len(frame))]
        if kind == 2:
            return to, frame + self._bytes(1 + below(8)) + bytes(below(2) * LARGEST_DATAGRAM)
        if kind == 3 or (kind >= 5 and (self.n == 1 or not self.overheard)):
            bit = below(8 * len(frame))
            return to, frame[: bit // 8] + bytes([frame[bit // 8] ^ 1 << bit % 8]) + frame[bit // 8 + 1 :]
        if kind == 4:
            _, _, form, run, receiver, sender, incarnation, counter = HEAD.unpack_from(frame)
            body = frame[HEAD.size : -TAG_BYTES]
            return to, encode(Frame(form, run, receiver, sender, incarnation, counter, body), OTHER_KEY)
        return (to if to != receiver else (to + 1) % self.n), frame

    def _own_frame(self, to: int) -> bytes:
        """As long as it has heard nothing."""
        form = KINDS[self.stream.below(len(KINDS))]
        return HEAD.pack(MAGIC, VERSION, form, 0, to, 0, 1, 1) + self._bytes(TAG_BYTES + self.stream.below(20))

    def _bytes(self, count: int) -> bytes:
        words = b"".join(self.stream.next64().to_bytes(8, "big") for _ in range(-(-count // 8)))
        return words[:count]
