"""What all verbs share: errors become one sentence and exit code 2, Ctrl-C becomes 130, JSON goes to stdout."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec

from princeps.errors import PrincepsError, RunError

P = ParamSpec("P")
DONE, NOT_REACHED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


def verb(function: Callable[P, int]) -> Callable[P, None]:
    """Turn a function that returns an exit code into a command that never shows a traceback for bad input."""

    @wraps(function)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            code = function(*args, **kwargs)
            sys.stdout.flush()
        except PrincepsError as error:
            complain(str(error))
            code = BAD_INPUT
        except MemoryError:
            complain("the memory is full: lower -n, or end other programs.")
            code = BAD_INPUT
        except KeyboardInterrupt:
            complain("interrupted.")
            code = INTERRUPTED
        except SystemExit:  # the table library's way to say that the reader of our output has gone
            code = DONE
        except BrokenPipeError:  # the reader of our output has gone, as in `| head`
            _silence_stdout()
            code = DONE
        except OSError as error:
            complain(f"the system refused ({error}): is the disk full, or the output closed?")
            _silence_stdout()
            code = BAD_INPUT
        raise SystemExit(code)

    return wrapped


def complain(sentence: str) -> None:
    """One line on stderr, whatever the sentence quotes."""
    print("princeps:", " ".join(sentence.split("\n")), file=sys.stderr)


def _silence_stdout() -> None:
    """What is left in its buffer would be complained about once more when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def emit(item: dict[str, Any]) -> None:
    """One object a line."""
    print(json.dumps(item), flush=True)


Saver = Callable[[dict[str, Any]], None]


@contextmanager
def saving(path: str | None) -> Iterator[Saver]:
    """Appends objects to a file, opened before any work is done, so that nothing is lost to a wrong path."""
    if path is None:
        yield lambda item: None
        return
    from princeps.model.files import writable

    with writable(path):
        file = open(path, "ab", buffering=0)  # noqa: SIM115

    def save(item: dict[str, Any]) -> None:
        line = json.dumps(item).encode() + b"\n"
        with writable(path):
            while line:
                line = line[file.write(line) :]

    with file:
        yield save


def parameters(given: list[str]) -> dict[str, str]:
    """`-p N=8` as name and text; numbers are read where the parameter is known."""
    found: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise RunError(f"parameter {text!r} is not understood: write it like -p N=8.")
        found[name.strip()] = value.strip()
    return found
