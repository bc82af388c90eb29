"""A plan of faults, as text: what happens to frames all the time, and what is done to agents at certain moments.

loss 20%                     frames are lost
duplicates 20%               frames arrive twice
5s: kill leader              kill -9: an agent by its number, `leader` (any of them), or `random`
1s: kill random every 0.5s   and again after each such time
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from math import inf

from princeps.errors import RunError
from princeps.model.numbers import read_seconds
from princeps.model.randomness import Stream
from princeps.wording import either

SHARES = ("loss", "duplicates")
REMEDY = (
    "give parts like 'loss 20%', 'duplicates 20%', '5s: kill leader' or '1s: kill random every 0.5s', with ; between"
)


@dataclass(frozen=True)
class Kill:
    at: float
    whom: str  # a number, "leader" or "random"
    every: float = inf


@dataclass(frozen=True)
class Chaos:
    loss: float = 0.0
    duplicates: float = 0.0
    kills: tuple[Kill, ...] = ()


def read_chaos(text: str | None, n: int) -> Chaos:
    found: dict[str, float] = {}
    kills = []
    for part in (text or "").split(";"):
        words = part.strip()
        share = re.fullmatch(r"(\w+)\s+([0-9.]+)\s*%", words)
        kill = re.fullmatch(r"([^:]+):\s*kill\s+(\w+)(?:\s+every\s+(\S+))?", words)
        if not words:
            continue
        if share is not None and share[1] in SHARES and _is_share(share[2]):
            found[share[1]] = float(share[2]) / 100
        elif kill is not None and _is_victim(kill[2], n):
            every = inf if kill[3] is None else read_seconds(kill[3], either("--chaos", "chaos"))
            kills.append(Kill(read_seconds(kill[1], either("--chaos", "chaos")), kill[2], every))
        else:
            raise RunError(f"{either('--chaos', 'chaos')} {words!r} is not understood: {REMEDY}.")
    return Chaos(found.get("loss", 0.0), found.get("duplicates", 0.0), tuple(kills))


def _is_share(text: str) -> bool:
    return re.fullmatch(r"[0-9]+(\.[0-9]+)?", text) is not None and float(text) < 100


def _is_victim(word: str, n: int) -> bool:
    return word in ("leader", "random") or (word.isdecimal() and int(word) < n)


class KillTimes:
    """The kills of a plan as they come due; `random` and `leader` draw from a stream of their own."""

    def __init__(self, kills: tuple[Kill, ...], stream: Stream) -> None:
        self.stream, self._due = stream, list(kills)

    @property
    def next(self) -> float:
        return min((kill.at for kill in self._due), default=inf)

    def victims(self, seconds: float, running: list[int], leaders: list[int]) -> list[int]:
        """Who is killed now."""
        found = []
        for k, kill in enumerate(self._due):
            if kill.at <= seconds:
                self._due[k] = replace(kill, at=kill.at + kill.every)
                chosen = [int(kill.whom)] if kill.whom.isdecimal() else leaders if kill.whom == "leader" else running
                chosen = [agent for agent in chosen if agent in running]
                if chosen:
                    found.append(chosen[self.stream.below(len(chosen))])
        return found
