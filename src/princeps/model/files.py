"""Files that a user names."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from princeps.errors import RunError


@contextmanager
def writable(path: str) -> Iterator[None]:
    """What the system says against writing to this path becomes one sentence."""
    try:
        yield
    except OSError as error:
        raise RunError(f"output {path!r} cannot be written: {error.strerror}. Choose another path.") from None


def probe(path: str) -> None:
    """Can it be written? A file that was there keeps its content, and one that was not is not left behind."""
    new = not os.path.lexists(path)
    with writable(path), open(path, "a"):
        pass
    if new:
        os.remove(path)
