"""The counts engine for rules that toss coins or read an oracle.

Why its law is that of one interaction after the other
------------------------------------------------------
counts.py argues it for rules whose result is a function of the two states. What is different here:

*Coins in a batch.* The pairs of a batch are disjoint and drawn as there: the scheduler looks neither at states nor at
coins. Each interaction then has its own coins, independent of everything else. So of k interactions of one kind the
numbers of those that come to each result are multinomial with the probabilities of the results, independently for all
kinds, and every order of the results among the k is equally likely. The numbers are drawn one result after the other
(binomial, with the probability among the results that are left); probabilities are quotients of integers below 2^52,
rounded once to a double. Where a pair is met alone (a skip, the collision), its result is chosen by exact integers.

*First hits.* The bounds between which counts can move are taken from the pairs with their results. Where the goal may be
met on the way, the same pairs with the same results are applied one by one in random order. Nothing is drawn anew.

*Null interactions.* A kind is null only if none of its results changes anything. Skips go to the next interaction that
is not null and then choose its result, which may still be no change.

*The oracle.* What it says is a function of the counts. Before a batch is applied, its bounds tell whether the oracle can
say something else on the way. If not, all pairs interact under its present answer. If it can, the pairs are applied
one by one in random order, the oracle is asked after each, and once its answer is another one, the pairs that are left
toss new coins under the answer of their own moment. The results that had been drawn for these under the old answer
are not used: they belong to executions of the rule that do not take place, and are independent of all that has
happened, so that forgetting them bends nothing. Which pairs are left, and that their order is uniform, stays as it was.
The collision is asked for after the batch. During skips the numbers of pairs that may change something are counted anew
whenever the answer changes.

*States.* All states that can arise from those that occur, with any outcome and any answer of the oracle, are found before
the run begins. More than MAX_STATES of them are refused. There is no search for inert states; skips do its work.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.engines.counts import CountsPopulation
from princeps.engines.population import StopCondition
from princeps.errors import RunError
from princeps.lowering.cache import kernel_module
from princeps.lowering.choice_tables import ChoiceTable, known_table
from princeps.lowering.multiset_costs import MAX_MATRIX_STATES
from princeps.model.protocol import Counted
from princeps.model.run import Run
from princeps.model.states import State

BY_COST, ALWAYS_SKIP, ALWAYS_BATCH = range(3)  # ways of drawing interactions
SPLIT_COLUMNS = 5  # of the kernel's working memory
MAX_STATES = MAX_MATRIX_STATES  # that can arise: their pairs are drawn as a matrix


def choosing_counts_kernel() -> Any:
    return kernel_module("princeps.engines.choosing_counts_kernel")


def make_counts(run: Run) -> CountsPopulation:
    """The population of the counts engine for this run."""
    return ChoosingCounts(run) if run.protocol.has_choices else CountsPopulation(run)


class ChoosingCounts(CountsPopulation):
    choices: ChoiceTable | None = None
    way = BY_COST  # of drawing interactions; the others are to compare them

    def _changed(self) -> None:
        super()._changed()
        self._close()

    def _close(self) -> None:
        """All states that can arise are in the table, and what becomes of any two of them is known."""
        known, table = self.choices, self.state_table
        if known is not None and known.states == table.size and (known.words == table.words[: table.size]).all():
            return
        found = known_table(self.kernels, table.words[: table.size], MAX_STATES)
        if found is None:
            raise RunError(
                f"more than {MAX_STATES} states can arise in a run of {self.run.protocol.name}, too many for --engine counts with "
                f"a rule that tosses coins or reads an oracle: use --engine agents."
            )
        self.choices, self.split = found, np.zeros((found.most_results + 1, SPLIT_COLUMNS), np.int64)
        for row in found.words[table.size :]:
            while self.state_table.id_of(row) < 0:
                if not self._make_room():
                    raise AssertionError("the table has room for all states that can arise")
        self._point()

    def _call_kernel(self, stop_at: StopCondition, high: int, low: int) -> Any:
        table = self.choices
        assert table is not None
        return choosing_counts_kernel().advance(
            *(self.pointers, table.begins, table.results, table.changes, table.denominator, self.split),
            *(self._oracle(), self.run.n, int(stop_at), high, low, self.effort, self.way),
        )

    def _oracle(self) -> Any:
        """Addresses of the oracle, and of whether it can hold or fail between bounds; zeros if there is none."""
        oracle = self.run.protocol.oracle
        if oracle is None:
            return np.zeros(3, np.int64)
        asked, kernels = Counted(oracle.rule), self.kernels
        reach = (kernels.reach_at(asked, self.tracked, fails) for fails in (False, True))
        return np.array([kernels.goal_at(asked, self.tracked), *reach], np.int64)

    def _explain(self, a: State, b: State) -> None:
        self.run.protocol.branches(a, b, self.oracle_value())  # raises an error that names the line
        raise self.kernels.overflow()

    def _list_agents(self) -> None:
        raise AssertionError("all states that can arise have room")

    def restore(self, saved: Any) -> None:
        super().restore(saved)
        self._close()

    def set_goal(self, until: str) -> None:
        super().set_goal(until)
        self._close()
