"""A checked run: after every interaction the states are legal, the invariants hold, and closed sets are not left."""

from __future__ import annotations

from typing import Any

from princeps.engines.reference import Listener, Reference
from princeps.errors import InvariantBroken
from princeps.model.fields import Counts
from princeps.model.formatting import counted
from princeps.model.protocol import Counted
from princeps.model.run import Run


class Checker(Listener):
    """A listener that remembers which closed goals have been entered."""

    def __init__(self, run: Run) -> None:
        self.run = run
        cls = type(run.protocol)
        promised = not run.faults and run.start in cls.starts  # a state file may hold anything
        self.invariants = cls.invariants if promised else {}
        self.closed = {name: goal for name, goal in cls.all_goals().items() if goal.closed and not run.faults}
        self.entered: set[str] = set()

    def attacked(self) -> None:
        """Nothing is promised any more."""
        self.invariants, self.closed = {}, {}

    def snapshot(self) -> Any:
        return self.invariants, self.closed, set(self.entered)

    def restore(self, saved: Any) -> None:
        self.invariants, self.closed, entered = saved
        self.entered = set(entered)

    def __call__(self, population: Reference, i: int, j: int) -> None:
        protocol, constants = self.run.protocol, self.run.protocol.constants
        for agent in (i, j):
            state = population.states[agent]
            if not protocol.space.is_legal(state):
                self._fail(population, f"agent {agent} is in the illegal state {protocol.space.name_values(state)}")
        counts = Counts({**population.counts, "n": self.run.n})
        for name, rule in self.invariants.items():
            if not protocol.ask(rule, counts, constants):
                self._fail(population, f"invariant {name} ({(rule.__doc__ or '').strip()}) fails")
        self.look(population)

    def look(self, population: Reference) -> None:
        """Closed goals that have been entered (a start may lie in them) must not be left."""
        protocol, constants = self.run.protocol, self.run.protocol.constants
        counts = Counts({**population.counts, "n": self.run.n})
        configuration = None
        for name, goal in self.closed.items():
            if isinstance(goal, Counted):
                inside = bool(protocol.ask(goal.rule, counts, constants))
            else:
                configuration = configuration or population.configuration()
                inside = bool(protocol.ask(goal.rule, configuration, self.run.n, constants))
            if inside:
                self.entered.add(name)
            elif name in self.entered:
                self._fail(population, f"the closed set {name} is left")

    def _fail(self, population: Reference, what: str) -> None:
        raise InvariantBroken(
            f"after {counted(population.steps, 'steps', 'd')} {what}. Repeat it: {self.run.command()}"
        )


def make_reference(run: Run) -> Reference:
    """A population in plain Python, checked after every interaction if the run asks for it."""
    if not run.check:
        return Reference(run)
    checker = Checker(run)
    population = Reference(run, [checker])
    checker.look(population)
    return population
