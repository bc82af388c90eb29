"""The part of an execution that a trace or a diagram shows: `100..200`, `100..` or `..200`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, NamedTuple

from princeps.errors import ParameterError
from princeps.model.numbers import read_count
from princeps.model.values import shown
from princeps.wording import either


class Window(NamedTuple):
    """Both ends belong to it; `last` None: to the end."""

    first: int = 0
    last: int | None = None

    def has(self, when: int) -> bool:
        return self.first <= when and (self.last is None or when <= self.last)

    @property
    def text(self) -> str:
        return f"{self.first}..{'' if self.last is None else self.last}"


def read_window(given: Any) -> Window | None:
    """In steps of a population, in time units of a ring; in Python also a pair of numbers."""
    if given is None:
        return None
    remedy = f"give its first and last moment, like {either('100..200', '(100, 200)')}"
    if isinstance(given, str):
        parts: list[Any] = [part.strip() for part in given.split("..")]
    else:
        parts = list(islice(given, 3)) if isinstance(given, Sequence) else []
    if len(parts) != 2 or any(isinstance(part, bool) for part in parts):
        raise ParameterError(f"window {shown(given)} is not understood: {remedy}.")
    ends = [None if part in ("", None) else read_count(part, "window") for part in parts]
    first, last = ends[0] or 0, ends[1]
    if first < 0 or (last is not None and last < first):
        raise ParameterError(f"window {shown(given)} is empty or begins before the start: {remedy}.")
    return Window(first, last)
