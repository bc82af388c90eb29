"""Nodes over UDP: the loop of one process, which may hold several agents, each with a socket of its own.

A loop of our own rather than asyncio's: one recv and one send for a frame, without tasks, handles and callbacks in between.
Agents for whom something has come are served in rounds: what they say is written to the log in one piece, then their frames
are sent, so that every line is written before a frame that depends on it is sent. The only agent of a process, while it
waits for an answer, waits in recv itself. Whoever started the process holds the other end of `control`: it says who died
and when to stop, and its end is the end of the process.
"""

from __future__ import annotations

import json
import os
import select
import socket
import struct
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from princeps.model.randomness import Stream
from princeps.network.attacker import Attacker
from princeps.network.conductor import Conductor
from princeps.network.handshake import LOG, Node, Outputs
from princeps.network.log import LogReader
from princeps.network.memory import Participant
from princeps.network.tcp import Connections
from princeps.network.wire import LARGEST_DATAGRAM

Address = tuple[str, int]
TALLY_EVERY = 0.5  # seconds between two lines of what was counted, and between two looks at connections
OVERHEARD = 8  # one of so many frames is overheard by the attacker, if there is one
FEW = 3  # descriptors for which select is the fastest
SELECTABLE = 1024  # descriptors below this can be given to select
LONGEST_RECV = 0.01  # seconds that a call of recv waits; meanwhile nobody looks at the control pipe
LATEST = 0.1  # seconds by which a timer may be late because the process has other things to do


class Datagrams(Protocol):
    """A socket of UDP, or what looks like one."""

    def fileno(self) -> int: ...
    def sendto(self, data: bytes, address: Address, /) -> object: ...
    def recv(self, size: int, /) -> bytes: ...


class Sender:
    """Sends frames from one socket, and writes log lines."""

    def __init__(self, own: Datagrams, addresses: Mapping[int, Address], log: int) -> None:
        self.socket, self.addresses, self.log = own, addresses, log
        self.cut_off: frozenset[int] = frozenset()  # agents whom no frame of this one reaches

    def do(self, outputs: Outputs) -> None:
        for to, data in outputs:
            if to == LOG:
                write_whole(self.log, data)
            elif to not in self.cut_off:
                self.send(to, data)

    def send(self, to: int, data: bytes) -> None:
        try:  # noqa: SIM105 - suppress takes longer than the call
            self.socket.sendto(data, self.addresses[to])
        except OSError:
            pass  # a full buffer or a closed socket loses a frame, as networks do


Seat = tuple[Participant, Sender]


class Round:
    """What the agents of a process say, until it is carried out: all lines, which go into one log, before all frames."""

    def __init__(self, log: int) -> None:
        self.log = log
        self.lines: list[bytes] = []
        self.frames: list[tuple[Sender, int, bytes]] = []

    def add(self, sender: Sender, outputs: Outputs) -> None:
        for to, data in outputs:
            if to == LOG:
                self.lines.append(data)
            elif to not in sender.cut_off:
                self.frames.append((sender, to, data))

    def carry_out(self) -> None:
        if self.lines:
            write_whole(self.log, b"".join(self.lines))
            self.lines.clear()
        for sender, to, data in self.frames:
            sender.send(to, data)
        self.frames.clear()


class FaultySender(Sender):
    """Loses some frames and sends some twice, as its stream says; somebody may be listening."""

    def __init__(
        self,
        own: Datagrams,
        addresses: Mapping[int, Address],
        log: int,
        stream: Stream,
        loss: float,
        duplicates: float,
        overhear: Callable[[bytes], object] | None = None,
    ) -> None:
        super().__init__(own, addresses, log)
        self.stream, self.loss, self.duplicates, self.overhear = stream, loss, duplicates, overhear
        self.sent = 0

    def send(self, to: int, data: bytes) -> None:
        self.sent += 1
        if self.overhear is not None and self.sent % OVERHEARD == 1:
            self.overhear(data)
        if self._uniform() >= self.loss:
            super().send(to, data)
        if self._uniform() < self.duplicates:
            super().send(to, data)

    def _uniform(self) -> float:
        return (self.stream.next64() >> 11) * 2.0**-53


def write_whole(log: int, data: bytes) -> None:
    """A long piece may be taken in parts, if the process is stopped meanwhile."""
    taken = os.write(log, data)
    while taken < len(data):
        taken += os.write(log, data[taken:])


