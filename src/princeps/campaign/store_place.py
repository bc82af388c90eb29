"""Is the file of an open store still where it was? SQLite itself goes on writing into a file that nobody can find."""

from __future__ import annotations

import os
from contextlib import suppress

from princeps.campaign.shared_file import SharedFile
from princeps.campaign.store_check import log_of
from princeps.errors import LostStore


class StorePlace:
    """Where a store was when it was opened."""

    def __init__(self, path: str, file: SharedFile) -> None:
        self.path, self.file = os.path.abspath(path), file  # the current folder may change
        self.name, self.log_path = path, log_of(path)
        self.log: tuple[int, int] | None = None  # the write-ahead log, once there is one
        self.size = 0
        self.lost = ""

    def loss(self) -> str:
        """What happened to the file, or nothing. Once lost it stays lost, whatever is at the path later."""
        self.lost = self.lost or self._loss()
        return self.lost

    def _loss(self) -> str:
        try:
            status = os.stat(self.path)
        except (FileNotFoundError, NotADirectoryError):
            return "removed"
        except OSError:
            return ""  # nobody can tell
        if not self.file.is_at(self.path):
            return "replaced by another file"
        size, before, self.size = status.st_size, self.size, status.st_size
        if size < before and self.file.is_cut_short():
            return "cut short"
        return "left without its -wal file" if self._log_is_lost() else ""

    def _log_is_lost(self) -> bool:
        """While a store is open to be written, its log stays the same file."""
        try:
            status = os.stat(self.log_path)
        except OSError:
            return self.log is not None
        found = (status.st_dev, status.st_ino)
        self.log = self.log or found
        return found != self.log

    def remove_log(self) -> None:
        """SQLite leaves the log of a lost file where it is, and would take it for that of the next file at this path."""
        with suppress(OSError):
            status = os.stat(self.log_path)
            if (status.st_dev, status.st_ino) == self.log and not self.file.is_at(self.path):
                os.remove(self.log_path)
                os.remove(f"{self.log_path.removesuffix('-wal')}-shm")

    def refuse_loss(self) -> None:
        found = self.loss()
        if found:
            raise LostStore(f"store {self.name!r} was {found} while it was in use")
