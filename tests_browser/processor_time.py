"""Seconds that a process and its children have computed so far, from /proc; None where there is none."""

from __future__ import annotations

import os
from pathlib import Path

PROCESSES = Path("/proc")
FIRST = 2  # fields before the state of the process, the number and the name, which may contain anything


def processor_seconds(pid: int) -> float | None:
    if not (PROCESSES / str(pid) / "stat").exists():
        return None
    ticks, waiting = 0, [pid]
    while waiting:
        one = waiting.pop()
        ticks += _ticks(one)
        waiting += _children(one)
    return ticks / os.sysconf("SC_CLK_TCK")


def _ticks(pid: int) -> int:
    """In its own code and for it in the kernel."""
    try:
        fields = (PROCESSES / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:  # it has ended
        return 0
    return int(fields[13 - FIRST]) + int(fields[14 - FIRST])


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for listed in (PROCESSES / str(pid) / "task").glob("*/children"):
        try:
            found += map(int, listed.read_text().split())
        except OSError:
            continue
    return found
