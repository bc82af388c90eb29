"""A plan of faults, as text: what happens to frames all the time, and what is done to agents at certain moments.

loss 20%                     frames are lost
duplicates 20%               frames arrive twice
5s: kill leader              kill -9: an agent by its number, `leader` (any of them), or `random`
1s: kill random every 0.5s   and again after each such time; `every 0.5s until 60s` not after that moment
6s: pause leader for 2s      its process is stopped, and goes on after that time; whom and `every` as above
8s: cut 0-4|5-9 for 3s       frames between the two groups are lost
garbage 100/s                a process that is none of the run sends frames to the agents' ports
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from math import inf
from typing import Generic, TypeVar

from princeps.errors import RunError
from princeps.model.formatting import shortened
from princeps.model.numbers import read_seconds
from princeps.model.randomness import Stream
from princeps.wording import either

SHARES = ("loss", "duplicates")
MAX_GARBAGE = 1e6  # frames a second
TOO_LATE = "the run ended before"  # why something that was planned has not happened
REMEDY = (
    "give parts like 'loss 20%', 'duplicates 20%', '5s: kill leader', '1s: kill random every 0.5s until 60s', '6s: pause 3 for 2s', "
    "'8s: cut 0-4|5-9 for 3s' or 'garbage 100/s', with ; between"
)


@dataclass(frozen=True)
class Kill:
    at: float
    whom: str  # a number, "leader" or "random"
    every: float = inf
    until: float = inf

    @property
    def words(self) -> str:
        return f"{self.at:g}s: kill {self.whom}"


@dataclass(frozen=True)
class Pause:
    at: float
    whom: str  # a number, "leader" or "random"
    seconds: float
    every: float = inf
    until: float = inf

    @property
    def words(self) -> str:
        return f"{self.at:g}s: pause {self.whom} for {self.seconds:g}s"


@dataclass(frozen=True)
class Cut:
    """Frames between two groups of agents are lost, in both directions."""

    at: float
    seconds: float
    first: frozenset[int]
    second: frozenset[int]

    def separates(self, i: int, j: int) -> bool:
        return (i in self.first and j in self.second) or (i in self.second and j in self.first)


@dataclass(frozen=True)
class Chaos:
    loss: float = 0.0
    duplicates: float = 0.0
    kills: tuple[Kill, ...] = ()
    cuts: tuple[Cut, ...] = ()
    pauses: tuple[Pause, ...] = ()
    garbage: float = 0.0  # frames a second

    def cuts_at(self, seconds: float) -> tuple[Cut, ...]:
        return tuple(cut for cut in self.cuts if cut.at <= seconds < cut.at + cut.seconds)

    def next_change(self, seconds: float) -> float:
        """The next moment at which a cut begins or ends."""
        moments = [moment for cut in self.cuts for moment in (cut.at, cut.at + cut.seconds)]
        return min((moment for moment in moments if moment > seconds), default=inf)

    def cuts_after(self, seconds: float) -> list[str]:
        """Those that begin later than that: in a run that has ended, those that were none."""
        return [f"{cut.at:g}s: cut for {cut.seconds:g}s ({TOO_LATE})" for cut in self.cuts if cut.at >= seconds]


def read_chaos(text: str | None, n: int, remedy: str = REMEDY) -> Chaos:
    found: dict[str, float] = {}
    kills, pauses, cuts = list[Kill](), list[Pause](), list[Cut]()
    option = either("--chaos", "chaos")
    for part in (text or "").split(";"):
        words = part.strip()
        share = re.fullmatch(r"(\w+)\s+([0-9.]+)\s*%", words)
        garbage = re.fullmatch(r"garbage\s+([0-9]+(?:\.[0-9]+)?)\s*/\s*s", words)
        strike = re.fullmatch(
            r"([^:]+):\s*(kill|pause)\s+(\w+)(?:\s+for\s+(\S+))?(?:\s+every\s+(\S+)(?:\s+until\s+(\S+))?)?", words
        )
        cut = re.fullmatch(r"([^:]+):\s*cut\s+([0-9,-]+)\|([0-9,-]+)\s+for\s+(\S+)", words)
        groups = None if cut is None else (_group(cut[2], n), _group(cut[3], n))
        if not words:
            continue
        once = "garbage" if garbage is not None else "" if share is None else share[1]
        if once in found:
            raise RunError(f"{option} says {once} twice, the second time {words!r}: say it once.")
        if share is not None and share[1] in SHARES and _is_share(share[2]):
            found[share[1]] = float(share[2]) / 100
        elif garbage is not None and 0 < float(garbage[1]) <= MAX_GARBAGE:
            found["garbage"] = float(garbage[1])
        elif strike is not None and _is_victim(strike[3], n) and (strike[4] is not None) == (strike[2] == "pause"):
            at = read_seconds(strike[1], option)
            every, until = (inf if text is None else read_seconds(text, option) for text in strike.groups()[4:])
            if until < at:
                raise RunError(f"{option} {words!r} ends before it begins: give until a time of {strike[1]} or later.")
            if strike[4] is None:
                kills.append(Kill(at, strike[3], every, until))
            else:
                pauses.append(Pause(at, strike[3], read_seconds(strike[4], option), every, until))
        elif cut is not None and groups is not None and all(groups) and not groups[0] & groups[1]:
            cuts.append(Cut(read_seconds(cut[1], option), read_seconds(cut[4], option), *groups))
        else:
            why = _complaint(words, n)
            raise RunError(f"{option} {shortened(words)!r} {why or f'is not understood: {remedy}'}.")
    return Chaos(kills=tuple(kills), cuts=tuple(cuts), pauses=tuple(pauses), **found)


def _complaint(words: str, n: int) -> str:
    """What is wrong with a part whose form is right; "" if it is not."""
    share = re.fullmatch(rf"({'|'.join(SHARES)})\s+([0-9]+(?:\.[0-9]+)?)\s*%", words)
    if share is not None:
        return f"is no share of frames: give {share[1]} below 100%"
    acts = re.fullmatch(r"[^:]+:\s*(?:kill|pause|cut)\s+([0-9,|-]+)(?:\s.*)?", words)
    if acts is None:
        return ""
    unknown = [number for number in map(int, re.findall(r"[0-9]{1,9}", acts[1])) if number >= n]
    if unknown:
        return f"names {unknown[0]}: the numbers are 0 to {n - 1}"
    first, _, second = acts[1].partition("|")
    both = sorted(_group(first, n) & _group(second, n)) if second else []
    return f"has {both[0]} on both sides: give each to one of them" if both else ""


def _is_share(text: str) -> bool:
    return re.fullmatch(r"[0-9]+(\.[0-9]+)?", text) is not None and float(text) < 100


def _group(text: str, n: int) -> frozenset[int]:
    """0-4,7 as agents; none if it is not understood."""
    found: set[int] = set()
    for part in text.split(","):
        ends = part.split("-")
        if len(ends) > 2 or not all(_is_agent(end, n) for end in ends):
            return frozenset()
        found |= set(range(int(ends[0]), int(ends[-1]) + 1))
    return frozenset(found)


def _is_victim(word: str, n: int) -> bool:
    return word in ("leader", "random") or _is_agent(word, n)


def _is_agent(word: str, n: int) -> bool:
    """Python refuses to read numbers of thousands of digits."""
    return re.fullmatch("[0-9]{1,9}", word) is not None and int(word) < n


Strike = TypeVar("Strike", Kill, Pause)


class StrikeTimes(Generic[Strike]):
    """The kills or pauses of a plan as they come due; `random` and `leader` draw from a stream of their own."""

    def __init__(self, strikes: tuple[Strike, ...], stream: Stream) -> None:
        self.stream = stream
        self._planned: tuple[Strike, ...] = strikes
        self._due: list[Strike] = list(strikes)
        self._in_vain: dict[int, int] = {}  # by its place: how often it came, and found nobody

    @property
    def next(self) -> float:
        return min((strike.at for strike in self._due), default=inf)

    def due(self, seconds: float, running: list[int], leaders: list[int]) -> list[tuple[Strike, int]]:
        """What is done now, and to whom."""
        found = []
        for k, strike in enumerate(self._due):
            if strike.at <= seconds:
                again = strike.at + strike.every
                self._due[k] = replace(strike, at=again if again <= strike.until else inf)
                chosen = (
                    [int(strike.whom)] if strike.whom.isdecimal() else leaders if strike.whom == "leader" else running
                )
                chosen = [agent for agent in chosen if agent in running]
                if chosen:
                    found.append((strike, chosen[self.stream.below(len(chosen))]))
                else:
                    self._in_vain[k] = self._in_vain.get(k, 0) + 1
        return found

    @property
    def not_done(self) -> list[str]:
        """What was planned and has not happened: nobody was there for it, or its moment has not come."""
        found = []
        for k, (planned, now) in enumerate(zip(self._planned, self._due, strict=True)):
            times = self._in_vain.get(k, 0)
            if times:
                why = "nobody led" if planned.whom == "leader" else "nobody was there"
                found.append(f"{planned.words} ({why}{f', {times:,} times' if times > 1 else ''})")
            elif now.at == planned.at:
                found.append(f"{planned.words} ({TOO_LATE})")
        return found

    def victims(self, seconds: float, running: list[int], leaders: list[int]) -> list[int]:
        """To whom something is done now."""
        return [victim for _, victim in self.due(seconds, running, leaders)]
