"""Adversaries that look one step ahead: of some arcs that are drawn, they take the one with the worst outcome.

`greedy:K` draws K arcs uniformly and takes the first whose interaction leaves the number of leaders as far from one as any of
them. With K = 1 it is the uniform scheduler, draw for draw. Every arc keeps a positive probability, so that what is reached with
probability 1 under the uniform scheduler still is; K is how much of an adversary it is.

An object of the user's with `potential(agent)`, a number, is such an adversary, too: it wants the sum over all agents to
be large. Its attribute `samples` says how many arcs are drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Protocol

from princeps.errors import RunError
from princeps.model.numbers import natural
from princeps.model.randomness import Stream
from princeps.model.scheduler import Drawing, Pair, Scheduler, asked
from princeps.model.states import State
from princeps.model.topology import Topology
from princeps.model.values import is_finite, whole_number

GREEDY = "greedy"
SAMPLES = 4  # arcs that are looked at, where it is not said how many
MAX_SAMPLES = 10_000  # each costs as much as a step in plain Python


class Foreseeing(Protocol):
    """What an engine shows to a scheduler that looks ahead."""

    protocol: Any
    states: list[State]

    def foresee(self, i: int, j: int) -> Sequence[tuple[Fraction | int, tuple[State, State]]]:
        """What an interaction may make of two agents, with probabilities; both unchanged if it does nothing."""


class LookAhead(Scheduler):
    """`make` gives an object with `potential`; None: the number of leaders is to be far from one."""

    sees_configuration: ClassVar[bool] = True

    def __init__(self, samples: int = SAMPLES, text: str = "", make: Callable[[], Any] | None = None) -> None:
        self.samples, self.text, self.make = samples, text, make

    def drawing(self, topology: Topology, stream: Stream) -> Drawing:
        return LookAheadDrawing(self, topology, stream)

    @property
    def content(self) -> Any:
        if self.make is not None:
            raise RunError("a potential of your own has no identity: use princeps run, not a sweep.")
        return f"{GREEDY}:{self.samples}"


class LookAheadDrawing(Drawing):
    def __init__(self, scheduler: LookAhead, topology: Topology, stream: Stream) -> None:
        super().__init__(topology, stream)
        self.scheduler = scheduler
        self.chooser = None if scheduler.make is None else asked(scheduler.make)

    def next(self) -> Pair:
        below, arcs = self.stream.below, self.topology.arc_count
        drawn = [self.topology.arc(below(arcs)) for _ in range(self.scheduler.samples)]
        if len(drawn) == 1:
            return drawn[0]
        seen = self._seen()
        leaders = 0 if self.chooser is not None else sum(map(seen.protocol.leads, seen.states))
        return max(drawn, key=lambda pair: self._worth(seen, pair, leaders))  # the first of the best

    def _seen(self) -> Foreseeing:
        if self.foresight is None:
            raise RunError("this scheduler looks one step ahead: use --engine reference.")
        found: Foreseeing = self.foresight
        return found

    def _worth(self, seen: Foreseeing, pair: Pair, leaders: int) -> Any:
        """The expected potential after an interaction, less what it is now of all agents or of these two."""
        before = seen.states[pair[0]], seen.states[pair[1]]
        worth: Any = 0
        for share, after in seen.foresee(*pair):
            if self.chooser is None:
                leads = seen.protocol.leads
                worth += share * abs(leaders - sum(map(leads, before)) + sum(map(leads, after)) - 1)
            elif after != before:
                worth += share * (sum(map(self._potential, after)) - sum(map(self._potential, before)))
        return worth

    def _potential(self, state: State) -> Any:
        assert self.chooser is not None
        found = asked(self.chooser.potential, self._seen().protocol.agent(state))
        if not is_finite(found):
            raise RunError(f"the scheduler's potential is {found!r}: potential(agent) must return a finite number.")
        return found


def read_greedy(text: str) -> LookAhead:
    """`greedy` or `greedy:K`."""
    given = text.partition(":")[2] if ":" in text else str(SAMPLES)
    samples = natural(given)
    if samples is None or not 1 <= samples <= MAX_SAMPLES:
        raise RunError(
            f"scheduler {text!r}: {given!r} is no number of arcs to look at: give 1 to {MAX_SAMPLES:,}, like greedy:4."
        )
    return LookAhead(samples, text)


def samples_of(found: Any, text: str) -> int:
    """How many arcs an object of the user's wants to look at."""
    samples = whole_number(getattr(found, "samples", SAMPLES))
    if samples is None or not 1 <= samples <= MAX_SAMPLES:
        name = text or type(found).__name__
        raise RunError(
            f"scheduler {name!r}: samples = {found.samples!r} is no number of arcs: give 1 to {MAX_SAMPLES:,}."
        )
    return samples
