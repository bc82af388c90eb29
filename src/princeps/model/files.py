"""Files that a user names for writing.

Three rules, for every verb and every function: a file that the same command reads is never written; a file that is
there is replaced only if princeps wrote it, as its content shows, or if the user insists; and what is written is there
whole or not at all.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import combinations
from typing import IO

from princeps.errors import RunError

LOOKED_AT = 1 << 16  # bytes at the beginning of a file, and as many at its end, in which its mark is looked for

Write = Callable[[bytes], None]
FilePath = str | os.PathLike[str]


@dataclass(frozen=True)
class Kind:
    """A kind of file that princeps writes."""

    name: str  # in words, like "a figure"
    mark: re.Pattern[bytes]  # which each file of this kind has near its beginning or its end


RESULTS = Kind("results of princeps run", re.compile(rb'\A\{"protocol": "'))
TRACE = Kind(
    "a trace of princeps run", re.compile(rb'\A\{"step": \d+, ("time": \d+, "process": |"pair": \[|"fault": )')
)
SCRIPT = Kind("a script of a session", re.compile(rb'\A\{"script": \d+, "command": "'))
TABLE = Kind("a table of princeps results", re.compile(rb"\Apoint,protocol,|\APAR1(?s:.*)princeps"))
FIGURE = Kind(
    "a figure of princeps",
    re.compile(rb"<dc:creator>\s*<cc:Agent>\s*<dc:title>princeps<|/Creator \(princeps\)|tEXtCreator\0princeps"),
)
CHAIN = Kind("a chain of princeps exact", re.compile(rb"\A// [^\n]*\bprinceps\b"))
SAVED_PAGE = Kind(
    "a saved page of princeps watch", re.compile(rb'<meta name="generator" content="princeps [^"]* saved page">')
)
PAGE = Kind("a page of princeps paper", re.compile(rb'<meta name="generator" content="princeps|<!-- Made by princeps '))


@dataclass(frozen=True)
class Output:
    """A file that is to be written; `inputs` are those that the same command reads."""

    path: str
    kind: Kind
    inputs: Sequence[str]  # never left out: a file that somebody forgot is lost with `force`
    force: bool = False

    def check(self) -> None:
        """Raises before the work what would be refused after it. What is there stays as it is, what is not is not made."""
        self._refuse_inputs()
        if not self.force and not self._may_be_changed():
            raise RunError(
                f"output {self.path!r} is not {self.kind.name} and would be lost: choose another path, or insist "
                f"with --force."
            )
        self._probe()

    @contextmanager
    def replacing(self) -> Iterator[Write]:
        """Writes beside the file, which is replaced at the end: a full disk or an exception leaves it as it was."""
        self.check()
        with _placed(self.path) as file:
            yield _writer(self.path, file)

    @contextmanager
    def appending(self) -> Iterator[Write]:
        """Each call adds its bytes whole. Only to a file of the same kind: another one is replaced, with `force`."""
        self._refuse_inputs()
        is_ours = self._may_be_changed()
        if not is_ours and not self.force:
            raise RunError(
                f"output {self.path!r} is not {self.kind.name} and would be lost: choose another path, or insist "
                f"with --force."
            )
        with writable(self.path):
            file = open(self.path, "ab" if is_ours else "wb", buffering=0)  # noqa: SIM115
        with file:
            if _was_cut(self.path):
                _append(self.path, file, b"\n")
            yield lambda content: _append(self.path, file, content)

    def _refuse_inputs(self) -> None:
        for name in self.inputs:
            if same_file(self.path, name):
                raise RunError(f"output {self.path!r} is {name!r}, which is read here: choose another path.")

    def _may_be_changed(self) -> bool:
        """It is not there, empty, no file in which anything is kept (a pipe), or of the same kind."""
        with writable(self.path):
            try:
                status = os.stat(self.path)
            except FileNotFoundError:
                return True
            if not stat.S_ISREG(status.st_mode) or status.st_size == 0:
                return True
            with open(self.path, "rb") as file:
                content = file.read(LOOKED_AT)
                if status.st_size > LOOKED_AT:
                    file.seek(max(LOOKED_AT, status.st_size - LOOKED_AT))
                    content += file.read(LOOKED_AT)
        return self.kind.mark.search(content) is not None

    def _probe(self) -> None:
        """Can it be written?"""
        target = os.path.realpath(self.path)
        is_there = os.path.exists(target)
        if is_there and not os.path.isfile(target) and not os.path.isdir(target):
            return  # opening a pipe would wait for its reader
        with writable(self.path), open(target, "ab"):
            pass
        if not is_there:
            os.remove(target)


def store_files(path: str) -> tuple[str, ...]:
    """A store, and what SQLite keeps beside it."""
    return (path, f"{path}-wal", f"{path}-shm", f"{path}-journal")


def refuse_same(paths: Iterable[str | None]) -> None:
    """Several outputs of one command."""
    for one, other in combinations([path for path in paths if path is not None], 2):
        if same_file(one, other):
            raise RunError(f"{one!r} and {other!r} are the same file, and both would be written: choose two paths.")


def same_file(one: str, other: str) -> bool:
    """By whatever names, links of both kinds included; devices are never the same, since nothing is lost in them."""
    try:
        if not stat.S_ISREG(os.stat(one).st_mode):
            return False
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        return os.path.realpath(one) == os.path.realpath(other)


@contextmanager
def writable(path: str) -> Iterator[None]:
    """What the system says against writing to this path becomes one sentence."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise RunError(f"output {path!r} cannot be written: {reason}. Choose another path.") from None
    except ValueError as error:  # a null byte in it
        raise RunError(f"output {path!r} is no path ({error}): choose another.") from None


