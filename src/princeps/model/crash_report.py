"""An exception that nobody foresaw: one sentence for the user, and a file with the details for whoever repairs it."""

from __future__ import annotations

import os
import platform
import shlex
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from princeps.errors import InternalError
from princeps.model.machine import cache_directory

REPORTS = "reports"  # in the cache directory
MAX_PLACES = 4  # of the traceback, in the sentence, where no file can be written


def crash_report(error: BaseException) -> InternalError:
    """Writes the details into a file; the sentence names it."""
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{_below_package(frame.filename)}:{frame.lineno}" for frame in frames]
    said = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(".: ")
    what = f"{said}, in {places[-1]}" if places else said
    path = _written(_details(error))
    if path is None:
        way = " < ".join(reversed(places[-MAX_PLACES:]))
        return InternalError(
            f"princeps has a fault ({what}): please report this line, your command and version {_version()} "
            f"({way}; a file with the details could not be written)."
        )
    return InternalError(f"princeps has a fault ({what}): please report it with {path}, which holds the details.")


def _details(error: BaseException) -> str:
    words = "".join(traceback.format_exception(error))
    return (
        f"princeps {_version()}\n"
        f"command  {shlex.join(sys.argv)}\n"
        f"python   {sys.version}\n"
        f"platform {platform.platform()}\n"
        f"time     {time.strftime('%Y-%m-%d %H:%M:%S')}\n\n{words}"
    )


def _written(text: str) -> str | None:
    """The path, in the first of the possible folders that takes it."""
    for folder in _folders():
        try:
            os.makedirs(folder, exist_ok=True)
            name = time.strftime("fault-%Y%m%d-%H%M%S-")
            handle, path = tempfile.mkstemp(".txt", name, folder)
            with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
                file.write(text)
            return path
        except OSError:
            continue
    return None


def _folders() -> Iterator[Path]:
    with suppress(RuntimeError):  # a user without a home
        yield cache_directory() / REPORTS
    with suppress(OSError):  # no folder can be written
        yield Path(tempfile.gettempdir())


def _below_package(file: str) -> str:
    """princeps/engines/agents.py rather than where it was installed."""
    package = str(Path(__file__).parents[2]) + os.sep
    return file.removeprefix(package)


def _version() -> str:
    from princeps import __version__

    return __version__
