"""Connections of somebody who belongs to no run: each carries one frame, or what shall look like one, and ends.

It looks like a socket of datagrams, so that the attacker is the same over UDP and TCP. What it overhears comes by datagrams.
Some connections stay open for a while, so that those who read them have the time, and so that there are always some that say
nothing more. They end by a reset: no port is used up.
"""

from __future__ import annotations

import socket
import struct
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from princeps.model.randomness import Stream
from princeps.network.rings.stream import framed

Address = tuple[str, int]
PATIENCE = 0.2  # seconds for a connection to be made
RESET = struct.pack("ii", 1, 0)  # SO_LINGER: closing sends a reset
UNFRAMED = 4  # one of so many is sent without its length


Overhear = Callable[[bytes], object]  # is given a frame that was sent


def overhearing(ear: Address) -> Overhear:
    """For a process of the run: what it is given arrives there, or is lost."""
    way = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    way.setblocking(False)
    way.connect(ear)

    def overhear(data: bytes) -> None:
        with suppress(OSError):
            way.send(data)

    return overhear


class PassingConnections:
    """`ear` is where overheard frames arrive; so many connections are `held` open."""

    def __init__(self, ear: socket.socket, stream: Stream, held: int = 32) -> None:
        self.ear, self.stream, self.most = ear, stream, held
        self.held: deque[socket.socket] = deque()

    def fileno(self) -> int:
        return self.ear.fileno()

    def recv(self, size: int) -> bytes:
        return self.ear.recv(size)

    def sendto(self, data: bytes, address: Address) -> None:
        said = data if self.stream.below(UNFRAMED) == 0 else framed(data)
        with suppress(OSError):  # a dead process, or one that does not come to accept
            made = socket.create_connection(address, PATIENCE)
            self.held.append(made)
            made.sendall(said)
            made.shutdown(socket.SHUT_WR)
        while len(self.held) > self.most:
            last = self.held.popleft()
            with suppress(OSError):
                last.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            last.close()
