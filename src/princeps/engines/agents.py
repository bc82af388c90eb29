"""Agents in an array, one pair after the other, pairs drawn ahead. Any topology, any protocol.

While few states are occupied an agent is a 16-bit id and delta a look-up; else it is packed words and delta the
compiled rule (forms.py). The engine passes from one to the other by counting how often a pair was new, and no
trajectory depends on it.

A goal on counts is met exactly when a count changes, so the kernel stops there. A closed goal on the whole
configuration is tested after a window of steps; when it has become true, the window is replayed from a snapshot
with the same random stream, halving it until the first step at which the goal holds is found.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from princeps.engines.forms import Form, Interned, Packed, agents_kernel, fresh_book, interned
from princeps.engines.memory import refuse_if_too_large
from princeps.engines.population import Population, Watch
from princeps.engines.starting import beginning, in_python, keep_beginning, starting_form
from princeps.errors import ProtocolError, TooLarge
from princeps.lowering import chance
from princeps.lowering.interning import MISSES
from princeps.lowering.kernels import LARGEST, kernels_of
from princeps.model.fields import Counts
from princeps.model.protocol import Closed, Counted, Predicate, one_leader
from princeps.model.randomness import seed_words
from princeps.model.run import Run
from princeps.model.states import State
from princeps.model.topology import COMPLETE, RING, UNDIRECTED_RING

ONE_BY_ONE = 32
BLOCK = 512  # pairs drawn ahead; 256 to 1024 are equally fast, larger blocks outgrow the first-level cache
PREFETCH_BYTES = 1 << 19  # agents beyond the second-level cache: 1.3x faster at n = 10^5, 2x at 10^6, 4x at 10^7
STRETCH = 1 << 22  # steps in one call of the kernel, so that Ctrl-C is heard
TRIAL = 1 << 18  # interned steps after which it is judged for the first time whether interning pays
PROBE = 1 << 14  # the same when it is tried again, and at the beginning where nearly every pair is new
FORGET = 1 << 22  # steps between two times at which states nobody is in are forgotten
NEW_PAIRS = 6  # it pays if fewer than one pair in six is new: learning one costs as much as six compiled rules


class Agents(Population):
    engine = "agents"
    longest = STRETCH

    def __init__(self, run: Run, blocks: Sequence[tuple[int, State]] | None = None) -> None:
        """`blocks` replace the start: numbers of agents, each with a state."""
        super().__init__(run)
        self.kernels = kernels_of(run.protocol)
        refuse_if_too_large(run, self.kernels.layout)
        self.counted = run.goal if isinstance(run.goal, Counted) else None
        self.tracked = self.kernels.tracked(self.counted)
        predicates = type(run.protocol).all_predicates()
        self.predicates = [predicates[name] for name in self.tracked]
        begun = None if blocks is not None else beginning(run, self.kernels, self.predicates)
        self.form: Form = starting_form(run, self.kernels, self.predicates, blocks) if begun is None else begun[0]
        self.trial, self.trial_ends = TRIAL, 8 * TRIAL if isinstance(self.form, Packed) else min(PROBE, TRIAL)
        self.trial_began = self.forgot_at = 0
        self.misses_before = 0 if isinstance(self.form, Packed) else int(self.form.book.at[MISSES])
        self.base = 0  # steps that no longer fit into the cursor
        self.later: tuple[int, Any, Any] | None = None  # the schedule after the pairs that come first
        self.counts: Any = None
        self._set_schedule()
        if begun is None:
            self._count()
            if blocks is None:
                keep_beginning(run, self.kernels, self.predicates, self.form, self.counts)
        else:
            self.counts = begun[1]

    @property
    def goal_at(self) -> int:
        return self.kernels.goal_at(self.counted or Counted(one_leader), self.tracked)

    # -- setting up ---------------------------------------------------------------------------------------------

    def _set_schedule(self) -> None:
        run, topology = self.run, self.run.topology
        self.rng = np.array(seed_words(run.seed, run.trial, "schedule"), dtype=np.uint64)
        # position in the block, pairs in it, interactions that changed something, all interactions: written by the
        # kernel in one go, so that an interrupt between two calls finds them in agreement with the agents
        self.cursor = np.zeros(4, dtype=np.int64)
        self.sources = np.frombuffer(topology.sources, dtype=np.uint32) if topology.sources else np.zeros(0, np.uint32)
        self.targets = np.frombuffer(topology.targets, dtype=np.uint32) if topology.targets else np.zeros(0, np.uint32)
        kinds = {COMPLETE: chance.COMPLETE, RING: chance.DIRECTED_RING, UNDIRECTED_RING: chance.RING}
        self.kind = kinds.get(topology.kind, chance.ARCS)
        if run.pairs is None:
            self.left, self.right = np.zeros(BLOCK, np.uint32), np.zeros(BLOCK, np.uint32)
        else:
            self.kind = chance.LISTED
            both = np.array(run.pairs, dtype=np.uint32).reshape(-1, 2)
            self.left, self.right = both[:, 0].copy(), both[:, 1].copy()
            self.cursor[1] = len(run.pairs)

    def meet_first(self, left: Any, right: Any) -> None:
        """These pairs come before any that is drawn."""
        self.later = self.kind, self.left, self.right
        self.kind, self.left, self.right = chance.LISTED, left, right
        self.cursor[0], self.cursor[1] = 0, len(left)

    def _count(self) -> None:
        self.counts = np.array([*self.census(self.predicates), self.run.n], dtype=np.int64)

    # -- advancing ----------------------------------------------------------------------------------------------

    def advance(self, budget: int, watch: Watch) -> bool:
        if watch is Watch.GOAL and isinstance(self.run.goal, Closed):
            return self._advance_window(budget) if self.run.keeps_promises else self._advance_testing(budget)
        return self._advance_plainly(budget, watch)

    def _advance_plainly(self, budget: int, watch: Watch) -> bool:
        while budget > 0 and not self.exhausted:
            done, status = self._stretch(watch, min(budget, self.longest))
            budget -= done
            if status in (1, 2):
                return True
        return False

    def _stretch(self, watch: Watch, budget: int) -> tuple[int, int]:
        """One call of a kernel, and what it asks for; statuses 1 and 2 say that the watch is fulfilled."""
        budget = self._choose_form(budget)
        try:
            done, status = self._call_kernel(watch, budget)
        except ZeroDivisionError:
            done, status = 0, 5
        if status == 3:
            self._blame()
        if status == 4 and self.later is not None:
            self.kind, self.left, self.right = self.later
            self.later = None
            self.cursor[0] = self.cursor[1] = 0
        elif status == 4:
            self.exhausted = True
        if status == 5:
            text = "the rule divides by zero: --engine reference tells in which line."
            raise ProtocolError(text, self.run.protocol.file())
        if status == 6:
            self._make_room()
        if self.cursor[3] > LARGEST // 4:
            self.base += int(self.cursor[3])
            self.cursor[3] = 0
        return done, status

    def _call_kernel(self, watch: Watch, budget: int) -> tuple[int, int]:
        kernels, form = self.kernels, self.form
        ahead = form.agents.nbytes > PREFETCH_BYTES
        world = (self.kind, self.run.n, self.sources, self.targets, self.rng, self.left, self.right, self.cursor)
        if isinstance(form, Packed):
            advance, _ = kernels.advance(self.counted)
            return advance(  # type: ignore[no-any-return]
                form.agents, kernels.constants, kernels.tops, *world, self.counts, int(watch), budget, ahead
            )
        return agents_kernel().advance(  # type: ignore[no-any-return]
            form.book.at,
            form.book.table,
            form.book.marks,
            form.agents,
            *world,
            self.counts,
            self.goal_at,
            self.counts.ctypes.data,
            int(watch),
            budget,
            ahead,
        )

    # -- from one form to the other -----------------------------------------------------------------------------

    def _choose_form(self, budget: int) -> int:
        """At the end of a trial: interned if it pays, else packed for eight times as long, then tried again.

        Returns as many steps of the budget as there are to the end of the trial.
        """
        if self.steps >= self.trial_ends:
            self._end_trial()
        return min(budget, self.trial_ends - self.steps)

    def _end_trial(self) -> None:
        form = self.form
        if isinstance(form, Interned):
            misses = int(form.book.at[MISSES])
            new, all_pairs = misses - self.misses_before, self.steps - self.trial_began
            if self.trial_began == 0 and self.steps < TRIAL and 4 * new < 3 * all_pairs:
                self.trial_ends = TRIAL  # so early most pairs are new
                return
            self._begin_trial(misses, self.trial)
            if new * NEW_PAIRS >= all_pairs:
                self._pack()
        elif (again := interned(self.kernels, form.agents, fresh_book(self.kernels, self.predicates))) is not None:
            self.form = again
            self._begin_trial(0, PROBE)
        else:
            self._pack()

    def _begin_trial(self, misses: int, length: int) -> None:
        self.misses_before, self.trial_began = misses, self.steps
        self.trial_ends = self.steps + length

    def _pack(self) -> None:
        self.form = Packed(self.kernels, self.form.words())
        self.trial = max(4 * self.trial, self.run.n)
        self.trial_ends = self.steps + 8 * self.trial

    def _make_room(self) -> None:
        """Forgetting the states that nobody is in costs as much as a million steps: not too often."""
        assert isinstance(self.form, Interned)
        full = self.form.book_is_largest
        if full and self.steps - self.forgot_at < FORGET:
            self._pack()
            return
        if full:
            self.forgot_at = self.steps
        if not self.form.make_room():
            self._pack()

    def _blame(self) -> None:
        """The kernel stopped before an interaction that leaves a domain: do it in Python to learn where."""
        i, j = (int(side[self.cursor[0]]) for side in (self.left, self.right))
        self.run.protocol.step(self.state(i), self.state(j))
        raise TooLarge(f"after {self.steps} steps a number exceeds 2^63 - 1, the largest here: use --engine reference.")

    def _advance_testing(self, budget: int) -> bool:
        """On a graph that the protocol is not made for, a closed goal may be left again: test after every change."""
        for _ in range(budget):
            changes = self.events
            self._advance_plainly(1, Watch.NOTHING)
            if self.exhausted:
                return False
            if self.events != changes and self.holds():
                return True
        return False

    def _advance_window(self, budget: int) -> bool:
        before, first = self._snapshot(), self.steps
        self._advance_plainly(budget, Watch.NOTHING)
        if not self.holds():
            return False
        low, high = 0, self.steps - first  # false after `low` steps of the window, true after `high`
        while high - low > 1:
            middle = (low + high) // 2
            self._restore(before)
            self._advance_plainly(middle - low, Watch.NOTHING)
            if self.holds():
                high = middle
            else:
                low, before = middle, self._snapshot()
        self._restore(before)
        self._advance_plainly(high - low, Watch.NOTHING)
        return True

    def _snapshot(self) -> tuple[Any, ...]:
        arrays = (self.rng, self.cursor, self.counts)
        block = () if self.kind == chance.LISTED else (self.left, self.right)
        copies = [array.copy() for array in arrays + block]
        return self.exhausted, self.base, self.form.copy(), copies

    def _restore(self, saved: tuple[Any, ...]) -> None:
        self.exhausted, self.base, form, copies = saved
        self.form = form.copy()
        arrays = (self.rng, self.cursor, self.counts, self.left, self.right)
        for k, copy in enumerate(copies):
            arrays[k][...] = copy

    def portion(self) -> int:
        if isinstance(self.run.goal, Closed):  # a window is worth its test and its snapshot, both of order n
            return max(16 * self.run.n, self.steps // 8)
        return STRETCH

    # -- asking -------------------------------------------------------------------------------------------------

    @property
    def steps(self) -> int:
        return self.base + int(self.cursor[3])

    @property
    def leaders(self) -> int:
        return int(self.counts[0])

    @property
    def events(self) -> int:
        return int(self.cursor[2])

    def holds(self) -> bool:
        goal, protocol, n = self.run.goal, self.run.protocol, self.run.n
        if isinstance(goal, Counted):
            counts = dict(zip([*self.tracked, "n"], self.counts.tolist(), strict=True))
            return bool(protocol.ask(goal.rule, Counts(counts), protocol.constants))
        if not in_python(("goal", goal), n):
            try:
                return bool(self.kernels.goal_test(goal)(self.form.words(), n, self.kernels.constants))
            except (IndexError, ZeroDivisionError):
                pass  # once more in Python, to learn in which line
        configuration = [protocol.agent(self.state(i)) for i in range(n)]  # type: ignore[call-arg]
        return bool(protocol.ask(goal.rule, configuration, n, protocol.constants))

    def census(self, predicates: Sequence[Predicate]) -> list[int]:
        form, protocol = self.form, self.run.protocol
        if isinstance(form, Packed) and not in_python(("census", *predicates), self.run.n):
            return self.kernels.census(form.agents, predicates)
        out = [0] * len(predicates)
        for state, size in zip(*form.occupied(), strict=True):
            agent = protocol.agent(state)  # type: ignore[call-arg]
            for index, predicate in enumerate(predicates):
                out[index] += size * bool(protocol.ask(predicate, agent, protocol.constants))
        return out

    def state(self, agent: int) -> State:
        return self.form.state(agent)

    def overwrite(self, changes: Sequence[tuple[int, State]]) -> None:
        self.silent = False
        packed = self.kernels.pack([state for _, state in changes])
        for (agent, _), words in zip(changes, packed, strict=True):
            if not self.form.put(agent, words):
                self._pack()
                self.form.put(agent, words)
        self._count()

    def leader(self) -> int | None:
        if self.leaders != 1:
            return None
        form, leads = self.form, self.run.protocol.leads
        if isinstance(form, Interned):
            leading = form.book.marks & 1
            return int(np.flatnonzero(leading[form.agents])[0])
        low, high = 0, self.run.n  # halve the agents until it is cheap to ask one after the other
        few = self.run.n if in_python(("leader", self.run.protocol.is_leader), self.run.n) else ONE_BY_ONE
        while high - low > few:
            middle = (low + high) // 2
            counted = self.kernels.census(form.agents[low:middle], [self.run.protocol.is_leader])[0]
            low, high = (low, middle) if counted else (middle, high)
        return next(i for i in range(low, high) if leads(self.state(i)))
