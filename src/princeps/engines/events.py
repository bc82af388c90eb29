"""Only the interactions that change something, where few do: rings and other sparse graphs.

As P_RL converges almost every interaction becomes null: a ring of 10^6 agents takes 10^12 steps and some 10^8 of them
change anything. While more than a few per cent of the arcs are active, going through all pairs is faster; the engine
passes from one to the other and back by counting, at steps that do not depend on how a run is cut into stretches.
The waits and choices of the effective interactions have a random stream of their own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from princeps.engines.active_arcs import RATES, SCOUT
from princeps.engines.agents import PREFETCH_BYTES, Agents
from princeps.engines.forms import Form, Interned, Packed, Stored, new_table
from princeps.engines.numbered_agents import events_kernel
from princeps.engines.population import StopCondition
from princeps.engines.refusals import events_refusal
from princeps.errors import RunError
from princeps.lowering import chance
from princeps.lowering.cache import kernel_module
from princeps.lowering.interning import StateTable
from princeps.lowering.kernels import Kernels
from princeps.lowering.status import ARC_ACTIVE, ARC_CHOSEN, ARC_FACTS, ARC_LAST, Cursor, Status
from princeps.model.protocol import Counted, Predicate
from princeps.model.randomness import seed_words
from princeps.model.run import Run

SKIP_FROM = 16  # where at most one interaction in 16 is effective, skip the others
WALK_FROM = 8  # where at least one arc in 8 is active, go through all pairs again
EXAMINED_ARCS = 2  # on a listed graph both bounds are stricter by the arcs to examine an interaction, divided by this
JUDGE_AFTER = 1 << 12  # steps, at least, after which the activity is judged
EVENTS_PER_CALL = 1 << 20  # effective interactions in one call of the kernel, so that Ctrl-C is heard
EVENT_WORK = 8  # what an effective interaction costs, in interactions of all pairs


def choosing_events_kernel() -> Any:
    """The same for rules that toss coins or read an oracle."""
    return kernel_module("princeps.engines.choosing_events_kernel")


class Events(Agents):
    engine = "events"
    lists_arcs = True
    longest = 1 << 60  # steps that are skipped cost nothing, but they are kept in 64 bits

    def __init__(self, run: Run) -> None:
        problem = events_refusal(run)
        if problem is not None:
            raise RunError(problem)
        super().__init__(run)
        self._addresses: tuple[Any, StateTable] | None = None
        self._bits_read: tuple[Any, Any] | None = None
        self.skips = np.array(seed_words(run.seed, run.trial, "skips"), dtype=np.uint64)
        arcs = run.topology.arc_count
        self.active, self.where = np.zeros(arcs, np.uint32), np.zeros(arcs, np.int32)
        self.facts = np.zeros(ARC_FACTS, np.int64)
        self.rates, self.scout = (
            np.zeros(2 * RATES),
            np.zeros(SCOUT, np.uint64),
        )  # what kernels remember; no result depends on it
        self.first, self.around = np.zeros(0, np.int64), np.zeros(0, np.uint32)  # listed when it is first skipped
        self.costly = max(1, arcs_to_examine(run.n, self.sources, self.targets) // EXAMINED_ARCS)
        self.skipping = False
        self.judge_after = max(JUDGE_AFTER, arcs)
        self.judge_at, self.events_before = self.judge_after, 0
        self.walked = 0  # steps in which all pairs were gone through

    def overwrite(self, changes: Any) -> None:
        super().overwrite(changes)
        if self.skipping:
            self._list_active()

    def _stretch(self, stop_at: StopCondition, budget: int) -> tuple[int, int]:
        if not self.skipping and self.steps >= self.judge_at:  # beyond it only where a pair met by order
            self._judge()
        if self.skipping:
            return super()._stretch(stop_at, budget)
        return super()._stretch(stop_at, min(budget, self.judge_at - self.steps))

    def _judge(self) -> None:
        """Were there few enough effective interactions since the last look?"""
        seldom = (self.events - self.events_before) * SKIP_FROM * self.costly < self.judge_after
        self.judge_at, self.events_before = self.steps + self.judge_after, self.events
        if seldom:
            if isinstance(self.form, Interned):  # most tests are of pairs that never meet: not worth learning
                self.pack()
            self.skipping = True
            self._list_active()

    @property
    def addresses(self) -> StateTable:
        """A table that is used only for the addresses in it: of the rule, the predicates and the constants."""
        if self._addresses is None or self._addresses[0] is not self.predicates:
            self._addresses = self.predicates, new_table(self.kernels, self.predicates)
        return self._addresses[1]

    @property
    def bits_read(self) -> Any:
        """Of the predicates that are tracked now."""
        if self._bits_read is None or self._bits_read[0] is not self.predicates:
            self._bits_read = self.predicates, bits_read(self.kernels, self.predicates)
        return self._bits_read[1]

    @property
    def _ahead(self) -> bool:
        """Agents and the list outgrow the second-level cache."""
        return bool(self.form.agents.nbytes + self.where.nbytes > PREFETCH_BYTES)

    def _world(self) -> tuple[Any, ...]:
        assert isinstance(self.form, Packed)
        agents = self.form.agents.reshape(self.run.n, -1)
        return self.addresses.io, self.addresses.header, agents, self.kind, self.run.n, self.sources, self.targets

    def _list_arcs(self) -> None:
        if self.kind == chance.ARCS and not len(self.first):
            n = self.run.n
            self.first, self.around = np.zeros(n + 1, np.int64), np.zeros(2 * len(self.sources), np.uint32)
            events_kernel().arcs_around(n, self.sources, self.targets, self.first, np.zeros(n, np.int64), self.around)

    def _list_active(self) -> None:
        self._list_arcs()
        if self.run.protocol.has_choices:
            choosing_events_kernel().examine_all(
                *(*self._world(), self.active, self.where, self.facts, self._oracle_at, self.counts.ctypes.data)
            )
        else:
            events_kernel().examine_all(*self._world(), self.active, self.where, self.facts)

    @property
    def _oracle_at(self) -> int:
        """Where the compiled oracle is; 0 if there is none."""
        oracle = self.run.protocol.oracle
        return 0 if oracle is None else self.kernels.goal_at(Counted(oracle.rule), self.tracked)

    def _call_kernel(self, stop_at: StopCondition, budget: int) -> tuple[int, int]:
        if not self.skipping:
            done, status = super()._call_kernel(stop_at, budget)
            self.walked += done
            return done, status
        has_choices = self.run.protocol.has_choices
        done, status = (choosing_events_kernel() if has_choices else events_kernel()).advance(
            *self._world(), self.first, self.around, self.skips, self.active, self.where, self.facts,
            self.cursor, self.counts, self.goal_at, self.counts.ctypes.data,
            int(stop_at), budget, self.run.topology.arc_count // (WALK_FROM * self.costly), EVENTS_PER_CALL,
            self.rates, *((self._oracle_at, self.coins) if has_choices else (self.bits_read, self.scout, self._ahead)),
        )  # fmt: skip
        self.silent = status == Status.SILENT
        if self.silent:  # but time goes on
            self.cursor[Cursor.STEPS] += budget - done
            self.facts[ARC_LAST] = 0
            done = budget
        if status == Status.MANY_ACTIVE:
            self.skipping = False
            self.judge_at, self.events_before = self.steps + self.judge_after, self.events
        return done, status

    @property
    def work(self) -> int:
        return self.walked + EVENT_WORK * self.events

    def steps_for(self, work: int) -> int:
        if not self.skipping:
            return work
        return max(1, work // EVENT_WORK) * max(1, len(self.where) // max(1, int(self.facts[ARC_ACTIVE])))

    @property
    def last_pair(self) -> tuple[int, int] | None:
        if not self.skipping or (self.forced is not None and self.forced[0] == self.steps):
            return super().last_pair
        arc = int(self.facts[ARC_LAST]) - 1
        return None if arc < 0 else self.run.topology.arc(arc)

    def pass_time(self, steps: int) -> None:
        super().pass_time(steps)
        if steps:
            self.facts[ARC_LAST] = 0

    def kill(self, agent: int, dead: bool = True) -> None:
        self.refuse("lists the arcs that would change something, and knows no dead agents")

    def cut(self, i: int, j: int, is_cut: bool = True) -> None:
        self.refuse("lists the arcs that would change something, and knows no cut ones")

    def set_goal(self, until: str) -> None:
        super().set_goal(until)
        if self.skipping and isinstance(self.form, Interned):
            self.pack()

    def _explain(self) -> None:
        self.oracle_value()  # if it is the oracle that fails, this says so
        if self.skipping:
            arc = int(self.facts[ARC_CHOSEN]) - 1
            i, j = self.run.topology.arc(arc)
            self.left[0], self.right[0], self.cursor[Cursor.POSITION] = i, j, 0
        super()._explain()

    def _choose_form(self, budget: int) -> int:
        if self.skipping:  # a change of form would cost more than it brings
            return budget
        return super()._choose_form(budget)

    def _saved(self, form: Form | Stored) -> Any:
        arrays = (self.skips, self.facts, self.active, self.where) if self.skipping else (self.skips, self.facts)
        own = self.skipping, self.judge_at, self.events_before, self.walked
        return super()._saved(form), own, [array.copy() for array in arrays]

    def restore(self, saved: Any) -> None:
        inherited, (self.skipping, self.judge_at, self.events_before, self.walked), copies = saved
        super().restore(inherited)
        arrays: tuple[Any, ...] = (self.skips, self.facts, self.active, self.where)
        for array, copied in zip(arrays, copies, strict=False):
            array[...] = copied
        if self.skipping:  # the snapshot may be another population's
            self._list_arcs()

    @property
    def snapshot_bytes(self) -> int:
        return super().snapshot_bytes + (8 * len(self.where) if self.skipping else 0)


def bits_read(kernels: Kernels, predicates: Sequence[Predicate]) -> Any:
    """The bits of an agent's words that these predicates look at: while none of them changes, they need not be asked."""
    read = [0] * kernels.layout.words
    guards = kernels.writer.guards()
    for predicate in predicates:
        text, _ = kernels.writer.guarded_predicate(predicate, guards)
        for name in set(re.findall(r"\bl_(\w+)", text)) & set(kernels.layout.bit_fields):
            place = kernels.layout.bit_fields[name]
            read[place.word] |= place.mask << place.shift
    return np.array(read, np.uint64).astype(np.int64)


def arcs_to_examine(n: int, sources: Any, targets: Any) -> int:
    """How many arcs touch the two agents of an arc, on average over the arcs: on a star nearly all of them do."""
    if not len(sources):
        return 0
    degrees = (np.bincount(sources, minlength=n) + np.bincount(targets, minlength=n)).astype(np.float64)
    return int((degrees**2).sum() / len(sources))
