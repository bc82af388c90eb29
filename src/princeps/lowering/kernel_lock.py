"""One process compiles a kernel while the others that need it wait: a kernel takes seconds of a processor, each time."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

MAX_WAIT_SECONDS = 120.0  # one that is stopped in the middle does not hold the others for ever
PAUSE = 0.02


@contextmanager
def alone(path: Path, done: Callable[[], bool]) -> Iterator[None]:
    """Hold the lock on this file, unless `done` becomes true meanwhile; where there are no locks, nobody waits."""
    try:
        import fcntl

        handle = os.open(path, os.O_CREAT | os.O_RDWR, 0o644)
    except (ImportError, OSError):
        yield
        return
    try:
        deadline = time.monotonic() + MAX_WAIT_SECONDS
        while not done() and time.monotonic() < deadline:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                time.sleep(PAUSE)
            else:
                break
        yield
    finally:
        with suppress(OSError):  # who waits for it looks for the machine code before compiling it again
            os.unlink(path)
        os.close(handle)
