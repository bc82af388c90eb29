"""One end of a link of the ring: a reliable FIFO channel over connections that break.

A connection may be reset, and whatever was on its way is lost. Therefore messages are numbered from 1 and kept until the
other end acknowledges them. Each end begins a new connection with CHALLENGE: a number that was never used before. It is
answered by HELLO: that number, the incarnation, the number of the message that is expected next, and the oldest that is
still held. The other end resumes there. A HELLO that was recorded answers another CHALLENGE, and is refused.

* The receiver takes the next expected number and no other. A smaller one is a repetition: it is acknowledged again and not
  acted upon. A larger one is refused, and the connection closed; accepting it would lose what lies between.
* A number is acknowledged after the process has acted on the message and logged it, so that a message that is no longer
  kept by its sender can never be lost with its receiver.
* Nothing limits how much is kept: the links of the model are unbounded, and a bound could deadlock an algorithm that sends
  more than it takes. The most that was kept is reported.
* A new incarnation of the other end may hold less than was sent, if it forgot. Its HELLO says so, and only then a gap is
  accepted, and reported as lost.

An end has no socket and no clock. It is told the time, and that a connection is there, that bytes arrived, that it is gone;
it answers with bytes (`outgoing`), with the wish to connect (`dial`) or to close (`closing`), and with `next_timer`.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable
from enum import Enum, auto

from princeps.model.randomness import Stream
from princeps.network.greeting import fresh_nonce
from princeps.network.rings.place import GREETING, LinkPlace
from princeps.network.rings.stream import Splitter
from princeps.network.wire import ACKED, CHALLENGE, DATA, HELLO, Frame, Refusal

HEARTBEAT = 1.0  # seconds: so often an end that is silent repeats its last acknowledgement
SILENCE = 4.0  # seconds: a connection from which nothing came for so long is given up
FIRST_RETRY, LAST_RETRY = 0.02, 0.5  # seconds between two attempts to connect, doubled each time


class Taken(Enum):
    """What became of a message that was handed to the process."""

    ACTED = auto()  # and logged: it may be acknowledged
    STUCK = auto()  # no action is enabled: it stays at the head of the link for ever
    ILLEGAL = auto()  # not a message of the algorithm


class LinkEnd:
    """`taken` and `sent` are what earlier incarnations took and sent; `held` those of the latter that are still known.

    `fresh` gives numbers for CHALLENGE, which nobody can foresee.
    """

    def __init__(
        self,
        place: LinkPlace,
        jitter: Stream,
        taken: int = 0,
        sent: int = 0,
        held: Iterable[bytes] = (),
        fresh: Callable[[], bytes] = fresh_nonce,
    ) -> None:
        self.place, self.jitter, self.fresh = place, jitter, fresh
        self.expected, self.next_number = taken + 1, sent + 1
        self.held = deque(held)  # bodies of the numbers up to next_number - 1
        self.first_own = self.oldest  # what came before, this incarnation never held
        self.emitted = sent  # the largest number that was ever put on a connection
        self.peak = len(self.held)
        self.peer_incarnation = 0
        self.peer_is_dead = False  # for good, as somebody knows who can know it
        self.stuck = False
        self.is_up = self.answered = self.greeted = False
        self.nonce = b""  # that the other end of the present connection has to answer
        self.splitter = Splitter()
        self.outgoing = bytearray()
        self.closing = ""  # why the connection shall be closed
        self.dial = False
        self.counters: Counter[str] = Counter()
        self.retry = FIRST_RETRY
        self.dial_at: float | None = 0.0 if place.dials else None
        self.heartbeat_at = self.silent_at = 0.0

    @property
    def oldest(self) -> int:
        """The oldest number that is still held; the next one to be given if nothing is."""
        return self.next_number - len(self.held)

    # -- the connection ------------------------------------------------------------------------------------------

    def connected(self, now: float, nonce: bytes = b"") -> None:
        """With a `nonce`: that of the challenge, which was sent before."""
        self._forget_connection()
        self.is_up, self.dial_at = True, None
        self.silent_at = now + SILENCE
        self.counters["connections"] += 1
        self.nonce = nonce or self.fresh()
        if not nonce:
            self.outgoing += self.challenge(self.nonce)
        self.heartbeat_at = now + HEARTBEAT

    def challenge(self, nonce: bytes) -> bytes:
        return self.place.framed(CHALLENGE, 0, nonce)

    def disconnected(self, now: float) -> None:
        """The connection is gone, or could not be made."""
        self._forget_connection()
        if self.place.dials and not self.peer_is_dead:
            self.dial_at = now + self.retry * (1 + self.jitter.below(1000) / 1000)
            self.retry = min(2 * self.retry, LAST_RETRY)

    def told_dead(self) -> None:
        """The process at the other end will never come back."""
        self.peer_is_dead, self.dial_at, self.dial = True, None, False

    def _forget_connection(self) -> None:
        self.is_up = self.answered = self.greeted = self.dial = False
        self.splitter, self.closing = Splitter(), ""
        self.outgoing.clear()

    def next_timer(self) -> float | None:
        return min(self.heartbeat_at, self.silent_at) if self.is_up else self.dial_at

    def timer(self, now: float) -> None:
        if not self.is_up:
            if self.dial_at is not None and now >= self.dial_at:
                self.dial, self.dial_at = True, None
        elif now >= self.silent_at:
            self._close("silent")
            self.silent_at = now + SILENCE
        elif now >= self.heartbeat_at:
            if self.greeted:
                self._emit(ACKED, self.expected - 1)
            self.heartbeat_at = now + HEARTBEAT

    # -- messages ------------------------------------------------------------------------------------------------

    def send(self, body: bytes) -> None:
        self.held.append(body)
        self.peak = max(self.peak, len(self.held))
        self.next_number += 1
        if self.greeted:
            self._emit_data(self.next_number - 1, body)

    def receive(
        self, now: float, data: bytes, take: Callable[[int, bytes], Taken], lose: Callable[[int, int], None]
    ) -> None:
        """Bytes of the present connection. `take` acts on a message; `lose` is told a range of numbers that are gone."""
        if not self.is_up or self.closing:
            return
        self.silent_at = now + SILENCE
        acknowledged = self.expected
        repeated = False
        for piece in self.splitter.feed(data):
            frame = self._checked(piece)
            if frame is None:
                return
            if frame.kind == CHALLENGE:
                self._answer(frame)
            elif frame.kind == HELLO:
                self._greet(frame, lose)
                acknowledged = self.expected
            elif frame.kind == ACKED:
                self._acknowledged(frame.counter + 1)
            else:
                repeated = self._take(frame, take) or repeated
            if self._is_closing():
                return
        if repeated or self.expected > acknowledged:
            self._emit(ACKED, self.expected - 1)
            self.heartbeat_at = now + HEARTBEAT

    def recognises(self, data: bytes, nonce: bytes) -> bool | None:
        """Whether a new connection that begins with these bytes, and was asked for this number, is the other end's; None:
        too few to tell."""
        pieces = Splitter().feed(data)
        for piece, kind in zip(pieces, (CHALLENGE, HELLO), strict=False):
            frame = self._judged(piece, nonce)
            if isinstance(frame, str) or frame.kind != kind:
                return False
        return True if len(pieces) > 1 else None

    def _judged(self, piece: bytes, nonce: bytes) -> Frame | str:
        """A frame of the other end on this link, or why it is none."""
        frame = self.place.read(piece)
        if isinstance(frame, str):
            return frame
        if frame.incarnation < self.peer_incarnation:
            return "an earlier incarnation"
        if frame.kind == HELLO and self.place.greeting(frame)[1] != nonce:
            return Refusal.GREETING.value
        if frame.kind in (DATA, ACKED) and (not self.greeted or frame.incarnation != self.peer_incarnation):
            return "no HELLO"
        return frame

    def _checked(self, piece: bytes) -> Frame | None:
        frame = self._judged(piece, self.nonce)
        if not isinstance(frame, str):
            return frame
        self.counters["bad_frames"] += 1
        self._close(frame)
        return None

    def _answer(self, frame: Frame) -> None:
        """Say where to resume, in answer to the number of the other end; once a connection."""
        if self.answered:
            self._refuse("numbers")
            return
        self.answered = True
        self._emit(HELLO, self.expected, GREETING.pack(self.place.link, self.oldest, frame.body))

    def _greet(self, frame: Frame, lose: Callable[[int, int], None]) -> None:
        """The other end says where to resume."""
        oldest, _ = self.place.greeting(frame)
        is_known = frame.counter >= self.oldest or 0 < frame.counter < self.first_own == self.oldest
        if self.greeted or not self.answered or not is_known or frame.counter > self.next_number:
            self._refuse("numbers")
            return
        if oldest > self.expected:
            if frame.incarnation == self.peer_incarnation:
                self._refuse("numbers")
                return
            if not self.stuck:
                lose(self.expected, oldest - 1)
                self.expected = oldest
        self.peer_incarnation, self.greeted, self.retry = frame.incarnation, True, FIRST_RETRY
        self._acknowledged(frame.counter)
        for number, body in enumerate(self.held, self.oldest):
            self._emit_data(number, body)

    def _acknowledged(self, following: int) -> None:
        """Everything before this number has been acted upon."""
        if following > self.next_number:
            self._refuse("numbers")
            return
        while self.oldest < following:
            self.held.popleft()

    def _take(self, frame: Frame, take: Callable[[int, bytes], Taken]) -> bool:
        """True if it is a repetition, which is acknowledged again."""
        if not self.place.receives:
            self._refuse("direction")
        elif self.stuck:
            pass
        elif frame.counter < self.expected:
            self.counters["duplicates"] += 1
            return True
        elif frame.counter > self.expected:
            self._refuse("gaps")
        else:
            outcome = take(frame.counter, frame.body)
            if outcome is Taken.ACTED:
                self.expected += 1
            elif outcome is Taken.STUCK:
                self.stuck = True
            else:
                self._refuse("illegal")
        return False

    def _refuse(self, why: str) -> None:
        self.counters["bad_frames"] += 1
        self.counters[why] += 1
        self._close(why)

    def _is_closing(self) -> bool:
        return bool(self.closing)

    def _close(self, why: str) -> None:
        self.closing = why

    def _emit_data(self, number: int, body: bytes) -> None:
        self.counters["resent"] += number <= self.emitted
        self.emitted = max(self.emitted, number)
        self._emit(DATA, number, body)

    def _emit(self, kind: int, counter: int, body: bytes = b"") -> None:
        self.outgoing += self.place.framed(kind, counter, body)
