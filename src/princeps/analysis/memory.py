"""How much memory an analysis may take, asked before much of it is taken."""

from __future__ import annotations

from princeps.model import machine

KEPT_BACK = 400 * 2**20  # for the interpreter, compiled code and tables
UNKNOWN = 2**40  # where the machine does not say what is free


def available_bytes() -> int:
    free = machine.available_bytes()
    return max((UNKNOWN if free is None else free) - KEPT_BACK, 0)


def gigabytes(size: float) -> str:
    return f"{size / 2**30:,.1f} GiB" if size >= 2**28 else f"{size / 2**20:,.0f} MiB"
