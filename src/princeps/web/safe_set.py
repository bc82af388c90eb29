"""Is this configuration safe: exactly one agent leads, and nothing that can happen from here changes who does?

A protocol that states a goal `safe` is asked. Of one that elects nobody it
is unknown. Otherwise the configurations that can be reached are gone through, up to
a number, until an interaction changes an output; whatever is reached from a safe configuration is safe as well. None
where there are too many. Nothing of the run is touched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import product
from typing import Any

from princeps.engines.session import Session
from princeps.errors import PrincepsError
from princeps.lowering.vocabulary import counts_asked
from princeps.model.fields import Counts
from princeps.model.goals import ALWAYS_COUNTED
from princeps.model.protocol import Counted
from princeps.model.run import Run
from princeps.model.states import State
from princeps.model.topology import COMPLETE

SAFE = "safe"  # the goal that a protocol's file may state
MAX_REACHED = 3000  # configurations
MAX_AGENTS = 200
MAX_STATED = 3_000_000  # agents of a goal that is stated
MAX_KNOWN = 50_000
MAX_STATES = 20_000  # that are numbered
MAX_MEETINGS = 200_000  # of two states, whose results are kept
MAX_ASKED = 6  # predicates of a goal whose counts are varied

Configuration = tuple[int, ...]


def elects(run: Run) -> bool:
    """Whether the protocol is about a leader: its goal is not met where everybody counts as one, or nobody does."""
    protocol = run.protocol
    cls = type(protocol)
    goal = cls.all_goals()[cls.default_goal]
    if not isinstance(goal, Counted):
        return True
    asked = [name for name in counts_asked(protocol, [goal.rule], goal) if name not in ALWAYS_COUNTED]
    n = max(run.n, 2)
    for sizes in product((0, n), repeat=1 + min(len(asked), MAX_ASKED)):
        counts = {"n": n, **dict.fromkeys(asked, 0), **dict(zip(["leaders", *asked], sizes, strict=False))}
        with suppress(PrincepsError, ArithmeticError):
            if protocol.ask(goal.rule, Counts(counts), protocol.constants):
                return False
    return True


class SafeSet:
    """What has been found out of one run."""

    def __init__(self, run: Run) -> None:
        self.run, self.protocol = run, run.protocol
        self.goal = type(run.protocol).all_goals().get(SAFE)
        self.elects = elects(run)
        self._forget()
        self._arcs: list[tuple[int, int]] | None = None

    def _forget(self) -> None:
        self._safe: set[Configuration] = set()
        self._unsafe: set[Configuration] = set()
        self._numbers: dict[State, int] = {}
        self._states: list[State] = []
        self._meetings: dict[tuple[int, int], tuple[bool, tuple[tuple[int, int], ...]]] = {}

    def holds(self, session: Session) -> bool | None:
        population = session.population
        if population.dead or population.cuts or self.run.scheduler.listed is not None:
            return None
        if self.goal is not None and (isinstance(self.goal, Counted) or population.numbers_agents):
            return session.holds(SAFE) if session.n <= MAX_STATED and self.run.keeps_promises else None
        if not self.elects:
            return None
        if session.leaders != 1:
            return False
        if session.n > MAX_AGENTS or self.protocol.oracle is not None or self.run.scheduler.sees_configuration:
            return None
        if len(self._states) > MAX_STATES or len(self._meetings) > MAX_MEETINGS:
            self._forget()
        return self._explored(self._configuration(session))

    def _configuration(self, session: Session) -> Configuration:
        """The states of all agents; on the complete graph in order, since their places do not matter."""
        if self.run.topology.kind == COMPLETE:
            counted = session.population.tally()
            return tuple(sorted(number for state, size in counted for number in [self._number(state)] * size))
        return tuple(self._number(session.population.state(agent)) for agent in range(session.n))

    def _number(self, state: State) -> int:
        found = self._numbers.get(state)
        if found is None:
            found = self._numbers[state] = len(self._states)
            self._states.append(state)
        return found

    def _explored(self, start: Configuration) -> bool | None:
        if start in self._safe or start in self._unsafe:
            return start in self._safe
        reached, waiting = {start}, [start]
        while waiting:
            for following in self._following(waiting.pop()):
                if following is None or following in self._unsafe:
                    self._remember(self._unsafe, [start])
                    return False
                if following not in reached and following not in self._safe:
                    if len(reached) >= MAX_REACHED:
                        return None
                    reached.add(following)
                    waiting.append(following)
        self._remember(self._safe, reached)
        return True

    @staticmethod
    def _remember(known: set[Configuration], new: Iterable[Configuration]) -> None:
        if len(known) > MAX_KNOWN:
            known.clear()
        known.update(new)

    def _following(self, here: Configuration) -> Iterator[Configuration | None]:
        """What one interaction makes of a configuration; None for one that changes who leads."""
        is_complete = self.run.topology.kind == COMPLETE
        for i, j in self._pairs(here):
            changes_output, results = self._meeting(here[i], here[j])
            if changes_output:
                yield None
            for a, b in results:
                after = list(here)
                after[i], after[j] = a, b
                yield tuple(sorted(after)) if is_complete else tuple(after)

    def _pairs(self, here: Configuration) -> Iterable[tuple[int, int]]:
        """The arcs; on the complete graph one for each pair of states."""
        if self.run.topology.kind == COMPLETE:
            first: dict[int, list[int]] = {}
            for place, number in enumerate(here):
                first.setdefault(number, []).append(place)
            return [
                (mine[0], theirs[0] if a != b else mine[1])
                for a, mine in first.items()
                for b, theirs in first.items()
                if a != b or len(mine) > 1
            ]
        if self._arcs is None:
            graph = self.run.scheduler.choices(self.run.topology)
            self._arcs = [graph.arc(k) for k in range(graph.arc_count)]
        return self._arcs

    def _meeting(self, a: int, b: int) -> tuple[bool, tuple[tuple[int, int], ...]]:
        """Whether an output may change, and the other results that there may be."""
        known = self._meetings.get((a, b))
        if known is None:
            before = self._states[a], self._states[b]
            protocol: Any = self.protocol
            if protocol.tosses:  # where the rule fails nothing is known
                afters = [after for _, after, _ in protocol.branches(*before, 0)]
            else:
                afters = [protocol.step(*before)]
            leads = protocol.leads
            output = any(leads(old) != leads(new) for after in afters for old, new in zip(before, after, strict=True))
            others = {(self._number(new[0]), self._number(new[1])) for new in afters if tuple(new) != before}
            known = self._meetings[a, b] = (output, tuple(sorted(others)))
        return known
