"""Machine code on disk: each file carries a checksum, and what does not match it is never unpickled."""

from __future__ import annotations

import hashlib
import os
import re
import sys
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

MAGIC = b"princeps machine code 1\n"
DIGEST = hashlib.sha256().digest_size
DAY = 86400
UNUSED = 90 * DAY  # after this time a file is removed
_OURS = re.compile(r"k[0-9a-f]{24}\.")  # files of 0.1.0 begin like this, too

_warned = False


def cache_directory() -> Path:
    """PRINCEPS_CACHE_DIR, or princeps/ in the user's cache directory."""
    chosen = os.environ.get("PRINCEPS_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "princeps"


def folder() -> Path:
    """Where the files are; an OSError if there is no such place."""
    try:
        return cache_directory() / "kernels"
    except RuntimeError as error:  # a user without a home
        raise OSError(str(error)) from None


def names(key: str) -> list[str]:
    """The files of this kernel."""
    try:
        return [name for name in os.listdir(folder()) if name.startswith(f"{key}.")]
    except OSError:
        return []


def made_folder() -> Path | None:
    """It, if it can be there."""
    try:
        folder().mkdir(parents=True, exist_ok=True)
        return folder()
    except OSError:
        return None


def is_there(name: str) -> bool:
    """Whether it is in order is seen when it is read."""
    with suppress(OSError):
        return (folder() / name).is_file()
    return False


def read(name: str) -> bytes | None:
    """What was written under this name; None if there is nothing, or something else."""
    try:
        path = folder() / name
        with open(path, "rb") as file:
            content = file.read()
            age = time.time() - os.fstat(file.fileno()).st_mtime
    except OSError:
        return None
    begin = len(MAGIC) + DIGEST
    payload = content[begin:]
    if content[:begin] != MAGIC + _checksum(name, payload):
        return None
    if age > DAY:
        _mark_as_used(path)
    return payload


def write(name: str, payload: bytes) -> None:
    """The file is replaced as a whole, since several processes may compile the same kernel; a failure is reported once."""
    global _warned
    where = "no cache directory"
    try:
        kernels = folder()
        where = str(kernels)
        kernels.mkdir(parents=True, exist_ok=True)
        _remove_unused(kernels)
        _replace(kernels, name, MAGIC + _checksum(name, payload) + payload)
    except OSError as error:
        if not _warned:
            _warned = True
            print(
                f"princeps: kernels are compiled in memory and not kept ({where}: {error.strerror or error}). "
                f"PRINCEPS_CACHE_DIR chooses another directory.",
                file=sys.stderr,
            )


def remove(name: str) -> None:
    with suppress(OSError):
        (folder() / name).unlink()


def _checksum(name: str, payload: bytes) -> bytes:
    """Of the name as well: machine code under the name of another function is as wrong as an altered one."""
    return hashlib.sha256(name.encode() + b"\n" + payload).digest()


def _replace(kernels: Path, name: str, content: bytes) -> None:
    handle, temporary = tempfile.mkstemp(dir=kernels, prefix=f"{name}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(temporary, kernels / name)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _mark_as_used(path: Path) -> None:
    with suppress(OSError):  # a cache that this user may only read
        os.utime(path)


@cache
def _remove_unused(kernels: Path) -> None:
    """Once a process, and only in one that compiles anyway."""
    limit = time.time() - UNUSED
    for inside in (kernels, kernels / "__pycache__"):  # where 0.1.0 left machine code
        with suppress(OSError):
            for entry in os.scandir(inside):
                if _OURS.match(entry.name) and entry.is_file() and entry.stat().st_mtime < limit:
                    os.unlink(entry)
