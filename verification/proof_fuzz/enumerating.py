"""What a few agents do to a lemma, by the plain rule alone: every legal configuration, or all that is reached from the start."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement, product
from types import SimpleNamespace
from typing import Any

from princeps.errors import PrincepsError
from princeps.model.goals import Blocks, Closed, Counted, Uniform
from princeps.model.lemmas import EveryAgent, EveryMeeting, Never, Stays, StaysElected, Symmetric
from princeps.model.predicates import read_predicates
from princeps.model.states import State
from princeps.model.step_facts import Marked
from princeps.proofs.rings.plain_marks import rejected_at  # the file's own loops, made to go on
from princeps.proofs.verdicts import Statement

MOST = 30_000  # configurations at one size
States = tuple[State, ...]


class TooMany(Exception):
    """Configurations: this size is not enumerated."""


class Population:
    """n agents of a protocol with these parameters."""

    def __init__(self, cls: Any, n: int, given: Mapping[str, int]) -> None:
        self.cls, self.n, self.protocol = cls, n, cls(n, **given)
        self.p = self.protocol.constants
        self.on_ring = cls.topology == "ring"
        self.legal = set(self.protocol.space.listed())
        self._known: dict[Any, list[tuple[State, State]] | None] = {}

    def agent(self, state: State) -> Any:
        own: Any = self.protocol.agent
        return own(state)

    def leads(self, state: State) -> bool:
        return bool(self.cls.is_leader(self.agent(state), self.p))

    def counts(self, states: States) -> Any:
        agents = [self.agent(one) for one in states]
        found = {name: sum(bool(rule(a, self.p)) for a in agents) for name, rule in self.cls.all_predicates().items()}
        return SimpleNamespace(**found, n=len(states))

    def results(self, states: States, i: int, j: int) -> list[tuple[State, State]] | None:
        """What the two become, by what is drawn; None where a value leaves its domain."""
        oracle = self.cls.oracle
        said = 0 if oracle is None else int(bool(oracle.rule(self.counts(states), self.p)))
        key = (states[i], states[j], said)
        if key not in self._known:
            try:
                self._known[key] = [after for _, after, _ in self.protocol.branches(*key)]
            except PrincepsError:
                self._known[key] = None
        return self._known[key]

    def pairs(self) -> list[tuple[int, int]]:
        if self.on_ring:
            return [(i, (i + 1) % self.n) for i in range(self.n)]
        return [(i, j) for i in range(self.n) for j in range(self.n) if i != j]

    def everywhere(self) -> Iterator[States]:
        if len(self.legal) ** self.n > MOST:
            raise TooMany
        states = sorted(self.legal)
        yield from product(states, repeat=self.n) if self.on_ring else combinations_with_replacement(states, self.n)

    def begun(self) -> list[States]:
        rule, names = self.cls.start_rule(self.cls.default_start), self.protocol.space.names
        if isinstance(rule, Uniform):
            return list(self.everywhere())
        if isinstance(rule, Blocks):
            rows: Any = rule.rule(self.n, self.p)
            return [tuple(tuple(state.get(name, 0) for name in names) for size, state in rows for _ in range(size))]
        found = []
        for i in range(self.n):
            own = SimpleNamespace(**dict.fromkeys(names, 0))
            rule(own, i, self.n, self.p)
            found.append(tuple(getattr(own, name) for name in names))
        return [tuple(found)]

    def reached(self) -> Iterator[States]:
        seen = {tuple(sorted(one)) for one in self.begun()}
        waiting = list(seen)
        for states in waiting:  # grows meanwhile
            yield states
            for i, j in self.pairs():
                for one, other in self.results(states, i, j) or ():
                    after = tuple(sorted(_changed(states, i, j, one, other)))
                    if after not in seen:
                        seen.add(after)
                        waiting.append(after)
                        if len(seen) > MOST:
                            raise TooMany

    def is_inside(self, name: str, states: States) -> bool:
        goal = self.cls.all_goals().get(name)
        if isinstance(goal, Counted):
            return bool(goal.rule(self.counts(states), self.p))
        if isinstance(goal, Closed):
            return bool(goal.rule([self.agent(one) for one in states], self.n, self.p))
        quantifier, _, text = name.partition(":")
        rule = read_predicates(self.protocol, {"here": text})["here"]
        held = [bool(rule(self.agent(one), self.p)) for one in states]
        return {"some": any(held), "all": all(held), "none": not any(held)}[quantifier]

    def breaks(self, statement: Statement) -> Any:
        """A configuration and a meeting that break the lemma; None if there are none."""
        what = statement.what
        from_start = statement.kind == "invariant" or isinstance(what, EveryAgent)
        if isinstance(what, EveryAgent):
            for start in self.begun():
                if not all(what.holds(self.agent(one), self.p) for one in start):
                    return start
        for states in self.reached() if from_start else self.everywhere():
            for i, j in self.pairs():
                found = self.results(states, i, j)
                if found is None:
                    if what is None:
                        return states, (i, j)
                    continue
                for one, other in found:
                    if self._is_broken(statement, states, _changed(states, i, j, one, other), (i, j)):
                        return states, (i, j), (one, other)
        return None

    def _is_broken(self, statement: Statement, before: States, after: States, pair: tuple[int, int]) -> bool:
        what, (i, j), p, agent = statement.what, pair, self.p, self.agent
        if what is None:
            return not {after[i], after[j]} <= self.legal
        if statement.kind == "invariant":
            return not what(self.counts(after), p)
        if isinstance(what, EveryAgent):
            return not all(what.holds(agent(after[k]), p) for k in pair)
        if isinstance(what, EveryMeeting):
            return not what.holds(agent(before[i]), agent(before[j]), agent(after[i]), agent(after[j]), p)
        if isinstance(what, Symmetric):
            return (after[j], after[i]) not in (self.results(before, j, i) or ())
        if isinstance(what, Marked):
            return self._is_marked_bad(what, before, after, pair)
        if not self.is_inside(what.begin if isinstance(what, Never) else what.of, before):
            return False
        if isinstance(what, Never):
            return any(what.event(agent(before[k]), agent(after[k]), p) for k in pair)
        if isinstance(what, StaysElected):
            led = [[self.leads(one) for one in states] for states in (before, after)]
            if led[0] != led[1] or sum(led[0]) != 1:
                return True
        assert isinstance(what, Stays | StaysElected)
        return not self.is_inside(what.of, after)

    def _is_marked_bad(self, what: Marked, before: States, after: States, pair: tuple[int, int]) -> bool:
        marked = []
        for states in (before, after):
            led = any(map(self.leads, states))
            (mark, loop), *_ = what.marks.items()
            bad = rejected_at(self.protocol, what.of, loop, states) if led else set(range(self.n))
            names = self.protocol.space.names
            marked.append(
                [
                    SimpleNamespace(**dict(zip(names, state, strict=True)), **{mark: int(k not in bad)})
                    for k, state in enumerate(states)
                ]
            )
        (i, j), (old, new) = pair, marked
        bad_there: Any = what.bad
        return bool(bad_there(old[i], old[j], new[i], new[j], self.p))


def _changed(states: States, i: int, j: int, one: State, other: State) -> States:
    after = list(states)
    after[i], after[j] = one, other
    return tuple(after)
