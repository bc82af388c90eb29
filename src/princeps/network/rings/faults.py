"""What befalls the links and processes of a ring, in virtual time and over TCP alike."""

from __future__ import annotations

from dataclasses import dataclass

from princeps.errors import RunError
from princeps.network.chaos import TOO_LATE, Pause
from princeps.network.chaos import Kill as TimedKill
from princeps.network.rings.restart import RESTARTS


@dataclass(frozen=True)
class Partition:
    """These links carry nothing for a while; link i leads from process i to the next one."""

    begin: float
    end: float
    links: frozenset[int]


@dataclass(frozen=True)
class Kill:
    """The process dies of its action of this number, counted from 1 over all incarnations.

    In virtual time at some moment of carrying it out; over TCP when it has logged it and sent nothing of it.
    """

    process: int
    action: int


@dataclass(frozen=True)
class Faults:
    """`resets` a second, of a random link. Of virtual time only: `delay` in seconds, at most, and `piece` in bytes, at
    most, 0: never divided."""

    delay: float = 0.005
    piece: int = 0
    resets: float = 0.0
    partitions: tuple[Partition, ...] = ()
    kills: tuple[Kill, ...] = ()
    timed_kills: tuple[TimedKill, ...] = ()
    pauses: tuple[Pause, ...] = ()
    garbage: float = 0.0  # connections a second that somebody else makes; over TCP only
    restart: str = ""
    restart_delay: float = 0.05

    def cut_off(self, seconds: float, n: int) -> dict[int, list[int]]:
        """Which processes cannot reach which neighbours at this moment."""
        found: dict[int, list[int]] = {}
        for cut in self.partitions:
            for link in cut.links if cut.begin <= seconds < cut.end else ():
                found.setdefault(link, []).append((link + 1) % n)
                found.setdefault((link + 1) % n, []).append(link)
        return found

    def not_done(self, seconds: float, *strikes: list[str], resets: int = 0) -> list[str]:
        """What was planned for a run that ended after so many seconds, and has not happened."""
        found = [f"reset {self.resets:g}/s (the run ended before the first)"] if self.resets and not resets else []
        for words in strikes:
            found += words
        late = [cut for cut in self.partitions if cut.begin >= seconds]
        return found + [f"{cut.begin:g}s: cut for {cut.end - cut.begin:g}s ({TOO_LATE})" for cut in late]

    def check(self) -> None:
        if self.restart and self.restart not in RESTARTS:
            raise RunError(f"restart {self.restart!r} is not known: give one of {', '.join(RESTARTS)}.")
