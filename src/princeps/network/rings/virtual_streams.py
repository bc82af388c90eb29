"""Connections of a ring in virtual time: byte streams that deliver in pieces, are delayed, break and are cut.

Bytes of a connection keep their order. What is under way when it is reset is lost, at whatever byte that is. A partition is
silent: bytes wait until it ends, unless a link gives its connection up before. What comes for a paused process waits.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from heapq import heappush

from princeps.model.randomness import WORD, Stream
from princeps.model.rings.algorithm import LEFT, RIGHT
from princeps.network.rings.faults import Faults
from princeps.network.rings.process import RingProcess


@dataclass
class Connection:
    """Between process i, which made it, and the next; by the side of the receiver what is under way to it."""

    link: int
    pieces: dict[str, deque[bytes | None]] = field(default_factory=lambda: {LEFT: deque(), RIGHT: deque()})
    latest: dict[str, float] = field(default_factory=lambda: {LEFT: 0.0, RIGHT: 0.0})
    is_broken: bool = False


class Streams:
    """Between processes, which are somebody else's (memory.py); and the moments at which something happens."""

    def __init__(self, n: int, faults: Faults, stream: Stream) -> None:
        self.n, self.faults, self.stream = n, faults, stream
        self.now, self.moments, self.serial = 0.0, list[tuple[float, int, Callable[[], None]]](), 0
        self.processes: list[RingProcess | None] = [None] * n
        self.incarnations = [0] * n
        self.connections: dict[int, Connection] = {}
        self.paused = [0.0] * n  # until when
        self.resets = 0  # that met a connection

    def _carry_out(self, me: int) -> None:
        """What the process wants."""
        raise NotImplementedError

    def _waits(self, me: int, happen: Callable[[], None]) -> bool:
        """Whether the process is paused; then this happens to it later."""
        if self.paused[me] > self.now:
            self._at(self.paused[me] - self.now, happen)
            return True
        return False

    # -- connections ---------------------------------------------------------------------------------------------

    def _link(self, me: int, side: str) -> int:
        return me if side == RIGHT else (me - 1) % self.n

    def _end(self, link: int, side: str) -> int:
        """The process at the receiving side of a link; its left side is at the end of the link."""
        return (link + 1) % self.n if side == LEFT else link

    def _dial(self, me: int) -> None:
        incarnation = self.incarnations[me]
        self._at(self._delay(), lambda: self._answer(me, incarnation))

    def _answer(self, me: int, incarnation: int) -> None:
        process, other = self.processes[me], self._end(me, LEFT)
        if process is None or process.incarnation != incarnation:
            return
        if any(self._waits(end, lambda: self._answer(me, incarnation)) for end in (me, other)):
            return
        accepting = self.processes[other]
        if accepting is None or self._healed(me) > self.now:
            process.disconnected(self.now, RIGHT)
            self._carry_out(me)
            return
        old = self.connections.get(me)
        if old is not None:
            old.is_broken = True
        self.connections[me] = Connection(me)
        for side, end in ((RIGHT, process), (LEFT, accepting)):
            if end.links[side].is_up:
                end.disconnected(self.now, side)
            end.connected(self.now, side)
            self._carry_out(end.me)

    def _write(self, me: int, side: str, data: bytes) -> None:
        connection = self.connections.get(self._link(me, side))
        if connection is None or connection.is_broken:
            return
        to = LEFT if side == RIGHT else RIGHT
        while data:
            size = len(data) if not self.faults.piece else 1 + self.stream.below(min(self.faults.piece, len(data)))
            self._put(connection, to, data[:size])
            data = data[size:]

    def _put(self, connection: Connection, to: str, piece: bytes | None) -> None:
        """None is the end of the stream."""
        if connection.latest[to] == math.inf:  # the receiver is dead
            return
        due = max(connection.latest[to], self.now + self._delay())
        connection.latest[to] = due
        connection.pieces[to].append(piece)
        self._at(due - self.now, lambda: self._arrive(connection, to))

    def _arrive(self, connection: Connection, to: str) -> None:
        healed = self._healed(connection.link)
        if healed > self.now:
            self._at(healed - self.now, lambda: self._arrive(connection, to))
            return
        if connection.is_broken or not connection.pieces[to]:
            return
        me = self._end(connection.link, to)
        if self._waits(me, lambda: self._arrive(connection, to)):
            return
        piece = connection.pieces[to].popleft()
        process = self.processes[me]
        if process is None:
            return
        if piece is None:
            connection.is_broken = True
            process.disconnected(self.now, to)
        else:
            process.receive(self.now, to, piece)
        self._carry_out(me)

    def _reset_some(self) -> None:
        link = self.connections.get(self.stream.below(self.n))
        self.resets += link is not None and not link.is_broken
        self._break(link)
        self._at(self._between_resets(), self._reset_some)

    def _break(self, connection: Connection | None) -> None:
        """What is under way is lost; each end notices it after a while."""
        if connection is None or connection.is_broken:
            return
        connection.is_broken = True
        if self.connections.get(connection.link) is connection:
            del self.connections[connection.link]
        for side in (LEFT, RIGHT):
            me = self._end(connection.link, side)
            process = self.processes[me]
            if process is not None:
                count = process.links[side].counters["connections"]
                self._at(self._delay(), partial(self._notice, me, side, process, count))

    def _notice(self, me: int, side: str, process: RingProcess, connections: int) -> None:
        link = process.links[side]
        if self.processes[me] is process and self._waits(me, lambda: self._notice(me, side, process, connections)):
            return
        if self.processes[me] is process and link.is_up and link.counters["connections"] == connections:
            process.disconnected(self.now, side)
            self._carry_out(me)

    def _healed(self, link: int) -> float:
        """When the link carries something again; 0 if it does."""
        ends = [p.end for p in self.faults.partitions if link in p.links and p.begin <= self.now < p.end]
        return max(ends, default=0.0)

    # -- chance and time -----------------------------------------------------------------------------------------

    def _at(self, after: float, happen: Callable[[], None]) -> None:
        self.serial += 1
        heappush(self.moments, (self.now + after, self.serial, happen))

    def _unit(self) -> float:
        return self.stream.next64() / WORD

    def _delay(self) -> float:
        return self.faults.delay * self._unit()

    def _between_resets(self) -> float:
        return -math.log(1 - self._unit()) / self.faults.resets
