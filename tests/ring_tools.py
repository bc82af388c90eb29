"""What the tests of rings share: runs, rings of a class, and tables as a user sees them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import princeps
from princeps.engines.rings.simulate import simulate_ring, trace_ring
from princeps.engines.rings.survey import asymmetric_rings
from princeps.model.rings.algorithm import RingAlgorithm
from princeps.model.rings.event import Event
from princeps.model.rings.reading import make_ring_run
from princeps.model.rings.result import RingResult
from princeps.model.rings.ring import Ring
from princeps.model.rings.run import RingRun
from tests.conftest import Outcome

A_2 = ("run", "a_k", "--labels", "1,2,2", "-p", "k=2")
SEEDED = (*A_2, "--seed", 7)
TRIALS = ("run", "a_k", "--random", "n=5,labels=4,max=2", "-p", "k=2", "--schedule", "random", "--seed", 3)
CONTRACT = {
    *("protocol", "params", "n", "labels", "schedule", "seed", "converged", "leader", "leader_label"),
    *("time", "messages", "max_bits", "seconds"),
}


def rows_of(outcome: Outcome) -> dict[str, str]:
    """The table below its title."""
    pairs = (line.split("  ", 1) for line in outcome.stdout.splitlines()[1:])
    return {name.strip(): value.strip() for name, value in pairs}


LIBRARY = princeps.library("ring")
AT_ONCE = ("a_k", "chang_roberts", "itai_rodeh")  # words, numbers and coins; `make test-slow` compiles the others
SMALLEST_K = {"a_k": 1, "b_k": 2, "u_k": 1}
ABOUT_THE_RUN = ("seconds", "engine", "why", "command")


def compiled(*without: str) -> list[Any]:
    """The library for tests of the compiled engine, which takes five seconds to compile each of it."""
    names = [name for name in LIBRARY if name not in without]
    return [name if name in AT_ONCE else pytest.param(name, marks=pytest.mark.slow) for name in names]


def planned(name: str | type[RingAlgorithm], labels: Any, engine: str = "reference", **more: Any) -> RingRun:
    return make_ring_run(name, labels=labels, engine=engine, **more)


def elected(name: str | type[RingAlgorithm], labels: Any, engine: str = "compiled", **more: Any) -> RingResult:
    return simulate_ring(planned(name, labels, engine, **more))


def traced(run: RingRun) -> tuple[list[Event], RingResult]:
    events: list[Event] = []
    return events, trace_ring(run, events.append)


def rings_of_class(most_n: int, most_k: int, smallest_k: int) -> Iterator[tuple[Ring, int]]:
    """Every asymmetric ring over three labels, with every k that is large enough."""
    for n in range(2, most_n + 1):
        for ring in asymmetric_rings(n, 3):
            for k in range(max(smallest_k, ring.multiplicity), most_k + 1):
                yield ring, k


def random_asymmetric(n: int, labels: int, draw: random.Random) -> Ring:
    while (ring := Ring(tuple(draw.randrange(labels) for _ in range(n)))).symmetric:
        pass
    return ring
