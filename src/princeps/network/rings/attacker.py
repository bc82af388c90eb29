"""Somebody who belongs to no ring and makes connections to the ports of its processes, each with a forged greeting.

Nothing of a connection can be overheard on this machine, so that nothing is replayed here.
"""

from __future__ import annotations

import os
import select
import socket
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress

from princeps.network.attacker import Attacker
from princeps.network.rings.stream import framed
from princeps.network.rings.tcp import MAX_STRANGERS, Address

PATIENCE = 0.2  # seconds for a connection to be made
HELD = MAX_STRANGERS // 2  # connections that stay open, so that those who read them have the time


def attack(attacker: Attacker, addresses: Sequence[Address], control: int, log: int) -> None:
    """Until the other end of `control` is closed."""
    held: deque[socket.socket] = deque()
    attacker.start(time.monotonic())
    while True:
        seconds = max(0.0, attacker.next_timer() - time.monotonic())
        if select.select([control], (), (), seconds)[0] and not os.read(control, 1 << 16):
            os.write(log, attacker.tally_line())
            return
        for to, data in attacker.timer(time.monotonic()):
            with suppress(OSError):  # a dead process, or one that does not come to accept
                held.append(socket.create_connection(addresses[to], PATIENCE))
                held[-1].sendall(data if attacker.stream.below(4) == 0 else framed(data))
                held[-1].shutdown(socket.SHUT_WR)
            while len(held) > HELD:
                held.popleft().close()
