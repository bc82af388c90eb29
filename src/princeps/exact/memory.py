"""How much memory there is, asked before much of it is taken."""

from __future__ import annotations

import os
from contextlib import suppress
from math import log10

KEPT_BACK = 400 * 2**20  # for the interpreter, compiled code and tables


def available_bytes() -> int:
    """What the machine can still give; a container's own limit counts."""
    free = 2**40
    try:
        with open("/proc/meminfo") as file:
            free = next(int(line.split()[1]) * 1024 for line in file if line.startswith("MemAvailable:"))
    except (OSError, StopIteration):
        with suppress(ValueError, OSError, AttributeError):
            free = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    with suppress(OSError, ValueError):
        free = min(free, _number_in("/sys/fs/cgroup/memory.max") - _number_in("/sys/fs/cgroup/memory.current"))
    return max(free - KEPT_BACK, 0)


def _number_in(path: str) -> int:
    with open(path) as file:
        return int(file.read())


def in_words(number: int) -> str:
    """In full as long as a person can read it."""
    return f"{number:,}" if number < 10**15 else f"about 10^{int(log10(number))}"


def gigabytes(size: float) -> str:
    return f"{size / 2**30:,.1f} GiB" if size >= 2**28 else f"{size / 2**20:,.0f} MiB"
