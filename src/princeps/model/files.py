"""Files that a user names."""

from __future__ import annotations

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
