"""The schedule that a network run was, replayed by the reference engine: the judge of the run.

Every interaction is executed by the protocol's own definition, and both states that it gives are compared with what the
agents wrote down. Goals are asked after every interaction, so that the number of interactions to a goal is exact.

Agents that are absent (dead for good, or never started) keep their state and are no part of the population: they do not lead,
goals on counts are asked of the others, and a goal on the whole configuration does not hold.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from princeps.model.coins import GivenDraws
from princeps.model.fields import Counts
from princeps.model.goals import Counted
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
        self.absent = set(absent)
        self.interactions = 0  # pairs that met, torn ones included
        self.holds = self._asked()
        self.first_hit: int | None = 0 if self.holds else None  # interactions to the goal
        self.difference = ""  # the first one, as a sentence
        self.pairs: dict[tuple[int, int], int] = {}

    @property
    def verdict(self) -> str:
        return self.difference or AGREES

    @property
    def leading(self) -> list[int]:
        """The agents that lead."""
        leads, states = self.run.protocol.leads, self.population.states
        return [agent for agent, state in enumerate(states) if leads(state) and agent not in self.absent]

    @property
    def leaders(self) -> int:
        return len(self.leading) if self.absent else self.population.leaders

    @property
    def leader(self) -> int | None:
        """The only one."""
        leading = self.leading
        return leading[0] if len(leading) == 1 else None

    def apply(self, event: Event) -> None:
        kind, i, j, draws, first, second = event
        population = self.population
        changes = population.changes
        if kind == BEGIN:
            self._compare(i, first)
            if i not in self.absent:
                return
            self.absent.remove(i)
        elif kind == DEAD:
            self.absent.add(i)
        elif kind == SET:
            self.absent.discard(i)
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
            self.holds = self._asked()
            if self.holds and self.first_hit is None:
                self.first_hit = self.interactions

    def _asked(self) -> bool:
        """Whether the goal holds among those who are present."""
        population, goal = self.population, self.run.goal
        if not self.absent:
            return population.holds()
        if not isinstance(goal, Counted):
            return False
        gone = [population.states[agent] for agent in self.absent]
        counts = {
            name: population.counts[name] - sum(population.satisfies(predicate, state) for state in gone)
            for name, predicate in population.tracked.items()
        }
        known = Counts({**counts, "n": self.run.n - len(gone)})
        return bool(self.run.protocol.ask(goal.rule, known, self.run.protocol.constants))

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
