"""Nodes over UDP: the loop of one process, which may hold several agents, each with a socket of its own.

A loop of our own rather than asyncio's: one call of select, one recv and one send for a frame, without tasks, handles and
callbacks in between. The log is a pipe that is written before a frame that depends on the line is sent. Whoever started
the process holds the other end of `control`: it says who died and when to stop, and its end is the end of the process.
"""

from __future__ import annotations

import json
import os
import select
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
SELECTABLE = 1024  # descriptors below this can be given to select


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
                os.write(self.log, data)
            elif to not in self.cut_off:
                self.send(to, data)

    def send(self, to: int, data: bytes) -> None:
        try:  # noqa: SIM105 - suppress takes longer than the call
            self.socket.sendto(data, self.addresses[to])
        except OSError:
            pass  # a full buffer or a closed socket loses a frame, as networks do


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


def serve(seats: Sequence[tuple[Participant, Sender]], control: int) -> None:
    """Until the other end of `control` is closed, or until a conductor has ended."""
    clock, reader = time.monotonic, LogReader()
    by_fd = {sender.socket.fileno(): (participant, sender) for participant, sender in seats}
    ready_of = _waiting_for([*by_fd, control])
    timers = [participant.next_timer for participant, _ in seats]
    conductors = [participant for participant, _ in seats if isinstance(participant, Conductor)]
    for participant, sender in seats:
        sender.do(participant.start(clock()))
    told = clock() + TALLY_EVERY
    while not (conductors and conductors[0].ended):
        due = timers[0]() if len(timers) == 1 else min([timer() for timer in timers])
        seconds = (due if due < told else told) - clock()
        ready = ready_of(seconds if seconds > 0.0 else 0.0)
        now = clock()
        for fd in ready:
            if fd == control:
                piece = os.read(control, 1 << 16)
                if not piece:
                    _write_tallies(seats)
                    return
                for line in reader.feed(piece):
                    _obey(line, seats, now)
                continue
            participant, sender = by_fd[fd]
            try:
                data = sender.socket.recv(LARGEST_DATAGRAM + 1)
            except OSError:
                continue  # a datagram that could not be delivered is reported here, and that no frame is whole yet
            sender.do(participant.receive(now, data))
        if due <= now:  # a frame that has just been received may have made it later
            for participant, sender in seats:
                if participant.next_timer() <= now:
                    sender.do(participant.timer(now))
        if now >= told:
            told = now + TALLY_EVERY
            _write_tallies(seats)
            for _, sender in seats:
                if isinstance(sender.socket, Connections):
                    sender.socket.look_after()
    _write_tallies(seats)


def _waiting_for(descriptors: list[int]) -> Callable[[float], list[int]]:
    """Waits for so many seconds, or until some of these can be read: those."""
    if max(descriptors) < SELECTABLE:  # select knows microseconds, which poll does not
        return lambda seconds: select.select(descriptors, (), (), seconds)[0]
    poll = select.poll()
    for fd in descriptors:
        poll.register(fd, select.POLLIN)
    return lambda seconds: [fd for fd, _ in poll.poll(1000 * seconds)]


def _obey(line: Sequence[Any], seats: Sequence[tuple[Participant, Sender]], now: float) -> None:
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
                sender.do(participant.told_dead(now, line[1], line[2]))


def _write_tallies(seats: Sequence[tuple[Participant, Sender]]) -> None:
    for participant, sender in seats:
        if isinstance(participant, Node | Attacker):
            os.write(sender.log, participant.tally_line())


def control_line(*words: object) -> bytes:
    return json.dumps(words, separators=(",", ":")).encode() + b"\n"
