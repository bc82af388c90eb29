"""Frames in a stream of bytes: each behind its length.

The length has two bytes, so that no frame exceeds 64 KiB and nothing is reserved that was not received.
"""

from __future__ import annotations

from struct import Struct

from princeps.network.wire import HEAD, TAG_BYTES

LENGTH = Struct(">H")
LARGEST_BODY = (1 << 16) - 1 - HEAD.size - TAG_BYTES


def framed(frame: bytes) -> bytes:
    return LENGTH.pack(len(frame)) + frame


class Splitter:
    """Bytes in, in any pieces; whole frames out. What is incomplete is kept, less than one frame of it.

    A frame that claims to be longer than `largest` ends the stream: nothing that follows is a frame.
    """

    def __init__(self, largest: int = (1 << 16) - 1) -> None:
        self.rest, self.largest, self.has_ended = b"", largest, False

    def feed(self, data: bytes) -> list[bytes]:
        data, at, found = b"" if self.has_ended else self.rest + data, 0, list[bytes]()
        while len(data) - at >= LENGTH.size:
            (length,) = LENGTH.unpack_from(data, at)
            if length > self.largest:
                self.has_ended, data = True, b""
                break
            end = at + LENGTH.size + length
            if end > len(data):
                break
            found.append(data[at + LENGTH.size : end])
            at = end
        self.rest = data[at:]
        return found
