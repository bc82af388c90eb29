"""Datagrams over TCP: one connection for each pair of neighbours, which loses what was under way when it breaks.

It looks like a socket of datagrams to the loop of udp.py and to a member of a cluster, so that nodes, their faults and their
log are the same. The agent with the smaller number makes the connection. It is asked for a fresh number by the other, and
its first frame is a HELLO that answers it under the key of the run (greeting.py); a connection that begins otherwise is
closed, and counted. A frame for somebody to whom there is no connection is lost, as on any network: the handshake repeats
it. With certificates all of it goes through TLS (tls.py).
"""

from __future__ import annotations

import os
import selectors
import socket
import time
from collections import deque
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from princeps.network.channel import NotLetIn, Plain
from princeps.network.greeting import NONCE, fresh_nonce
from princeps.network.membership import Membership
from princeps.network.rings.stream import Splitter, framed
from princeps.network.wire import ANYBODY, CHALLENGE, HELLO, LARGEST_DATAGRAM, Frame, Refusal, decode, encode

if TYPE_CHECKING:
    from princeps.network.tls import Security

PIECE = 1 << 16  # bytes that are read at once
MOST_WAITING = 1 << 16  # bytes; a connection that does not take more loses frames
MOST_HELD = 1 << 12  # bytes that wait for the answer to a greeting
MAX_STRANGERS = 64  # connections that have not said HELLO yet
MAX_NOTES = 64
GREETING_TIME = 3.0  # seconds after which a connection that was not greeted is made anew
DIAL_PAUSE = 0.05  # seconds between two attempts, at least
UNACKNOWLEDGED = 5_000  # milliseconds after which a connection is given up whose bytes nobody acknowledges
READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE


@dataclass(eq=False)
class Connection:
    socket: socket.socket
    peer: int | None  # None: it has not said yet who it is
    channel: Plain
    since: float
    nonce: bytes = b""  # that the other side has to answer, if it made the connection
    wanted: int = READ  # what the selector waits for; asking it takes longer
    is_made: bool = True
    is_greeted: bool = False  # frames may be sent
    held: bytearray = field(default_factory=bytearray)  # until they may
    splitter: Splitter = field(default_factory=lambda: Splitter(LARGEST_DATAGRAM))


