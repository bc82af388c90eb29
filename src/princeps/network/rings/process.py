"""A process of a ring algorithm without sockets: bytes and timers in; log lines, bytes and wishes out.

It executes the definition's own actions, by `RingAlgorithm.enabled` and `RingAlgorithm.fire`, as the reference engine does.
Every action is logged before the messages that it sends and the acknowledgement of what it took: `outputs` are to be
carried out in their order. A process that has halted acts no more, but its links go on until all it sent is acknowledged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from princeps.errors import PrincepsError
from princeps.model.randomness import Stream
from princeps.model.rings.algorithm import LEFT, RIGHT, Action, Sent
from princeps.model.rings.run import RingRun
from princeps.network.greeting import fresh_nonce
from princeps.network.rings.codec import Codec
from princeps.network.rings.link import LinkEnd, Taken
from princeps.network.rings.log import DELIVER, ENDED, FAILED, LOST, RESET, RESUME, START, STUCK, Record, as_line
from princeps.network.rings.place import LinkPlace
from princeps.network.rings.restart import Memory


class Log(NamedTuple):
    line: str


class Write(NamedTuple):
    side: str
    data: bytes


class Dial(NamedTuple):
    """Connect to the neighbour at this side; the answer is `connected` or `disconnected`."""

    side: str


class Close(NamedTuple):
    """Close the connection at this side, which is answered by `disconnected`."""

    side: str
    why: str


Output = Log | Write | Dial | Close


class RingProcess:
    """`number` and `key` are the run's on the wire; `coins` and `memory` are what a later incarnation takes over."""

    def __init__(
        self,
        run: RingRun,
        me: int,
        incarnation: int = 1,
        *,
        number: int = 0,
        key: bytes = b"",
        coins: Stream | None = None,
        memory: Memory | None = None,
        fresh: Callable[[], bytes] = fresh_nonce,
    ) -> None:
        self.run, self.me, self.incarnation = run, me, incarnation
        self.algorithm, self.label = run.algorithm, run.ring.boxed[me]
        self.codec = Codec(run.algorithm, run.ring)
        self.coins = coins or run.stream(f"coins:{me}")
        memory = memory or Memory()
        self.has_forgotten = memory.has_started and memory.local is None
        self.local = memory.local or self.algorithm.initial()
        self.outputs: list[Output] = []
        n, both_ways = run.ring.n, self.algorithm.bidirectional
        self.links: dict[str, LinkEnd] = {}
        for side, link, peer in ((RIGHT, me, (me + 1) % n), (LEFT, (me - 1) % n, (me - 1) % n)):
            place = LinkPlace(
                *(number, link, me, peer, incarnation, key), dials=side == RIGHT, receives=both_ways or side == LEFT
            )
            jitter = run.stream(f"link:{me}:{side}:{incarnation}")
            self.links[side] = LinkEnd(place, jitter, memory.taken[side], memory.sent[side], memory.held[side], fresh)
            self.links[side].stuck = side in memory.stuck

    # -- inputs --------------------------------------------------------------------------------------------------

    def start(self, now: float) -> None:
        if self.local.started:
            self._log([RESUME, self.me, self.incarnation])
        else:
            self._act(RESET if self.has_forgotten else START, self.algorithm.start_action, None)
        self.timer(now)

    def connected(self, now: float, side: str, nonce: bytes = b"") -> None:
        """With a `nonce`: that of the challenge, which was sent before."""
        self.links[side].connected(now, nonce)
        self._flush()

    def disconnected(self, now: float, side: str) -> None:
        link = self.links[side]
        link.disconnected(now)
        if link.peer_is_dead:
            self._log_end(side)
        self._flush()

    def receive(self, now: float, side: str, data: bytes) -> None:
        self.links[side].receive(
            now,
            data,
            lambda number, body: self._take(side, number, body),
            lambda first, last: self._log([LOST, self.me, self.incarnation, side, first, last]),
        )
        self._flush()

    def told_dead(self, process: int) -> None:
        """Somebody who can know it says that this process will never come back."""
        for side, link in self.links.items():
            if link.place.peer == process and not link.peer_is_dead:
                link.told_dead()
                if not link.is_up:
                    self._log_end(side)
        self._flush()

    def next_timer(self) -> float | None:
        times = [time for link in self.links.values() if (time := link.next_timer()) is not None]
        return min(times, default=None)

    def timer(self, now: float) -> None:
        for link in self.links.values():
            link.timer(now)
        self._flush()

    def take_outputs(self) -> list[Output]:
        done, self.outputs = self.outputs, []
        return done

    def counters(self) -> Counter[str]:
        return sum((link.counters for link in self.links.values()), Counter())

    @property
    def peak(self) -> int:
        """The most messages that one of its links has kept."""
        return max(link.peak for link in self.links.values())

    # -- acting --------------------------------------------------------------------------------------------------

    def _take(self, side: str, number: int, body: bytes) -> Taken:
        content = self.codec.decode(body, RIGHT if side == LEFT else LEFT)  # its side is the one it was sent to
        if content is None:
            return Taken.ILLEGAL
        head = [self.me, self.incarnation, side, number, self.codec.plain(content)]
        try:
            found = self.algorithm.enabled(self.local, self.label, side, content.message, content.values)
            if found:
                self._act(DELIVER, found[0], content, side, number)
                return Taken.ACTED
        except PrincepsError as error:  # an algorithm is not made for processes that forget
            self._log([FAILED, *head, str(error)])
            return Taken.STUCK
        self._log([STUCK, *head])
        return Taken.STUCK

    def _act(self, event: str, action: Action, content: Sent | None, side: str = "", number: int = 0) -> None:
        tosses: list[list[int]] = []

        def toss(bound: int) -> int:
            tosses.append([bound, self.coins.below(bound)])
            return tosses[-1][1]

        values = content.values if content else ()
        after, sent = self.algorithm.fire(action, self.local, self.label, values, toss)
        bodies = [(part.side, self.codec.encode(part)) for part in sent]
        self.local = after
        for to, body in bodies:
            self.links[to].send(body)
        numbers = [self.links[to].next_number - 1 for to in (LEFT, RIGHT)]
        received = [side, number, self.codec.plain(content)] if content else []
        effect = [action.name, self.codec.digest(after, sent), *numbers]
        self._log([event, self.me, self.incarnation, *received, effect, tosses])

    def _log_end(self, side: str) -> None:
        self._log([ENDED, self.me, self.incarnation, side, self.links[side].expected])

    def _log(self, record: Record) -> None:
        self.outputs.append(Log(as_line(record)))

    def _flush(self) -> None:
        """What the links want, behind the log lines that it depends on."""
        for side, link in self.links.items():
            if link.outgoing:
                self.outputs.append(Write(side, bytes(link.outgoing)))
                link.outgoing.clear()
            if link.closing:
                self.outputs.append(Close(side, link.closing))
            if link.dial:
                link.dial = False
                self.outputs.append(Dial(side))
