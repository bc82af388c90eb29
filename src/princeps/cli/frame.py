"""What all verbs share: errors become one sentence and exit code 2, Ctrl-C becomes 130, JSON goes to stdout."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec, TextIO

from princeps.errors import PrincepsError, RunError

P = ParamSpec("P")
DONE, NOT_REACHED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


def verb(function: Callable[P, int]) -> Callable[P, None]:
    """Turn a function that returns an exit code into a command that never shows a traceback for bad input."""

    @wraps(function)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            code = function(*args, **kwargs)
        except PrincepsError as error:
            print(f"princeps: {error}", file=sys.stderr)
            code = BAD_INPUT
        except KeyboardInterrupt:
            print("princeps: interrupted.", file=sys.stderr)
            code = INTERRUPTED
        except BrokenPipeError:  # the reader of our output has gone, as in `| head`
            sys.stderr.close()
            code = DONE
        raise SystemExit(code)

    return wrapped


def emit(item: dict[str, Any], out: TextIO | None = None) -> None:
    """One object a line."""
    print(json.dumps(item), file=out or sys.stdout, flush=True)


@contextmanager
def opened(path: str | None) -> Iterator[TextIO | None]:
    """An output file, opened before any work is done, so that nothing is lost to a wrong path."""
    if path is None:
        yield None
        return
    try:
        file = open(path, "a", encoding="utf-8")  # noqa: SIM115
    except OSError as error:
        raise RunError(f"output {path!r} cannot be written: {error.strerror}. Choose another path.") from None
    with file:
        yield file


def parameters(given: list[str]) -> dict[str, str]:
    """`-p N=8` as name and text; numbers are read where the parameter is known."""
    found: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise RunError(f"parameter {text!r} is not understood: write it like -p N=8.")
        found[name.strip()] = value.strip()
    return found