class Connections:
    """All connections of one incarnation of one agent (or of the conductor).

    `refuse` is told of each frame that is refused here, `seen` of each HELLO that is said; `notes` are sentences about those
    who were not let in.
    """

    def __init__(
        self,
        listener: socket.socket,
        member: Membership,
        me: int,
        incarnation: int,
        peers: Collection[int],
        addresses: Mapping[int, Any],
        refuse: Callable[[Refusal], object] | None = None,
        security: Security | None = None,
        seen: Callable[[bytes], object] | None = None,
    ) -> None:
        self.listener, self.member, self.me, self.incarnation = listener, member, me, incarnation
        self.peers, self.addresses, self.refuse, self.security, self.seen = peers, addresses, refuse, security, seen
        self.numbers = {address: number for number, address in addresses.items()}
        self.connections: dict[int, Connection] = {}
        self.strangers: list[Connection] = []
        self.dialled: dict[int, float] = {}
        self.notes: dict[str, str] = {}
        self.frames: deque[bytes] = deque()
        self.selector = selectors.DefaultSelector()
        self.bell, self.rope = os.pipe()  # readable as long as frames wait here that nobody has taken
        self.is_ringing = False
        listener.setblocking(False)
        self.selector.register(listener, READ)
        self.selector.register(self.bell, READ)
        for peer in peers:
            if peer > me:
                self._dial(peer)

    # -- as a socket --------------------------------------------------------------------------------------------------

    def fileno(self) -> int:
        return self.selector.fileno()

    def sendto(self, data: bytes, address: Any) -> None:
        peer = self.numbers[address]
        connection = self.connections.get(peer)
        if connection is None and peer > self.me:
            connection = self._dial(peer)
        if connection is None:
            return
        if not connection.is_greeted:
            if len(connection.held) < MOST_HELD:
                connection.held += framed(data)
        elif len(connection.channel.outgoing) < MOST_WAITING:
            connection.channel.write(framed(data))
            self._push(connection)

    def recv(self, size: int) -> bytes:
        """A frame; BlockingIOError if there is none."""
        if not self.frames:
            for key, _ in self.selector.select(0):
                if key.fileobj is self.listener:
                    self._accept()
                elif isinstance(key.data, Connection):
                    self._serve(key.data)
        if not self.frames:
            raise BlockingIOError
        data = self.frames.popleft()
        if bool(self.frames) != self.is_ringing:
            self.is_ringing = not self.is_ringing
            if self.is_ringing:
                os.write(self.rope, b".")
            else:
                os.read(self.bell, 1)
        return data

    def look_after(self) -> None:
        """Now and then: connections that are not there, or were not answered, are made anew."""
        now = time.monotonic()
        for connection in list(self.connections.values()):
            if not connection.is_greeted and now > connection.since + GREETING_TIME:
                self._lose(connection)
        for peer in self.peers:
            if peer > self.me and peer not in self.connections:
                self._dial(peer)

    def close(self) -> None:
        for connection in [*self.connections.values(), *self.strangers]:
            with suppress(OSError):
                connection.socket.shutdown(socket.SHUT_WR)  # what was sent last still arrives
            self._lose(connection)
        self.selector.close()
        self.listener.close()
        os.close(self.bell)
        os.close(self.rope)

    # -- connections --------------------------------------------------------------------------------------------------

    def _dial(self, peer: int) -> Connection | None:
        now = time.monotonic()
        if now < self.dialled.get(peer, 0.0) + DIAL_PAUSE:
            return None
        self.dialled[peer] = now
        made = _prepared(socket.socket(self.listener.family, socket.SOCK_STREAM))
        try:
            made.connect(self.addresses[peer])
        except BlockingIOError:
            pass
        except OSError:
            made.close()
            return None
        connection = Connection(made, peer, self._channel(False), now, wanted=WRITE, is_made=False)
        self.connections[peer] = connection
        self.selector.register(made, WRITE, connection)
        return connection

    def _accept(self) -> None:
        try:
            made, _ = self.listener.accept()
        except OSError:
            return
        if len(self.strangers) == MAX_STRANGERS:
            self._lose(self.strangers[0])
        stranger = Connection(_prepared(made), None, self._channel(True), time.monotonic(), fresh_nonce())
        self.strangers.append(stranger)
        self.selector.register(made, READ, stranger)
        stranger.channel.write(self._framed(CHALLENGE, ANYBODY, stranger.nonce))
        self._push(stranger)

    def _channel(self, is_server: bool) -> Plain:
        return Plain() if self.security is None else self.security.channel(is_server)

    def _serve(self, connection: Connection) -> None:
        if connection.socket.fileno() < 0:  # lost meanwhile
            return
        if not connection.is_made:
            if connection.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
                self._lose(connection)
                return
            connection.is_made = True
            connection.channel.begin()
        if connection.channel.outgoing or connection.wanted != READ:
            self._push(connection)
        try:
            data = connection.socket.recv(PIECE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        why = self._hear(connection, data)
        if why is not None and self.refuse is not None:
            self.refuse(why)
        if not data or why is not None:
            was_greeted, peer = connection.is_greeted, connection.peer
            self._lose(connection)
            if was_greeted and peer is not None and peer > self.me and peer not in self.connections:
                self._dial(peer)
        elif connection.channel.outgoing:
            self._push(connection)

    def _hear(self, connection: Connection, data: bytes) -> Refusal | None:
        """Why the connection is to be closed, if it is."""
        try:
            said = connection.channel.read(data) if data else b""
        except NotLetIn as error:
            self._note(connection, str(error))
            self._push(connection)
            return Refusal.TLS
        for frame in connection.splitter.feed(said):
            if connection.is_greeted:
                self.frames.append(frame)
            elif (why := self._greet(connection, frame)) is not None:
                return why
            else:
                self.notes.pop(f"agent {connection.peer}", None)  # it is connected now
        if connection.splitter.has_ended:
            return Refusal.LONG
        return Refusal.SHORT if connection.splitter.rest and not data and connection.peer is None else None

    def _greet(self, connection: Connection, data: bytes) -> Refusal | None:
        """The first frame of a connection; why it is refused."""
        frame = decode(data, self.member.key, self.member.run)
        if isinstance(frame, Refusal):
            return frame
        if connection.peer is not None:  # this agent made the connection
            if frame.kind != CHALLENGE or frame.sender != connection.peer or len(frame.body) != NONCE:
                return Refusal.GREETING
            hello = self._framed(HELLO, connection.peer, frame.body)
            connection.channel.write(hello + connection.held)
            connection.is_greeted = True
            connection.held.clear()
            return None
        if frame.kind != HELLO or frame.to != self.me or frame.body != connection.nonce:
            return Refusal.GREETING
        if frame.sender >= self.me or frame.sender not in self.peers:
            return Refusal.SENDER
        old = self.connections.get(frame.sender)
        if old is not None:
            self._lose(old)
        self.strangers.remove(connection)
        connection.peer, connection.is_greeted = frame.sender, True
        self.connections[frame.sender] = connection
        return None

    def _framed(self, kind: int, to: int, nonce: bytes) -> bytes:
        data = encode(Frame(kind, self.member.run, to, self.me, self.incarnation, 0, nonce), self.member.key)
        if kind == HELLO and self.seen is not None:
            self.seen(data)
        return framed(data)

    def _note(self, connection: Connection, why: str) -> None:
        who = "somebody" if connection.peer is None else f"agent {connection.peer}"
        if connection.peer is None:
            with suppress(OSError):
                who += f" at {connection.socket.getpeername()[0]}"
        if who in self.notes or len(self.notes) < MAX_NOTES:
            self.notes[who] = why

    def _push(self, connection: Connection) -> None:
        """Send what the system takes at once; the rest waits here."""
        if not connection.is_made:
            return
        outgoing = connection.channel.outgoing
        if outgoing:
            with suppress(OSError):  # a broken connection is noticed by reading
                del outgoing[: connection.socket.send(outgoing)]
        wanted = READ | (WRITE if outgoing else 0)
        if connection.wanted != wanted:
            connection.wanted = wanted
            self.selector.modify(connection.socket, wanted, connection)

    def _lose(self, connection: Connection) -> None:
        self.selector.unregister(connection.socket)
        connection.socket.close()
        if connection.peer is None:
            self.strangers.remove(connection)
        elif self.connections.get(connection.peer) is connection:
            del self.connections[connection.peer]


def _prepared(made: socket.socket) -> socket.socket:
    made.setblocking(False)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # of Linux
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNACKNOWLEDGED)
    return made
