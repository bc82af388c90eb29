"""Who may meet whom: an ordered pair of agents is drawn uniformly from the arcs of a graph."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field

COMPLETE, DIRECTED_RING, UNDIRECTED_RING, ARCS = "complete", "ring", "undirected-ring", "arcs"  # kinds of topologies
ALIASES = {"directed-ring": DIRECTED_RING, "directed_ring": DIRECTED_RING, "undirected_ring": UNDIRECTED_RING}


@dataclass(frozen=True)
class Topology:
    """A graph on agents 0..n-1. `sources` and `targets` list its arcs if `kind` is ARCS."""

    kind: str  # complete, ring (i -> i+1), undirected-ring (both ways), arcs
    n: int
    text: str
    sources: array[int] = field(default_factory=lambda: array("I"))
    targets: array[int] = field(default_factory=lambda: array("I"))

    @property
    def arc_count(self) -> int:
        if self.kind == COMPLETE:
            return self.n * (self.n - 1)
        return {DIRECTED_RING: self.n, UNDIRECTED_RING: 2 * self.n}.get(self.kind, len(self.sources))

    @property
    def is_drawn(self) -> bool:
        return is_drawn(self.text)

    def arc(self, k: int) -> tuple[int, int]:
        """The k-th arc, in the order in which every engine numbers them."""
        if self.kind == COMPLETE:
            i, j = divmod(k, self.n - 1)
            return i, j + (j >= i)
        if self.kind == DIRECTED_RING:
            return k, (k + 1) % self.n
        if self.kind == UNDIRECTED_RING:
            i, j = k // 2, (k // 2 + 1) % self.n
            return (j, i) if k % 2 else (i, j)
        return self.sources[k], self.targets[k]

    def has_arc(self, i: int, j: int) -> bool:
        if i == j or not (0 <= i < self.n and 0 <= j < self.n):
            return False
        if self.kind == COMPLETE:
            return True
        if self.kind == DIRECTED_RING:
            return j == (i + 1) % self.n
        if self.kind == UNDIRECTED_RING:
            return (i - j) % self.n in (1, self.n - 1)
        return any(s == i and t == j for s, t in zip(self.sources, self.targets, strict=True))


def is_drawn(text: str) -> bool:
    """Each trial draws a graph of its own."""
    return text_names_a_graph(text) and text.partition(":")[0] in ("regular", "er")


def text_names_a_graph(text: str) -> bool:
    name, colon, _ = ALIASES.get(text, text).partition(":")
    if colon:
        return name in ("grid", "torus", "regular", "er")
    return name in (COMPLETE, DIRECTED_RING, UNDIRECTED_RING, "path", "star")
