"""What a long analysis tells while it works: the phase, how far it is, and out of how much (0: nobody knows)."""

from __future__ import annotations

from collections.abc import Callable

Observer = Callable[[str, int, int], None]


def silence(phase: str, done: int, total: int) -> None:
    pass
