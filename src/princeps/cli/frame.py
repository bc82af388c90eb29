"""What all verbs share: whatever goes wrong becomes one sentence and an exit code, JSON goes to stdout."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec

from princeps.cli.ending import BAD_INPUT, DONE, FAULT, INTERRUPTED, NOT_REACHED, complain, exit_code_of
from princeps.errors import RunError
from princeps.model.announcing import announced

__all__ = [
    "BAD_INPUT",
    "DONE",
    "FAULT",
    "INTERRUPTED",
    "NOT_REACHED",
    "Saver",
    "complain",
    "emit",
    "parameters",
    "saving",
    "verb",
]

P = ParamSpec("P")


def verb(function: Callable[P, int]) -> Callable[P, None]:
    """Turn a function that returns an exit code into a command that never shows a traceback and never works long in silence."""
    name = function.__module__.rpartition(".")[2].removesuffix("_verb")

    @wraps(function)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            with announced(name):
                code = function(*args, **kwargs)
                sys.stdout.flush()
        except BaseException as error:
            code = exit_code_of(error)
        raise SystemExit(code)

    return wrapped


def emit(item: dict[str, Any]) -> None:
    """One object a line."""
    print(json.dumps(item), flush=True)


Saver = Callable[[dict[str, Any]], None]


@contextmanager
def saving(path: str | None, inputs: Sequence[str], force: bool = False) -> Iterator[Saver]:
    """Appends objects to a file, opened before any work is done, so that nothing is lost to a wrong path."""
    if path is None:
        yield lambda item: None
        return
    from princeps.model.files import RESULTS, Output

    with Output(path, RESULTS, inputs, force).appending() as write:
        yield lambda item: write(json.dumps(item).encode() + b"\n")


def parameters(given: list[str]) -> dict[str, str]:
    """`-p N=8` as name and text; numbers are read where the parameter is known."""
    found: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise RunError(f"parameter {text!r} is not understood: write it like -p N=8.")
        found[name.strip()] = value.strip()
    return found