# -- whole or not at all -------------------------------------------------------------------------------------------


@contextmanager
def _placed(path: str) -> Iterator[IO[bytes]]:
    """A file to write to that ends as this path."""
    target = os.path.realpath(path)  # a link goes on being one
    if os.path.exists(target) and not os.path.isfile(target):
        with writable(path):
            file: IO[bytes] = open(target, "wb")  # noqa: SIM115
        with _closed(path, file):
            yield file
    elif os.access(os.path.dirname(target), os.W_OK):
        with _beside(path, target) as file:
            yield file
    else:  # nothing can be made beside it, but it can be written
        with tempfile.TemporaryFile() as file:
            yield file
            file.seek(0)
            with writable(path), open(target, "wb") as goal:
                shutil.copyfileobj(file, goal)


@contextmanager
def _beside(path: str, target: str) -> Iterator[IO[bytes]]:
    part = os.path.join(os.path.dirname(target), f".princeps-{os.getpid()}-{secrets.token_hex(4)}.part")
    try:
        with writable(path):
            file: IO[bytes] = open(part, "xb")  # noqa: SIM115
        with _closed(path, file):
            yield file
            with writable(path):
                file.flush()
                os.fsync(file.fileno())
        with writable(path):
            if os.path.exists(target):
                shutil.copymode(target, part)
            os.replace(part, target)
    finally:
        with suppress(OSError):
            os.unlink(part)


@contextmanager
def _closed(path: str, file: IO[bytes]) -> Iterator[None]:
    """At the end; if that is too early because of an exception, what closing says against it is of no interest."""
    try:
        yield
    except BaseException:
        with suppress(OSError):
            file.close()
        raise
    with writable(path):
        file.close()


def _writer(path: str, file: IO[bytes]) -> Write:
    def write(content: bytes) -> None:
        with writable(path):
            file.write(content)

    return write


def _append(path: str, file: IO[bytes], content: bytes) -> None:
    length = os.fstat(file.fileno()).st_size
    try:
        with writable(path):
            while content:
                content = content[file.write(content) :]
    except RunError:
        with suppress(OSError):  # which a pipe says
            os.truncate(file.fileno(), length)
        raise


def _was_cut(path: str) -> bool:
    """The last line has no end: whoever wrote it was killed."""
    if not os.path.isfile(path):
        return False
    with suppress(OSError), open(path, "rb") as file:
        if file.seek(0, os.SEEK_END):
            file.seek(-1, os.SEEK_END)
            return file.read(1) != b"\n"
    return False
