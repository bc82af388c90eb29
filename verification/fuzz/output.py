"""What an input writes: standard output and error are files, also for the processes that it starts."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from pathlib import Path

from princeps.cli.streams import ESCAPES

PLAIN, FULL, CLOSED, GONE, ASCII = DESTINATIONS = ("plain", "full", "closed", "gone", "ascii")


class Output:
    """The two files of a worker; everything is appended, so that no program can write over what another one wrote."""

    current: Output

    def __init__(self, folder: Path) -> None:
        flags = os.O_CREAT | os.O_TRUNC | os.O_RDWR | os.O_APPEND
        self.out, self.err = (os.open(folder / name, flags, 0o600) for name in ("stdout", "stderr"))
        silent = os.open(os.devnull, os.O_RDONLY)
        os.dup2(silent, 0)
        os.close(silent)
        self.direct(PLAIN)
        Output.current = self

    def direct(self, destination: str) -> None:
        """As the command line's own process has them. Where standard output goes: a file, a full disk, nowhere, a reader that has gone; or in another encoding."""
        os.dup2(self.out, 1)
        os.dup2(self.err, 2)
        if destination == FULL:
            _become(1, os.open("/dev/full", os.O_WRONLY))
        elif destination == GONE:
            reading, writing = os.pipe()
            os.close(reading)
            _become(1, writing)
        encoding = "ascii" if destination == ASCII else "utf-8"
        sys.stdout = io.TextIOWrapper(open(1, "wb", closefd=False), encoding=encoding, errors=ESCAPES)  # noqa: SIM115
        sys.stderr = io.TextIOWrapper(
            open(2, "wb", closefd=False),  # noqa: SIM115
            encoding=encoding,
            errors="backslashreplace",
            write_through=True,
        )
        if destination == CLOSED:
            os.close(1)

    def clear(self) -> None:
        os.ftruncate(self.out, 0)
        os.ftruncate(self.err, 0)
        self.direct(PLAIN)

    def read(self) -> tuple[str, str]:
        """What was written since it was cleared."""
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        return self.written()

    def written(self) -> tuple[str, str]:
        """The same, without what waits in a buffer: any thread may ask."""
        return _content(self.out), _content(self.err)

    def forget_errors(self) -> None:
        os.ftruncate(self.err, 0)


def _become(number: int, handle: int) -> None:
    os.dup2(handle, number)
    os.close(handle)


def _content(handle: int) -> str:
    size = os.fstat(handle).st_size
    return os.pread(handle, size, 0).decode("utf-8", "backslashreplace")
