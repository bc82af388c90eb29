"""Agents in an array, one pair after the other, pairs drawn ahead. Any topology, any protocol.

While few states are occupied an agent is a 16-bit id and delta a look-up; else it is packed words and delta the
compiled rule (forms.py). The engine passes from one to the other by counting how often a pair was new (switching.py),
and no trajectory depends on it.

A goal on counts is met exactly when a count changes, so the kernel stops there. For a goal on the whole configuration
the first hit is searched (first_hit.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any

import numpy as np

from princeps.engines.first_hit import advance_testing, advance_window
from princeps.engines.forms import Form, Packed, Stored, agents_kernel
from princeps.engines.masks import Mask
from princeps.engines.memory import refuse_if_too_large
from princeps.engines.numbered_agents import NumberedAgents
from princeps.engines.population import Stop, StopCondition
from princeps.engines.starting import keep_start, kept_start, starting_form
from princeps.engines.switching import FormSwitch
from princeps.lowering import chance
from princeps.lowering.choice_code import TOSSED
from princeps.lowering.kernels import LARGEST, kernels_of
from princeps.lowering.status import Cursor, Status
from princeps.model.coins import COINS
from princeps.model.protocol import Closed
from princeps.model.randomness import Stream, seed_words
from princeps.model.run import Run
from princeps.model.scheduler import Drawing
from princeps.model.states import State
from princeps.model.topology import COMPLETE, DIRECTED_RING, UNDIRECTED_RING

BLOCK = 512  # pairs drawn ahead; 256 to 1024 are equally fast, larger blocks outgrow the first-level cache
PREFETCH_BYTES = 1 << 19  # agents beyond the second-level cache: 1.3x faster at n = 10^5, 2x at 10^6, 4x at 10^7
STRETCH = 1 << 22  # steps in one call of the kernel, so that Ctrl-C is heard
FULFILLED = (Status.GOAL_MET, Status.OUTPUT_CHANGED)


class Agents(NumberedAgents):
    engine = "agents"
    longest = STRETCH
    lists_arcs = False  # it keeps lists of them, which take memory

    def __init__(self, run: Run, blocks: Sequence[tuple[int, State]] | None = None) -> None:
        """`blocks` replace the start: numbers of agents, each with a state."""
        super().__init__(run)
        self.kernels = kernels_of(run.protocol)
        refuse_if_too_large(run, self.kernels.layout, self.lists_arcs)
        self._track(run)
        kept = None if blocks is not None else kept_start(run, self.kernels, self.predicates)
        self.form: Form = starting_form(run, self.kernels, self.predicates, blocks) if kept is None else kept[0]
        self.switch = FormSwitch.at_start(self.kernels, self.predicates, self.form, run.n, 0)
        self.base = 0  # steps that no longer fit into the cursor
        self.later: tuple[int, Any, Any] | None = None  # the scheduler after the pairs that come first
        self.forced: tuple[int, int, int] | None = None  # a pair that met by order, after its step
        self.mask = Mask()
        self.coins = np.zeros(TOSSED, np.uint64)  # the stream that the rule draws from, if it does
        self.coins[:4] = seed_words(run.seed, run.trial, COINS)
        self.counts: Any = None
        self._set_scheduler()
        if kept is None:
            self._count()
            if blocks is None:
                keep_start(run, self.kernels, self.predicates, self.form, self.counts)
        else:
            self.counts = kept[1]

    # -- the scheduler ------------------------------------------------------------------------------------------

    def _set_scheduler(self) -> None:
        """Pairs are drawn in blocks: by the kernel (chance.draw_block), or one by one by the scheduler itself; a given
        list is one block."""
        run, topology = self.run, self.run.topology
        self.rng = np.array(seed_words(run.seed, run.trial, "schedule"), dtype=np.uint64)
        self.cursor = np.zeros(len(Cursor), dtype=np.int64)
        self.sources = np.frombuffer(topology.sources, dtype=np.uint32) if topology.sources else np.zeros(0, np.uint32)
        self.targets = np.frombuffer(topology.targets, dtype=np.uint32) if topology.targets else np.zeros(0, np.uint32)
        kinds = {
            COMPLETE: chance.COMPLETE,
            DIRECTED_RING: chance.DIRECTED_RING,
            UNDIRECTED_RING: chance.UNDIRECTED_RING,
        }
        self.kind = kinds.get(topology.kind, chance.ARCS)
        self.drawing: Drawing | None = None
        self.left, self.right = np.zeros(BLOCK, np.uint32), np.zeros(BLOCK, np.uint32)
        if run.scheduler.draws_independent_agents:
            self.kind = chance.SELF_MEETING
        elif run.scheduler.listed is not None:
            self.kind = chance.LISTED
            both = np.array(run.scheduler.listed, dtype=np.uint32).reshape(-1, 2)
            self.left, self.right = both[:, 0].copy(), both[:, 1].copy()
            self.cursor[Cursor.FILLED] = len(both)
        elif not run.scheduler.draws_uniform_arcs:
            self.kind, self.drawing = chance.DRAWN_OUTSIDE, run.drawing()

    @property
    def _selects_pairs(self) -> bool:
        """Some pairs of a block may not interact, or the kernel cannot draw them: it is handed those that do."""
        return bool(self.mask) or self.kind in (chance.SELF_MEETING, chance.DRAWN_OUTSIDE)

    def _draw_block(self) -> None:
        """What a kernel does when it has come to the end of a block."""
        if self.drawing is None:
            agents_kernel().draw(self.kind, self.run.n, self.sources, self.targets, self.rng, self.left, self.right)
        else:
            for k in range(BLOCK):
                self.left[k], self.right[k] = self.drawing.next()  # type: ignore[misc]  # without an end
        self.cursor[Cursor.POSITION], self.cursor[Cursor.FILLED] = 0, len(self.left)

    def meet_first(self, left: Any, right: Any) -> None:
        """These pairs come before any that is drawn."""
        self.later = self.kind, self.left, self.right
        self.kind, self.left, self.right = chance.LISTED, left, right
        self.cursor[Cursor.POSITION], self.cursor[Cursor.FILLED] = 0, len(left)

    # -- advancing ----------------------------------------------------------------------------------------------

    def advance(self, budget: int, stop_at: StopCondition) -> Stop:
        if stop_at is StopCondition.GOAL and isinstance(self.run.goal, Closed):
            return (advance_window if self.run.keeps_promises else advance_testing)(self, budget)
        return self.advance_plainly(budget, stop_at)

    def advance_plainly(self, budget: int, stop_at: StopCondition) -> Stop:
        """Without the search for the first hit of a closed goal."""
        while budget > 0 and not self.exhausted:
            done, status = self._stretch(stop_at, min(budget, self.longest))
            budget -= done
            if status in FULFILLED:
                return Stop.FULFILLED
        return Stop.LIST_ENDED if self.exhausted else Stop.SILENT if self.silent else Stop.BUDGET

    def _stretch(self, stop_at: StopCondition, budget: int) -> tuple[int, int]:
        """One call of a kernel, and what it asks for; steps done, and its status."""
        budget = self._choose_form(budget)
        try:
            done, status = (self._call_selected if self._selects_pairs else self._call_kernel)(stop_at, budget)
        except OverflowError:
            raise self.kernels.overflow() from None
        except (ZeroDivisionError, ValueError):
            raise self.kernels.undefined() from None
        if status in (Status.OUTSIDE_DOMAIN, Status.RULE_FAILED):
            self._explain()
        if status == Status.GOAL_MET and not self.meets(self.run.goal):
            raise AssertionError("a goal is met by the counts of the kernel, and not by the goal itself")
        if status == Status.LIST_ENDED and self.later is not None:
            self.kind, self.left, self.right = self.later
            self.later = None
            self.cursor[Cursor.POSITION] = self.cursor[Cursor.FILLED] = 0
        elif status == Status.LIST_ENDED:
            self.exhausted = True
        if status == Status.TABLE_FULL:
            self.form = self.switch.make_room(self.form, self.steps)
        if self.cursor[Cursor.STEPS] > LARGEST // 4:
            self.base += int(self.cursor[Cursor.STEPS])
            self.cursor[Cursor.STEPS] = 0
        return done, status

    def _call_kernel(self, stop_at: StopCondition, budget: int) -> tuple[int, int]:
        kernels, form = self.kernels, self.form
        ahead = form.agents.nbytes > PREFETCH_BYTES
        world = (self.kind, self.present, self.sources, self.targets, self.rng, self.left, self.right, self.cursor)
        if isinstance(form, Packed):
            chosen = (self.coins,) if self.run.protocol.has_choices else ()
            return self.packed_kernel(  # type: ignore[no-any-return]
                form.agents, kernels.constants, kernels.tops, *world, self.counts, int(stop_at), budget, ahead, *chosen
            )
        table = form.state_table
        return agents_kernel().advance(  # type: ignore[no-any-return]
            *(table.header, table.transitions, table.marks, form.agents, *world, self.counts),
            *(self.goal_at, self.counts.ctypes.data, int(stop_at), budget, ahead),
        )

    def _call_selected(self, stop_at: StopCondition, budget: int) -> tuple[int, int]:
        """The same with dead agents, cut arcs or self-meetings: such pairs are drawn and counted, no more."""
        cursor = self.cursor
        if cursor[Cursor.POSITION] == cursor[Cursor.FILLED]:
            if self.kind == chance.LISTED:
                return 0, Status.LIST_ENDED
            self._draw_block()
        first, filled, steps = (int(cursor[place]) for place in (Cursor.POSITION, Cursor.FILLED, Cursor.STEPS))
        stop = min(filled, first + budget)
        kind, left, right = self.kind, self.left, self.right
        able = self.mask.able(left[first:stop], right[first:stop], self.run.n)
        self.kind, self.left, self.right = chance.LISTED, left[first:stop][able], right[first:stop][able]
        cursor[Cursor.POSITION], cursor[Cursor.FILLED] = 0, len(able)
        try:
            met, status = self._call_kernel(stop_at, len(able)) if len(able) else (0, Status.CONTINUE)
        finally:
            self.kind, self.left, self.right = kind, left, right
        done = stop - first
        if status in FULFILLED:
            done = int(able[met - 1]) + 1
        elif met < len(able):  # the kernel stopped before a pair
            done = int(able[met])
        cursor[Cursor.POSITION], cursor[Cursor.FILLED], cursor[Cursor.STEPS] = first + done, filled, steps + done
        return done, status

    def _choose_form(self, budget: int) -> int:
        """As many steps of the budget as there are to the end of the present trial of a form."""
        self.form = self.switch.review(self.form, self.steps, self.kind == chance.COMPLETE)
        return min(budget, self.switch.ends - self.steps)

    def _explain(self) -> None:
        """The kernel stopped before an interaction that leaves a domain or fails: do it in Python to learn where."""
        i, j = (int(side[self.cursor[Cursor.POSITION]]) for side in (self.left, self.right))
        self.kernels.explain(self.state(i), self.state(j), self.predicates, self._coins(), self.oracle_value())

    def _coins(self) -> Stream | None:
        """The stream of the rule's coins in plain Python, where it now is."""
        return Stream(tuple(self.coins[:4].tolist())) if self.run.protocol.tosses else None

    def pass_time(self, steps: int) -> None:
        self.base += steps

    def portion(self) -> int:
        if isinstance(self.run.goal, Closed):  # a window is worth its test and its snapshot, both of order n
            return max(16 * self.run.n, self.steps // 8)
        return STRETCH

    # -- asking -------------------------------------------------------------------------------------------------

    @property
    def steps(self) -> int:
        return self.base + int(self.cursor[Cursor.STEPS])

    @property
    def leaders(self) -> int:
        return int(self.counts[0])

    @property
    def events(self) -> int:
        return int(self.cursor[Cursor.EVENTS])

    @property
    def last_pair(self) -> tuple[int, int] | None:
        if self.forced is not None and self.forced[0] == self.steps:
            return self.forced[1:]
        place = int(self.cursor[Cursor.POSITION]) - 1
        return None if place < 0 else (int(self.left[place]), int(self.right[place]))

    # -- acting from outside ------------------------------------------------------------------------------------

    def _count_meeting(self, i: int, j: int, changed: bool) -> None:
        self.cursor[Cursor.STEPS] += 1
        self.cursor[Cursor.EVENTS] += changed
        self.forced = self.steps, i, j

    def tear(self, side: str) -> bool:
        cursor = self.cursor
        if cursor[Cursor.POSITION] == cursor[Cursor.FILLED]:
            self.exhausted = self.kind == chance.LISTED
            if self.exhausted:
                return False
            self._draw_block()
        i, j = (int(agents[cursor[Cursor.POSITION]]) for agents in (self.left, self.right))
        changes: list[tuple[int, State]] = []
        if len(self.mask.able(np.array([i]), np.array([j]), self.run.n)):
            coins = self._coins()
            changes = self._changes(i, j, (side,), coins)
            if coins is not None:
                self.coins[:4] = coins.words
        if changes:
            self.overwrite(changes)
        cursor[Cursor.POSITION] += 1
        self._count_meeting(i, j, changed=bool(changes))
        return True

    def kill(self, agent: int, dead: bool = True) -> None:
        if dead != (agent in self.mask.dead):
            self._count_again(agent, -1 if dead else 1)
        self.mask = self.mask.with_agent(agent, dead)

    def cut(self, i: int, j: int, is_cut: bool = True) -> None:
        self.mask = self.mask.with_arc(i, j, is_cut)

    @property
    def dead(self) -> frozenset[int]:
        return self.mask.dead

    @property
    def cuts(self) -> frozenset[tuple[int, int]]:
        return self.mask.cuts

    # -- going back ---------------------------------------------------------------------------------------------

    def copy(self) -> Any:
        """A snapshot that shares the state table with the population: quick, for a moment."""
        return self._saved(self.form.copy())

    def snapshot(self) -> Any:
        return self._saved(self.form.compact())

    def _saved(self, form: Form | Stored) -> Any:
        goal = self.run, self.counted, self.tracked, self.predicates
        drawn = None if self.drawing is None else self.drawing.snapshot()
        plain = self.exhausted, self.silent, self.base, self.later, self.forced, self.mask, drawn
        block = self.left, self.right
        if self.kind != chance.LISTED:  # a list of pairs is never written
            block = self.left.copy(), self.right.copy()
        arrays = self.rng.copy(), self.cursor.copy(), self.counts.copy(), self.coins.copy()
        return goal, plain, form, copy(self.switch), (self.kind, *block), arrays

    def restore(self, saved: Any) -> None:
        goal, plain, form, switch, (kind, left, right), arrays = saved
        self.run, self.counted, self.tracked, self.predicates = goal
        self.exhausted, self.silent, self.base, self.later, self.forced, self.mask, drawn = plain
        if self.drawing is not None:
            self.drawing.restore(drawn)
        self.form, self.switch = form.copy(), copy(switch)
        self.kind, self.left, self.right = kind, left, right
        if kind != chance.LISTED:
            self.left, self.right = left.copy(), right.copy()
        self.rng, self.cursor, self.counts, self.coins = (array.copy() for array in arrays)

    @property
    def snapshot_bytes(self) -> int:
        return int(self.form.agents.nbytes) + 8 * BLOCK + 2048
