"""How much memory an analysis may take, asked before much of it is allocated."""

from __future__ import annotations

from princeps.model import machine
from princeps.model.numbers import bytes_in_words

RESERVED_BYTES = 400 * 2**20  # for the interpreter, compiled code and tables
ASSUMED_BYTES = 2**40  # where the machine does not say how much is free


def available_bytes() -> int:
    free = machine.available_bytes()
    return max((ASSUMED_BYTES if free is None else free) - RESERVED_BYTES, 0)


def gigabytes(size: float) -> str:
    if size >= 2**50:
        return bytes_in_words(size)
    return f"{size / 2**30:,.1f} GiB" if size >= 2**28 else f"{size / 2**20:,.0f} MiB"
