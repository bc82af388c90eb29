"""The population as a multiset: how many agents are in each state. Complete graph, up to 10^15 agents.

Why a batch has exactly the law of one interaction after the other
------------------------------------------------------------------
On the complete graph agents in the same state are interchangeable, so the numbers of agents by state are a Markov
chain of their own, and everything here is a way to draw that chain.

*Batches* (the idea is Berenbrink, Hammer, Kaaser, Meyer, Penschuck, Tran: Simulating population protocols in
sub-constant time per interaction, ESA 2020). Call an agent touched once it has interacted since the batch began. Let L
be the number of interactions before the first one that meets a touched agent. L does not depend on any state: the
scheduler does not look at them. So L is drawn first, from P(L >= k) = prod_{i<k} (n-2i)(n-2i-1)/(n(n-1)). Given L, the
2L agents of these interactions are a uniformly random ordered sample without replacement, in the states they had when
the batch began, because nobody was met twice. What they become does not depend on their order: it is enough to know
how many pairs of each kind (initiator's state, responder's state) there are. These numbers are drawn as they would
come out: how many initiators are in each state (hypergeometric, one state after the other), and for the initiators of
each state the same for their partners, among the agents left. Then comes the collision, the interaction L + 1: an
ordered pair, uniform among those with at least one touched agent. With t = 2L touched agents and m = n - t others there
are t(t-1) + 2tm such pairs; divided by t these are t-1, m and m: both touched, only the initiator, only the responder.
Which agents it meets is then uniform within these kinds, and a touched one is met in the state it has become. After
that the multiset is known and the chain starts afresh. About 0.63 sqrt(n) interactions are one batch.

*Cutting.* A batch that may take at most b steps (the run's limit, a fault, a sample) draws min(L, b). If that is b,
the first b pairs are disjoint and applied, the collision is not; all that has been learnt of L is that L >= b, which is
a property of the b interactions that were applied.

*First hits.* Before a batch is applied, the least and the most that each counted number can become on the way are
known from its pairs; the goal is evaluated on these intervals (lowering/intervals.py). If it cannot be true, the batch
is applied at once. If it can, the same pairs are applied one by one in uniformly random order, which is their law, and
the goal is tested after each. A batch is never drawn anew because of what came out: that would give batches that miss
the goal another chance to miss it, and an epidemic among 50 agents would look 15 % slower. When the goal is met in the
middle, the run stops there, and what was drawn of the batch's remainder is forgotten if the run goes on: the decision
to stop depended on the pairs before it alone, and given these, a fresh future has the law of the forgotten one.

*Inert states.* If no meeting of state s with any state that can ever appear changes either agent, its agents can be
left out. Let A agents be in other states when a batch begins. An interaction is among these A with probability
p = A(A-1)/(n(n-1)), whatever becomes of them during the batch, since the set is fixed when it begins; all other
interactions change nothing. So the batch is drawn among A agents, and the clock advances by the number of steps until
p has come true as often as there were interactions: negative binomial, drawn after the batch, since which agents met
and when they met are independent. (fratricide's followers are the plain case.) Such a batch is drawn only if its
expected steps are at most an eighth of those that may be taken, so that it would overrun with a probability below
1e-19; else single events are drawn, which can be cut anywhere.

*Skips.* With W ordered pairs of agents whose meeting would change something, the next such meeting comes after a
geometric number of steps with probability W/(n(n-1)) and is uniform among the W. W is exact in 128 bits, and so is the
choice. Waits are exact integers beyond 2^64; a double has 53 bits of randomness, and where the mean wait is longer, the
wait is drawn as 2^s Q + R with R uniform in s bits and accepted (variates.py). W/(n(n-1)) itself is rounded to a
double: its relative error of 2^-53 could be seen after some 10^31 runs.

Which of these is used, and whether pairs are drawn as a matrix of numbers or listed and shuffled, depends on what they
are expected to cost, from the numbers of agents and states alone. It changes the run that belongs to a seed, never
the law.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from princeps.engines.agents import Agents
from princeps.engines.counts_listing import pending_agents
from princeps.engines.forms import new_table
from princeps.engines.population import Population, Stop, StopCondition
from princeps.engines.refusals import counts_refusal
from princeps.engines.starting import blocks_of
from princeps.errors import ProtocolError, RunError, TooLarge
from princeps.lowering.cache import kernel_module
from princeps.lowering.interning import MAX_STATES
from princeps.lowering.kernels import LARGEST, kernels_of
from princeps.lowering.multiset import (
    ALIVE,
    BAD_A,
    BAD_B,
    DIED,
    EFFECTIVE,
    EVENTS,
    FACT_COUNT,
    HEIGHT,
    LISTS,
    MAX_LISTED_PAIRS,
    OCCUPIED,
    PENDING,
    PLACE,
    SINCE,
    SKIPPING,
    TALLY,
    WAITING,
)  # fmt: skip
from princeps.lowering.status import Status
from princeps.model.fields import Counts
from princeps.model.protocol import Counted, Predicate, Uniform
from princeps.model.randomness import seed_words
from princeps.model.run import Run
from princeps.model.starts import listed_states
from princeps.model.states import State

DIGIT = 1 << 62
STATE_LIMIT = MAX_STATES  # occupied and remembered ones together
EFFORT = 1 << 24  # units of some ten nanoseconds in one call of the kernel, so that Ctrl-C is heard
LISTABLE = 10**8  # agents whose start is worked out one by one


def counts_kernel() -> Any:
    return kernel_module("princeps.engines.counts_kernel")


class CountsPopulation(Population):
    engine = "counts"
    is_cut_free = False
    numbers_agents = False

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        problem = counts_refusal(run)
        if problem is not None:
            raise RunError(problem)
        self.kernels = kernels_of(run.protocol)
        self.rng = np.array(seed_words(run.seed, run.trial, "batches"), dtype=np.uint64)
        self.done = self.calls = 0
        self.forgot_at = -1  # states that nobody is in, at this step
        self.listed: Agents | None = None  # takes over when too many states are occupied
        self.m = np.zeros((HEIGHT, MAX_STATES), np.int64)
        self.facts = np.zeros(FACT_COUNT, np.int64)
        self.cells = np.zeros((counts_kernel().MOST_MATRIX ** 2, 3), np.int64)
        self.pairs = np.zeros((2, MAX_LISTED_PAIRS), np.uint16)
        self.pointers = np.zeros(10, np.int64)
        self._track(run)
        self.state_table = new_table(self.kernels, self.predicates)
        self._point()
        for size, state in self._start():
            self._add(state, size)
        self._changed()

    def _track(self, run: Run) -> None:
        """Which counts are kept, and where the kernel finds the goal that is asked of them."""
        assert isinstance(run.goal, Counted)
        self.run = run
        self.tracked = self.kernels.tracked(run.goal)
        predicates = type(run.protocol).all_predicates()
        self.predicates = [predicates[name] for name in self.tracked]
        self.numbers = np.zeros((3, len(self.tracked) + 1), np.int64)
        goal = [
            self.kernels.goal_at(run.goal, self.tracked), self.kernels.reach_at(run.goal, self.tracked),
            self.numbers.ctypes.data, self.kernels.constants.ctypes.data, self.numbers.shape[1],
        ]  # fmt: skip
        self.goal = np.array(goal, np.int64)

    def set_goal(self, until: str) -> None:
        if until == self.run.until:
            return
        run = self._with_goal(until)
        problem = counts_refusal(run)
        if problem is not None:
            raise RunError(problem)
        self._track(run)
        if self.listed is not None:
            self.listed.set_goal(until)
            return
        old = self.state_table
        protocol = run.protocol
        agents = [protocol.agent(self._meaning(k)) for k in range(old.size)]  # type: ignore[call-arg]
        marks = [
            sum(bool(protocol.ask(ask, agent, protocol.constants)) << k for k, ask in enumerate(self.predicates))
            for agent in agents
        ]
        blank = new_table(self.kernels, self.predicates).saved()
        blank.capacity, blank.words, blank.marks = old.capacity, old.words[: old.size], np.array(marks, np.int64)
        self.state_table = blank.table()
        self._recount()
        self._point()

    # -- setting up ---------------------------------------------------------------------------------------------

    def _point(self) -> None:
        arrays = (
            self.state_table.transitions,
            self.state_table.header,
            self.state_table.marks,
            self.m,
            self.facts,
            self.numbers,
            self.goal,
            self.rng,
        )
        self.pointers[:] = [array.ctypes.data for array in (*arrays, self.cells, self.pairs)]

    def _start(self) -> list[tuple[int, State]]:
        run, kernels = self.run, self.kernels
        if run.lists_states:
            return [(1, state) for state in listed_states(run)]
        blocks = blocks_of(run, kernels)
        if blocks is not None:
            return blocks
        rule, space = type(run.protocol).starts[run.start], run.protocol.space
        if isinstance(rule, Uniform) and space.random_count <= STATE_LIMIT // 2:
            sizes = np.zeros(space.random_count, np.int64)
            counts_kernel().random_tally(self.rng, run.n, sizes)
            return [(size, space.numbered_state(k)) for k, size in enumerate(sizes.tolist()) if size]
        if run.n > LISTABLE:
            raise TooLarge(
                f"start {run.start!r} is worked out agent by agent, and n = {run.n} is more than {LISTABLE}: "
                f"lower -n, or declare the start as Blocks in the protocol's file."
            )
        listed = Agents(run)
        states, sizes_ = listed.form.occupied()
        return list(zip(sizes_, states, strict=True))

    def _add(self, state: State, more: int) -> None:
        if max(state) > LARGEST:
            raise TooLarge(f"{max(state)} exceeds 2^63 - 1, the largest number here: use --engine reference.")
        words = self.kernels.layout.pack(self.run.protocol.space.names, state)
        while (number := self.state_table.id_of(words)) < 0:
            if not self._make_room():
                raise TooLarge(
                    f"more than {STATE_LIMIT // 2} states are occupied, too many for --engine counts: use --engine agents."
                )
        counts_kernel().change(self.pointers, number, more)

    def _changed(self) -> None:
        """From outside: what was known of the configuration is void."""
        self.silent = False
        self.facts[SKIPPING] = self.facts[WAITING] = self.facts[PENDING] = 0
        self.facts[EFFECTIVE] = -1
        self.facts[DIED], self.facts[SINCE] = 1, LARGEST // 2
        self._recount()

    def _recount(self) -> None:
        self.numbers[0, :-1] = self.census(self.predicates)
        self.numbers[:, -1] = self.run.n

    # -- advancing ----------------------------------------------------------------------------------------------

    def advance(self, budget: int, stop_at: StopCondition) -> Stop:
        if self.listed is not None:
            return self.listed.advance(budget, stop_at)
        allowed = min(budget, DIGIT * DIGIT - 1)
        high, low, status = counts_kernel().advance(
            self.pointers, self.run.n, int(stop_at), allowed // DIGIT, allowed % DIGIT, EFFORT
        )
        self.calls += 1
        self.silent = status == Status.SILENT
        if self.silent and (budget < self.portion() or self.run.max_steps is not None):  # up to a limit time goes on
            high = low = 0
        done = allowed - (int(high) * DIGIT + int(low))
        self.done += done
        if status == Status.TABLE_FULL and not self._make_room():
            self._list_agents()
        if status in (Status.OUTSIDE_DOMAIN, Status.DIVISION_BY_ZERO):
            self._explain(status)
        if status in (Status.GOAL_MET, Status.OUTPUT_CHANGED):
            return Stop.FULFILLED
        return Stop.SILENT if self.silent else Stop.BUDGET if done == budget else Stop.EARLY

    def pass_time(self, steps: int) -> None:
        if self.listed is not None:
            self.listed.pass_time(steps)
        else:
            self.done += steps

    def _explain(self, status: int) -> None:
        """The kernel stopped before a pair at which the rule fails: do it in Python to learn where."""
        pair = [self._meaning(int(self.facts[place])) for place in (BAD_A, BAD_B)]
        self.run.protocol.step(pair[0], pair[1])
        if status == Status.DIVISION_BY_ZERO:
            raise ProtocolError("the rule divides by zero.", self.run.protocol.file())
        raise TooLarge(f"after {self.steps} steps a number exceeds 2^63 - 1, the largest here: use --engine reference.")

    def _make_room(self) -> bool:
        """A larger state table; or the same without the states that nobody is in, if that frees half of it."""
        if self.state_table.capacity < STATE_LIMIT:
            self.state_table = self.state_table.grown()
            self._point()
            return True
        alive = self.m[ALIVE // MAX_STATES, : self.facts[OCCUPIED]].copy()
        if len(alive) > STATE_LIMIT // 2 or self.forgot_at == self.steps:  # forgetting them again would not help
            return False
        self.forgot_at = self.steps
        self.state_table = self.state_table.only(alive)
        self._point()
        number = np.zeros(MAX_STATES, np.uint16)
        number[alive] = np.arange(len(alive))
        kept = self.m[:LISTS, alive]
        self.m[:] = 0
        self.m[:LISTS, : len(alive)] = kept
        self.m[ALIVE // MAX_STATES, : len(alive)] = self.m[PLACE // MAX_STATES, : len(alive)] = np.arange(len(alive))
        pending = int(self.facts[PENDING])
        self.pairs[:, :pending] = number[self.pairs[:, :pending]]
        return True

    def _list_agents(self) -> None:
        """Too many states are occupied at once: go on agent by agent, from the same configuration.

        Pairs that were drawn already come first: to draw them anew because of what they brought would bend the law.
        """
        try:
            self.listed = Agents(self.run, self._blocks())
            if self.facts[PENDING]:
                stream = self.run.stream("listing")
                self.listed.meet_first(*pending_agents(self.m, self.facts, self.pairs, self.run.n, stream))
        except TooLarge as error:
            raise TooLarge(
                f"after {self.steps} steps more than {STATE_LIMIT // 2} states are occupied, too many for --engine counts, "
                f"and the agents cannot be listed one by one: {error}"
            ) from None

    # -- asking -------------------------------------------------------------------------------------------------

    @property
    def work(self) -> int:
        """Kernel calls: each takes about as long as the others, or ends where somebody asked."""
        return self.calls if self.listed is None else self.calls + self.listed.work

    def tally(self) -> list[tuple[State, int]]:
        if self.listed is not None:
            return self.listed.tally()
        return [(state, size) for size, state in self._blocks()]

    def _meaning(self, number: int) -> State:
        return self.kernels.layout.unpack(self.run.protocol.space.names, self.state_table.words[number].tolist())

    def _blocks(self) -> list[tuple[int, State]]:
        alive = self.m[ALIVE // MAX_STATES, : self.facts[OCCUPIED]].tolist()
        return [(int(self.m[TALLY // MAX_STATES, number]), self._meaning(number)) for number in alive]

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

    def overwrite(self, changes: Sequence[tuple[int, State]]) -> None:
        if self.listed is not None:
            self.listed.overwrite(changes)
            return
        before = [self.state(agent) for agent, _ in changes]
        for old, (_, new) in zip(before, changes, strict=True):
            self._add(new, 1)
            self._add(old, -1)
        self._changed()

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

    @property
    def checkpoint_spacing(self) -> int:
        return 1

    @property
    def snapshot_bytes(self) -> int:
        if self.listed is not None:
            return self.listed.snapshot_bytes
        return 8 * (LISTS + 3) * self.state_table.size + 4 * int(self.facts[PENDING]) + 2048
