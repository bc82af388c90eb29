"""A process of a ring over TCP: the loop of one process of the operating system, without threads.

It connects to its right neighbour and is connected to by its left one. A connection that somebody makes replaces the present
one only after its HELLO was recognised, which answers a fresh number of this process: neither strangers nor recordings
interrupt a link. The log is a pipe, written before
anything that depends on the line is sent. Whoever started the process holds the other end of `control`; its end is the end
of the process, and it says

    ["begin"]                 take the first action; no connection is made or accepted before
    ["dead", p]               process p will never come back
    ["reset", side]           reset the connection there, with everything that is under way
    ["cut", side, seconds]    nothing passes there for so long
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import socket
import struct
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from princeps.model.rings.algorithm import LEFT, RIGHT
from princeps.network.greeting import fresh_nonce
from princeps.network.rings.log import LINES_OF_ACTIONS, TALLY, as_line
from princeps.network.rings.process import Close, Dial, Log, Output, RingProcess, Write
from princeps.network.rings.stream import Splitter

Address = tuple[str, int]
PIECE = 1 << 16  # bytes that are read at once
GREETING_TIME = 3.0  # seconds that a new connection has to say HELLO
LARGEST_GREETING = 1 << 10  # bytes that it may say until then
MAX_STRANGERS = 16  # connections that have not yet done so
RESET = struct.pack("ii", 1, 0)  # SO_LINGER: closing sends a reset
READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE


@dataclass(eq=False)
class Connection:
    socket: socket.socket
    side: str
    is_made: bool = True  # False: the connection is being made
    waiting: bytearray = field(default_factory=bytearray)  # to be sent; of a stranger what it said
    deadline: float = 0.0  # of a stranger
    nonce: bytes = b""  # that a stranger has to answer


class RingHost:
    """One ring process and its sockets. It kills itself when it has logged action number `dies_of`, if there is one."""

    def __init__(
        self, process: RingProcess, listener: socket.socket, right: Address, control: int, log: int, dies_of: int = 0
    ) -> None:
        self.process, self.listener, self.right, self.control, self.log = process, listener, right, control, log
        self.connections: dict[str, Connection] = {}
        self.strangers: list[Connection] = []
        self.cut_until = {LEFT: 0.0, RIGHT: 0.0}
        self.orders = b""
        self.has_begun = False
        self.dies_of, self.actions = dies_of, 0
        self.selector = selectors.DefaultSelector()
        listener.setblocking(False)
        self.selector.register(control, READ, None)

    def serve(self) -> None:
        """Until the other end of `control` is closed."""
        while True:
            for key, _ in self.selector.select(self._patience()):
                if key.fileobj == self.control:
                    piece = os.read(self.control, PIECE)
                    if not piece:
                        self._tally()
                        return
                    self._obey(piece)
                elif isinstance(key.data, Connection):
                    self._serve(key.data)
                else:
                    self._accept()
            if self.has_begun:
                self._keep_time()

    def _begin(self) -> None:
        self.has_begun = True
        self.selector.register(self.listener, READ, self._accept)
        self.process.start(time.monotonic())

    # -- time and orders -----------------------------------------------------------------------------------------

    def _patience(self) -> float | None:
        if not self.has_begun:
            return None
        times = [time for time in (self.process.next_timer(),) if time is not None]
        times += [stranger.deadline for stranger in self.strangers]
        times += [until for until in self.cut_until.values() if until]
        return max(0.0, min(times) - time.monotonic()) if times else None

    def _keep_time(self) -> None:
        now = time.monotonic()
        for stranger in [s for s in self.strangers if s.deadline <= now]:
            self._forget_stranger(stranger)
        for side, until in self.cut_until.items():
            if until and until <= now:
                self.cut_until[side] = 0.0
                self._watch(self.connections.get(side))
        due = self.process.next_timer()
        if due is not None and due <= now:
            self.process.timer(now)
            self._carry_out()

    def _obey(self, piece: bytes) -> None:
        *lines, self.orders = (self.orders + piece).split(b"\n")
        for order, *arguments in map(json.loads, lines):
            if order == "begin":
                self._begin()
            elif order == "dead":
                self.process.told_dead(arguments[0])
            elif order == "cut":
                side, seconds = arguments
                self.cut_until[side] = max(self.cut_until[side], time.monotonic() + seconds)
                self._watch(self.connections.get(side))
            elif order == "reset" and arguments[0] in self.connections:
                self._lose(self.connections[arguments[0]])
        self._carry_out()

    def _tally(self) -> None:
        """What only the process itself knows."""
        known = {**self.process.counters(), "most_held": self.process.peak}
        self._write_log(as_line([TALLY, self.process.me, self.process.incarnation, known]))

    # -- outputs -------------------------------------------------------------------------------------------------

    def _carry_out(self) -> None:
        while outputs := self.process.take_outputs():
            lines = [output.line for output in outputs if isinstance(output, Log)]
            if lines:  # they come before everything else that was put out with them
                self._log_all(lines)
            for output in outputs:
                self._do(output)

    def _log_all(self, lines: Sequence[str]) -> None:
        for place, line in enumerate(lines if self.dies_of else ()):
            self.actions += line.startswith(LINES_OF_ACTIONS)
            if self.actions == self.dies_of:
                self._write_log("\n".join(lines[: place + 1]))
                os.kill(os.getpid(), signal.SIGKILL)
        self._write_log("\n".join(lines))

    def _write_log(self, lines: str) -> None:
        data = f"{lines}\n".encode()
        while data:
            data = data[os.write(self.log, data) :]

    def _do(self, output: Output) -> None:
        match output:
            case Write(side, data):
                connection = self.connections.get(side)
                if connection is not None:
                    connection.waiting += data
                    self._push(connection)
            case Dial(side):
                self._dial(side)
            case Close(side, _):
                if side in self.connections:
                    self._lose(self.connections[side])

    def _dial(self, side: str) -> None:
        made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        made.setblocking(False)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection = Connection(made, side, is_made=False)
        self.connections[side] = connection
        if self.cut_until[side]:
            self._lose(connection)
            return
        try:
            made.connect(self.right)
        except BlockingIOError:
            pass
        except OSError:
            self._lose(connection)
            return
        self._watch(connection)

    # -- connections ---------------------------------------------------------------------------------------------

    def _watch(self, connection: Connection | None) -> None:
        """Ask the system for what concerns this connection now."""
        if connection is None:
            return
        wanted = WRITE if not connection.is_made else READ | (WRITE if connection.waiting else 0)
        if self.cut_until[connection.side]:
            wanted = 0
        known = self.selector.get_map().get(connection.socket)
        if known is None and wanted:
            self.selector.register(connection.socket, wanted, connection)
        elif known is not None and not wanted:
            self.selector.unregister(connection.socket)
        elif known is not None and known.events != wanted:
            self.selector.modify(connection.socket, wanted, connection)

    def _serve(self, connection: Connection) -> None:
        if connection in self.strangers:
            self._hear_stranger(connection)
            return
        if self.connections.get(connection.side) is not connection or self.cut_until[connection.side]:
            return
        if not connection.is_made:
            if connection.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
                self._lose(connection)
            else:
                connection.is_made = True
                self.process.connected(time.monotonic(), connection.side)
                self._watch(connection)
            self._carry_out()
            return
        self._push(connection)
        try:
            data = connection.socket.recv(PIECE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self.process.receive(time.monotonic(), connection.side, data)
        else:
            self._lose(connection)
        self._carry_out()

    def _push(self, connection: Connection) -> None:
        """Send what the system takes at once; the rest waits here."""
        if connection.waiting and connection.is_made and not self.cut_until[connection.side]:
            with suppress(OSError):  # a broken connection is noticed by reading
                sent = connection.socket.send(connection.waiting)
                del connection.waiting[:sent]
        self._watch(connection)

    def _lose(self, connection: Connection) -> None:
        self._close(connection)
        if self.connections.get(connection.side) is connection:
            del self.connections[connection.side]
            self.process.disconnected(time.monotonic(), connection.side)

    def _close(self, connection: Connection) -> None:
        with suppress(KeyError):
            self.selector.unregister(connection.socket)
        with suppress(OSError):
            connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        connection.socket.close()

    # -- strangers -----------------------------------------------------------------------------------------------

    def _accept(self) -> None:
        try:
            made, _ = self.listener.accept()
        except OSError:
            return
        made.setblocking(False)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        stranger = Connection(made, LEFT, deadline=time.monotonic() + GREETING_TIME, nonce=fresh_nonce())
        if len(self.strangers) == MAX_STRANGERS:
            self._forget_stranger(self.strangers[0])
        self.strangers.append(stranger)
        self.selector.register(made, READ, stranger)
        with suppress(OSError):  # a broken connection is noticed by reading; so few bytes are always taken
            made.send(self.process.links[LEFT].challenge(stranger.nonce))

    def _hear_stranger(self, stranger: Connection) -> None:
        try:
            data = stranger.socket.recv(PIECE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        stranger.waiting += data
        link = self.process.links[LEFT]
        recognised = link.recognises(bytes(stranger.waiting), stranger.nonce)
        if not data and recognised is None and Splitter().feed(bytes(stranger.waiting)):
            self._forget_stranger(stranger)  # the neighbour, whose connection broke before it could say HELLO
            return
        recognised = recognised if data else False
        if recognised is None and len(stranger.waiting) < LARGEST_GREETING:  # too few bytes
            return
        if not recognised or self.cut_until[LEFT]:
            link.counters["bad_frames"] += bool(stranger.waiting) and not recognised
            self._forget_stranger(stranger)
            return
        self.strangers.remove(stranger)
        if LEFT in self.connections:
            self._lose(self.connections[LEFT])
        data, stranger.waiting = bytes(stranger.waiting), bytearray()
        self.connections[LEFT] = stranger
        self.process.connected(time.monotonic(), LEFT, stranger.nonce)
        self.process.receive(time.monotonic(), LEFT, data)
        self._carry_out()

    def _forget_stranger(self, stranger: Connection) -> None:
        self.strangers.remove(stranger)
        self._close(stranger)


def order_line(*words: Any) -> bytes:
    return json.dumps(words).encode() + b"\n"
