"""What ends a program: Ctrl-C from outside, or a user's file that calls sys.exit() or raises something of that kind.

Python does not tell the two apart: KeyboardInterrupt is raised in whatever line is being executed. Only a `raise`
statement leaves a traceback that ends in one.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dis import opmap
from functools import wraps
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar, cast

from princeps.errors import Interrupted, ProtocolError
from princeps.model.modules import USERS
from princeps.model.user_code import ENDS_THE_PROGRAM

PACKAGE = str(Path(__file__).parents[1]) + os.sep
RAISE = opmap["RAISE_VARARGS"]


def is_interruption(error: BaseException) -> bool:
    """Ctrl-C, and not a `raise KeyboardInterrupt` in a user's file."""
    if not isinstance(error, KeyboardInterrupt):
        return False
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return last is None or last.tb_frame.f_code.co_code[last.tb_lasti] != RAISE or _users_place(error) is None


def require_interruption(error: KeyboardInterrupt) -> None:
    """Whoever handles Ctrl-C asks first whether it was: what a user's code raised is none."""
    if not is_interruption(error):
        raise ending_in_words(error) or error


Method = TypeVar("Method", bound=Callable[..., Any])


def stands_where_interrupted(method: Method) -> Method:
    """Of a session: after Ctrl-C it is where it was by then, which the exception says."""

    @wraps(method)
    def called(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return method(self, *args, **kwargs)
        except Interrupted:
            raise
        except KeyboardInterrupt as error:
            require_interruption(error)
            sentence = (
                f"interrupted at step {self.steps:,}: the session, in `partial`, stands there and goes on from there."
            )
            raise Interrupted(sentence, self) from None

    return cast(Method, called)


def ending_in_words(error: BaseException) -> ProtocolError | None:
    """The sentence with file and line for what code of a user raised; None if it was ours."""
    place = _users_place(error)
    if place is None:
        return None
    if isinstance(error, Exception):
        text = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(".: ")
        return ProtocolError(f"{text}.", *place)
    what = "sys.exit() is called" if isinstance(error, SystemExit) else f"{type(error).__name__} is raised"
    return ProtocolError(f"{what} {ENDS_THE_PROGRAM}", *place)


def _users_place(error: BaseException) -> tuple[str, int] | None:
    """The last line of a user's file, if nothing of ours was called from there; what it imported counts as its own."""
    place: tuple[str, int] | None = None
    trace = error.__traceback__
    while trace is not None:
        if _is_ours(trace):
            place = None
        elif _is_users(trace):
            place = (trace.tb_frame.f_code.co_filename, trace.tb_lineno)
        trace = trace.tb_next
    return place


def _is_ours(trace: TracebackType) -> bool:
    return trace.tb_frame.f_code.co_filename.startswith(PACKAGE)


def _is_users(trace: TracebackType) -> bool:
    return str(trace.tb_frame.f_globals.get("__name__")).startswith(USERS)