def serve(seats: Sequence[Seat], control: int) -> None:
    """Until the other end of `control` is closed, or until a conductor has ended."""
    clock, reader = time.monotonic, LogReader()
    places = {sender.socket.fileno(): k for k, (_, sender) in enumerate(seats)}
    ready_of = _waiting_for([*places, control])
    conductors = [participant for participant, _ in seats if isinstance(participant, Conductor)]
    for participant, sender in seats:
        sender.do(participant.start(clock()))
    timers = [participant.next_timer() for participant, _ in seats]
    told = clock() + TALLY_EVERY
    alone, said = _waiting_alone(seats), Round(seats[0][1].log)
    while not (conductors and conductors[0].ended):
        due = min(timers)
        seconds = (due if due < told else told) - clock()
        if alone is not None and alone.busy and seconds > 0.0:
            try:
                data = seats[0][1].socket.recv(LARGEST_DATAGRAM + 1)
            except OSError:
                pass  # nothing came: see what else there is to do
            else:
                seats[0][1].do(alone.receive(clock(), data))
                timers[0] = alone.next_timer()
                continue
        ready = ready_of(seconds if seconds > 0.0 else 0.0)
        now = clock()
        for fd in ready:
            if fd == control:
                piece = os.read(control, 1 << 16)
                if not piece:
                    said.carry_out()
                    _write_tallies(seats)
                    return
                for line in reader.feed(piece):
                    _obey(line, seats, now, said)
                timers = [participant.next_timer() for participant, _ in seats]
                continue
            k = places[fd]
            participant, sender = seats[k]
            try:
                data = sender.socket.recv(LARGEST_DATAGRAM + 1)
            except OSError:
                continue  # a datagram that could not be delivered is reported here, and that no frame is whole yet
            said.add(sender, participant.receive(now, data))
            timers[k] = participant.next_timer()
        for k in _due(timers, now) if due <= now else ():
            participant, sender = seats[k]
            said.add(sender, participant.timer(now))
            timers[k] = participant.next_timer()
        said.carry_out()
        if now >= told:
            told = now + TALLY_EVERY
            _write_tallies(seats)
            for _, sender in seats:
                if isinstance(sender.socket, Connections):
                    sender.socket.look_after()
    _write_tallies(seats)


def _due(timers: Sequence[float], now: float) -> Sequence[int]:
    """Whose timers are served now: the first alone, so that agents of a busy process do not all ask at once, and refuse
    each other; all that are due, if it is very late."""
    first = min(timers)  # a frame that has just been received may have made it later
    if first > now:
        return ()
    if first > now - LATEST:
        return (timers.index(first),)
    return [k for k, moment in enumerate(timers) if moment <= now]


def _waiting_alone(seats: Sequence[Seat]) -> Node | None:
    """The node of a process that holds no other, whose socket then waits by itself, for a moment."""
    if len(seats) != 1:
        return None
    participant, own = seats[0][0], seats[0][1].socket
    if not isinstance(participant, Node) or not isinstance(own, socket.socket):
        return None
    own.setblocking(True)
    moment = struct.pack("ll", 0, round(1e6 * LONGEST_RECV))
    for direction in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
        own.setsockopt(socket.SOL_SOCKET, direction, moment)
    return participant


def _waiting_for(descriptors: list[int]) -> Callable[[float], list[int]]:
    """Waits for so many seconds, or until some of these can be read: those."""
    if not hasattr(select, "epoll") or len(descriptors) <= FEW:  # it is of Linux
        return _selecting(descriptors)
    waiting = select.epoll()
    for fd in descriptors:
        waiting.register(fd, select.EPOLLIN)
    known = waiting.poll
    if waiting.fileno() < SELECTABLE:  # select knows microseconds, which the others do not
        one, until = [waiting.fileno()], select.select

        def ready(seconds: float) -> list[int]:
            found = known(0)
            if not found and seconds > 0.0 and until(one, (), (), seconds)[0]:
                found = known(0)
            return [fd for fd, _ in found]

        return ready
    return lambda seconds: [fd for fd, _ in known(seconds)]


def _selecting(descriptors: list[int]) -> Callable[[float], list[int]]:
    if max(descriptors) < SELECTABLE:
        return lambda seconds: select.select(descriptors, (), (), seconds)[0]
    poll = select.poll()
    for fd in descriptors:
        poll.register(fd, select.POLLIN)
    return lambda seconds: [fd for fd, _ in poll.poll(1000 * seconds)]


def _obey(line: Sequence[Any], seats: Sequence[Seat], now: float, said: Round) -> None:
    """["dead", agent, incarnation], ["go", 0, 0, rate], ["stop", 0, 0] or ["cut", 0, 0, {agent: those it does not reach}]."""
    for participant, sender in seats:
        if isinstance(participant, Node):
            if line[0] == "stop":
                participant.stop()
            elif line[0] == "go":
                participant.go(now, line[3])
            elif line[0] == "cut":
                sender.cut_off = frozenset(line[3].get(str(participant.me), ()))
            elif line[1] != participant.me:
                said.add(sender, participant.told_dead(now, line[1], line[2]))


def _write_tallies(seats: Sequence[Seat]) -> None:
    for participant, sender in seats:
        if isinstance(participant, Node | Attacker):
            os.write(sender.log, participant.tally_line())


def control_line(*words: object) -> bytes:
    return json.dumps(words, separators=(",", ":")).encode() + b"\n"
