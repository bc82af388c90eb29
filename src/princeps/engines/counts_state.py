"""What the counts engine and its kernel share: the multiset, the state table, the counts that the goal asks for.

The kernel reaches all arrays through `pointers`; whoever replaces one of them calls `_point`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.engines.forms import new_table
from princeps.engines.population import Population
from princeps.errors import TooLarge
from princeps.lowering.cache import kernel_module
from princeps.lowering.interning import MAX_STATES
from princeps.lowering.kernels import LARGEST, kernels_of
from princeps.lowering.multiset import (
    ALIVE,
    ARRAY_COUNT,
    CELLS_ARRAY,
    FACT_COUNT,
    FACTS_ARRAY,
    GOAL_ARRAY,
    HEADER_ARRAY,
    HEIGHT,
    LISTS,
    MARKS_ARRAY,
    MAX_LISTED_PAIRS,
    MULTISET_ARRAY,
    NUMBERS_ARRAY,
    OCCUPIED,
    ORDER_ARRAY,
    PAIRS_ARRAY,
    PENDING,
    POSITION,
    SKIPPING,
    STREAM_ARRAY,
    TALLY,
    TRANSITIONS_ARRAY,
    WAITING,
)  # fmt: skip
from princeps.lowering.multiset_costs import MAX_MATRIX_STATES
from princeps.lowering.multiset_goal import (
    CONSTANTS_AT,
    GOAL_AT,
    GOAL_LENGTH,
    NUMBERS_AT,
    REACH_AT,
    WIDTH_OF_NUMBERS,
)
from princeps.model.protocol import Counted
from princeps.model.randomness import seed_words
from princeps.model.run import Run
from princeps.model.states import State

STATE_LIMIT = MAX_STATES  # occupied and remembered ones together


def counts_kernel() -> Any:
    return kernel_module("princeps.engines.counts_kernel")


class StateCounts(Population):
    """How many agents are in each state."""

    def _make_arrays(self, run: Run) -> None:
        """An empty multiset."""
        self.kernels = kernels_of(run.protocol)
        self.rng = np.array(seed_words(run.seed, run.trial, "batches"), dtype=np.uint64)
        self.order = np.zeros(4, np.uint64)  # of the pairs of a batch, where only somebody who looks asks for it
        self.forgot_at = -1  # states that nobody is in, at this step
        self.m = np.zeros((HEIGHT, MAX_STATES), np.int64)
        self.facts = np.zeros(FACT_COUNT, np.int64)
        self.cells = np.zeros((MAX_MATRIX_STATES**2, 3), np.int64)
        self.pairs = np.zeros((2, MAX_LISTED_PAIRS), np.uint16)
        self.pointers = np.zeros(ARRAY_COUNT, np.int64)
        self._track(run)
        self.state_table = new_table(self.kernels, self.predicates)
        self._point()

    def _track(self, run: Run) -> None:
        """Which counts are kept, and where the kernel finds the goal that is asked of them."""
        assert isinstance(run.goal, Counted)
        self.run = run
        self.tracked = self.kernels.tracked(run.goal)
        predicates = type(run.protocol).predicates_for(run.goal)
        self.predicates = [predicates[name] for name in self.tracked]
        self.numbers = np.zeros((3, len(self.tracked) + 1), np.int64)
        self.goal = np.zeros(GOAL_LENGTH, np.int64)
        self.goal[GOAL_AT] = self.kernels.goal_at(run.goal, self.tracked)
        self.goal[REACH_AT] = self.kernels.reach_at(run.goal, self.tracked)
        self.goal[NUMBERS_AT] = self.numbers.ctypes.data
        self.goal[CONSTANTS_AT] = self.kernels.constants.ctypes.data
        self.goal[WIDTH_OF_NUMBERS] = self.numbers.shape[1]

    def _learn_again(self) -> None:
        """The state table is as before but for its transitions."""
        if self.facts[SKIPPING]:
            counts_kernel().learn_occupied(self.pointers)

    def _point(self) -> None:
        arrays: dict[int, Any] = {
            TRANSITIONS_ARRAY: self.state_table.transitions,
            HEADER_ARRAY: self.state_table.header,
            MARKS_ARRAY: self.state_table.marks,
            MULTISET_ARRAY: self.m,
            FACTS_ARRAY: self.facts,
            NUMBERS_ARRAY: self.numbers,
            GOAL_ARRAY: self.goal,
            STREAM_ARRAY: self.rng,
            CELLS_ARRAY: self.cells,
            PAIRS_ARRAY: self.pairs,
            ORDER_ARRAY: self.order,
        }
        for index, array in arrays.items():
            self.pointers[index] = array.ctypes.data

    def _add(self, state: State, more: int) -> None:
        counts_kernel().change(self.pointers, self._number_of(state), more)

    def _number_of(self, state: State) -> int:
        """In the state table, which may become another one."""
        if max(state) > LARGEST:
            raise TooLarge(f"{max(state)} exceeds 2^63 - 1, the largest number here: use --engine reference.")
        words = self.kernels.layout.pack(self.run.protocol.space.names, state)
        while (number := self.state_table.id_of(words)) < 0:
            if not self._make_room():
                raise TooLarge(
                    f"more than {STATE_LIMIT // 2} states are occupied, too many for --engine counts: use --engine agents."
                )
        return number

    def _recount(self) -> None:
        self.numbers[0, :-1] = self.census(self.predicates)
        self.numbers[:, -1] = self.run.n

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
        self.m[ALIVE // MAX_STATES, : len(alive)] = self.m[POSITION // MAX_STATES, : len(alive)] = np.arange(len(alive))
        self.facts[SKIPPING] = self.facts[WAITING] = 0  # skipping would read transitions that are forgotten, too
        pending = int(self.facts[PENDING])
        self.pairs[:, :pending] = number[self.pairs[:, :pending]]
        return True

    def _meaning(self, number: int) -> State:
        return self.kernels.layout.unpack(self.run.protocol.space.names, self.state_table.words[number].tolist())

    def _blocks(self) -> list[tuple[int, State]]:
        alive = self.m[ALIVE // MAX_STATES, : self.facts[OCCUPIED]].tolist()
        return [(int(self.m[TALLY // MAX_STATES, number]), self._meaning(number)) for number in alive]
