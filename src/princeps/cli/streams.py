"""The standard streams of the command line's own process: there, never a reason to fail, and able to show any text."""

from __future__ import annotations

import codecs
import io
import os
import sys
from contextlib import suppress
from typing import Any

IN_NOTEBOOK = "JPY_PARENT_PID"  # Jupyter sets it for its kernels, hence for the commands of their cells
ESCAPES = "princeps"  # the name under which Python knows how we write what an encoding cannot


def prepare() -> None:
    """To be called first: a closed stream would be the number of the next file that is opened.

    `!princeps run ...` in a cell has a terminal, but every frame of a progress bar would be kept in the notebook.
    """
    if IN_NOTEBOOK in os.environ:
        os.environ["TERM"] = "dumb"
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # which takes the lowest number that is free
    sys.stdin = sys.stdin or open(0, closefd=False)  # noqa: SIM115
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    encoding = sys.stderr.encoding if sys.stderr else "utf-8"
    with suppress(ValueError, OSError):
        sys.stderr = io.TextIOWrapper(
            io.BufferedWriter(_Lenient(2, "w", closefd=False)), encoding, ESCAPES, line_buffering=True
        )
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors=ESCAPES)


def silence_stdout() -> None:
    """What is left in its buffer would be complained about once more when Python ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Lenient(io.FileIO):
    """What is said beside the results is lost where nobody can hear it, and nothing else is."""

    def write(self, content: Any, /) -> int:
        try:
            return super().write(content)
        except OSError:
            return len(memoryview(content).cast("B"))


def _escaped(error: UnicodeError) -> tuple[str | bytes, int]:
    """Bytes of a path that are no text stay these bytes; other signs that the encoding does not have are escaped."""
    assert isinstance(error, UnicodeEncodeError)
    try:
        return error.object[error.start : error.end].encode(error.encoding, "surrogateescape"), error.end
    except UnicodeEncodeError:
        return codecs.backslashreplace_errors(error)


codecs.register_error(ESCAPES, _escaped)
