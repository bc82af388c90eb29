"""What a node remembers, and how it waits: repeating its last frame, with longer and longer pauses, or for its clock."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import inf, log

from princeps.model.randomness import Stream
from princeps.model.states import State
from princeps.network.counters import Tally
from princeps.network.log import line_of, start_line
from princeps.network.membership import Membership, Timing
from princeps.network.wire import encode_parts

LOG = -1
Outputs = list[tuple[int, bytes]]
Interaction = tuple[int, int]  # the initiator's incarnation and counter; later ones are larger

IDLE, ASKING, GRANTED, COMMITTING = range(4)
TO_UNIT = 2.0**-53
NONE: Interaction = (0, 0)  # incarnations begin with 1


class Waiting:
    """One incarnation of one agent, without what it answers to frames (handshake.py)."""

    def __init__(
        self,
        member: Membership,
        me: int,
        incarnation: int,
        state: State,
        targets: Sequence[int],
        sources: Collection[int],
        stream: Stream,
        coins: Stream | None = None,
        rate: float = 1.0,
        timing: Timing | None = None,
        dead: Sequence[tuple[int, int]] = (),
    ) -> None:
        """`rate` is that of the clock of one outgoing arc, a second; `sources` are the agents that may ask this one."""
        self.protocol, self.run, self.key = member.protocol, member.run, member.key
        self.me, self.incarnation, self.state, self.version = me, incarnation, state, 0
        self.targets, self.sources, self.stream, self.coins = targets, sources, stream, coins
        self.peers = frozenset(targets) | frozenset(sources)
        self.rate, self.timing = rate * len(targets), timing or Timing()
        self.codec, self.texts, self.results, self.tally = member.codec, member.texts, member.results, Tally()
        self.inputs = [k for k, field in enumerate(self.protocol.space.fields) if field.is_input]
        self.mode, self.counter, self.partner, self.partner_incarnation = IDLE, 0, -1, 0
        self.x: Interaction = NONE  # that this agent has granted
        self.frame = b""  # repeated until it is answered
        self.decided: dict[int, Interaction] = {}
        self.dead = dict(dead)
        self.silent = set(self.dead)  # not heard of since they died
        self.given_back: dict[int, Interaction] = {}  # by initiator: the last that the lease made this agent take back
        self.given_up: dict[
            int, tuple[Interaction, int, bytes]
        ] = {}  # by responder: the COMMIT that the lease left behind
        self.wake = self.limit = inf  # when to ring or repeat; when to give up
        self.tries = 0

    def start(self, now: float) -> Outputs:
        self._rest(now)
        return [(LOG, start_line(self.me, self.incarnation, self.texts[self.state], list(self.dead.items())))]

    def next_timer(self) -> float:
        return self.wake if self.wake < self.limit else self.limit

    def timer(self, now: float) -> Outputs:
        """The moment that `next_timer` named has come."""
        out: Outputs = []
        if now >= self.limit:
            self._give_up(now, out)
        elif now >= self.wake:
            if self.mode == IDLE:
                self.ring(now, out)
            else:
                self.tally.repeated += 1
                self.tries += 1
                pause = min(self.timing.repeat * (1 << min(self.tries, 16)), self.timing.slowest_repeat)
                self.wake = now + pause * (0.5 + self._uniform())
                out.append((self.partner, self.frame))
        return out

    def go(self, now: float, rate: float) -> None:
        """The clock of each outgoing arc has this rate from now on."""
        self.rate = rate * len(self.targets)
        if self.mode == IDLE:
            self._rest(now)

    def stop(self) -> None:
        """No more interactions of this agent's own; those that others begin go on."""
        self.rate = 0.0
        if self.mode == IDLE:
            self.wake = inf

    @property
    def busy(self) -> bool:
        return self.mode != IDLE

    def ring(self, now: float, out: Outputs) -> None:
        """The clock rings while the agent is idle."""
        raise NotImplementedError

    def _give_up(self, now: float, out: Outputs) -> None:
        """The agent has waited for as long as it may."""
        raise NotImplementedError

    # -- waiting ------------------------------------------------------------------------------------------------------

    def _wait(self, now: float, mode: int, partner: int, frame: bytes, seconds: float, out: Outputs) -> None:
        self.mode, self.partner, self.frame, self.tries = mode, partner, frame, 0
        self.wake, self.limit = now + self.timing.repeat, now + seconds
        out.append((partner, frame))

    def _rest(self, now: float) -> None:
        """Idle: the clock of the outgoing arcs has no memory, so that it may begin anew."""
        self.mode, self.partner, self.limit = IDLE, -1, inf
        self.wake = now - log(1.0 - (self.stream.next64() >> 11) * TO_UNIT) / self.rate if self.rate else inf

    def _uniform(self) -> float:
        """In [0, 1)."""
        return (self.stream.next64() >> 11) * TO_UNIT

    def _decide(self, initiator: int, x: Interaction) -> None:
        if x > self.decided.get(initiator, NONE):
            self.decided[initiator] = x

    def _frame(self, kind: int, to: int, counter: int, body: bytes = b"") -> bytes:
        return encode_parts(kind, self.run, to, self.me, self.incarnation, counter, body, self.key)

    def _log_end(self, kind: str, out: Outputs) -> None:
        out.append((LOG, line_of(kind, self.me, self.incarnation, self.version, self.counter)))

    def _log_unchanged(self, kind: str, out: Outputs) -> None:
        numbers = (self.me, self.incarnation, self.version, self.partner, *self.x)
        out.append((LOG, line_of(kind, *numbers, state=self.texts[self.state])))

    def tally_line(self) -> bytes:
        return line_of("tally", self.me, self.incarnation, state=self.tally.text())
