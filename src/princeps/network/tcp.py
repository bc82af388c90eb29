"""Datagrams over TCP: one connection for each pair of neighbours, which loses what was under way when it breaks.

It looks like a socket of datagrams to the loop of udp.py, so that nodes, their faults and their log are the same. The agent
with the smaller number makes the connection, and its first frame is a HELLO with the tag of the run; a connection that
begins otherwise is closed. A frame for somebody to whom there is no connection is lost, as on any network: the handshake
repeats it.
"""

from __future__ import annotations

import os
import selectors
import socket
from collections import deque
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from princeps.network.membership import Membership
from princeps.network.rings.stream import Splitter, framed
from princeps.network.wire import HELLO, Frame, decode, encode

Address = tuple[str, int]
PIECE = 1 << 16  # bytes that are read at once
MOST_WAITING = 1 << 16  # bytes; a connection that does not take more loses frames
MAX_STRANGERS = 64  # connections that have not said HELLO yet
READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE


@dataclass(eq=False)
class Connection:
    socket: socket.socket
    peer: int | None  # None: it has not said yet who it is
    is_made: bool = True
    waiting: bytearray = field(default_factory=bytearray)
    splitter: Splitter = field(default_factory=Splitter)


class Connections:
    """All connections of one incarnation of one agent (or of the conductor)."""

    def __init__(
        self,
        listener: socket.socket,
        member: Membership,
        me: int,
        incarnation: int,
        peers: Collection[int],
        addresses: Mapping[int, Address],
    ) -> None:
        self.listener, self.member, self.me, self.incarnation = listener, member, me, incarnation
        self.peers, self.addresses = peers, addresses
        self.numbers = {address: number for number, address in addresses.items()}
        self.connections: dict[int, Connection] = {}
        self.strangers: list[Connection] = []
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

    def sendto(self, data: bytes, address: Address) -> None:
        peer = self.numbers[address]
        connection = self.connections.get(peer)
        if connection is None and peer > self.me:
            connection = self._dial(peer)
        if connection is not None and len(connection.waiting) < MOST_WAITING:
            connection.waiting += framed(data)
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

    # -- connections --------------------------------------------------------------------------------------------------

    def _dial(self, peer: int) -> Connection | None:
        made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        made.setblocking(False)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            made.connect(self.addresses[peer])
        except BlockingIOError:
            pass
        except OSError:
            made.close()
            return None
        greeting = Frame(HELLO, self.member.run, peer, self.me, self.incarnation, 0)
        connection = Connection(made, peer, False, bytearray(framed(encode(greeting, self.member.key))))
        self.connections[peer] = connection
        self.selector.register(made, WRITE, connection)
        return connection

    def _accept(self) -> None:
        with suppress(OSError):
            made, _ = self.listener.accept()
            made.setblocking(False)
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if len(self.strangers) == MAX_STRANGERS:
                self._lose(self.strangers[0])
            stranger = Connection(made, None)
            self.strangers.append(stranger)
            self.selector.register(made, READ, stranger)

    def _serve(self, connection: Connection) -> None:
        if connection.socket.fileno() < 0:  # lost meanwhile
            return
        if not connection.is_made and connection.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
            self._lose(connection)
            return
        connection.is_made = True
        self._push(connection)
        try:
            data = connection.socket.recv(PIECE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        for frame in connection.splitter.feed(data):
            if connection.peer is not None:
                self.frames.append(frame)
            elif not self._is_greeted(connection, frame):
                data = b""
                break
        if not data:
            peer = connection.peer
            self._lose(connection)
            if peer is not None and peer > self.me and peer not in self.connections:
                self._dial(peer)

    def _is_greeted(self, stranger: Connection, data: bytes) -> bool:
        frame = decode(data, self.member.key, self.member.run)
        if not isinstance(frame, Frame) or frame.kind != HELLO or frame.to != self.me:
            return False
        if frame.sender >= self.me or frame.sender not in self.peers:
            return False
        old = self.connections.get(frame.sender)
        if old is not None:
            self._lose(old)
        self.strangers.remove(stranger)
        stranger.peer = frame.sender
        self.connections[frame.sender] = stranger
        return True

    def _push(self, connection: Connection) -> None:
        """Send what the system takes at once; the rest waits here."""
        if not connection.is_made:
            return
        if connection.waiting:
            with suppress(OSError):  # a broken connection is noticed by reading
                sent = connection.socket.send(connection.waiting)
                del connection.waiting[:sent]
        wanted = READ | (WRITE if connection.waiting else 0)
        if self.selector.get_key(connection.socket).events != wanted:
            self.selector.modify(connection.socket, wanted, connection)

    def _lose(self, connection: Connection) -> None:
        self.selector.unregister(connection.socket)
        connection.socket.close()
        if connection.peer is None:
            self.strangers.remove(connection)
        elif self.connections.get(connection.peer) is connection:
            del self.connections[connection.peer]
