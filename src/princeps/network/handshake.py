"""A node: one agent of a population protocol, without sockets, clocks or random generators of its own.

An interaction of initiator A with responder B takes four frames; x = (A, incarnation of A, counter) names it.

    A idle, its clock rings: A asks                                          REQ(x) ->
    B idle: B is frozen for x            (busy: REFUSE at once, for good)    <- GRANT(x, version and state of B)
    A asking x: applies the rule, logs it, is frozen                         COMMIT(x, new state of B) ->
    B granted x: takes its state, logs it, is idle                           <- ACK(x)
    A is idle

A frame is repeated until it is answered. Nobody waits for anybody who waits: a busy agent refuses at once, and a refused
initiator does not try another at once, which would favour agents that are idle. Only the initiator decides, once. B is
frozen from GRANT on and A until the ACK, so that the interaction may be placed at the moment at which A applied it. If A
dies before its COMMIT arrives, nobody has seen A's new state, and it never happened: B is told so (ABORT) by the next
incarnation of A, or by whoever knows that A is dead. If B dies after its GRANT, it happened, and then B died: A learns it
from the next incarnation of B (an ACK that says so), or is told. Without a lease nothing is ever applied at one side only,
which tests/network/test_explorer.py shows for all executions of small populations. A lease gives up a wait, and can tear.

An old frame does no harm: `decided` holds, for each initiator, the last x that was taken, aborted or refused here, and no
x up to it is granted again; COMMIT and ABORT name the incarnation of B that they are for.

Inputs are `receive`, `timer` and `told_dead`; each returns its outputs in order, pairs (to, data): a frame for the agent
`to`, or, if that is LOG, a line for the log, which must be written before the frames after it are sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Any, ClassVar

from princeps.model.coins import Chance, RecordedDraws
from princeps.model.states import State
from princeps.network.log import line_of, meet_line, take_line
from princeps.network.waiting import ASKING, COMMITTING, GRANTED, IDLE, LOG, NONE, Outputs, Waiting
from princeps.network.wire import ABORT, ACK, COMMIT, GRANT, REFUSE, REQ, Frame, Refusal, decode

__all__ = ["APPLIED", "ASKING", "COMMITTING", "GONE", "GRANTED", "IDLE", "LOG", "TAKEN_BACK", "Node", "Outputs"]

APPLIED, GONE, TAKEN_BACK = range(3)  # what an ACK says
_GRANT = Struct(">IQ")  # x's incarnation, version of the responder; then its state
_COMMIT = Struct(">I")  # the responder's incarnation; then its new state
_ACK = Struct(">IIB")  # x's incarnation, the responder's incarnation, what became of it
_REFUSE = Struct(">I")  # x's incarnation
_ABORT = Struct(">II")  # x's incarnation, the responder's incarnation
REMEMBERED = 1 << 16  # pairs of states whose result is kept


class Node(Waiting):
    """One incarnation of one agent in free mode: it asks its neighbours at the moments of a Poisson clock."""

    # -- inputs -------------------------------------------------------------------------------------------------------

    def receive(self, now: float, data: bytes) -> Outputs:
        out: Outputs = []
        frame = decode(data, self.key, self.run)
        if frame.__class__ is Refusal:
            self.tally.refuse(frame)
            return out
        assert frame.__class__ is Frame  # for the reader
        if frame.to != self.me:
            why: Refusal | None = Refusal.RECEIVER
        elif frame.sender not in self.peers:
            why = self.from_outside(now, frame, out)
        else:
            if self.silent and frame.incarnation > self.dead.get(frame.sender, 0):
                self.silent.discard(frame.sender)
            handle = self.HANDLERS.get(frame.kind)
            why = Refusal.KIND if handle is None else handle(self, now, frame, out)
        if why is not None:
            self.tally.refuse(why)
        return out

    def told_dead(self, now: float, agent: int, incarnation: int) -> Outputs:
        """Somebody who knows it says that this incarnation of another agent is dead."""
        out: Outputs = []
        if incarnation <= self.dead.get(agent, 0):
            return out
        self.dead[agent] = incarnation
        self.silent.add(agent)
        out.append((LOG, line_of("told", self.me, self.incarnation, agent, incarnation)))
        if self.partner == agent and self.mode == COMMITTING and self.partner_incarnation <= incarnation:
            self._log_end("gone", out)
            self.finished(now, out)
        elif self.partner == agent and self.mode == GRANTED and self.x[0] <= incarnation:
            self._log_unchanged("abort", out)
            self._decide(agent, self.x)
            self._rest(now)
        elif self.partner == agent and self.mode == ASKING:
            self.limit = min(self.limit, now + self._patience(agent))
        return out

    # -- asking -------------------------------------------------------------------------------------------------------

    def ring(self, now: float, out: Outputs) -> None:
        self.ask(now, self.targets[self.stream.below(len(self.targets))], out)

    def ask(self, now: float, partner: int, out: Outputs) -> None:
        self.counter += 1
        self.tally.requests += 1
        self._wait(now, ASKING, partner, self._frame(REQ, partner, self.counter), self._patience(partner), out)

    def _patience(self, partner: int) -> float:
        """How long to wait for an answer; less if nothing was heard since the partner died."""
        timing = self.timing
        return min(timing.ask, 2 * timing.repeat) if partner in self.silent else timing.ask

    def _on_grant(self, now: float, frame: Frame, out: Outputs) -> Refusal | None:
        if len(frame.body) < _GRANT.size:
            return Refusal.BODY
        of, version = _GRANT.unpack_from(frame.body)
        sender, counter, theirs = frame.sender, frame.counter, frame.incarnation
        mine = of == self.incarnation and counter == self.counter and sender == self.partner
        if mine and self.mode == ASKING and theirs > self.dead.get(sender, 0):
            other = self.codec.decode(frame.body[_GRANT.size :])
            if other is None:
                return Refusal.BODY
            self._apply(now, theirs, version, other, out)
        elif mine and self.mode == COMMITTING and theirs == self.partner_incarnation:
            self.tally.duplicates += 1
        else:
            x, of_incarnation, commit = self.given_up.get(sender, (NONE, 0, b""))
            if x == (of, counter) and of_incarnation == theirs:  # the other side still waits for what this one applied
                out.append((sender, commit))
            else:
                out.append((sender, self._frame(ABORT, sender, counter, _ABORT.pack(of, theirs))))
        return None

    def _apply(self, now: float, theirs: int, version: int, other: State, out: Outputs) -> None:
        before = self.version
        mine, new, draws = self.rule(self.state, other)
        self.state, self.version, self.partner_incarnation = mine, before + 1, theirs
        partner, counter, states = self.partner, self.counter, f"{self.texts[mine]},{self.texts[new]}"
        out.append(
            (LOG, meet_line(self.me, self.incarnation, before, counter, partner, theirs, version, states, draws))
        )
        frame = self._frame(COMMIT, partner, counter, _COMMIT.pack(theirs) + self.codec.encode(new))
        self._wait(now, COMMITTING, partner, frame, self.timing.lease, out)

    def rule(self, mine: State, other: State) -> tuple[State, State, Sequence[int]]:
        """Both new states, and what the coins showed."""
        if self.coins is not None:
            return self.toss(mine, other, self.coins)
        pair = mine, other
        after = self.results.get(pair)
        if after is None:
            if len(self.results) >= REMEMBERED:
                self.results.clear()
            after = self.results[pair] = self.protocol.step(mine, other)
        return (*after, ())

    def toss(self, mine: State, other: State, source: Chance, oracle: int = 0) -> tuple[State, State, Sequence[int]]:
        recorded = RecordedDraws(source)
        return (*self.protocol.step(mine, other, recorded, oracle), recorded.values)

    def _on_refuse(self, now: float, frame: Frame, out: Outputs) -> Refusal | None:
        if len(frame.body) != _REFUSE.size:
            return Refusal.BODY
        (of,) = _REFUSE.unpack(frame.body)
        if self.mode == ASKING and (frame.sender, of, frame.counter) == (self.partner, self.incarnation, self.counter):
            self.tally.refused += 1
            self._rest(now)
        else:
            self.tally.duplicates += 1
        return None

    def _on_ack(self, now: float, frame: Frame, out: Outputs) -> Refusal | None:
        if len(frame.body) != _ACK.size:
            return Refusal.BODY
        of, theirs, what = _ACK.unpack(frame.body)
        if what > TAKEN_BACK or (what == GONE) != (frame.incarnation > theirs):
            return Refusal.BODY
        waits = self.mode == COMMITTING and self.partner == frame.sender and self.partner_incarnation == theirs
        if waits and (of, frame.counter) == (self.incarnation, self.counter):
            if what != APPLIED:
                self._log_end("gone" if what == GONE else "torn", out)
            self.finished(now, out)
        else:
            self.tally.duplicates += 1
        return None

    def finished(self, now: float, out: Outputs) -> None:
        """The interaction that this agent began is done."""
        self._rest(now)

    # -- answering ----------------------------------------------------------------------------------------------------

    def _on_req(self, now: float, frame: Frame, out: Outputs) -> Refusal | None:
        sender, x = frame.sender, (frame.incarnation, frame.counter)
        if frame.body or sender not in self.sources:
            return Refusal.BODY if frame.body else Refusal.SENDER
        is_new = x > self.decided.get(sender, NONE) and x[0] > self.dead.get(sender, 0)
        if is_new and self.mode == ASKING and self.tries:
            self._give_up(now, out)  # its own request is not answered: during a cut, agents of one side still meet
        if self.mode == GRANTED and self.partner == sender and self.x == x:
            self.tally.duplicates += 1
            out.append((sender, self.frame))
        elif is_new and self.mode == IDLE:
            self.x = x
            body = _GRANT.pack(x[0], self.version) + self.codec.encode(self.state)
            self._wait(now, GRANTED, sender, self._frame(GRANT, sender, x[1], body), self.timing.lease, out)
        else:
            self._decide(sender, x)
            out.append((sender, self._frame(REFUSE, sender, x[1], _REFUSE.pack(x[0]))))
        return None

    def _on_commit(self, now: float, frame: Frame, out: Outputs) -> Refusal | None:
        if len(frame.body) < _COMMIT.size:
            return Refusal.BODY
        (mine,) = _COMMIT.unpack_from(frame.body)
        sender, x, what = frame.sender, (frame.incarnation, frame.counter), APPLIED
        if mine < self.incarnation:
            what = GONE
        elif mine > self.incarnation:
            return Refusal.BODY
        elif self.mode == GRANTED and self.partner == sender and self.x == x:
            new = self.codec.decode(frame.body[_COMMIT.size :])
            if new is None or (self.inputs and any(new[k] != self.state[k] for k in self.inputs)):
                return Refusal.BODY
            out.append((LOG, take_line(self.me, self.incarnation, self.version, sender, x, self.texts[new])))
            self.state, self.version = new, self.version + 1
            self._decide(sender, x)
            self._rest(now)
        elif x > self.decided.get(sender, NONE):
            return Refusal.BODY  # nothing of the kind was granted
        else:
            self.tally.duplicates += 1
            what = TAKEN_BACK if self.given_back.get(sender) == x else APPLIED
        out.append((sender, self._frame(ACK, sender, x[1], _ACK.pack(x[0], mine, what))))
        return None

    def _on_abort(self, now: float, frame: Frame, out: Outputs) -> Refusal | None:
        if len(frame.body) != _ABORT.size:
            return Refusal.BODY
        of, mine = _ABORT.unpack(frame.body)
        granted = self.mode == GRANTED and self.partner == frame.sender and mine == self.incarnation
        if granted and self.x == (of, frame.counter):
            self._log_unchanged("abort", out)
            self._decide(frame.sender, self.x)
            self._rest(now)
        else:
            self.tally.duplicates += 1
        return None

    def _give_up(self, now: float, out: Outputs) -> None:
        if self.mode == ASKING:
            self.tally.unanswered += 1
            self._rest(now)
        elif self.mode == GRANTED:
            self._log_unchanged("took_back", out)
            self.given_back[self.partner] = self.x
            self._decide(self.partner, self.x)
            self._rest(now)
        elif self.mode == COMMITTING:
            self._log_end("gave_up", out)
            self.given_up[self.partner] = (self.incarnation, self.counter), self.partner_incarnation, self.frame
            self.finished(now, out)

    def from_outside(self, now: float, frame: Frame, out: Outputs) -> Refusal | None:
        """A frame of nobody whom this agent meets."""
        return Refusal.SENDER

    HANDLERS: ClassVar[dict[int, Any]] = {
        REQ: _on_req,
        GRANT: _on_grant,
        COMMIT: _on_commit,
        ACK: _on_ack,
        REFUSE: _on_refuse,
        ABORT: _on_abort,
    }
