"""Conducted mode: the pairs come from the run's own seed, and one interaction is finished before the next begins.

The conductor draws pairs from the stream "schedule" and lends the stream "coins" to the initiator, which returns it with
the new states. So a conducted run equals `--engine reference` in every state, over any transport that loses, repeats and
reorders frames. Oracles are known here, since the conductor knows the configuration: their value comes with the order.

    CONDUCT(k, responder, oracle, coins) ->      the initiator meets the responder as in free mode (handshake.py)
                                                 <- DONE(k, coins, both new states)

Both are repeated until they are answered; an order that is done is answered by the same DONE again.
"""

from __future__ import annotations

from math import inf
from struct import Struct
from typing import TYPE_CHECKING, Any

from princeps.model.randomness import Stream
from princeps.model.run import Run
from princeps.model.states import State
from princeps.network.counters import Tally
from princeps.network.handshake import IDLE, Node, Outputs
from princeps.network.log import ATTEMPTS
from princeps.network.membership import Membership, Timing
from princeps.network.state_codec import StateCodec
from princeps.network.wire import CONDUCT, CONDUCTOR, DONE, Frame, Refusal, decode, encode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from princeps.engines.reference import Reference

_ORDER = Struct(">IB")  # responder, value of the oracle; then the stream of the coins, if the rule tosses any
_WORDS = Struct(">4Q")


class ConductedNode(Node):
    """An agent that interacts when it is ordered to."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **{**named, "rate": 0.0})
        self.order, self.responder, self.oracle = 0, -1, 0
        self.words: tuple[int, int, int, int] | None = None  # of the stream of coins
        self.outcome: tuple[State, State] | None = None
        self.answer = b""  # DONE, once the order is done

    def from_outside(self, now: float, frame: Frame, out: Outputs) -> Refusal | None:
        if frame.sender != CONDUCTOR:
            return Refusal.SENDER
        if frame.kind != CONDUCT:
            return Refusal.KIND
        tosses = self.protocol.tosses
        if len(frame.body) != _ORDER.size + tosses * _WORDS.size:
            return Refusal.BODY
        responder, oracle = _ORDER.unpack_from(frame.body)
        if responder not in self.targets or oracle > 1:
            return Refusal.BODY
        if frame.counter > self.order:
            self.order, self.responder, self.oracle, self.answer = frame.counter, responder, oracle, b""
            if tosses:
                a, b, c, d = _WORDS.unpack_from(frame.body, _ORDER.size)
                self.words = a, b, c, d
            if self.mode == IDLE:
                self.ring(now, out)
        elif frame.counter == self.order and self.answer:
            out.append((CONDUCTOR, self.answer))
        else:
            self.tally.duplicates += 1
        return None

    def ring(self, now: float, out: Outputs) -> None:
        self.counter = max(self.counter, self.order << ATTEMPTS)
        self.ask(now, self.responder, out)

    def rule(self, mine: State, other: State) -> tuple[State, State, Sequence[int]]:
        draws: Sequence[int] = ()
        if self.words is not None:
            source = Stream(self.words)
            first, second, draws = self.toss(mine, other, source, self.oracle)
            self.words = source.words
        elif self.protocol.oracle is not None:
            first, second = self.protocol.step(mine, other, None, self.oracle)
        else:
            first, second, draws = super().rule(mine, other)
        self.outcome = first, second
        return first, second, draws

    def finished(self, now: float, out: Outputs) -> None:
        assert self.outcome is not None
        words = b"" if self.words is None else _WORDS.pack(*self.words)
        self.answer = encode(
            Frame(
                DONE,
                self.run,
                CONDUCTOR,
                self.me,
                self.incarnation,
                self.order,
                words + self.codec.join(*self.outcome),
            ),
            self.key,
        )
        self._rest(now)
        out.append((CONDUCTOR, self.answer))

    def _rest(self, now: float) -> None:
        super()._rest(now)
        if self.order and not self.answer:  # it was refused, or granted something else meanwhile: it tries again
            self.wake = now + self.timing.repeat * self._uniform()


class Conductor:
    """Orders one interaction after the other, until the goal holds or `limit` interactions are done."""

    def __init__(self, run: Run, member: Membership, timing: Timing, limit: float = inf, to_goal: bool = True) -> None:
        from princeps.engines.reference import Reference

        self.population: Reference = Reference(run)  # holds the states that agents report, and the run's own streams
        self.run, self.member, self.timing, self.limit, self.to_goal = run, member, timing, limit, to_goal
        self.codec, self.tally = StateCodec(run.protocol.space), Tally()
        self.jitter = run.stream("network:conductor")
        self.steps = self.order = 0
        self.pair = (-1, -1)
        self.frame = b""
        self.wake, self.tries = inf, 0
        self.ended = False

    def start(self, now: float) -> Outputs:
        return self._next(now)

    def next_timer(self) -> float:
        return self.wake

    def timer(self, now: float) -> Outputs:
        self.tries += 1
        self._set_timer(now)
        self.tally.repeated += 1
        return [(self.pair[0], self.frame)]

    def receive(self, now: float, data: bytes) -> Outputs:
        frame = decode(data, self.member.key, self.member.run)
        if isinstance(frame, Refusal):
            self.tally.refuse(frame)
            return []
        if frame.to != CONDUCTOR or frame.kind != DONE:
            self.tally.refuse(Refusal.RECEIVER if frame.to != CONDUCTOR else Refusal.KIND)
            return []
        if frame.counter != self.order or frame.sender != self.pair[0] or self.ended:
            self.tally.duplicates += 1
            return []
        size = _WORDS.size if self.run.protocol.tosses else 0
        states = self.codec.split(frame.body[size:])
        if states is None:
            self.tally.refuse(Refusal.BODY)
            return []
        if self.population.coins is not None:
            a, b, c, d = _WORDS.unpack_from(frame.body)
            self.population.coins.words = a, b, c, d
        self.population.overwrite(list(zip(self.pair, states, strict=True)))
        self.steps += 1
        return self._next(now)

    def _next(self, now: float) -> Outputs:
        """The next order; a pair of one agent with itself is a step at which nothing happens."""
        while True:
            pair = None
            if self.steps < self.limit and not (self.to_goal and self.population.holds()):
                pair = self.population.drawing.next()
            if pair is None:
                self.ended, self.wake = True, inf
                return []
            if pair[0] != pair[1]:
                break
            self.steps += 1
        self.pair, self.order, self.tries = pair, self.order + 1, 0
        coins = self.population.coins
        body = _ORDER.pack(pair[1], self.population.oracle_value()) + (
            b"" if coins is None else _WORDS.pack(*coins.words)
        )
        order = Frame(CONDUCT, self.member.run, pair[0], CONDUCTOR, 1, self.order, body)
        self.frame = encode(order, self.member.key)
        self._set_timer(now)
        return [(pair[0], self.frame)]

    def _set_timer(self, now: float) -> None:
        pause = min(self.timing.repeat * (2 << min(self.tries, 16)), 2 * self.timing.slowest_repeat)
        self.wake = now + pause * (0.5 + (self.jitter.next64() >> 11) * 2.0**-53)
