"""How a command ends: one sentence for whatever went wrong, and the exit code that belongs to it."""

from __future__ import annotations

import _thread
import errno
import os
import re
import signal
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from princeps.cli import itself
from princeps.cli.streams import silence_stdout
from princeps.errors import InternalError, PrincepsError, shortened

REPEAT_SECONDS = 0.01
WATCHING = "princeps-watch"  # the thread that has the run which is watched
DONE, NOT_REACHED, BAD_INPUT, FAULT, INTERRUPTED = 0, 1, 2, 70, 130

# What the machine cannot do at the moment, whatever the command.
_OF_THE_SYSTEM = (
    *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF, errno.EROFS, errno.EACCES, errno.EPERM),
    *(errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN),
)

_in_threads: list[int] = []  # exit codes for what ended a thread


def complain(sentence: str) -> None:
    """One line on stderr, whatever the sentence quotes."""
    line = re.sub(r"[\x00-\x1f\x7f-\x9f]", " ", shortened(sentence))
    print("princeps:", line, file=sys.stderr)


def exit_code_of(error: BaseException) -> int:
    """Says what happened."""
    error = itself(error)
    if os.environ.get("PRINCEPS_TRACEBACK"):
        traceback.print_exception(error)
    if isinstance(error, PrincepsError):
        complain(str(error))
        return FAULT if isinstance(error, InternalError) else BAD_INPUT
    if isinstance(error, MemoryError):
        complain("the memory is full: lower -n, or end other programs.")
        return BAD_INPUT
    told = error.__context__ if isinstance(error, SystemExit) else error  # which the table library makes of it
    if isinstance(told, BrokenPipeError):  # the reader of our output has gone, as in `| head`
        silence_stdout()
        return DONE
    return _exit_code_of_others(error)


def _exit_code_of_others(error: BaseException) -> int:
    from princeps.model.interruptions import ending_in_words, is_interruption

    if is_interruption(error):
        complain("interrupted.")
        return INTERRUPTED
    refusal = ending_in_words(error)
    if refusal is not None:
        complain(str(refusal))
        return BAD_INPUT
    if isinstance(error, OSError) and error.errno in _OF_THE_SYSTEM:
        complain(f"the system refused ({error}): is the disk full, or the output closed?")
        silence_stdout()
        return BAD_INPUT
    from princeps.model.crash_report import crash_report

    complain(str(crash_report(error)))
    return FAULT


def watch_threads() -> None:
    """What ends a thread is told like everything else, and the command does not end as if nothing had happened."""

    def tell(what: Any) -> None:
        if what.exc_value is not None and what.exc_type is not SystemExit:
            _in_threads.append(exit_code_of(what.exc_value))

    threading.excepthook = tell


def hear_interruptions() -> None:
    """Ctrl-C that Python drops is repeated until it is heard.

    What is raised while an object is being removed (`__del__`, a callback of a weak reference) is handed to this hook
    and goes no further. It is raised again a moment later, by a thread, when that code has come to its end.
    """
    told = sys.unraisablehook

    def repeat(dropped: Any) -> None:
        if dropped.exc_type is not KeyboardInterrupt:
            told(dropped)
            return
        again = threading.Timer(REPEAT_SECONDS, _interrupt)
        again.daemon = True
        again.start()

    sys.unraisablehook = repeat


def _interrupt() -> None:
    """Ctrl-C in the main thread, which a real signal wakes even if it waits."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        _thread.interrupt_main()


@contextmanager
def leaving_others_behind() -> Iterator[None]:
    """Around serving a page: if its thread is still in the middle of something, the process ends now.

    Python would wait for that thread, or take away what it uses.
    """
    code = DONE
    try:
        yield
    except BaseException as error:
        if not _is_watching():
            raise
        code = exit_code_of(error)
    if _is_watching():
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError, AttributeError):
                stream.flush()
        os._exit(code)


def _is_watching() -> bool:
    return any(thread.name == WATCHING for thread in threading.enumerate())


def worst(code: int) -> int:
    """The exit code, unless a thread ended with one while the command itself seems to be done."""
    return code if code != DONE or not _in_threads else max(_in_threads)
