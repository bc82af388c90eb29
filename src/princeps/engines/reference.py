"""The definition of a run, in plain Python: one pair after the other, the rule as the file states it.

Every other engine is judged by this one. Given the same seed it draws the same pairs as `agents`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from princeps.engines.memory import refuse_too_many_objects
from princeps.engines.population import Population, Watch
from princeps.model.fields import Agent, Counts
from princeps.model.protocol import Counted, Predicate
from princeps.model.run import Run
from princeps.model.scheduler import Adversary
from princeps.model.starts import starting_states
from princeps.model.states import State

Listener = Callable[["Reference", int, int], None]


class Reference(Population):
    engine = "reference"

    def __init__(self, run: Run, listeners: Sequence[Listener] = ()) -> None:
        super().__init__(run)
        refuse_too_many_objects(run)
        self.protocol = run.protocol
        self.states = starting_states(run)
        self.listeners = list(listeners)
        self.pairs = pairs_of(run, self.configuration)
        self.changes = self.done = 0
        self.tracked: dict[str, Predicate] = dict(type(self.protocol).all_predicates())
        self._count()

    def _count(self) -> None:
        self.counts = {name: self.census([predicate])[0] for name, predicate in self.tracked.items()}

    @property
    def steps(self) -> int:
        return self.done

    @property
    def leaders(self) -> int:
        return self.counts["leaders"]

    @property
    def events(self) -> int:
        return self.changes

    def satisfies(self, predicate: Predicate, state: State) -> bool:
        return bool(self.protocol.ask(predicate, self.protocol.agent(state), self.protocol.constants))  # type: ignore[call-arg]

    def census(self, predicates: Sequence[Predicate]) -> list[int]:
        return [sum(self.satisfies(predicate, state) for state in self.states) for predicate in predicates]

    def advance(self, budget: int, watch: Watch) -> bool:
        for _ in range(budget):
            pair = next(self.pairs, None)
            if pair is None:
                self.exhausted = True
                return False
            changed, outputs_changed = self._interact(*pair)
            for listener in self.listeners:
                listener(self, *pair)
            if watch is Watch.GOAL and changed and self.holds():
                return True
            if watch is Watch.OUTPUT and outputs_changed:
                return True
        return False

    def _interact(self, i: int, j: int) -> tuple[bool, bool]:
        if i == j:  # an agent meets itself: nothing changes
            self.done += 1
            return False, False
        before = self.states[i], self.states[j]
        after = self.protocol.step(*before)
        self.done += 1
        if after == before:
            return False, False
        self.changes += 1
        self.states[i], self.states[j] = after
        for name, predicate in self.tracked.items():
            for old, new in zip(before, after, strict=True):
                self.counts[name] += self.satisfies(predicate, new) - self.satisfies(predicate, old)
        leads = self.protocol.leads
        return True, any(leads(old) != leads(new) for old, new in zip(before, after, strict=True))

    def holds(self) -> bool:
        goal, ask, constants = self.run.goal, self.protocol.ask, self.protocol.constants
        if isinstance(goal, Counted):
            return bool(ask(goal.rule, Counts({**self.counts, "n": self.run.n}), constants))
        return bool(ask(goal.rule, self.configuration(), self.run.n, constants))

    def configuration(self) -> list:  # type: ignore[type-arg]
        return [self.protocol.agent(state) for state in self.states]  # type: ignore[call-arg]

    def state(self, agent: int) -> State:
        return self.states[agent]

    def overwrite(self, changes: Sequence[tuple[int, State]]) -> None:
        for agent, state in changes:
            self.states[agent] = state
        self._count()

    def leader(self) -> int | None:
        found = [agent for agent, state in enumerate(self.states) if self.protocol.leads(state)]
        return found[0] if len(found) == 1 else None

    def portion(self) -> int:
        return 1 << 12


def pairs_of(run: Run, look: Callable[[], Sequence[Agent]]) -> Iterator[tuple[int, int]]:
    """What the scheduler chooses; one that sees the configuration is shown it before every step."""
    if isinstance(run.scheduler, Adversary):
        return run.scheduler.pairs_seeing(run.topology, run.stream("schedule"), look, run.force)
    return run.meetings()
