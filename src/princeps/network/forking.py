"""Processes that are forked from this one, where everything is loaded, and that none outlives.

Three pipes lead to each: `control` is what it is told, `log` what it writes, `errors` the sentence of one that ends by a
mistake. It has a process group of its own, so that Ctrl-C reaches only whoever started it. It ends when its control pipe
is closed, which the system does however this process ends; on Linux the kernel kills it with its parent, too. Ctrl-C waits
while a process is forked, so that none exists that nobody knows of.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from types import FrameType

from princeps.errors import PrincepsError, RunError

PIECE = 1 << 16  # bytes of a log that are read at once
LONGEST_FAILURE = 2000  # bytes of what a process says that ends by a mistake
DIES_WITH_PARENT = 1  # PR_SET_PDEATHSIG of Linux

Work = Callable[[int, int], None]  # given the control pipe and the log; the process ends with it


@dataclass(eq=False)
class Child:
    """A process, and our ends of its pipes."""

    pid: int
    control: int
    log: int
    errors: int
    untold: bytearray = field(default_factory=bytearray)  # what its control pipe had no room for

    def tell(self, line: bytes) -> None:
        """Without waiting for it: it may be stopped, or wait itself until its log is read."""
        self.untold += line
        self.tell_rest()

    def tell_rest(self) -> None:
        """What there is room for by now; whoever starts processes calls it again and again."""
        try:
            while self.untold:
                del self.untold[: os.write(self.control, self.untold)]
        except BlockingIOError:
            pass
        except OSError:  # it has just died, which its log will tell
            self.untold.clear()

    def read(self) -> bytes | None:
        """A piece of its log; empty: its log has ended, and so has the process; None: nothing more at present."""
        try:
            return os.read(self.log, PIECE)
        except BlockingIOError:
            return None

    def end(self) -> None:
        """It is told to end by the end of its control pipe."""
        os.close(self.control)
        self.control = os.open(os.devnull, os.O_WRONLY)
        self.untold.clear()

    def send(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def bury(self) -> str:
        """Wait for its end; what it said if it ended by a mistake."""
        _, status = os.waitpid(self.pid, 0)
        failure = ""
        if os.WIFEXITED(status) and os.WEXITSTATUS(status):
            with suppress(BlockingIOError):
                failure = os.read(self.errors, PIECE).decode(errors="replace").strip()
            failure = failure or "it said nothing"
        self.close()
        return failure

    def close(self) -> None:
        for fd in (self.control, self.log, self.errors):
            os.close(fd)


def require_fork(remedy: str) -> None:
    if not hasattr(os, "fork"):
        raise RunError(f"this system cannot fork processes: {remedy}.")


def fork(work: Work, others: Iterable[Child], keep: Callable[[Child], None], log_bytes: int = 0) -> None:
    """A process for this work. `others` are those that run already; `keep` notes the new one, before any Ctrl-C."""
    with uninterrupted():
        control, log, errors = os.pipe(), os.pipe(), os.pipe()
        parent = os.getpid()
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                for fd in (control[1], log[0], errors[0]):
                    os.close(fd)
                if _settle_in(parent, errors[1], others):
                    work(control[0], log[1])
                code = 0
            except BaseException as error:
                text = str(error) if isinstance(error, PrincepsError) else f"{type(error).__name__}: {error}"
                os.write(errors[1], text.encode()[:LONGEST_FAILURE])
            finally:
                os._exit(code)
        for fd in (control[0], log[1], errors[1]):
            os.close(fd)
        for fd in (control[1], log[0], errors[0]):
            os.set_blocking(fd, False)
        if log_bytes:
            _resize(log[0], log_bytes)
        keep(Child(pid, control[1], log[0], errors[0]))


def bury_all(children: Iterable[Child]) -> None:
    """None of them is left."""
    known = list(children)
    for child in known:
        child.send(signal.SIGKILL)
    for child in known:
        child.bury()


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C waits until the end of this. Only the main thread is ever interrupted."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came = list[int]()

    def note(number: int, frame: FrameType | None) -> None:
        came.append(number)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL if before is None else before)
        if came:
            signal.raise_signal(signal.SIGINT)


def _settle_in(parent: int, errors: int, others: Iterable[Child]) -> bool:
    """What a new process does first; False: its parent is dead already."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # sending into a connection that was reset is an error, not the end
    os.setpgid(0, 0)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(DIES_WITH_PARENT, signal.SIGKILL)
        if os.getppid() != parent:  # it died before the kernel was asked
            return False
    os.dup2(errors, 2)
    for other in others:  # so that the death of another is seen by whoever started it alone
        other.close()
    return True


def _resize(pipe: int, size: int) -> None:
    with suppress(OSError, ImportError):  # Linux has it
        from fcntl import F_SETPIPE_SZ, fcntl

        fcntl(pipe, F_SETPIPE_SZ, size)
