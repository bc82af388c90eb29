"""Agents by number, in whatever form they are held: reading them, counting them, replacing states, testing goals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from princeps.engines.forms import Form, Interned, Packed, interned, new_table, packed_words
from princeps.engines.population import Population
from princeps.engines.starting import checked, in_python
from princeps.engines.stuck import Meetings, any_may_change, are_too_many, meetings, soon_changes
from princeps.engines.switching import FormSwitch
from princeps.lowering.cache import kernel_module
from princeps.lowering.kernels import Kernels
from princeps.lowering.status import RULE_ERRORS
from princeps.model.fields import Counts
from princeps.model.protocol import Closed, Counted, Goal, Predicate, one_leader
from princeps.model.run import Run
from princeps.model.states import State
from princeps.model.topology import ARCS, COMPLETE, DIRECTED_RING, Topology

LISTED_FIRST = 1 << 15  # agents whose states are looked at before those of all
ARCS_AT_ONCE = 1 << 16  # whose states are listed together
ONE_BY_ONE = 32  # agents among which a leader is looked for in plain Python
MAX_SINGLE_CHANGES = 64  # agents whose counts are corrected one by one; for more of them all agents are counted again


def events_kernel() -> Any:
    return kernel_module("princeps.engines.events_kernel")


def arcs_of(graph: Topology) -> tuple[Any, Any]:
    """Sources and targets of all arcs of a graph that is not complete; in any order."""
    if graph.kind == ARCS:
        return np.frombuffer(graph.sources, dtype=np.uint32), np.frombuffer(graph.targets, dtype=np.uint32)
    here = np.arange(graph.n)
    there = (here + 1) % graph.n
    if graph.kind == DIRECTED_RING:
        return here, there
    return np.concatenate([here, there]), np.concatenate([there, here])


class NumberedAgents(Population):
    """A population whose agents have numbers, in memory."""

    kernels: Kernels
    form: Form
    switch: FormSwitch
    counts: Any  # of the tracked predicates, and n
    _goal_at: int | None  # both asked for once: to find them takes as long as thousands of steps
    _packed_kernel: Any

    def _track(self, run: Run) -> None:
        """Which counts are kept: those that the goal asks for."""
        self.run = run
        self.counted = run.goal if isinstance(run.goal, Counted) else None
        self.tracked = self.kernels.tracked(self.counted)
        predicates = type(run.protocol).predicates_for(run.goal)
        self.predicates = [predicates[name] for name in self.tracked]
        self._goal_at = self._packed_kernel = None

    @property
    def goal_at(self) -> int:
        if self._goal_at is None:
            self._goal_at = self.kernels.goal_at(self.counted or Counted(one_leader), self.tracked)
        return self._goal_at

    @property
    def packed_kernel(self) -> Any:
        """The generated one, on packed words."""
        if self._packed_kernel is None:
            self._packed_kernel, _ = self.kernels.advance(self.counted)
        return self._packed_kernel

    def set_goal(self, until: str) -> None:
        if until == self.run.until:
            return
        self._track(self._with_goal(until))
        words = self.form.words()
        again = None
        if isinstance(self.form, Interned):
            again = interned(self.kernels, words, new_table(self.kernels, self.predicates))
        self.form = again or Packed(self.kernels, words)
        self.switch = FormSwitch.at_start(self.kernels, self.predicates, self.form, self.run.n, self.steps)
        self._count()

    def _count(self) -> None:
        self.counts = np.array([*self.census(self.predicates), self.present], dtype=np.int64)

    def holds(self) -> bool:
        goal, protocol = self.run.goal, self.run.protocol
        if isinstance(goal, Counted):
            counts = dict(zip([*self.tracked, "n"], self.counts.tolist(), strict=True))
            return bool(protocol.ask(goal.rule, Counts(counts), protocol.constants))
        return self._meets_closed(goal)

    def _meets_closed(self, goal: Goal) -> bool:
        assert isinstance(goal, Closed)
        n = self.run.n
        if not self.dead and not in_python(self.run.protocol, ("goal", goal), n):
            try:
                return bool(self.kernels.goal_test(goal)(self.form.words(), n, self.kernels.constants))
            except RULE_ERRORS:
                pass  # once more in Python, to learn in which line
        return super()._meets_closed(goal)

    def oracle_value(self) -> int:
        oracle, protocol = self.run.protocol.oracle, self.run.protocol
        if oracle is None:
            return 0
        counts = Counts(dict(zip([*self.tracked, "n"], self.counts.tolist(), strict=True)))
        return int(bool(protocol.ask(oracle.rule, counts, protocol.constants)))

    def census(self, predicates: Sequence[Predicate]) -> list[int]:
        counted = self._census_of_all(predicates)
        for agent in self.dead:
            counted = [count - has for count, has in zip(counted, self._satisfies(agent, predicates), strict=True)]
        return counted

    def _satisfies(self, agent: int, predicates: Sequence[Predicate]) -> list[bool]:
        protocol = self.run.protocol
        own = protocol.agent(self.state(agent))  # type: ignore[call-arg]
        return [bool(protocol.ask(predicate, own, protocol.constants)) for predicate in predicates]

    def _count_again(self, agent: int, more: int) -> None:
        """An agent counts that did not (1), or no more (-1)."""
        for k, has in enumerate(self._satisfies(agent, self.predicates)):
            self.counts[k] += more * has
        self.counts[-1] += more

    def _census_of_all(self, predicates: Sequence[Predicate]) -> list[int]:
        form, protocol = self.form, self.run.protocol
        if isinstance(form, Packed) and not in_python(protocol, ("census", *predicates), self.run.n):
            try:
                return self.kernels.census(form.agents, predicates)
            except RULE_ERRORS:
                pass  # once more in Python, to learn in which line
        if isinstance(form, Interned):
            return [form.satisfying(predicate, sizes) for sizes in [form.sizes()] for predicate in predicates]
        out = [0] * len(predicates)
        for state, size in self.tally():
            agent = protocol.agent(state)  # type: ignore[call-arg]
            for index, predicate in enumerate(predicates):
                out[index] += size * bool(protocol.ask(predicate, agent, protocol.constants))
        return out

    def tally(self) -> list[tuple[State, int]]:
        return list(zip(*self.form.occupied(), strict=True))

    def any_may_change(self, graph: Topology, most: int) -> bool:
        if soon_changes(self, graph):
            return True
        if graph.kind == COMPLETE and are_too_many(map(self.state, range(min(self.run.n, LISTED_FIRST))), most):
            return True
        if graph.kind == COMPLETE or self.run.n <= ONE_BY_ONE:
            found = meetings(self, graph)
            return self._any_may_change(
                found if found.pairs is None else found._replace(pairs=sorted(found.pairs)), most
            )
        left, right = arcs_of(graph)
        examined = 0
        for first in range(0, len(left), ARCS_AT_ONCE):  # not all at once: each agent may be in a state of its own
            found = self._along(left[first : first + ARCS_AT_ONCE], right[first : first + ARCS_AT_ONCE])
            examined += len(found.pairs)  # type: ignore[arg-type]
            if examined > most or self._any_may_change(found, most):
                return True
        return False

    def _any_may_change(self, found: Meetings, most: int) -> bool:
        count = len(found.states) ** 2 if found.pairs is None else len(found.pairs)  # type: ignore[arg-type]
        if count <= ONE_BY_ONE**2 or self.run.protocol.has_choices:
            return any_may_change(self.run.protocol, found, most, self.oracle_value())
        table = new_table(self.kernels, self.predicates)  # for the addresses in it
        states = self.kernels.pack(found.states).astype(np.int64).reshape(len(found.states), -1)
        pairs = np.zeros((0, 2), np.int64) if found.pairs is None else np.asarray(found.pairs, np.int64)
        left, right = pairs[:, 0].copy(), pairs[:, 1].copy()
        sizes = np.array(found.sizes, np.int64)
        return bool(events_kernel().any_changes(table.io, table.header, states, sizes, left, right, most))

    def _along(self, left: Any, right: Any) -> Meetings:
        """The states that meet along these arcs."""
        agents, places = np.unique(np.concatenate([left, right]), return_inverse=True)
        rows = self.form.agents.reshape(self.run.n, -1)[agents]
        numbered, where, of_agent = np.unique(rows, axis=0, return_index=True, return_inverse=True)
        count, of_place = len(numbered), of_agent.reshape(-1).astype(np.int64)[places.reshape(-1)]
        pairs = np.unique(of_place[: len(left)] * count + of_place[len(left) :])
        return Meetings([self.state(int(agents[k])) for k in where], [], np.stack(np.divmod(pairs, count), axis=1))

    def fields(self) -> dict[str, Any]:
        return self.form.fields()

    def state(self, agent: int) -> State:
        return self.form.state(agent)

    def leader(self) -> int | None:
        if self.leaders != 1:
            return None
        form, protocol, n = self.form, self.run.protocol, self.run.n
        if isinstance(form, Interned) and not self.dead:
            return form.first_among(form.state_table.marks & 1)
        low, high = 0, n  # halve the agents until it is cheap to ask one after the other
        few = ONE_BY_ONE
        if in_python(protocol, ("leader", protocol.is_leader), n) or isinstance(form, Interned):
            few = n
        leading_dead = [agent for agent in self.dead if protocol.leads(self.state(agent))]
        while high - low > few:
            middle = (low + high) // 2
            counted = self.kernels.census(form.agents[low:middle], [protocol.is_leader])[0]
            counted -= sum(low <= agent < middle for agent in leading_dead)
            low, high = (low, middle) if counted else (middle, high)
        return next(i for i in range(low, high) if protocol.leads(self.state(i)) and i not in self.dead)

    def overwrite(self, changes: Sequence[tuple[int, State]]) -> None:
        self.silent = False
        if len(changes) > MAX_SINGLE_CHANGES:
            self._overwrite_all(changes)
            return
        packed = self.kernels.pack(checked([state for _, state in changes]))
        for (agent, state), words in zip(changes, packed, strict=True):
            if agent not in self.dead:
                self._recount(self.state(agent), state)
            if not self.form.put(agent, words):
                self.pack()
                self.form.put(agent, words)

    def _overwrite_all(self, changes: Sequence[tuple[int, State]]) -> None:
        """The same at once: a million agents in a second."""
        agents = np.fromiter((agent for agent, _ in changes), np.int64, len(changes))
        states = [state for _, state in changes]
        try:
            words = packed_words(self.kernels, states)
        except OverflowError:
            words = self.kernels.pack(checked(states))  # a sentence says which number is too large
        if not self.form.put_all(agents, words):
            self.pack()
            self.form.put_all(agents, words)
        self._count()

    def _recount(self, old: State, new: State) -> None:
        protocol = self.run.protocol
        before, after = protocol.agent(old), protocol.agent(new)  # type: ignore[call-arg]
        for k, predicate in enumerate(self.predicates):
            more, less = (bool(protocol.ask(predicate, agent, protocol.constants)) for agent in (after, before))
            self.counts[k] += more - less

    def pack(self) -> None:
        self.form = self.switch.pack(self.form, self.steps)
