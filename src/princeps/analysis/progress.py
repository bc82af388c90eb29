"""What a long analysis reports while it works: the phase, how much is done, and of how much (0 if that is unknown)."""

from __future__ import annotations

from collections.abc import Callable

ProgressCallback = Callable[[str, int, int], None]


def no_progress(phase: str, done: int, total: int) -> None:
    pass
