"""How a member's loop hears of frames: datagrams by asyncio's own endpoint, connections by their descriptor."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from princeps.network.cluster.seat import Seat
from princeps.network.tcp import Connections
from princeps.network.wire import LARGEST_DATAGRAM

AT_ONCE = 64  # frames that are taken before the loop does something else
LOOK_EVERY = 0.5  # seconds between two looks at connections

Receive = Callable[[bytes], None]


async def hear(seat: Seat, receive: Receive) -> Callable[[], None]:
    """Until what this returns is called."""
    loop, own = asyncio.get_running_loop(), seat.socket
    if not isinstance(own, Connections):
        transport, _ = await loop.create_datagram_endpoint(lambda: _Datagrams(receive), sock=own)
        return transport.close
    timer: asyncio.TimerHandle | None = None

    def take() -> None:
        for _ in range(AT_ONCE):
            if seat.is_closed:
                return
            try:
                data = own.recv(LARGEST_DATAGRAM + 1)
            except OSError:
                return
            receive(data)

    def look() -> None:
        nonlocal timer
        own.look_after()
        timer = loop.call_later(LOOK_EVERY, look)

    def end() -> None:
        loop.remove_reader(descriptor)
        if timer is not None:
            timer.cancel()

    descriptor = own.fileno()
    loop.add_reader(descriptor, take)
    look()
    return end


class _Datagrams(asyncio.DatagramProtocol):
    def __init__(self, receive: Receive) -> None:
        self._receive = receive

    def datagram_received(self, data: bytes, address: object) -> None:
        self._receive(data)

    def error_received(self, error: Exception) -> None:
        """A datagram could not be delivered, as networks do."""
