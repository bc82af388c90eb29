"""The scheduler of a population: which ordered pair of agents interacts next.

A scheduler is an object that engines ask for what they need to know; none of them knows it by name.

    UniformArcs     every arc of the graph is equally likely: the scheduler of the papers, and the default
    SelfMeeting     two agents are drawn independently, so that an agent may meet itself, which changes nothing
    WeightedArcs    an arc is drawn with probability proportional to its weight
    ListedPairs     a given list, to its end
    Patterned       orders that no fair scheduler gives (patterns.py)
    Adversary       an object written by a user, which sees the configuration
    LookAhead       of some arcs that are drawn, the one with the worst outcome (look_ahead.py)

Whatever is random comes from the run's own stream "schedule". A pair (i, i) is a step at which nothing changes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any, ClassVar

from princeps.errors import PrincepsError, RunError, StateError
from princeps.model.randomness import Stream
from princeps.model.topology import ARCS, COMPLETE, Topology
from princeps.model.user_code import FAILURES, beginning_of, in_words, place_of
from princeps.model.values import whole_number

Pair = tuple[int, int]
CHOOSING = "next_pair(configuration, step, draw)"  # what a user's scheduler has


class Drawing(ABC):
    """The pairs of one run as they are drawn. Its state can be kept, so that a run can be taken back."""

    def __init__(self, topology: Topology, stream: Stream) -> None:
        self.topology, self.stream = topology, stream
        self.look: Callable[[], Sequence[Any]] | None = None  # set by an engine that can show the configuration
        self.foresight: Any = None  # and what an interaction would make of it (look_ahead.py)

    @abstractmethod
    def next(self) -> Pair | None:
        """The next pair; None at the end of a given list. This is the definition: compiled engines draw the same."""

    def snapshot(self) -> Any:
        return self.stream.words, {
            name: deepcopy(value) for name, value in vars(self).items() if name not in UNCHANGING_ATTRIBUTES
        }

    def restore(self, saved: Any) -> None:
        self.stream.words, own = saved
        for name in [name for name in vars(self) if name not in UNCHANGING_ATTRIBUTES]:
            delattr(self, name)
        vars(self).update(deepcopy(own))


UNCHANGING_ATTRIBUTES = ("topology", "stream", "scheduler", "look", "foresight")  # of a drawing: the same at every step


class Scheduler(ABC):
    """`text` is what follows --scheduler; empty where no command line can say it."""

    text: str
    draws_uniform_arcs: ClassVar[bool] = False  # the law that `events` and `counts` draw from directly
    sees_configuration: ClassVar[bool] = False  # only the reference engine can show it one
    draws_independent_agents: ClassVar[bool] = False  # uniform ones, perhaps the same twice; `agents` draws them itself
    listed: ClassVar[tuple[Pair, ...] | None] = None  # all pairs, if there is an end to them
    draws: ClassVar[tuple[tuple[int, ...], ...]] = ()  # and what the coins of the rule show at each of them, if given
    at_the_end: ClassVar[str] = ""  # what a result says where there was no next pair

    @abstractmethod
    def drawing(self, topology: Topology, stream: Stream) -> Drawing:
        """The beginning of a run."""

    def pairs(self, topology: Topology, stream: Stream) -> Iterator[Pair]:
        """The pairs one after the other."""
        drawing = self.drawing(topology, stream)
        while (pair := drawing.next()) is not None:
            yield pair

    def refusal(self, topology: Topology) -> str | None:
        """A sentence if there is no such scheduler on this graph."""
        return None

    def choices(self, topology: Topology) -> Topology:
        """The graph of the pairs that it may choose, or a larger one."""
        return topology

    def spelled_out(self) -> Scheduler:
        """The same with a text for the command line, however long, where there can be one: for scripts."""
        return self

    @property
    def content(self) -> Any:
        """What the law of a run depends on; part of the identity of a campaign's point."""
        return self.text


@dataclass(frozen=True)
class UniformArcs(Scheduler):
    text: str = "uniform"
    draws_uniform_arcs: ClassVar[bool] = True

    def drawing(self, topology: Topology, stream: Stream) -> Drawing:
        return UniformDrawing(topology, stream)


class UniformDrawing(Drawing):
    def next(self) -> Pair:
        return self.topology.arc(self.stream.below(self.topology.arc_count))


@dataclass(frozen=True)
class SelfMeeting(Scheduler):
    """Initiator and responder are independent and uniform."""

    text: str = "self-meeting"
    draws_independent_agents: ClassVar[bool] = True

    def drawing(self, topology: Topology, stream: Stream) -> Drawing:
        return SelfMeetingDrawing(topology, stream)

    def refusal(self, topology: Topology) -> str | None:
        if topology.kind == COMPLETE:
            return None
        return f"scheduler {self.text!r} is for the complete graph, not for {topology.text!r}: leave one of them out."


class SelfMeetingDrawing(Drawing):
    def next(self) -> Pair:
        return divmod(self.stream.below(self.topology.n * self.topology.n), self.topology.n)


