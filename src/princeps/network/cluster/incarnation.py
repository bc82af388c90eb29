"""What an agent must not forget when its process ends: its incarnation, and the terms that it may have used.

One small file an agent, replaced whole or not at all, and on the disk before the first frame of an incarnation is sent:
no incarnation is ever used twice. It is locked while its agent runs, so that no agent runs twice on a machine.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

from princeps.errors import RunError

BLOCK = 1024  # terms that are reserved at once, so that few of them cost a write
LARGEST = 1 << 62


class Busy(RunError):
    """Another process runs this agent."""


class Remembered:
    """`incarnation` is a new one."""

    def __init__(self, directory: Path, agent: int) -> None:
        self.path = directory / f"agent-{agent}.json"
        try:
            directory.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(directory / f"agent-{agent}.lock", os.O_CREAT | os.O_RDWR, 0o600)
        except OSError as error:
            raise RunError(f"state {str(directory)!r} cannot be written: {error.strerror}. Choose another.") from None
        try:
            self._take_lock(agent)
            incarnation, self.reserved = self._read()
            self.incarnation = incarnation + 1
            self._write()
        except BaseException:
            self.close()
            raise

    def _take_lock(self, agent: int) -> None:
        with suppress(ImportError):  # not on Windows
            from fcntl import LOCK_EX, LOCK_NB, flock

            try:
                flock(self._lock, LOCK_EX | LOCK_NB)
            except OSError:
                raise Busy(f"agent {agent} already runs on this machine: end it first, or join as another.") from None

    def _read(self) -> tuple[int, int]:
        try:
            known = json.loads(self.path.read_bytes())
            found = known["incarnation"], known["reserved"]
        except FileNotFoundError:
            return 0, 0
        except (OSError, ValueError, TypeError, KeyError):
            found = -1, -1
        if not all(isinstance(number, int) and 0 <= number < LARGEST for number in found) or found[0] >= 2**32 - 2:
            raise RunError(
                f'{str(self.path)!r} holds no incarnation: write {{"incarnation": NUMBER, "reserved": NUMBER}} into it, '
                f"both higher than any that was used."
            )
        return found

    def reserve(self, count: int) -> None:
        """Before the term `count` is used."""
        if count > self.reserved:
            self.reserved = count + BLOCK
            self._write()

    def _write(self) -> None:
        part = self.path.with_suffix(".part")
        try:
            with open(part, "wb") as file:
                file.write(json.dumps({"incarnation": self.incarnation, "reserved": self.reserved}).encode())
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, self.path)
            self._sync_directory()
        except OSError as error:
            raise RunError(f"{str(self.path)!r} cannot be written: {error.strerror}.") from None

    def _sync_directory(self) -> None:
        """The new name is on the disk, too."""
        with suppress(OSError):
            directory = os.open(self.path.parent, os.O_RDONLY)
            try:
                os.fsync(directory)
            finally:
                os.close(directory)

    def close(self) -> None:
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1
