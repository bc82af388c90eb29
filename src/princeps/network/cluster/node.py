"""A node of a cluster: nobody starts all agents and knows who is dead, so they introduce themselves.

    A, whenever it would ask B and has not been introduced, or hears from an incarnation of B that has not   JOIN(nonce, offer) ->
    B compares the offers (joining.py), and introduces itself likewise      <- JOINED(nonce of A, what it knows of A, offer)
    A knows now that this incarnation of B lives: the nonce is of A's incarnation, and nobody else has the key

Frames of the interactions of any other incarnation are not accepted: a recording of an earlier one does nothing at all. All
incarnations of B before this one are dead, which settles what they have left open; LEAVE says the same of the last one.
Otherwise the lease ends a wait. An agent whose offer differs is not introduced. One that nobody has introduced yet, and is
answered by another offer, has failed: it is the newcomer. All others only say so.

TERM(is answer, term) goes beside a frame to whoever may not have heard of the largest term yet (terms.py).
"""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from typing import Any, ClassVar

from princeps.network.cluster.joining import Offer, decoded, difference, encoded
from princeps.network.cluster.terms import LARGEST, Terms
from princeps.network.handshake import Node, Outputs
from princeps.network.wire import JOIN, JOINED, LEAVE, TERM, Frame, Refusal

NONCE = 16  # bytes
_KNOWN = Struct(">I")  # the incarnation of whoever asks, as far as it is known
_TERM = Struct(">BQ")
Handler = Callable[[Any, float, Frame, Outputs], Refusal | None]


def introduced(handle: Handler) -> Handler:
    """A frame of an incarnation that has not introduced itself is not handled."""

    def checked(self: ClusterNode, now: float, frame: Frame, out: Outputs) -> Refusal | None:
        if self.joined.get(frame.sender) == frame.incarnation:
            return handle(self, now, frame, out)
        self.early += 1
        if frame.incarnation > self.known(frame.sender):
            self.greet(frame.sender, out)
        return None

    return checked


class ClusterNode(Node):
    """`prepare` it before it starts."""

    def prepare(self, offer: Offer, nonce: bytes, terms: Terms) -> None:
        self.offer, self.nonce, self.terms = offer, nonce, terms
        self.joined: dict[int, int] = {}  # the incarnations that have introduced themselves
        self.differs: dict[int, str] = {}  # how other agents differ
        self.peer_terms: dict[int, int] = {}  # what others have heard of
        self.early = 0  # frames of incarnations that have not introduced themselves
        self.failure = ""  # why this agent cannot go on

    def known(self, agent: int) -> int:
        """The last incarnation of another agent that is known to have been."""
        return max(self.joined.get(agent, 0), self.dead.get(agent, 0))

    # -- inputs -------------------------------------------------------------------------------------------------------

    def start(self, now: float) -> Outputs:
        out = super().start(now)
        for peer in sorted(self.peers):
            self.greet(peer, out)
        return self._with_terms(now, out)

    def receive(self, now: float, data: bytes) -> Outputs:
        return self._with_terms(now, super().receive(now, data))

    def timer(self, now: float) -> Outputs:
        return self._with_terms(now, super().timer(now))

    def leave(self) -> Outputs:
        """To everybody whom this agent knows: it will not come back in this incarnation."""
        return [(peer, self._frame(LEAVE, peer, 0)) for peer in self.joined]

    def _with_terms(self, now: float, out: Outputs) -> Outputs:
        terms = self.terms
        terms.see(now, bool(self.protocol.leads(self.state)))
        if terms.heard:
            unaware = {to for to, _ in out if to in self.joined and self.peer_terms.get(to, 0) < terms.heard}
            out += [(to, self._frame(TERM, to, 0, _TERM.pack(0, terms.heard))) for to in sorted(unaware)]
        return out

    # -- introductions ------------------------------------------------------------------------------------------------

    def ring(self, now: float, out: Outputs) -> None:
        partner = self.targets[self.stream.below(len(self.targets))]
        if partner in self.joined:
            self.ask(now, partner, out)
        else:
            self.greet(partner, out)
            self._rest(now)

    def greet(self, peer: int, out: Outputs) -> None:
        out.append((peer, self._frame(JOIN, peer, 0, self.nonce + encoded(self.offer))))

    def _on_join(self, now: float, frame: Frame, out: Outputs) -> Refusal | None:
        theirs = decoded(frame.body[NONCE:])
        if theirs is None:
            return Refusal.BODY
        sender = frame.sender
        body = frame.body[:NONCE] + _KNOWN.pack(self.known(sender)) + encoded(self.offer)
        out.append((sender, self._frame(JOINED, sender, 0, body)))
        if self._compare(sender, theirs) and frame.incarnation > self.known(sender):
            self.greet(sender, out)
        return None

    def _on_joined(self, now: float, frame: Frame, out: Outputs) -> Refusal | None:
        theirs = decoded(frame.body[NONCE + _KNOWN.size :])
        if theirs is None:
            return Refusal.BODY
        sender, incarnation = frame.sender, frame.incarnation
        if frame.body[:NONCE] != self.nonce or incarnation <= self.known(sender):
            self.tally.duplicates += 1
            return None
        (mine,) = _KNOWN.unpack_from(frame.body, NONCE)
        if mine > self.incarnation:
            self.failure = (
                f"agent {sender} knows incarnation {mine} of agent {self.me}, and this is {self.incarnation}: its file "
                f"in the state directory was lost; write a higher number into it."
            )
        elif self._compare(sender, theirs):
            out += self.told_dead(now, sender, incarnation - 1)
            self.joined[sender] = incarnation
        elif not self.joined:
            self.failure = f"agent {sender} refuses this agent: {self.differs[sender]}. Give all agents the same."
        return None

    def _compare(self, agent: int, theirs: Offer) -> bool:
        """Whether it may be introduced."""
        found = difference(self.offer, theirs)
        if found:
            self.differs[agent] = found
        else:
            self.differs.pop(agent, None)
        return not found

    def _on_leave(self, now: float, frame: Frame, out: Outputs) -> Refusal | None:
        if frame.body:
            return Refusal.BODY
        out += self.told_dead(now, frame.sender, frame.incarnation)
        del self.joined[frame.sender]
        return None

    # -- terms --------------------------------------------------------------------------------------------------------

    def _on_term(self, now: float, frame: Frame, out: Outputs) -> Refusal | None:
        if len(frame.body) != _TERM.size:
            return Refusal.BODY
        is_answer, term = _TERM.unpack(frame.body)
        if is_answer > 1 or term >= LARGEST:
            return Refusal.BODY
        self.terms.hear(term)
        self.peer_terms[frame.sender] = max(term, self.peer_terms.get(frame.sender, 0))
        if not is_answer:
            out.append((frame.sender, self._frame(TERM, frame.sender, 0, _TERM.pack(1, self.terms.heard))))
        return None

    HANDLERS: ClassVar[dict[int, Any]] = {
        **{kind: introduced(handle) for kind, handle in Node.HANDLERS.items()},
        JOIN: _on_join,
        JOINED: _on_joined,
        LEAVE: introduced(_on_leave),
        TERM: introduced(_on_term),
    }
