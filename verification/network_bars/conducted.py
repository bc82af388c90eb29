"""Conducted runs over UDP beside the reference engine: the same pairs, the same states, one interaction after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from network_bars.rows import Row, Sizes, read_run
from princeps.engines.population import StopCondition
from princeps.engines.reference import Reference
from princeps.model.registry import names
from princeps.model.run import Run
from princeps.network.launcher import Launcher, Launching
from princeps.network.linearize import BEGIN, PAIR, Event, Linearizer
from princeps.network.log import Line

AGENTS, LOSS, DUPLICATES = 10, 0.2, 0.2


@dataclass
class Comparison:
    """The reference engine takes a step for each interaction of the network, which must be the same."""

    reference: Reference
    interactions: int = 0
    repeated: int = 0  # frames
    difference: str = ""

    def see(self, event: Event) -> None:
        reference = self.reference
        if event.kind == PAIR:
            reference.advance(1, StopCondition.NOTHING)
            self.interactions += 1
            if reference.last_pair != (event.i, event.j):
                self.differs(f"{event.i} and {event.j} met, and {reference.last_pair} in the reference engine")
            elif reference.state(event.j) != event.second:
                self.differs(f"agent {event.j} has {event.second}")
        elif event.kind != BEGIN:
            self.differs(f"there is an event {event.kind}")
        if reference.state(event.i) != event.first:
            self.differs(f"agent {event.i} has {event.first}")

    def differs(self, how: str) -> None:
        self.difference = self.difference or f"after {self.interactions:,} interactions {how}"


def compare(run: Run, limit: int) -> Comparison:
    """A conducted run over so many interactions, whenever its goal is reached."""
    found, linearizer = Comparison(Reference(run)), Linearizer(run.n, conducted=True)
    how = Launching(conducted=True, loss=LOSS, duplicates=DUPLICATES, limit=limit, to_goal=False)

    def hear(line: Line) -> None:
        for event in linearizer.feed(line):
            found.see(event)

    with Launcher(run, how) as launcher:
        while not launcher.conductor_ended:
            for line in launcher.read(0.1):
                hear(line)
        launcher.end()
        while launcher.processes:
            for line in launcher.read(0.1):
                hear(line)
        if launcher.failure:
            found.differs(f"a process failed: {launcher.failure}")
    found.repeated = linearizer.counters.told("repeated")
    if found.interactions != limit:
        found.differs("the run ended")
    return found


def rows(sizes: Sizes) -> Iterator[Row]:
    found = {name: compare(read_run(name, AGENTS, seed=2), sizes.conducted_steps) for name in names("population")}
    differing = [f"{name}: {one.difference}" for name, one in found.items() if one.difference]
    interactions, repeated = (
        sum(getattr(one, what) for one in found.values()) for what in ("interactions", "repeated")
    )
    equal = f"{len(found) - len(differing)} of {len(found)} protocols equal, {interactions:,} interactions"
    yield Row(
        f"conducted runs of every population protocol, n = {AGENTS}, UDP, loss {LOSS:.0%}, duplicates {DUPLICATES:.0%}, "
        f"{sizes.conducted_steps:,} interactions each",
        "; ".join([f"{equal}, {repeated:,} frames repeated", *differing]),
        "equal to `reference` in every pair and state",
        not differing,
    )
