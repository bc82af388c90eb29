"""When does exactly one agent lead, for good? The model's law of it, from the very configuration that the last fault left.

L_k is the number of leaders k interactions after the last fault, for k = 0 .. w. A run *settles after s* if L_s = ... = L_w = 1
and s is the smallest such number; if L_w is not 1 it does not settle. Both the network and the model are asked this, over the
same window w, from the same configuration.

A network run obeys the law if it settles, and not later than all of the simulated runs: with a thousand of them, a run that
has the law is refused once in 1,001 times for that. Nothing of it is chosen after a run is seen: w depends on n alone, and
the configuration is what the log says.

A self-stabilizing protocol that has settled stays so. A loosely-stabilizing one (`timer`, `p_pl`) may lose its leader again
within the window, in the model as on the network: that is part of its law, and `lost_again` says how often it happened.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from princeps.engines.population import StopCondition
from princeps.engines.simulate import make_population
from princeps.model.run import Run
from princeps.model.states import State
from princeps.network.linearize import PAIR, SET, Event
from princeps.network.observer import Observer


def window_of(n: int) -> int:
    """Interactions that are looked at: several times what the protocols of the bars take from random states."""
    return 16 * n * n


class Settling:
    """Sees the number of leaders after every interaction from 0 on."""

    def __init__(self, window: int) -> None:
        self.window, self.met = window, 0
        self.leaders = 1  # as last seen
        self.unsettled = self.first = -1  # the last interaction with another number of leaders; the first one with one

    def see(self, met: int, leaders: int) -> None:
        """There are so many leaders from the interaction `met` on; calls come in the order of interactions."""
        if met > self.window:
            met = self.window + 1
        if self.met < met and self.leaders != 1:
            self.unsettled = met - 1
        self.met, self.leaders = met, leaders
        if leaders == 1 and self.first < 0 and met <= self.window:
            self.first = met

    @property
    def is_complete(self) -> bool:
        return self.met > self.window

    @property
    def settled_after(self) -> int | None:
        """None: there is not exactly one leader at the end of the window."""
        assert self.is_complete
        return None if self.unsettled >= self.window else self.unsettled + 1

    @property
    def lost_again(self) -> bool:
        """Exactly one led, and then not."""
        return 0 <= self.first <= self.unsettled


@dataclass
class Witness:
    """Listens to a network run: the configuration after the last restart, and what followed it."""

    observer: Observer
    window: int
    configuration: tuple[State, ...] = ()
    at: int = 0
    faults: int = 0
    settling: Settling = field(init=False)
    pairs: dict[tuple[int, int], int] = field(default_factory=dict)  # within the window: who met, and how often

    def __post_init__(self) -> None:
        self.settling = Settling(self.window)
        self.observer.heard = self.hear

    def hear(self, event: Event) -> None:
        replay = self.observer.replay
        if event.kind == SET:
            self.configuration, self.at = tuple(replay.population.states), replay.interactions
            self.faults, self.settling, self.pairs = self.faults + 1, Settling(self.window), {}
        elif event.kind == PAIR and not self.settling.is_complete:
            self.pairs[event.i, event.j] = self.pairs.get((event.i, event.j), 0) + 1
        self.settling.see(replay.interactions - self.at, replay.population.leaders)


@dataclass(frozen=True)
class Law:
    settled: tuple[int | None, ...]  # of each simulated run
    lost_again: int

    def as_late(self, settled_after: int) -> int:
        """The simulated runs that settle after so many interactions, or later, or not."""
        return sum(one is None or one >= settled_after for one in self.settled)

    def is_obeyed(self, settled_after: int | None) -> bool:
        return settled_after is not None and self.as_late(settled_after) > 0

    def quantile(self, share: float) -> int | None:
        """None: so many do not settle."""
        ordered = sorted(self.settled, key=lambda one: (one is None, one or 0))
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def law_of(run: Run, configuration: Sequence[State], window: int, simulations: int) -> Law:
    """By the engine `agents`, with uniform pairs."""
    found = [_settling(run, trial, configuration, window) for trial in range(simulations)]
    return Law(tuple(one.settled_after for one in found), sum(one.lost_again for one in found))


def _settling(run: Run, trial: int, configuration: Sequence[State], window: int) -> Settling:
    found = Settling(window)
    for met, leaders in _changes(replace(run, trial=trial, engine="agents"), configuration, window):
        found.see(met, leaders)
    return found


def _changes(run: Run, configuration: Sequence[State], window: int) -> Iterator[tuple[int, int]]:
    """When the number of leaders may have changed, and how many there are; the last one is behind the window."""
    population = make_population(run)
    population.overwrite(list(enumerate(configuration)))
    yield 0, population.leaders
    while population.steps < window:
        population.advance_exactly(window - population.steps, StopCondition.OUTPUT)
        yield population.steps, population.leaders
    yield window + 1, population.leaders
