"""Nodes with one rule of the handshake left out, each of which tears: what the explorer must find."""

from __future__ import annotations

from princeps.network.handshake import IDLE, LOG, Node, Outputs
from princeps.network.log import line_of
from princeps.network.wire import GRANT, REFUSE, REQ, Frame, Refusal


class NoWait(Node):
    """The initiator goes on as soon as it has sent COMMIT, and repeats it whenever the responder asks again."""

    def _apply(self, now: float, theirs: int, version: int, other: tuple[int, ...], out: Outputs) -> None:
        super()._apply(now, theirs, version, other, out)
        self.given_up[self.partner] = (self.incarnation, self.counter), theirs, self.frame
        self._rest(now)


class TwoMessages(Node):
    """REQ(state of A) - GRANT(new state of A): the responder applies the rule, and the initiator takes what it gets."""

    def ask(self, now: float, partner: int, out: Outputs) -> None:
        super().ask(now, partner, out)
        body = self.version.to_bytes(8, "big") + self.codec.encode(self.state)
        self.frame = self._frame(REQ, partner, self.counter, body)
        out[-1] = partner, self.frame

    def _on_req(self, now: float, frame: Frame, out: Outputs) -> Refusal | None:
        sender, x = frame.sender, (frame.incarnation, frame.counter)
        theirs = self.codec.decode(frame.body[8:])
        if self.mode != IDLE or x <= self.decided.get(sender, (0, 0)) or theirs is None:
            out.append((sender, self._frame(REFUSE, sender, x[1], x[0].to_bytes(4, "big"))))
            return None
        new, mine, _ = self.rule(theirs, self.state)
        version = int.from_bytes(frame.body[:8], "big")
        # as the log of an initiator: the roles say who applied the rule, so that the judge can read it
        numbers = (sender, x[0], version, x[1], self.me, self.incarnation, self.version)
        texts = f"{self.texts[new]},{self.texts[mine]},[]"
        out.append((LOG, line_of("meet", *numbers, state=texts)))
        out.append((LOG, line_of("take", self.me, self.incarnation, self.version, sender, *x, state=self.texts[mine])))
        self.state, self.version = mine, self.version + 1
        self._decide(sender, x)
        self._rest(now)
        out.append((sender, self._frame(GRANT, sender, x[1], x[0].to_bytes(4, "big") + self.codec.encode(new))))
        return None

    def _on_grant(self, now: float, frame: Frame, out: Outputs) -> Refusal | None:
        waits = self.mode != IDLE and frame.sender == self.partner and frame.counter == self.counter
        new = self.codec.decode(frame.body[4:])
        if waits and new is not None and int.from_bytes(frame.body[:4], "big") == self.incarnation:
            self.state, self.version = new, self.version + 1
            self._rest(now)
        return None

    HANDLERS = {**Node.HANDLERS, REQ: _on_req, GRANT: _on_grant}
