"""The scheduler of a population: which ordered pair of agents interacts next.

A scheduler is an object that engines ask for what they need to know; none of them knows it by name.

    UniformArcs     every arc of the graph is equally likely: the scheduler of the papers, and the default
    SelfMeeting     two agents are drawn independently, so that an agent may meet itself, which changes nothing
    WeightedArcs    an arc is drawn with probability proportional to its weight
    ListedPairs     a given list, to its end
    Patterned       orders that no fair scheduler gives: forwards, backwards, bursts, cliques
    Adversary       an object written by a user, which sees the configuration

Whatever is random comes from the run's own stream "schedule". A pair (i, i) is a step at which nothing changes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, ClassVar

from princeps.errors import RunError
from princeps.model.randomness import Stream
from princeps.model.topology import COMPLETE, RING, Topology

Pair = tuple[int, int]
LONGEST_BURST = 5  # meetings of one pair in a row
CLIQUE_STEPS = 200  # for which a few agents meet nobody else


class Scheduler(ABC):
    """`text` is what follows --scheduler; empty where no command line can say it."""

    text: str
    draws_uniform_arcs: ClassVar[bool] = False  # the law that `events` and `counts` draw from directly
    sees_configuration: ClassVar[bool] = False  # only the reference engine can show it one
    listed: ClassVar[tuple[Pair, ...] | None] = None  # all pairs, if there is an end to them

    @abstractmethod
    def pairs(self, topology: Topology, stream: Stream) -> Iterator[Pair]:
        """The pairs one after the other. This is the definition; compiled engines draw the same ones."""

    def refusal(self, topology: Topology) -> str | None:
        """A sentence if there is no such scheduler on this graph."""
        return None

    @property
    def content(self) -> Any:
        """What the law of a run depends on; part of the identity of a campaign's point."""
        return self.text


@dataclass(frozen=True)
class UniformArcs(Scheduler):
    text: str = "uniform"
    draws_uniform_arcs: ClassVar[bool] = True

    def pairs(self, topology: Topology, stream: Stream) -> Iterator[Pair]:
        count, arc, below = topology.arc_count, topology.arc, stream.below
        while True:
            yield arc(below(count))


@dataclass(frozen=True)
class SelfMeeting(Scheduler):
    """Initiator and responder are independent and uniform."""

    text: str = "self-meeting"

    def pairs(self, topology: Topology, stream: Stream) -> Iterator[Pair]:
        n, below = topology.n, stream.below
        while True:
            yield divmod(below(n * n), n)

    def refusal(self, topology: Topology) -> str | None:
        if topology.kind == COMPLETE:
            return None
        return f"scheduler {self.text!r} is for the complete graph, not for {topology.text!r}: leave one of them out."


@dataclass(frozen=True)
class WeightedArcs(Scheduler):
    """Arcs with positive integer weights, in the order in which they are numbered for drawing."""

    arcs: tuple[Pair, ...]
    weights: tuple[int, ...]
    text: str = ""

    def pairs(self, topology: Topology, stream: Stream) -> Iterator[Pair]:
        bounds = list(accumulate(self.weights))
        while True:
            yield self.arcs[bisect_right(bounds, stream.below(bounds[-1]))]

    def refusal(self, topology: Topology) -> str | None:
        for i, j in self.arcs:
            if not topology.has_arc(i, j):
                return f"scheduler {self.text or 'weighted'!r}: ({i}, {j}) is no arc of {topology.text!r}: remove it."
        return None

    @property
    def content(self) -> Any:
        return ["weighted", [list(arc) for arc in self.arcs], [str(weight) for weight in self.weights]]


@dataclass(frozen=True)
class ListedPairs(Scheduler):
    """`text` is what follows --pairs."""

    listed: tuple[Pair, ...]  # type: ignore[misc]
    text: str = ""

    def pairs(self, topology: Topology, stream: Stream) -> Iterator[Pair]:
        return iter(self.listed)

    @property
    def content(self) -> Any:
        return ["listed", [list(pair) for pair in self.listed]]


