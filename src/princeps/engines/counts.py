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

from princeps.engines import counts_state
from princeps.engines.agents import Agents
from princeps.engines.counts_listing import pending_agents
from princeps.engines.counts_moments import advance_showing
from princeps.engines.counts_reading import ReadableCounts
from princeps.engines.forms import new_table
from princeps.engines.population import NextStep, Show, Stop, StopCondition
from princeps.engines.refusals import counts_refusal
from princeps.engines.starting import blocks_of
from princeps.errors import RunError, TooLarge
from princeps.lowering.kernels import LARGEST
from princeps.lowering.multiset import (
    BAD_A,
    BAD_B,
    DIED,
    EFFECTIVE,
    LEFT_HIGH,
    LEFT_LOW,
    PENDING,
    REST_HIGH,
    REST_LOW,
    SINCE,
    SKIPPING,
    WAITING,
)  # fmt: skip
from princeps.lowering.multiset_steps import DIGIT
from princeps.lowering.status import Status
from princeps.model.protocol import Uniform
from princeps.model.run import Run
from princeps.model.starts import listed_states
from princeps.model.states import State

EFFORT = 1 << 24  # units of some ten nanoseconds in one call of the kernel, so that Ctrl-C is heard
LISTABLE = 10**8  # agents whose start is worked out one by one


class CountsPopulation(ReadableCounts):
    engine = "counts"
    is_cut_free = False
    numbers_agents = False
    effort = EFFORT  # of one call of the kernel
    pace = 1.0  # steps for each unit of it, as far as is known

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        problem = counts_refusal(run)
        if problem is not None:
            raise RunError(problem)
        self._make_arrays(run)
        self.done = self.calls = self.changed_by = 0
        self.listed = None
        for size, state in self._start():
            self._add(state, size)
        self._changed()

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
        self._learn_again()

    # -- setting up ---------------------------------------------------------------------------------------------

    def _start(self) -> list[tuple[int, State]]:
        run, kernels = self.run, self.kernels
        if run.lists_states:
            return [(1, state) for state in listed_states(run)]
        blocks = blocks_of(run, kernels)
        if blocks is not None:
            return blocks
        rule, space = type(run.protocol).start_rule(run.start), run.protocol.space
        if isinstance(rule, Uniform) and space.random_count <= counts_state.STATE_LIMIT // 2:
            sizes = np.zeros(space.random_count, np.int64)
            counts_state.counts_kernel().random_tally(self.rng, run.n, sizes)
            return [(size, space.numbered_state(k)) for k, size in enumerate(sizes.tolist()) if size]
        if run.n > LISTABLE:
            raise TooLarge(
                f"start {run.start!r} is worked out agent by agent, and n = {run.n} is more than {LISTABLE}: "
                f"lower -n, or declare the start as Blocks in the protocol's file."
            )
        listed = Agents(run)
        states, sizes_ = listed.form.occupied()
        return list(zip(sizes_, states, strict=True))

    def _changed(self) -> None:
        """From outside: what was known of the configuration is void."""
        self.silent = False
        self.facts[SKIPPING] = self.facts[WAITING] = self.facts[PENDING] = 0
        self.facts[EFFECTIVE] = -1
        self.facts[DIED], self.facts[SINCE] = 1, LARGEST // 2
        self._recount()

    # -- advancing ----------------------------------------------------------------------------------------------

    def advance(self, budget: int, stop_at: StopCondition) -> Stop:
        if self.listed is not None:
            return self.listed.advance(budget, stop_at)
        allowed, now = min(budget, DIGIT * DIGIT - 1), self.done
        self.done = now
        self.facts[LEFT_HIGH] = -1
        self.facts[REST_HIGH], self.facts[REST_LOW] = divmod(allowed, DIGIT)
        self.clock = now, allowed  # what the kernel does is counted from here on, also if Ctrl-C strikes before we do
        high, low, status = self._call_kernel(stop_at, allowed // DIGIT, allowed % DIGIT)
        self.calls += 1
        if self.facts[LEFT_HIGH] >= 0:
            left = int(self.facts[LEFT_HIGH]) * DIGIT + int(self.facts[LEFT_LOW])
            self.changed_by = now + allowed - left
        self.silent = status == Status.SILENT
        if self.silent and (budget < self.portion() or self.run.max_steps is not None):  # up to a limit time goes on
            high = low = 0
        done = allowed - (int(high) * DIGIT + int(low))
        self.done = now + done
        if status == Status.TABLE_FULL and not self._make_room():
            self._list_agents()
        if status in (Status.OUTSIDE_DOMAIN, Status.RULE_FAILED):
            self._explain(*(self._meaning(int(self.facts[index])) for index in (BAD_A, BAD_B)))
        if status in (Status.GOAL_MET, Status.OUTPUT_CHANGED):
            return Stop.FULFILLED
        return Stop.SILENT if self.silent else Stop.BUDGET if done == budget else Stop.EARLY

    def advance_showing(self, budget: int, stop_at: StopCondition, next_after: NextStep, show: Show) -> Stop:
        if self.listed is not None:
            return super().advance_showing(budget, stop_at, next_after, show)
        return advance_showing(self, budget, stop_at, next_after, show)

    def _call_kernel(self, stop_at: StopCondition, high: int, low: int) -> Any:
        """Up to this many steps, in two digits; how many are left of them, and a status."""
        return counts_state.counts_kernel().advance(self.pointers, self.run.n, int(stop_at), high, low, self.effort)

    def _explain(self, a: State, b: State) -> None:
        self.kernels.explain(a, b, self.predicates)

    def pass_time(self, steps: int) -> None:
        if self.listed is not None:
            self.listed.pass_time(steps)
        else:
            self.done += steps

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
                f"after {self.steps} steps more than {counts_state.STATE_LIMIT // 2} states are occupied, too many for --engine counts, "
                f"and the agents cannot be listed one by one: {error}"
            ) from None

    # -- changing from outside ----------------------------------------------------------------------------------

    def overwrite(self, changes: Sequence[tuple[int, State]]) -> None:
        if self.listed is not None:
            self.listed.overwrite(changes)
            return
        before = self.states_of([agent for agent, _ in changes])
        table, known = self.state_table, dict[State, int]()  # many agents are in few states
        for old, (_, new) in zip(before, changes, strict=True):
            for state, more in ((new, 1), (old, -1)):
                number = known.get(state)
                if number is None:
                    number = self._number_of(state)
                    if self.state_table is not table:  # which has numbers of its own
                        table, known = self.state_table, {}
                    known[state] = number
                counts_state.counts_kernel().change(self.pointers, number, more)
        self._changed()
