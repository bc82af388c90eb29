"""A population of the counts engine, read: its configuration, its clock, its checkpoints.

Once too many states are occupied its agents are listed one by one (counts.py), and the list is read instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from princeps.engines.agents import Agents
from princeps.engines.counts_state import StateCounts
from princeps.lowering.interning import MAX_STATES
from princeps.lowering.multiset import ALIVE, EVENTS, LISTS, OCCUPIED, PENDING
from princeps.lowering.multiset_steps import DIGIT
from princeps.model.fields import Counts
from princeps.model.protocol import Predicate
from princeps.model.states import State


class ReadableCounts(StateCounts):
    """What is asked of it, by one agent or all of them."""

    listed: Agents | None  # takes over when too many states are occupied
    done: int  # steps before that,
    calls: int  # and calls of the kernel

    @property
    def work(self) -> int:
        """Kernel calls: each takes about as long as the others, or ends where somebody asked."""
        return self.calls if self.listed is None else self.calls + self.listed.work

    def tally(self) -> list[tuple[State, int]]:
        if self.listed is not None:
            return self.listed.tally()
        return [(state, size) for size, state in self._blocks()]

    @property
    def steps(self) -> int:
        return self.done + (self.listed.steps if self.listed else 0)

    @property
    def leaders(self) -> int:
        return self.listed.leaders if self.listed else int(self.numbers[0, 0])

    @property
    def events(self) -> int:
        return int(self.facts[EVENTS]) + (self.listed.events if self.listed else 0)

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
        for size, state in self._blocks():
            agent -= size
            if agent < 0:
                return state
        raise IndexError(agent)

    def leader(self) -> int | None:
        """Nobody has a number."""
        return None

    def portion(self) -> int:
        return self.listed.portion() if self.listed is not None else DIGIT * DIGIT - 1

    # -- going back ---------------------------------------------------------------------------------------------

    def snapshot(self) -> Any:
        plain = self.silent, self.done, self.calls, self.forgot_at
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
        self.silent, self.done, self.calls, self.forgot_at = plain
        if isinstance(first, Agents):
            self.listed = first
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
