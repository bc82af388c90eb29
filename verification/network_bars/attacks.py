"""An attacker that sends as many frames as it can: none is accepted, no node grows, and elections go on."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from network_bars.rows import Row, Sizes, read_run
from princeps.network.launcher import Launcher, Launching
from princeps.network.observer import Observer

AGENTS, RATE = 4, 200_000.0  # frames a second that the attacker would like to send
GROWTH = 1 << 20  # bytes that a node may grow by: what the allocator of Python takes at once
LONGEST = 1200.0  # seconds
FEWEST = 20  # interactions before and after the first look at the nodes' memory, on whatever machine


@dataclass(frozen=True)
class Attack:
    forged: int
    replayed: int
    refused: int
    growth: int  # bytes of the node that grew most, after the first fifth
    interactions: int  # after the first fifth
    replay: str
    torn: int
    failure: str

    def holds(self, frames: int) -> bool:
        calm = self.replay == "agrees" and not (self.torn or self.failure) and self.refused <= self.forged
        return calm and self.forged + self.replayed >= frames and self.growth < GROWTH and self.interactions > FEWEST


def attack(frames: int) -> Attack:
    """Frames that are refused are counted by the nodes; one that does not arrive, since its buffer is full, is not. The attack
    goes on until a tenth has arrived and agents have met meanwhile, so that neither a fast nor a busy machine decides."""
    run = read_run("timer", AGENTS, seed=1)
    observer = Observer(run)
    with Launcher(run, Launching(rate=5.0, garbage=RATE)) as launcher:
        nodes = [process.pid for process in launcher.processes.values() if process.agents]

        def listen(wanted: int, interactions: int) -> None:
            end, counters = time.monotonic() + LONGEST, observer.counters
            while time.monotonic() < end and (
                counters.forged + counters.replayed < wanted
                or counters.told("bad_frames") < wanted // 10
                or observer.replay.interactions <= interactions
            ):
                for line in launcher.read(0.1):
                    observer.read(line, launcher.seconds)

        listen(frames // 5, FEWEST)
        early, met = [resident(pid) for pid in nodes], observer.replay.interactions
        listen(frames, met + FEWEST)
        late = [resident(pid) for pid in nodes]
        launcher.stop()
        launcher.end()
        while launcher.processes:
            for line in launcher.read(0.1):
                observer.read(line, launcher.seconds)
    observer.finish(launcher.seconds)
    counters = observer.counters
    return Attack(
        counters.forged,
        counters.replayed,
        counters.told("bad_frames"),
        max(after - before for before, after in zip(early, late, strict=True)),
        observer.replay.interactions - met,
        observer.replay.verdict,
        counters.torn,
        launcher.failure,
    )


def resident(pid: int) -> int:
    """Bytes."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


def rows(sizes: Sizes) -> Iterator[Row]:
    found = attack(sizes.frames)
    yield Row(
        f"attacker process, {sizes.frames:,} frames: random, truncated, oversized, bit-flipped, redirected, replayed, another key",
        f"{found.forged:,} forged of which {found.refused:,} arrived and were refused, {found.replayed:,} replayed; resident "
        f"memory of nodes grew by at most {found.growth / 1024:,.0f} KiB; {found.interactions:,} interactions meanwhile; "
        f"replay {found.replay}{'; ' + found.failure if found.failure else ''}",
        "none accepted (every state as the model says), memory flat (less than 1 MiB), elections go on",
        found.holds(sizes.frames),
    )