@dataclass(frozen=True)
class Patterned(Scheduler):
    """An order that no fair scheduler gives: what is claimed of every execution must hold under it, too."""

    text: str

    def pairs(self, topology: Topology, stream: Stream) -> Iterator[Pair]:
        return PATTERNS[self.text](topology, stream)

    def refusal(self, topology: Topology) -> str | None:
        if topology.kind in (COMPLETE, RING):
            return None
        return (
            f"scheduler {self.text!r} is for rings and the complete graph, not for {topology.text!r}: leave one of "
            f"them out."
        )


class Adversary(Scheduler):
    """An object of the user's with a method `next_pair(configuration, step, draw)`.

    `configuration` lists the agents with their fields as attributes, `draw(k)` is uniform in 0..k-1 from the run's own
    stream. It returns two agents, or None to end the run.
    """

    sees_configuration: ClassVar[bool] = True

    def __init__(self, make: Callable[[], Any], text: str = "") -> None:
        self.make, self.text = make, text

    def pairs(self, topology: Topology, stream: Stream) -> Iterator[Pair]:
        raise RunError("this scheduler sees the configuration: use --engine reference.")

    def pairs_seeing(
        self, topology: Topology, stream: Stream, look: Callable[[], Sequence[Any]], force: bool = False
    ) -> Iterator[Pair]:
        """The same where an engine shows the configuration before every step."""
        chooser, step = self.make(), 0
        while True:
            found = chooser.next_pair(look(), step, stream.below)
            if found is None:
                return
            yield self._checked(found, topology, force)
            step += 1

    def _checked(self, found: Any, topology: Topology, force: bool) -> Pair:
        try:
            i, j = (int(agent) for agent in found)
        except (TypeError, ValueError):
            raise RunError(f"the scheduler chose {found!r}: next_pair must return two agents, or None.") from None
        if not (i == j and 0 <= i < topology.n) and not (topology.has_arc(i, j) or force):
            raise RunError(
                f"the scheduler chose ({i}, {j}), which is no arc of {topology.text!r}: choose another pair."
            )
        return i, j

    @property
    def content(self) -> Any:
        raise RunError("a scheduler that sees the configuration has no identity: use princeps run, not a sweep.")


# -- patterns ------------------------------------------------------------------------------------------------------


def bursts(topology: Topology, stream: Stream) -> Iterator[Pair]:
    """A random pair meets several times in a row."""
    while True:
        pair = topology.arc(stream.below(topology.arc_count))
        for _ in range(1 + stream.below(LONGEST_BURST)):
            yield pair


def forwards(topology: Topology, stream: Stream) -> Iterator[Pair]:
    """Neighbours one after the other, in the order of the agents."""
    while True:
        for i in range(topology.n):
            yield i, (i + 1) % topology.n


def backwards(topology: Topology, stream: Stream) -> Iterator[Pair]:
    """Neighbours one after the other, against the order."""
    while True:
        for i in reversed(range(topology.n)):
            yield i, (i + 1) % topology.n


def cliques(topology: Topology, stream: Stream) -> Iterator[Pair]:
    """A few agents meet only one another for a while; on a ring, a stretch of neighbours."""
    n = topology.n
    while True:
        first, size = stream.below(n), 2 + stream.below(max(1, n // 2 - 1))
        for _ in range(CLIQUE_STEPS):
            if topology.kind == RING:
                i = (first + stream.below(size)) % n
                yield i, (i + 1) % n
            else:
                k, m = divmod(stream.below(size * (size - 1)), size - 1)
                yield (first + k) % n, (first + m + (m >= k)) % n


PATTERNS: dict[str, Callable[[Topology, Stream], Iterator[Pair]]] = {
    "forwards": forwards,
    "backwards": backwards,
    "bursts": bursts,
    "cliques": cliques,
}
NAMES = ("uniform", "self-meeting", "weighted:FILE", *PATTERNS, "FILE.py:NAME")
