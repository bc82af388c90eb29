"""Machine code on disk: each file carries a checksum, and what does not match it is never unpickled."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import stat
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

from princeps.model import machine
from princeps.model.machine import cache_directory

MAGIC = b"princeps machine code 1\n"
DIGEST = hashlib.sha256().digest_size
DAY = 86400
MAX_BYTES = 1 << 28  # our largest file has less than 1 MB
UNUSED = 90 * DAY  # after this time a file is removed
_OURS = re.compile(r"k[0-9a-f]{24}\.")  # files of 0.1.0 begin like this, too


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
        with open(path, "rb", opener=_without_waiting) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_BYTES:
                return None
            content, age = file.read(), time.time() - status.st_mtime
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
    where = "no cache directory"
    try:
        kernels = folder()
        where = str(kernels)
        kernels.mkdir(parents=True, exist_ok=True)
        _remove_unused(kernels)
        where = str(kernels / name)
        _replace(kernels, name, MAGIC + _checksum(name, payload) + payload)
    except OSError as error:
        if not machine.compiles_in_memory:
            machine.compiles_in_memory = True
            machine.say(
                f"kernels are compiled in memory and not kept ({where}: {error.strerror or error}). "
                f"PRINCEPS_CACHE_DIR chooses another directory."
            )


def remove(name: str) -> None:
    with suppress(OSError):
        (folder() / name).unlink()


def _without_waiting(path: str, flags: int) -> int:
    """Reading a pipe that somebody put there would never end."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _checksum(name: str, payload: bytes) -> bytes:
    """Of the name as well: machine code under the name of another function is as wrong as an altered one."""
    return hashlib.sha256(name.encode() + b"\n" + payload).digest()


def _replace(kernels: Path, name: str, content: bytes) -> None:
    """With the permissions of any new file: in a container another user than the one who filled the cache may read it."""
    temporary = kernels / f"{name}.{os.getpid()}-{secrets.token_hex(4)}.part"
    try:
        with open(temporary, "xb") as file:
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
