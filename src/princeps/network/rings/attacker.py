"""Somebody who belongs to no ring and makes connections to the ports of its processes, each with a forged greeting.

Nothing of a connection can be overheard on this machine, so that nothing is replayed here.
"""

from __future__ import annotations

import json
import select
import socket
import time
from collections.abc import Iterable, Sequence

from princeps.model.randomness import Stream
from princeps.network.attacker import Attacker
from princeps.network.forking import Child, fork
from princeps.network.passing import PassingConnections
from princeps.network.rings.tcp import MAX_STRANGERS, Address
from princeps.network.udp import Sender, serve

HELD = MAX_STRANGERS // 2  # connections that stay open
SETTLING = 0.05  # seconds
LAST_WORDS = 1.0  # seconds that it has to end


class AttackerProcess:
    """`rate` connections a second, 0: there is none."""

    def __init__(self, rate: float, stream: Stream) -> None:
        self.rate, self.stream = rate, stream
        self.child: Child | None = None
        self.said = b""

    def start(self, listeners: Sequence[socket.socket], others: Iterable[Child]) -> None:
        addresses = [listener.getsockname() for listener in listeners]

        def work(control: int, log: int) -> None:
            for listener in listeners:
                listener.close()
            attack(Attacker(self.stream, len(addresses), self.rate), addresses, control, log)

        fork(work, others, self._keep)

    def _keep(self, child: Child) -> None:
        self.child = child

    def listen(self) -> None:
        """Its log is read, so that it is never full."""
        if self.child is not None:
            self.said += self.child.read() or b""
            self.said = self.said[self.said.rfind(b"\n", 0, -1) + 1 :]  # only the last line counts

    def end(self) -> int:
        """How many connections it made."""
        if self.child is None:
            return 0
        self.child.end()
        poll = select.poll()
        poll.register(self.child.log, select.POLLIN)
        while poll.poll(1000 * LAST_WORDS) and (piece := self.child.read()):
            self.said += piece
        time.sleep(SETTLING)  # those who were attacked last read it
        lines = self.said.splitlines()
        return int(json.loads(lines[-1])[1]) if lines else 0


def attack(attacker: Attacker, addresses: Sequence[Address], control: int, log: int) -> None:
    """Until the other end of `control` is closed."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ear:
        ear.setblocking(False)
        own = PassingConnections(ear, attacker.stream, HELD)
        serve([(attacker, Sender(own, dict(enumerate(addresses)), log))], control)
