"""The bytes of a store, read beside SQLite.

When a process closes any descriptor of a file, it loses all the locks that it holds on that file, SQLite's among them
(a rule of POSIX). So all stores of this process on the same file share one descriptor here, which is closed after the
last of them.
"""

from __future__ import annotations

import os
import threading
import zlib
from collections.abc import Iterator

CHUNK = 1 << 20  # bytes; a multiple of every page size
COUNTERS = ((24, 28), (92, 96))  # in the file's header: they count changes, and say nothing of the content
_lock = threading.Lock()
_open: dict[tuple[int, int], SharedFile] = {}


class SharedFile:
    """Made by `share`, after SQLite has opened the file; given back by `release`, after SQLite has closed it."""

    def __init__(self, descriptor: int, key: tuple[int, int]) -> None:
        self.descriptor, self.key = descriptor, key
        self.users = 0

    def release(self) -> None:
        with _lock:
            self.users -= 1
            if self.users == 0:
                del _open[self.key]
                os.close(self.descriptor)

    def is_at(self, path: str) -> bool:
        """The path still leads to this file."""
        try:
            return _key(os.stat(path)) == self.key
        except OSError:
            return False

    def is_cut_short(self) -> bool:
        """It is shorter than its own header says."""
        size = os.fstat(self.descriptor).st_size
        header = self.read(0, 100)
        return len(header) < 100 or size < int.from_bytes(header[28:32], "big") * page_size(header)

    def read(self, position: int, length: int) -> bytes:
        with _lock:
            os.lseek(self.descriptor, position, os.SEEK_SET)
            return os.read(self.descriptor, length)

    def checksum(self, without: int) -> int:
        """Of all bytes but the header's counters and one page, which holds the checksum itself."""
        found, position, size = 0, 0, 0
        for chunk in self._chunks():
            content = bytearray(chunk)
            if position == 0:
                size = page_size(chunk)
                for first, end in COUNTERS:
                    content[first:end] = bytes(len(content[first:end]))
            page = (without - 1) * size - position
            if 0 <= page < len(content):
                content[page : page + size] = bytes(len(content[page : page + size]))
            found = zlib.crc32(content, found)
            position += len(chunk)
        return found

    def _chunks(self) -> Iterator[bytes]:
        position = 0
        while chunk := self.read(position, CHUNK):
            while len(chunk) % CHUNK and (more := self.read(position + len(chunk), CHUNK - len(chunk))):
                chunk += more
            yield chunk
            position += len(chunk)


def share(path: str) -> SharedFile:
    """The file that the path leads to now."""
    with _lock:
        file = _open.get(_key(os.stat(path)))
        if file is None:
            descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
            key = _key(os.fstat(descriptor))
            file = _open[key] = SharedFile(descriptor, key)
        file.users += 1
        return file


def _key(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def page_size(header: bytes) -> int:
    """As it is written at the beginning of the file; 65536 is written as 1."""
    found = int.from_bytes(header[16:18], "big")
    return 65536 if found == 1 else max(found, 1)
