"""A plan of faults for a ring, as text.

reset 5/s                 connections of random links are reset, five a second
8s: cut 0-4|5-9 for 3s    nothing passes between processes of both groups
5s: kill 2                kill -9: a process by its number, `leader` or `random`; also `every 0.5s`
"""

from __future__ import annotations

import re

from princeps.errors import RunError
from princeps.model.numbers import read_seconds
from princeps.network.chaos import Kill as TimedKill
from princeps.network.chaos import read_chaos
from princeps.network.rings.faults import Faults, Partition
from princeps.wording import either

REMEDY = "give parts like 'reset 5/s', '8s: cut 0-1|2-3 for 3s' or '5s: kill 2', with ; between"
MAX_RESETS = 1000.0  # a second


def read_ring_chaos(text: str | None, n: int, restart: str = "") -> Faults:
    resets = 0.0
    partitions: list[Partition] = []
    kills: list[TimedKill] = []
    for part in (text or "").split(";"):
        words = part.strip()
        reset = re.fullmatch(r"reset\s+([0-9]+(?:\.[0-9]+)?)\s*/\s*s", words)
        cut = re.fullmatch(r"([^:]+):\s*cut\s+(\S+)\|(\S+)\s+for\s+(\S+)", words)
        if not words:
            continue
        if reset is not None and 0 < float(reset[1]) <= MAX_RESETS:
            resets += float(reset[1])
        elif cut is not None:
            begin, length = _seconds(cut[1]), _seconds(cut[4])
            partitions.append(Partition(begin, begin + length, _links(_group(cut[2], n), _group(cut[3], n), n, words)))
        elif re.fullmatch(r"[^:]+:\s*kill\s.*", words):
            kills += read_chaos(words, n).kills
        elif words.startswith(("loss", "duplicates")):
            raise RunError(
                f"{either('--chaos', 'chaos')} {words!r} is for population protocols: the connections of a ring lose "
                f"nothing but what is under way when they break, so give 'reset 5/s'."
            )
        else:
            raise RunError(f"{either('--chaos', 'chaos')} {words!r} is not understood: {REMEDY}.")
    return Faults(resets=resets, partitions=tuple(partitions), timed_kills=tuple(kills), restart=restart)


def _seconds(text: str) -> float:
    return read_seconds(text, either("--chaos", "chaos"))


def _group(text: str, n: int) -> set[int]:
    """`0-2,5`"""
    found: set[int] = set()
    for part in text.split(","):
        ends = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", part)
        if ends is None or int(ends[2] or ends[1]) >= n or int(ends[1]) > int(ends[2] or ends[1]):
            raise RunError(
                f"{either('--chaos', 'chaos')}: {part!r} are no processes of 0..{n - 1}: write groups like 0-1|2-3."
            )
        found |= set(range(int(ends[1]), int(ends[2] or ends[1]) + 1))
    return found


def _links(left: set[int], right: set[int], n: int, words: str) -> frozenset[int]:
    if left & right:
        raise RunError(f"{either('--chaos', 'chaos')} {words!r} puts process {min(left & right)} into both groups.")
    return frozenset(link for link in range(n) if {link, (link + 1) % n} & left and {link, (link + 1) % n} & right)
