"""A_k and B_k over TCP connections that are reset and cut: the messages of the simulator, one by one, and the true leader."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from network_bars.rows import Row, Sizes
from princeps.engines.rings.simulate import simulate_ring
from princeps.model.rings.reading import make_ring_run
from princeps.model.rings.ring import Ring
from princeps.network.rings.faults import Faults, Partition
from princeps.network.rings.launcher import play_over_tcp

LARGEST = 12
RESETS = 40.0  # a second


@dataclass
class Elections:
    rings: int = 0
    exact: int = 0  # true leader, exact messages, replay agrees
    messages: int = 0
    resent: int = 0
    difference: str = ""


def storm(draw: random.Random, n: int) -> Faults:
    """Resets all the time, and two partitions of random links."""
    begins = [draw.uniform(0.02, 0.2) for _ in range(2)]
    links = [frozenset(draw.sample(range(n), draw.randrange(1, n))) for _ in begins]
    cuts = [Partition(at, at + draw.uniform(0.05, 0.3), own) for at, own in zip(begins, links, strict=True)]
    return Faults(resets=RESETS, partitions=tuple(cuts))


def random_ring(draw: random.Random) -> Ring:
    n, labels = draw.randrange(2, LARGEST + 1), draw.randrange(2, 7)
    while (ring := Ring(tuple(draw.randrange(labels) for _ in range(n)))).symmetric:
        pass
    return ring


def elect(name: str, rings: int) -> Elections:
    found = Elections()
    for seed in range(rings):
        draw = random.Random(seed)
        ring = random_ring(draw)
        run = make_ring_run(name, labels=ring, engine="reference", k=max(2, ring.multiplicity))
        result, simulated = play_over_tcp(run, storm(draw, ring.n), seed), simulate_ring(run)
        measured = result.converged, result.leader, result.messages, result.max_bits, result.replay
        expected = True, ring.true_leader, simulated.messages, simulated.max_bits, "agrees"
        found.rings += 1
        found.exact += measured == expected
        found.messages += result.messages
        found.resent += result.counters["resent"]
        if measured != expected and not found.difference:
            found.difference = f"; ring {ring.labels}: {measured} instead of {expected}"
    return found


def rows(sizes: Sizes) -> Iterator[Row]:
    for name in ("a_k", "b_k"):
        found = elect(name, sizes.rings)
        yield Row(
            f"{name} on {found.rings} random rings, n <= {LARGEST}, TCP, {RESETS:g} resets a second and partitions",
            f"{found.exact} of {found.rings} exact, {found.messages:,} messages, {found.resent:,} sent again{found.difference}",
            "exact message counts, the true leader",
            found.exact == found.rings,
        )
