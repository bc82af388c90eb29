"""Only the interactions that change something, where few do: rings and other sparse graphs.

As P_RL converges almost every interaction becomes null: a ring of 10^6 agents takes 10^12 steps and some 10^8 of them
change anything. While more than a few per cent of the arcs are active, going through all pairs is faster; the engine
passes from one to the other and back by counting, at steps that do not depend on how a run is cut into stretches.
The waits and choices of the effective interactions have a random stream of their own.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from princeps.engines.agents import Agents
from princeps.engines.forms import Interned, Packed, fresh_book
from princeps.engines.population import Watch
from princeps.engines.refusals import events_refusal
from princeps.errors import RunError
from princeps.lowering import chance
from princeps.lowering.cache import kernel_module
from princeps.lowering.interning import Book
from princeps.model.randomness import seed_words
from princeps.model.run import Run

FEW = 16  # one effective interaction in so many, or fewer: skip the others
MANY = 8  # one arc in so many is active, or more: go through all pairs again
NEAR = 2  # on a listed graph both bounds are stricter by the arcs to examine for each interaction, divided by this
LOOK = 1 << 12  # at least so many steps before the activity is judged
EVENTS = 1 << 20  # effective interactions in one call of the kernel, so that Ctrl-C is heard


def events_kernel() -> Any:
    return kernel_module("princeps.engines.events_kernel")


class Events(Agents):
    engine = "events"
    longest = 1 << 60  # steps that are skipped cost nothing, but they are kept in 64 bits

    def __init__(self, run: Run) -> None:
        problem = events_refusal(run)
        if problem is not None:
            raise RunError(problem)
        super().__init__(run)
        self.skips = np.array(seed_words(run.seed, run.trial, "skips"), dtype=np.uint64)
        arcs = run.topology.arc_count
        self.active, self.where = np.zeros(arcs, np.uint32), np.zeros(arcs, np.int32)
        self.facts = np.zeros(3, np.int64)
        self.first, self.around = np.zeros(0, np.int64), np.zeros(0, np.uint32)  # listed when it is first skipped
        self.costly = max(1, arcs_to_examine(run.n, self.sources, self.targets) // NEAR)
        self.skipping = False
        self.look = max(LOOK, arcs)
        self.look_at, self.events_before = self.look, 0

    def overwrite(self, changes: Any) -> None:
        super().overwrite(changes)
        if self.skipping:
            self._list_active()

    def _stretch(self, watch: Watch, budget: int) -> tuple[int, int]:
        if not self.skipping and self.steps == self.look_at:
            self._judge()
        if self.skipping:
            return super()._stretch(watch, budget)
        return super()._stretch(watch, min(budget, self.look_at - self.steps))

    def _judge(self) -> None:
        """Were there few enough effective interactions since the last look?"""
        seldom = (self.events - self.events_before) * FEW * self.costly < self.look
        self.look_at, self.events_before = self.steps + self.look, self.events
        if seldom:
            if isinstance(self.form, Interned):  # most tests are of pairs that never meet: not worth learning
                self._pack()
            self.skipping = True
            self._list_active()

    @cached_property
    def book(self) -> Book:
        """Only for the addresses in it."""
        return fresh_book(self.kernels, self.predicates)

    def _world(self) -> tuple[Any, ...]:
        assert isinstance(self.form, Packed)
        agents = self.form.agents.reshape(self.run.n, -1)
        return self.book.io, self.book.at, agents, self.kind, self.run.n, self.sources, self.targets

    def _list_active(self) -> None:
        if self.kind == chance.ARCS and not len(self.first):
            self.first, self.around = events_kernel().arcs_around(self.run.n, self.sources, self.targets)
        events_kernel().examine_all(*self._world(), self.active, self.where, self.facts)

    def _call_kernel(self, watch: Watch, budget: int) -> tuple[int, int]:
        if not self.skipping:
            return super()._call_kernel(watch, budget)
        done, status = events_kernel().advance(
            *self._world(), self.first, self.around, self.skips, self.active, self.where, self.facts,
            self.cursor, self.counts, self.goal_at, self.counts.ctypes.data,
            int(watch), budget, self.run.topology.arc_count // (MANY * self.costly), EVENTS,
        )  # fmt: skip
        self.silent = status == 8
        if self.silent:  # but time goes on
            self.cursor[3] += budget - done
            done = budget
        if status == 7:
            self.skipping = False
            self.look_at, self.events_before = self.steps + self.look, self.events
        return done, status

    def _blame(self) -> None:
        if self.skipping:
            arc = int(self.facts[2]) - 1
            i, j = self.run.topology.arc(arc)
            self.left[0], self.right[0], self.cursor[0] = i, j, 0
        super()._blame()

    def _choose_form(self, budget: int) -> int:
        if self.skipping:  # a change of form would cost more than it brings
            return budget
        return super()._choose_form(budget)

    def _snapshot(self) -> tuple[Any, ...]:
        arrays = (self.skips, self.active, self.where, self.facts) if self.skipping else (self.skips,)
        own = (self.skipping, self.look_at, self.events_before)
        return super()._snapshot(), own, [array.copy() for array in arrays]

    def _restore(self, saved: tuple[Any, ...]) -> None:
        inherited, (self.skipping, self.look_at, self.events_before), copies = saved
        super()._restore(inherited)
        arrays = (self.skips, self.active, self.where, self.facts)
        for k, copy in enumerate(copies):
            arrays[k][...] = copy


def arcs_to_examine(n: int, sources: Any, targets: Any) -> int:
    """How many arcs touch the two agents of an arc, on average over the arcs: on a star nearly all of them do."""
    if not len(sources):
        return 0
    degrees = (np.bincount(sources, minlength=n) + np.bincount(targets, minlength=n)).astype(np.float64)
    return int((degrees**2).sum() / len(sources))
