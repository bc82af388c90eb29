"""The definition of a run, in plain Python: one pair after the other, the rule as the file states it.

Every other engine is judged by this one. Given the same seed it draws the same pairs as `agents`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from princeps.engines.memory import refuse_too_many_objects
from princeps.engines.population import INITIATOR, RESPONDER, Population, Stop, StopCondition
from princeps.engines.stuck import any_arc_may_change, are_too_many
from princeps.lowering.vocabulary import counts_asked
from princeps.model.coins import COINS, GivenDraws
from princeps.model.fields import Counts
from princeps.model.protocol import Counted, Predicate
from princeps.model.randomness import Stream
from princeps.model.run import Run
from princeps.model.starts import starting_states
from princeps.model.states import State
from princeps.model.topology import COMPLETE, Topology


class Listener:
    """Hears of every interaction, and of changes from outside; what it remembers goes back with the population."""

    def __call__(self, population: Reference, i: int, j: int) -> None:
        """Agents i and j have just met."""

    def attacked(self) -> None:
        """Somebody changed states from outside."""

    def snapshot(self) -> Any:
        return None

    def restore(self, saved: Any) -> None:
        """As it was at that snapshot."""


LARGEST = (1 << 63) - 1  # of numpy's integers
POINTER = 8  # bytes


class Reference(Population):
    engine = "reference"

    def __init__(self, run: Run, listeners: Sequence[Listener] = ()) -> None:
        super().__init__(run)
        refuse_too_many_objects(run)
        self.protocol = run.protocol
        self.states = starting_states(run)
        self.listeners = list(listeners)
        self.drawing = run.drawing()
        self.coins = Stream.of(run.seed, run.trial, COINS) if run.protocol.tosses else None
        if run.scheduler.sees_configuration:
            self.drawing.look, self.drawing.foresight = self.configuration, self
        self.last: tuple[int, int] | None = None
        self._dead: set[int] = set()
        self._cuts: set[tuple[int, int]] = set()
        self.changes = self.done = self.changed_at = 0
        self._track()

    # -- advancing ----------------------------------------------------------------------------------------------

    def advance(self, budget: int, stop_at: StopCondition) -> Stop:
        for _ in range(budget):
            pair = self.drawing.next()
            if pair is None:
                self.exhausted = True
                return Stop.LIST_ENDED
            changed, outputs_changed = self._interact(*pair)
            if stop_at is StopCondition.GOAL and changed and self.holds():
                return Stop.FULFILLED
            if stop_at is StopCondition.OUTPUT and outputs_changed:
                return Stop.FULFILLED
        return Stop.BUDGET

    def tear(self, side: str) -> bool:
        pair = self.drawing.next()
        self.exhausted = pair is None
        if pair is not None:
            self._interact(*pair, keep=(side,))
        return not self.exhausted

    def _interact(self, i: int, j: int, keep: Sequence[str] = (INITIATOR, RESPONDER)) -> tuple[bool, bool]:
        """One scheduled interaction: whether something changed, and whether an output did; torn if it is not kept by both."""
        self.done += 1
        self.last = i, j
        if i == j or i in self._dead or j in self._dead or (i, j) in self._cuts:
            return False, False
        before = self.states[i], self.states[j]
        tossed = None if self.coins is None else self.coins.words
        try:
            after = self._after(*before)
        except Exception:
            self.done -= 1  # nothing of it is done
            self.coins = None if tossed is None else Stream(tossed)
            raise
        after = after[0] if INITIATOR in keep else before[0], after[1] if RESPONDER in keep else before[1]
        changed = after != before
        outputs_changed = False
        if changed:
            self.changes += 1
            self.changed_at = self.done
            self.states[i], self.states[j] = after
            for old, new in zip(before, after, strict=True):
                self._recount(old, new)
            leads = self.protocol.leads
            outputs_changed = any(leads(old) != leads(new) for old, new in zip(before, after, strict=True))
        for listener in self.listeners:
            listener(self, i, j)
        return changed, outputs_changed

    def foresee(self, i: int, j: int) -> list[tuple[Fraction | int, tuple[State, State]]]:
        """What a scheduled interaction may make of two agents, with probabilities; nothing is tossed or changed."""
        before = self.states[i], self.states[j]
        if i == j or i in self._dead or j in self._dead or (i, j) in self._cuts:
            return [(1, before)]
        told = self.oracle_value()
        if not self.protocol.tosses:
            return [(1, self.protocol.step(*before, None, told))]
        return [(share, after) for share, after, _ in self.protocol.branches(*before, told)]

    def _after(self, a: State, b: State) -> tuple[State, State]:
        if not self.run.scheduler.draws:
            return self.protocol.step(a, b, self.coins, self.oracle_value())
        given = GivenDraws(self.run.scheduler.draws[self.drawing.position - 1])  # type: ignore[attr-defined]
        after = self.protocol.step(a, b, given, self.oracle_value())
        given.refuse_rest()
        return after

    def pass_time(self, steps: int) -> None:
        raise AssertionError("this engine never says that nothing can change any more")

    def portion(self) -> int:
        return 1 << 12

    def set_goal(self, until: str) -> None:
        self.run = self._with_goal(until)
        self._track()

    # -- asking -------------------------------------------------------------------------------------------------

    def _track(self) -> None:
        """Which counts are kept: those that somebody asks for."""
        run, cls = self.run, type(self.protocol)
        asking = [run.goal.rule] if isinstance(run.goal, Counted) else []
        asking += [] if cls.oracle is None else [cls.oracle.rule]
        if run.check:
            closed = [goal.rule for goal in cls.all_goals().values() if isinstance(goal, Counted) and goal.closed]
            asking += [*cls.invariants.values(), *closed]
        known, names = cls.predicates_for(run.goal), counts_asked(self.protocol, asking, run.goal)
        self.tracked: dict[str, Predicate] = {name: known[name] for name in names}
        self.counts = {name: self.census([predicate])[0] for name, predicate in self.tracked.items()}

    def _recount(self, old: State, new: State) -> None:
        for name, predicate in self.tracked.items():
            self.counts[name] += self.satisfies(predicate, new) - self.satisfies(predicate, old)

    def oracle_value(self) -> int:
        oracle = self.protocol.oracle
        if oracle is None:
            return 0
        return int(
            bool(self.protocol.ask(oracle.rule, Counts({**self.counts, "n": self.present}), self.protocol.constants))
        )

    @property
    def steps(self) -> int:
        return self.done

    @property
    def leaders(self) -> int:
        return self.counts["leaders"]

    @property
    def events(self) -> int:
        return self.changes

    @property
    def last_change(self) -> int:
        return self.changed_at

    @property
    def last_pair(self) -> tuple[int, int] | None:
        return self.last

    def satisfies(self, predicate: Predicate, state: State) -> bool:
        return bool(self.protocol.ask(predicate, self.protocol.agent(state), self.protocol.constants))  # type: ignore[call-arg]

    def census(self, predicates: Sequence[Predicate]) -> list[int]:
        living = [state for agent, state in enumerate(self.states) if agent not in self._dead]
        return [sum(self.satisfies(predicate, state) for state in living) for predicate in predicates]

    def any_may_change(self, graph: Topology, most: int) -> bool:
        if graph.kind == COMPLETE:
            return are_too_many(self.states, most) or super().any_may_change(graph, most)
        if graph.arc_count <= most:
            return any_arc_may_change(self, self.states, graph)
        return super().any_may_change(graph, most)

    def tally(self) -> list[tuple[State, int]]:
        found: dict[State, int] = {}
        for state in self.states:
            found[state] = found.get(state, 0) + 1
        return list(found.items())

    def fields(self) -> dict[str, Any]:
        import numpy as np

        columns = zip(*self.states, strict=True)
        return {
            name: np.array(column, dtype=np.int64 if max(column) <= LARGEST else object)
            for name, column in zip(self.protocol.space.names, columns, strict=True)
        }

    def holds(self) -> bool:
        goal, ask, constants = self.run.goal, self.protocol.ask, self.protocol.constants
        if isinstance(goal, Counted):
            return bool(ask(goal.rule, Counts({**self.counts, "n": self.present}), constants))
        return not self._dead and bool(ask(goal.rule, self.configuration(), self.run.n, constants))

    def configuration(self) -> list:  # type: ignore[type-arg]
        return [self.protocol.agent(state) for state in self.states]  # type: ignore[call-arg]

    def state(self, agent: int) -> State:
        return self.states[agent]

    def leader(self) -> int | None:
        return self.leading[0] if self.leaders == 1 else None

    @property
    def leading(self) -> list[int]:
        """The agents that lead."""
        leads, dead = self.protocol.leads, self._dead
        return [agent for agent, state in enumerate(self.states) if leads(state) and agent not in dead]

    # -- acting from outside ------------------------------------------------------------------------------------

    def overwrite(self, changes: Sequence[tuple[int, State]]) -> None:
        for agent, state in changes:
            if agent not in self._dead:
                self._recount(self.states[agent], state)
            self.states[agent] = state
        for listener in self.listeners:
            listener.attacked()

    def _count_meeting(self, i: int, j: int, changed: bool) -> None:
        self.done += 1
        self.changes += changed
        self.changed_at = self.done if changed else self.changed_at
        self.last = i, j
        for listener in self.listeners:
            listener(self, i, j)

    def kill(self, agent: int, dead: bool = True) -> None:
        if dead == (agent in self._dead):
            return
        for name, predicate in self.tracked.items():
            self.counts[name] += self.satisfies(predicate, self.states[agent]) * (-1 if dead else 1)
        (self._dead.add if dead else self._dead.discard)(agent)
        for listener in self.listeners:
            listener.attacked()

    def cut(self, i: int, j: int, is_cut: bool = True) -> None:
        (self._cuts.add if is_cut else self._cuts.discard)((i, j))

    @property
    def dead(self) -> frozenset[int]:
        return frozenset(self._dead)

    @property
    def cuts(self) -> frozenset[tuple[int, int]]:
        return frozenset(self._cuts)

    # -- going back ---------------------------------------------------------------------------------------------

    def snapshot(self) -> Any:
        heard = [listener.snapshot() for listener in self.listeners]
        tossed = None if self.coins is None else self.coins.words
        own = (
            self.run,
            self.tracked,
            self.exhausted,
            self.last,
            self.changes,
            self.done,
            self.drawing.snapshot(),
            tossed,
            self.changed_at,
        )
        return own, list(self.states), dict(self.counts), set(self._dead), set(self._cuts), heard

    def restore(self, saved: Any) -> None:
        own, states, counts, dead, cuts, heard = saved
        self.run, self.tracked, self.exhausted, self.last, self.changes, self.done, drawn, tossed, self.changed_at = own
        self.coins = None if tossed is None else Stream(tossed)
        self.drawing.restore(drawn)
        self.states, self.counts, self._dead, self._cuts = list(states), dict(counts), set(dead), set(cuts)
        for listener, kept in zip(self.listeners, heard, strict=True):
            listener.restore(kept)

    @property
    def checkpoint_spacing(self) -> int:
        return max(1 << 11, self.run.n // 4)

    @property
    def snapshot_bytes(self) -> int:
        return POINTER * self.run.n + 2048
