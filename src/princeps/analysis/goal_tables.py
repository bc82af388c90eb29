"""A goal on whole configurations, tabulated over the whole unreduced space.

From the table follows which agent states the goal distinguishes (replacing one by the other somewhere changes the
answer), and whether its answer is the same for all configurations that a reduction identifies.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from princeps.analysis.agent_states import AgentStates
from princeps.analysis.configurations import Configurations
from princeps.analysis.progress import ProgressCallback, no_progress
from princeps.analysis.symmetry import Permutation, generators_of
from princeps.errors import GraphError
from princeps.lowering.cache import kernel_module
from princeps.lowering.status import RULE_ERRORS
from princeps.model.protocol import Closed

PORTION = 1 << 22  # configurations between two reports of progress
MAX_TABULATED = 450_000_000  # configurations, a byte each
POSITIONS_MATTER = (
    "the goal {goal} depends on the agents' places, so that configurations cannot be merged: use --no-reduce."
)


def kernel() -> Any:
    return kernel_module("princeps.analysis.goal_tables_kernel")


def can_tabulate(agent_states: AgentStates, n: int) -> bool:
    return bool(agent_states.size**n <= MAX_TABULATED)


class GoalTables:
    """Tables of goals over all configurations of one population: a byte each, for every goal that was asked for."""

    def __init__(self, agent_states: AgentStates, n: int, progress: ProgressCallback = no_progress) -> None:
        self.agent_states, self.n, self.progress = agent_states, n, progress
        self._tables: dict[Closed, NDArray[np.uint8]] = {}

    def table(self, goal: Closed) -> NDArray[np.uint8]:
        """Entry c: is the goal true of configuration c, a number with a digit an agent, agent 0 first?"""
        if goal not in self._tables:
            self._tables[goal] = self._evaluate(goal)
        return self._tables[goal]

    def _evaluate(self, goal: Closed) -> NDArray[np.uint8]:
        kernels, size = self.agent_states.kernels, self.agent_states.size
        out = np.zeros(size**self.n, np.uint8)
        judge, words = kernels.judge(goal).judge_codes, kernels.pack(self.agent_states.states)
        for first in range(0, len(out), PORTION):
            try:
                judge(self.n, words, kernels.constants, out, first, min(len(out), first + PORTION))
            except RULE_ERRORS:
                portion = islice(product(range(size), repeat=self.n), first, first + PORTION)
                raise_with_line(goal, self.agent_states, portion)
                raise kernels.overflow() from None
            self.progress(f"judging {goal.rule.__name__}", first, len(out))
        return out

    def contexts(self, goal: Closed) -> NDArray[np.uint64]:
        """A row for each agent, with a hash for each state of all contexts in which it makes the goal true."""
        table, size = self.table(goal), self.agent_states.size
        out = np.zeros((self.n, size), np.uint64)
        for first in range(0, len(table), PORTION):
            kernel().add_contexts(table, size, self.n, first, min(len(table), first + PORTION), out)
            self.progress("comparing states", first, len(table))
        return out

    def reduction_holds(self, goal: Closed, configurations: Configurations) -> bool:
        """The goal never depends on which of merged states an agent is in: compared for every configuration.

        A goal that depends on the agents' positions, which the symmetries of the graph exchange, is refused.
        """
        table, classes = self.table(goal), configurations.classes
        size = self.agent_states.size

        def invariant(images: Any, permutation: Permutation) -> bool:
            for first in range(0, len(table), PORTION):
                last = min(len(table), first + PORTION)
                self.progress("proving the reduction", first, len(table))
                if kernel().count_differences(table, size, self.n, images, np.array(permutation), first, last):
                    return False
            return True

        same = np.arange(size, dtype=np.int64)
        if not all(invariant(same, permutation) for permutation in generators_of(configurations.group, self.n)):
            raise GraphError(POSITIONS_MATTER.format(goal=goal.rule.__name__))
        return invariant(classes.representative[classes.class_of], tuple(range(self.n)))


def raise_with_line(goal: Closed, agent_states: AgentStates, rows: Iterable[Sequence[int]]) -> None:
    """Evaluate a goal that has failed once more in Python, whose error names the line."""
    protocol = agent_states.protocol
    for row in rows:
        agents = [protocol.agent(agent_states.states[k]) for k in row]  # type: ignore[call-arg]
        protocol.ask(goal.rule, agents, len(row), protocol.constants)
