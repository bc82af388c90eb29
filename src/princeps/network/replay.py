"""The schedule that a network run was, replayed by the reference engine: the judge of the run.

Every interaction is executed by the protocol's own definition, and both states that it gives are compared with what the
agents wrote down. Goals are asked after every interaction, so that the number of interactions to a goal is exact.

Agents that are absent (dead for good, or never started) are dead to the engine, too (`Population.kill`): no part of the population.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from princeps.model.coins import GivenDraws
from princeps.model.run import Run
from princeps.model.script import SIDES_OF_A_PAIR
from princeps.model.states import State
from princeps.network.linearize import BEGIN, DEAD, PAIR, SET, TORN, Event

if TYPE_CHECKING:
    from princeps.engines.reference import Reference

AGREES = "agrees"


class Replay:
    """A population of the reference engine that goes through the events of a network run."""

    def __init__(self, run: Run, absent: Iterable[int] = ()) -> None:
        from princeps.engines.reference import Reference

        self.run = run
        self.population: Reference = Reference(run)
        for agent in absent:
            self.population.kill(agent)
        self.interactions = 0  # pairs that met, torn ones included
        self.holds = self.population.holds()
        self.first_hit: int | None = 0 if self.holds else None  # interactions to the goal
        self.difference = ""  # the first one, as a sentence
        self.pairs: dict[tuple[int, int], int] = {}

    @property
    def verdict(self) -> str:
        return self.difference or AGREES

    @property
    def leading(self) -> list[int]:
        """The agents that lead."""
        return self.population.leading

    @property
    def leaders(self) -> int:
        return self.population.leaders

    @property
    def leader(self) -> int | None:
        """The only one."""
        return self.population.leader()

    def apply(self, event: Event) -> None:
        kind, i, j, draws, first, second = event
        population = self.population
        changes = population.changes
        if kind == BEGIN:
            self._compare(i, first)
            if i not in population.dead:
                return
            population.kill(i, False)
        elif kind == DEAD:
            population.kill(i)
        elif kind == SET:
            population.kill(i, False)
            population.overwrite([(i, first)])
        else:
            self.interactions += 1
            self.pairs[i, j] = self.pairs.get((i, j), 0) + 1
            if kind == PAIR:
                population.meet(i, j, draws=draws)
                self._compare(j, second)
            elif kind == TORN:
                population.meet(i, j, SIDES_OF_A_PAIR[:1], draws=draws)
            else:
                given = GivenDraws(draws) if self.run.protocol.tosses else None
                after, _ = self.run.protocol.step(population.state(i), second, given)
                population.overwrite([(i, after)])
            self._compare(i, first)
        if kind != PAIR or population.changes != changes:
            self.holds = population.holds()
            if self.holds and self.first_hit is None:
                self.first_hit = self.interactions

    def apply_all(self, events: Iterable[Event]) -> None:
        for event in events:
            self.apply(event)

    def _compare(self, agent: int, said: State) -> None:
        computed = self.population.state(agent)
        if computed == said:
            return
        if not self.difference:
            named: Any = self.run.protocol.space.name_values
            self.difference = (
                f"after {self.interactions:,} interactions agent {agent} has {named(computed)} in the model "
                f"and {named(said)} in its log"
            )
        self.population.overwrite([(agent, said)])  # one mistake is reported once
