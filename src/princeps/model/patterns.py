"""Schedulers in orders that no fair scheduler gives: what is claimed of every execution must hold under them, too."""

from __future__ import annotations

from dataclasses import dataclass

from princeps.model.randomness import Stream
from princeps.model.scheduler import Drawing, Pair, Scheduler
from princeps.model.topology import COMPLETE, DIRECTED_RING, Topology

LONGEST_BURST = 5  # meetings of one pair in a row
CLIQUE_STEPS = 200  # for which a few agents meet nobody else


@dataclass(frozen=True)
class Patterned(Scheduler):
    """One of PATTERNS, by its name."""

    text: str

    def drawing(self, topology: Topology, stream: Stream) -> Drawing:
        return PATTERNS[self.text](topology, stream)

    def choices(self, topology: Topology) -> Topology:
        """Neighbours are those of the ring, also on the complete graph."""
        in_order = PATTERNS[self.text] in (Forwards, Backwards)
        return Topology(DIRECTED_RING, topology.n, topology.text) if in_order else topology

    def refusal(self, topology: Topology) -> str | None:
        if topology.kind in (COMPLETE, DIRECTED_RING):
            return None
        return (
            f"scheduler {self.text!r} is for rings and the complete graph, not for {topology.text!r}: leave one of "
            f"them out."
        )


class Forwards(Drawing):
    """Neighbours one after the other, in the order of the agents."""

    position = -1

    def next(self) -> Pair:
        self.position = (self.position + 1) % self.topology.n
        return self.position, (self.position + 1) % self.topology.n


class Backwards(Drawing):
    """Neighbours one after the other, against the order."""

    position = 0

    def next(self) -> Pair:
        self.position = (self.position - 1) % self.topology.n
        return self.position, (self.position + 1) % self.topology.n


class Bursts(Drawing):
    """A random pair meets several times in a row."""

    left, pair = 0, (0, 1)

    def next(self) -> Pair:
        if self.left == 0:
            self.pair = self.topology.arc(self.stream.below(self.topology.arc_count))
            self.left = 1 + self.stream.below(LONGEST_BURST)
        self.left -= 1
        return self.pair


class Cliques(Drawing):
    """A few agents meet only one another for a while; on a ring, a stretch of neighbours."""

    left = first = size = 0

    def next(self) -> Pair:
        n, below = self.topology.n, self.stream.below
        if self.left == 0:
            self.first, self.size, self.left = below(n), 2 + below(max(1, n // 2 - 1)), CLIQUE_STEPS
        self.left -= 1
        if self.topology.kind == DIRECTED_RING:
            i = (self.first + below(self.size)) % n
            return i, (i + 1) % n
        k, m = divmod(below(self.size * (self.size - 1)), self.size - 1)
        return (self.first + k) % n, (self.first + m + (m >= k)) % n


PATTERNS: dict[str, type[Drawing]] = {
    "forwards": Forwards,
    "backwards": Backwards,
    "bursts": Bursts,
    "cliques": Cliques,
}
