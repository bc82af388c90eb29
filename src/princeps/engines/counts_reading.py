"""A population of the counts engine, read: its configuration, its clock, its checkpoints.

Once too many states are occupied its agents are listed one by one (counts.py), and the list is read instead.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from copy import copy
from itertools import accumulate
from typing import Any

from princeps.engines.agents import Agents
from princeps.engines.counts_state import StateCounts
from princeps.lowering.interning import MAX_STATES
from princeps.lowering.multiset import (
    ALIVE,
    BATCH_DONE,
    BATCH_HIGH,
    BATCH_LOW,
    BATCH_PAIRS,
    CHANGED_LAST,
    EVENTS,
    LISTS,
    OCCUPIED,
    PENDING,
    REST_HIGH,
    REST_LOW,
)  # fmt: skip
from princeps.lowering.multiset_steps import DIGIT
from princeps.model.fields import Counts
from princeps.model.protocol import Predicate
from princeps.model.states import State
from princeps.model.topology import Topology


class ReadableCounts(StateCounts):
    """What is asked of it, by one agent or all of them."""

    listed: Agents | None  # takes over when too many states are occupied
    clock: tuple[int, int]  # steps before the last call of the kernel, and the budget of that call
    calls: int  # of the kernel
    changed_by: int  # the step at the end of the last batch that changed something

    @property
    def work(self) -> int:
        """Kernel calls: each takes about as long as the others, or ends where somebody asked."""
        return self.calls if self.listed is None else self.calls + self.listed.work

    def tally(self) -> list[tuple[State, int]]:
        if self.listed is not None:
            return self.listed.tally()
        return [(state, size) for size, state in self._blocks()]

    @property
    def done(self) -> int:
        """Steps by kernels, and time that has passed. `clock`: these before the last call, and the budget of it."""
        before, allowed = self.clock
        rest = int(self.facts[REST_HIGH]) * DIGIT + int(self.facts[REST_LOW])
        return before + allowed - rest if allowed else before

    @done.setter
    def done(self, steps: int) -> None:
        self.clock = steps, 0

    @property
    def steps(self) -> int:
        return self.done + (self.listed.steps if self.listed else 0)

    @property
    def leaders(self) -> int:
        return self.listed.leaders if self.listed else int(self.numbers[0, 0])

    @property
    def events(self) -> int:
        return int(self.facts[EVENTS]) + (self.listed.events if self.listed else 0)

    @property
    def last_change(self) -> int | None:
        """Within the last batch that changed something: where its pairs are in an order that was not drawn, it is drawn
        now, from a stream of its own. What follows the batch does not depend on it."""
        if self.listed is not None:
            return None
        facts, stream = self.facts, self.run.stream("last change")
        last, pairs, done = (int(facts[index]) for index in (CHANGED_LAST, BATCH_PAIRS, BATCH_DONE))
        if last < 0:  # -last of the pairs changed something: is the last of them one, or the one before, ...?
            changing, last = -last, pairs
            while stream.below(last) >= changing:
                last -= 1
        steps = int(facts[BATCH_HIGH]) * DIGIT + int(facts[BATCH_LOW])
        if steps == done or last == done:
            return self.changed_by - (done - last)
        # interactions of inert agents are among the steps, of which the last is none: the others are anywhere before it
        others = sorted(stream.sample(steps - 1, done - 1))
        return self.changed_by - steps + others[last - 1] + 1

    def any_may_change(self, graph: Topology, most: int) -> bool:
        return super().any_may_change(graph, most) if self.listed is None else self.listed.any_may_change(graph, most)

    def holds(self) -> bool:
        if self.listed is not None:
            return self.listed.holds()
        goal, protocol = self.run.goal, self.run.protocol
        counts = dict(zip([*self.tracked, "n"], self.numbers[0].tolist(), strict=True))
        return bool(protocol.ask(goal.rule, Counts(counts), protocol.constants))

    def census(self, predicates: Sequence[Predicate]) -> list[int]:
        if self.listed is not None:
            return self.listed.census(predicates)
        protocol = self.run.protocol
        out = [0] * len(predicates)
        for size, state in self._blocks():
            agent = protocol.agent(state)  # type: ignore[call-arg]
            for index, predicate in enumerate(predicates):
                out[index] += size * bool(protocol.ask(predicate, agent, protocol.constants))
        return out

    def state(self, agent: int) -> State:
        """Agents have no names here: number them by their states."""
        if self.listed is not None:
            return self.listed.state(agent)
        return self.states_of([agent])[0]

    def states_of(self, agents: Sequence[int]) -> list[State]:
        """The same of many agents."""
        blocks = self._blocks()
        ends = list(accumulate(size for size, _ in blocks))
        return [blocks[bisect_right(ends, agent)][1] for agent in agents]

    def leader(self) -> int | None:
        """Nobody has a number."""
        return None

    def portion(self) -> int:
        return self.listed.portion() if self.listed is not None else DIGIT * DIGIT - 1

    # -- going back ---------------------------------------------------------------------------------------------

    def snapshot(self) -> Any:
        plain = self.silent, self.done, self.calls, self.forgot_at, self.changed_by
        if self.listed is not None:
            return self.run, plain, self.listed, self.listed.snapshot(), self.facts.copy()
        size, occupied = self.state_table.size, int(self.facts[OCCUPIED])
        lists = self.m[ALIVE // MAX_STATES, :occupied].copy()
        arrays = self.m[:LISTS, :size].copy(), lists, self.pairs[:, : int(self.facts[PENDING])].copy()
        return (
            self.run,
            plain,
            self.state_table.saved(),
            arrays,
            (self.facts.copy(), self.rng.copy(), self.numbers.copy()),
        )

    def restore(self, saved: Any) -> None:
        run, plain, first, second, third = saved
        if run is not self.run:
            self._track(run)
        self.silent, self.done, self.calls, self.forgot_at, self.changed_by = plain
        if isinstance(first, Agents):
            self.listed = copy(first)  # it may be another population's; `restore` replaces all that is written
            self.listed.restore(second)
            self.facts[:] = third
            return
        self.listed = None
        self.state_table = first.table()
        rows, alive, pending = second
        self.m[:] = 0
        self.m[:LISTS, : rows.shape[1]] = rows
        self.m[ALIVE // MAX_STATES, : len(alive)] = alive
        self.pairs[:, : pending.shape[1]] = pending
        self.facts[:], self.rng[:], self.numbers[:] = third
        self._point()
        self._learn_again()

    @property
    def checkpoint_spacing(self) -> int:
        return 1

    @property
    def snapshot_bytes(self) -> int:
        if self.listed is not None:
            return self.listed.snapshot_bytes
        return 8 * (LISTS + 3) * self.state_table.size + 4 * int(self.facts[PENDING]) + 2048
