"""A plan of faults for a ring, as text.

reset 5/s                 connections of random links are reset, five a second
8s: cut 0-4|5-9 for 3s    nothing passes between processes of both groups
5s: kill 2                kill -9: a process by its number, `leader` or `random`; also `every 0.5s`
5s: pause 2 for 1s        the process is stopped, and goes on after that time
garbage 100/s             somebody makes connections to the ports of the processes, and sends garbage
"""

from __future__ import annotations

import re

from princeps.errors import RunError
from princeps.network.chaos import SHARES, Cut, Pause, read_chaos
from princeps.network.chaos import Kill as TimedKill
from princeps.network.rings.faults import Faults, Partition
from princeps.wording import either

REMEDY = "give parts like 'reset 5/s', '8s: cut 0-1|2-3 for 3s', '5s: kill 2', '5s: pause 2 for 1s' or 'garbage 100/s', with ; between"
MAX_RESETS = 1000.0  # a second


def read_ring_chaos(text: str | None, n: int, restart: str = "") -> Faults:
    resets = garbage = 0.0
    partitions: list[Partition] = []
    kills: list[TimedKill] = []
    pauses: list[Pause] = []
    for part in (text or "").split(";"):
        words = part.strip()
        reset = re.fullmatch(r"reset\s+([0-9]+(?:\.[0-9]+)?)\s*/\s*s", words)
        if reset is not None and 0 < float(reset[1]) <= MAX_RESETS:
            resets += float(reset[1])
        elif words.startswith(SHARES):
            raise RunError(
                f"{either('--chaos', 'chaos')} {words!r} is for population protocols: the connections of a ring lose "
                f"nothing but what is under way when they break, so give 'reset 5/s'."
            )
        else:
            found = read_chaos(words, n, REMEDY)
            kills += found.kills
            pauses += found.pauses
            garbage += found.garbage
            partitions += [Partition(cut.at, cut.at + cut.seconds, _links(cut, n)) for cut in found.cuts]
    return Faults(
        resets=resets,
        partitions=tuple(partitions),
        timed_kills=tuple(kills),
        pauses=tuple(pauses),
        garbage=garbage,
        restart=restart,
    )


def _links(cut: Cut, n: int) -> frozenset[int]:
    return frozenset(link for link in range(n) if cut.separates(link, (link + 1) % n))