@dataclass(frozen=True)
class WeightedArcs(Scheduler):
    """Arcs with positive integer weights, in the order in which they are numbered for drawing."""

    arcs: tuple[Pair, ...]
    weights: tuple[int, ...]
    text: str = ""

    def drawing(self, topology: Topology, stream: Stream) -> Drawing:
        return WeightedDrawing(self, topology, stream)

    def refusal(self, topology: Topology) -> str | None:
        for i, j in self.arcs:
            if not topology.has_arc(i, j):
                return f"scheduler {self.text or 'weighted'!r}: ({i}, {j}) is no arc of {topology.text!r}: remove it."
        return None

    def choices(self, topology: Topology) -> Topology:
        sources, targets = (array("I", side) for side in zip(*self.arcs, strict=True))
        return Topology(ARCS, topology.n, topology.text, sources, targets)

    def spelled_out(self) -> WeightedArcs:
        rows = (f"{i}-{j}={weight}" for (i, j), weight in zip(self.arcs, self.weights, strict=True))
        return self if self.text else replace(self, text=f"weighted:list:{','.join(rows)}")

    @property
    def content(self) -> Any:
        return ["weighted", [list(arc) for arc in self.arcs], [str(weight) for weight in self.weights]]


class WeightedDrawing(Drawing):
    def __init__(self, scheduler: WeightedArcs, topology: Topology, stream: Stream) -> None:
        super().__init__(topology, stream)
        self.scheduler = scheduler, list(accumulate(scheduler.weights))

    def next(self) -> Pair:
        scheduler, bounds = self.scheduler
        return scheduler.arcs[bisect_right(bounds, self.stream.below(bounds[-1]))]


@dataclass(frozen=True)
class ListedPairs(Scheduler):
    """`text` is what follows --pairs."""

    listed: tuple[Pair, ...]  # type: ignore[misc]
    text: str = ""
    draws: tuple[tuple[int, ...], ...] = ()  # type: ignore[misc]  # what the coins of each pair show; none: they are random
    at_the_end: ClassVar[str] = "the list of pairs ended"

    def drawing(self, topology: Topology, stream: Stream) -> Drawing:
        return ListedDrawing(self, topology, stream)

    def spelled_out(self) -> ListedPairs:
        return self if self.text else replace(self, text="list:" + ",".join(f"{i}-{j}" for i, j in self.listed))

    @property
    def content(self) -> Any:
        content = ["listed", [list(pair) for pair in self.listed]]
        return [*content, [list(shown) for shown in self.draws]] if self.draws else content


class ListedDrawing(Drawing):
    def __init__(self, scheduler: ListedPairs, topology: Topology, stream: Stream) -> None:
        super().__init__(topology, stream)
        self.scheduler, self.position = scheduler, 0

    def next(self) -> Pair | None:
        if self.position == len(self.scheduler.listed):
            return None
        self.position += 1
        return self.scheduler.listed[self.position - 1]


class Adversary(Scheduler):
    """An object of the user's with a method `next_pair(configuration, step, draw)`.

    `configuration` lists the agents with their fields as attributes, `draw(k)` is uniform in 0..k-1 from the run's own
    stream. It returns two agents, or None to end the run.
    """

    sees_configuration: ClassVar[bool] = True
    at_the_end: ClassVar[str] = "the scheduler ended the run"

    def __init__(self, make: Callable[[], Any], text: str = "", force: bool = False) -> None:
        self.make, self.text, self.force = make, text, force

    def drawing(self, topology: Topology, stream: Stream) -> AdversaryDrawing:
        return AdversaryDrawing(self, topology, stream)

    def choices(self, topology: Topology) -> Topology:
        """With force, pairs that are no arcs, too."""
        return Topology(COMPLETE, topology.n, topology.text) if self.force else topology

    @property
    def content(self) -> Any:
        raise RunError("a scheduler that sees the configuration has no identity: use princeps run, not a sweep.")


def asked(function: Callable[..., Any], *arguments: Any) -> Any:
    """What a user's scheduler returns; a mistake in it is reported with file and line."""
    try:
        return function(*arguments)
    except FAILURES as error:
        if isinstance(error, PrincepsError) and not isinstance(error, StateError):
            raise
        begins = beginning_of(function)
        file, line = place_of(error, [begins[0]]) or begins
        where = f"{file}:{line}: " if file else ""
        what = "potential(agent)" if getattr(function, "__name__", "") == "potential" else CHOOSING
        raise RunError(f"{where}the scheduler failed with {in_words(error)} Mend its {what}.") from error


class AdversaryDrawing(Drawing):
    def __init__(self, scheduler: Adversary, topology: Topology, stream: Stream) -> None:
        super().__init__(topology, stream)
        self.scheduler, self.chooser, self.step = scheduler, asked(scheduler.make), 0

    def next(self) -> Pair | None:
        if self.look is None:
            raise RunError("this scheduler sees the configuration: use --engine reference.")
        found = asked(self.chooser.next_pair, self.look(), self.step, self._draw)
        self.step += 1
        return None if found is None else self._checked(found)

    def _draw(self, bound: Any) -> int:
        number = whole_number(bound)
        if number is None or number < 1:
            raise RunError(f"the scheduler draws below {bound!r}: give a positive integer.")
        return self.stream.below(number)

    def _checked(self, found: Any) -> Pair:
        topology = self.topology
        i: int | None
        j: int | None
        try:
            i, j = (whole_number(agent) for agent in found)
        except (TypeError, ValueError):
            i = j = None
        if i is None or j is None:
            raise RunError(
                f"the scheduler chose {found!r}: next_pair must return the numbers of two agents, like (0, 1), or None."
            )
        if not (0 <= i < topology.n and 0 <= j < topology.n):
            raise RunError(
                f"the scheduler chose ({i}, {j}), but the agents are 0..{topology.n - 1}: choose two of them."
            )
        if not (i == j or self.scheduler.force or topology.has_arc(i, j)):
            raise RunError(
                f"the scheduler chose ({i}, {j}), which is no arc of {topology.text!r}: choose another pair."
            )
        return i, j
