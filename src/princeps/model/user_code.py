"""Functions of a user's file: whatever they raise becomes one sentence with file and line.

The line is the last one of the protocol's own files that led to the error. An error that comes from no line of theirs
(a function with too many arguments, say) is located where the function begins.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection
from pathlib import Path
from types import TracebackType
from typing import Any

from princeps.errors import PrincepsError, ProtocolError, StateError

FAILURES = (Exception, SystemExit)  # Ctrl-C is no failure
ENDS_THE_PROGRAM = "here, which would end princeps itself: remove it, or raise an exception of another kind."
MAX_SHOWN = 300  # characters of what an exception says
PACKAGE = str(Path(__file__).parents[1])


def ask(function: Callable[..., Any], *args: Any, files: Collection[str | None] = ()) -> Any:
    """Call a function of a user's file; `files` are those in which a mistake is looked for first."""
    try:
        return function(*args)
    except FAILURES as error:
        if isinstance(error, PrincepsError) and not isinstance(error, StateError):
            raise
        raise located(error, function, files) from error


def located(error: BaseException, function: Callable[..., Any], files: Collection[str | None] = ()) -> ProtocolError:
    file, line = place_of(error, files) or beginning_of(function)
    ends = isinstance(error, SystemExit)
    return ProtocolError(f"sys.exit() is called {ENDS_THE_PROGRAM}" if ends else in_words(error), file, line)


def in_words(error: BaseException) -> str:
    """What an exception says, in one line; those of the package are sentences already."""
    text = " ".join(str(error).split())
    text = text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}..."
    if isinstance(error, StateError):
        return text
    return f"{type(error).__name__}: {text.rstrip('.')}." if text else f"{type(error).__name__}."


def place_of(error: BaseException, files: Collection[str | None] = ()) -> tuple[str, int] | None:
    """File and line of the last call in one of these files, or else in a file that is not the package's."""
    own: tuple[str, int] | None = None
    other: tuple[str, int] | None = None
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        file, line = trace.tb_frame.f_code.co_filename, trace.tb_lineno
        if file in files:
            own = file, line
        elif not file.startswith(PACKAGE):
            other = file, line
        trace = trace.tb_next
    if own is None and other is None and error.__cause__ is not None:  # Python replaces a StopIteration in a generator
        return place_of(error.__cause__, files)
    return own or other


def beginning_of(function: Any) -> tuple[str | None, int | None]:
    called = function.__init__ if isinstance(function, type) else function  # type: ignore[misc]
    code = getattr(inspect.unwrap(called), "__code__", None)
    if code is None or code.co_filename.startswith(PACKAGE):
        return None, None
    return code.co_filename, code.co_firstlineno
