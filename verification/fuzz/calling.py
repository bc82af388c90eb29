"""The command line within this process, and what may not come out of it."""

from __future__ import annotations

import json
import re
import signal
import sys
import traceback
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from types import FrameType
from typing import Any, NoReturn

from fuzz.inputs import MEMORY, TRACEBACK, WRONG, Trouble
from fuzz.output import PLAIN, Output
from fuzz.serving import Interruption, serves

DONE, NOT_REACHED, BAD_INPUT, UNEXPECTED, INTERRUPTED = 0, 1, 2, 70, 130
SCREEN = 25 * 80  # characters that a sentence may have
WARNING = re.compile(r"^(?:\S+: )?(?!Syntax)\w+Warning: ", re.MULTILINE)
MEMORY_FULL = "the memory is full"
TOO_EARLY = 0.001  # seconds after which a Ctrl-C that came outside of the command is sent again


@dataclass(frozen=True)
class Called:
    """What a command left behind."""

    code: object
    out: str
    err: str
    escaped: str = ""  # an exception that the command line did not turn into an exit code
    interrupted: bool = False
    ending: tuple[Trouble, ...] = ()  # what was wrong with how a server ended


def call(words: Sequence[str], to: str = PLAIN, interrupt_after: float = 0.0) -> Called:
    """`princeps WORDS...`; with an interruption, what Ctrl-C does after so many seconds."""
    from princeps.cli import main

    output = Output.current
    output.clear()
    output.direct(to)
    sys.argv = ["princeps", *words]
    code: object = None
    escaped, sent = "", False

    def interrupt(_: int, frame: FrameType | None) -> None:
        """A busy machine may ring before the command has begun, or when it is over: that is not what is tried."""
        nonlocal sent
        while frame is not None and frame.f_code is not main.__code__:
            frame = frame.f_back
        if frame is None:
            signal.setitimer(signal.ITIMER_REAL, TOO_EARLY)
            return
        sent = True
        raise KeyboardInterrupt

    if interrupt_after:
        signal.signal(signal.SIGALRM, interrupt)
        signal.setitimer(signal.ITIMER_REAL, interrupt_after)
    ended = Interruption() if serves(words) else None
    try:
        with ended or nullcontext():
            main()
    except SystemExit as left:
        code = left.code
    except BaseException:
        escaped = traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    out, err = output.read()
    output.direct(PLAIN)
    if ended is None:
        return Called(code, out, err, escaped, sent)
    return Called(code, out, ended.said + err, escaped, ended.sent_at is not None, tuple(ended.troubles()))


def troubles(words: Sequence[str], called: Called, to: str = PLAIN) -> list[Trouble]:
    """What is wrong with how a command ended, whatever it was."""
    if called.escaped:
        kind = MEMORY if "MemoryError" in called.escaped.splitlines()[-1] else TRACEBACK
        return [Trouble(kind, called.escaped[-4000:])]
    found = list(called.ending)
    if "Traceback (most recent call last)" in called.err or called.code == UNEXPECTED:
        found.append(Trouble(TRACEBACK, called.err[-4000:]))
    elif WARNING.search(called.err):
        found.append(Trouble(TRACEBACK, f"a warning of Python: {called.err[-2000:]}"))
    if MEMORY_FULL in called.err:
        found.append(Trouble(MEMORY, called.err[-1000:]))
    allowed = (DONE, NOT_REACHED, BAD_INPUT, UNEXPECTED, *([INTERRUPTED] if called.interrupted else []))
    if called.code not in allowed:
        found.append(Trouble(WRONG, f"exit code {called.code!r}: {called.err[-500:]!r}"))
    if called.code == BAD_INPUT:
        found += _sentence(called.err)
    if to == PLAIN and "--json" in words and not asks_for_help(words) and called.code in (DONE, NOT_REACHED):
        found += _objects(called.out)
    return found


def asks_for_help(words: Sequence[str]) -> bool:
    """Also among letters behind one sign: -hold is -h and others."""
    return any(word == "--help" or re.match(r"-\w*h", word) for word in words)


def _sentence(err: str) -> list[Trouble]:
    """Exit code 2 comes with one sentence, which is not longer than a screen."""
    last = err.rstrip("\n").rpartition("\n")[2]
    if not last.startswith("princeps: ") or not last.removeprefix("princeps: ").strip():
        return [Trouble(WRONG, f"exit code 2 without a sentence: {err[-500:]!r}")]
    if len(last) > SCREEN:
        return [Trouble(WRONG, f"a sentence of {len(last)} characters: {last[:300]!r}...")]
    return []


def _objects(out: str) -> list[Trouble]:
    for line in out.splitlines():
        try:
            if not isinstance(json.loads(line, parse_constant=_no_number), dict):
                raise ValueError("it is no object")
        except ValueError as error:
            return [Trouble(WRONG, f"--json printed a line that is not JSON ({error}): {line[:500]!r}")]
    return []


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not JSON")


def carried_out(words: Sequence[str], to: str = PLAIN) -> list[Trouble]:
    return troubles(words, call(words, to), to)


def objects(called: Called) -> list[dict[str, Any]]:
    """What --json printed, without what differs from run to run."""
    read = [json.loads(line) for line in called.out.splitlines()]
    return [{key: value for key, value in one.items() if key != "seconds"} for one in read]
