"""What a connection does with bytes before they are sent and after they have arrived: nothing, or TLS (tls.py)."""

from __future__ import annotations


class NotLetIn(OSError):
    """One of the two sides does not accept the other; in words why."""


class Plain:
    """`outgoing` is for the socket."""

    def __init__(self) -> None:
        self.outgoing = bytearray()

    def begin(self) -> None:
        """The connection is made."""

    def write(self, data: bytes) -> None:
        self.outgoing += data

    def read(self, data: bytes) -> bytes:
        """What these bytes of the socket say; NotLetIn if the other side must not say anything."""
        return data
