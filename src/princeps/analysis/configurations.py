"""The configurations of a population, listed and numbered, with a hash table to find them.

Configurations that a symmetry of the graph maps to one another are listed once (see symmetry.py). There are three
encodings of a configuration as a row of small integers: the class of every agent in turn, the classes of all agents in
sorted order, or the number of agents in each class where there are more agents than classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from princeps.analysis.agent_states import AgentStates
from princeps.analysis.chain import Bits
from princeps.analysis.codes import BY_AGENT, BY_CLASS, SORTED
from princeps.analysis.memory import available_bytes, gigabytes
from princeps.analysis.merging import StateClasses
from princeps.analysis.progress import ProgressCallback, no_progress
from princeps.analysis.symmetry import Permutation, arcs_of, as_array, orbits
from princeps.errors import TooLarge
from princeps.lowering.cache import kernel_module
from princeps.model.limits import refuse_beyond
from princeps.model.numbers import in_words
from princeps.model.states import State
from princeps.model.topology import COMPLETE, Topology

LISTING_PORTION = 1 << 21  # rows that are enumerated between two reports of progress
INDEXING_PORTION = 1 << 20  # rows that are entered into the hash table between two reports
MAX_CONFIGURATIONS = 2**31 - 2**20  # numbers of configurations have 32 bits
SMALLER = "lower -n or the parameters, or simulate with princeps run"
CELL = np.uint16
MAX_WEIGHT = 1 << 53  # of all steps from one configuration: beyond it floats are not exact


def kernel() -> Any:
    return kernel_module("princeps.analysis.configurations_kernel")


def multiplicity_bytes(configurations: Configurations) -> int:
    """Of the number of original configurations that a listed one stands for: Python's integers, where it is large."""
    bits = configurations.n * log2(max(2, configurations.agent_states.size))
    return 8 if bits < 62 else 48 + int(bits / 7.5)


class Configurations:
    """Rows of classes in the order in which they were found, and a hash table of their numbers."""

    def __init__(
        self,
        agent_states: AgentStates,
        classes: StateClasses,
        topology: Topology,
        group: Sequence[Permutation] | None,
        progress: ProgressCallback = no_progress,
    ) -> None:
        self.agent_states, self.classes, self.topology, self.group = agent_states, classes, topology, group
        self.n, self.progress = topology.n, progress
        self.limit: int | None = None  # of the configurations; None: all that memory holds
        self.steps_seen: float | None = None  # from one configuration, on average, as far as they were explored
        if group is not None:
            self.encoding = BY_AGENT
        else:
            self.encoding = BY_CLASS if agent_states.is_closed and classes.count < self.n else SORTED
        self.width = classes.count if self.encoding == BY_CLASS else self.n
        if max(self.n, classes.count) >= np.iinfo(CELL).max:
            raise TooLarge(
                f"n = {self.n} agents in {classes.count} states: at most {np.iinfo(CELL).max} of each. Lower -n."
            )
        self.permutations = as_array(group, self.n)
        arcs = np.array(arcs_of(topology) if self.encoding == BY_AGENT else [], np.int64).reshape(-1, 2)
        self.sources, self.targets = arcs[:, 0].copy(), arcs[:, 1].copy()
        self.rows: NDArray[np.uint16] = np.empty((0, self.width), CELL)  # the first `size` of them are used
        self.size = 0
        self.slots: NDArray[np.int32] = np.zeros(4, np.int32)  # the hash table: number + 1, or 0 if the slot is free

    @property
    def max_steps(self) -> int:
        """From one configuration."""
        pairs = len(self.sources) if self.encoding == BY_AGENT else self.width**2
        return pairs * self.agent_states.most_results

    @property
    def is_weighted(self) -> bool:
        """Steps have other weights than 1."""
        return self.encoding != BY_AGENT or self.agent_states.protocol.has_choices

    @property
    def total_weight(self) -> int:
        """The number of arcs of the graph, over which the scheduler is uniform, times the denominator of the results."""
        arcs = self.n * (self.n - 1) if self.topology.kind == COMPLETE else len(self.sources)
        total = arcs * self.agent_states.denominator
        if total > MAX_WEIGHT:
            raise TooLarge(
                f"the probabilities of steps have the denominator {total}, above 2^53: lower -n, or draw from fewer values."
            )
        return total

    @property
    def listed_rows(self) -> NDArray[np.uint16]:
        return self.rows[: self.size]

    # -- listing ------------------------------------------------------------------------------------------------------

    def count_all(self) -> int:
        """The number of all configurations over the classes, up to symmetry, without listing them."""
        return orbits(self.classes.count, self.n, self.group)

    def bytes_needed(self, count: int, steps: float) -> int:
        """Rows, hash table and steps (with weights, if they have any), multiplicities, and the arrays of the solver."""
        each = 2 * self.width + 16 + (13 if self.is_weighted else 5) * steps + 60
        return int(count * (each + multiplicity_bytes(self)))

    def refuse_if_too_large(self, original_size: int) -> None:
        count, free = self.count_all(), available_bytes()
        needed = self.bytes_needed(min(count, 10**18), 0.8 * self.max_steps)
        if self.limit is not None:
            what = f"there are {in_words(original_size)} configurations, {{}} after reduction"
            refuse_beyond(self.limit, count, what, "raise --limit, or lower -n or the parameters.")
        if count > MAX_CONFIGURATIONS or needed > free:
            raise TooLarge(
                f"there are {in_words(original_size)} configurations, {in_words(count)} after reduction, which need "
                f"about {gigabytes(needed)}{' and more' if count > 10**18 else ''}, and {gigabytes(free)} are free: "
                f"lower -n or the parameters, or explore from a start with --start."
            )

    def list_all(self) -> None:
        """Every configuration over the classes."""
        count = self.count_all()
        self.rows = np.empty((count + self.max_steps, self.width), CELL)
        row = np.zeros(self.width, CELL)
        if self.encoding == BY_CLASS:
            row[0] = self.n
        more, portion = True, max(1, LISTING_PORTION // (1 + len(self.permutations)))
        while more:
            self.size, more = kernel().enumerate_rows(
                row, self.classes.count, self.encoding, self.permutations, self.rows, self.size, portion
            )
            self.progress("listing", self.size, count)
        assert self.size == count
        self._rehash(count)

    def add(self, states: Sequence[State]) -> int:
        """The number of the configuration in which agent i is in states[i]; it is listed if it is new."""
        row = self._row(states)
        if self.size + 1 >= len(self.rows):
            self.reserve_rows()
        found = self._find(row)
        if found < 0:
            self.rows[self.size] = row
            self.size += 1
            kernel().insert_rows(self.rows, self.size - 1, self.size, self.slots)
            found = self.size - 1
        return found

    def reserve_step(self) -> None:
        """Room for whatever one configuration leads to."""
        if self.size + self.max_steps > len(self.rows):
            self.reserve_rows()
        if 2 * (self.size + self.max_steps) > len(self.slots):
            self._rehash(2 * self.size + self.max_steps)

    def reserve_rows(self) -> None:
        """Room for at least twice as many rows."""
        capacity = 2 * self.size + 2 * self.max_steps + 1024
        steps = self.max_steps / 2 if self.steps_seen is None else 1.1 * self.steps_seen
        needed = self.bytes_needed(capacity, steps)
        free = available_bytes() + self.bytes_needed(self.size, steps)
        if capacity > MAX_CONFIGURATIONS or needed > free:
            raise TooLarge(
                f"at least {self.size:,} configurations can be reached, and room for {capacity:,} needs about "
                f"{gigabytes(needed)}, but {gigabytes(free)} are free: {SMALLER}."
            )
        if self.limit is not None and self.size > self.limit:
            raise TooLarge(
                f"more than {in_words(self.limit)} configurations can be reached, which is the limit: raise it with --limit, "
                f"or {SMALLER}."
            )
        larger = np.empty((capacity, self.width), CELL)
        larger[: self.size] = self.rows[: self.size]
        self.rows = larger
        self._rehash(capacity)

    def _rehash(self, count: int) -> None:
        self.slots = np.zeros(1 << max(10, (2 * (count + self.max_steps)).bit_length()), np.int32)
        for first in range(0, self.size, INDEXING_PORTION):
            kernel().insert_rows(self.rows, first, min(self.size, first + INDEXING_PORTION), self.slots)
            self.progress("indexing", first, self.size)

    # -- finding ------------------------------------------------------------------------------------------------------

    def index_of(self, states: Sequence[State]) -> int:
        """The number of the configuration in which agent i is in states[i], -1 if it is not listed."""
        return self._find(self._row(states))

    def _row(self, states: Sequence[State]) -> NDArray[np.uint16]:
        cells = [int(self.classes.class_of[self.agent_states.number[state]]) for state in states]
        if self.encoding == BY_CLASS:
            return np.bincount(cells, minlength=self.width).astype(CELL)
        return np.array(cells, CELL)

    def _find(self, row: NDArray[np.uint16]) -> int:
        return int(kernel().find_row(row, self.rows, self.slots, self.encoding, self.permutations))

    def states_of(self, x: int) -> list[State]:
        """One of the configurations of agents that number x stands for."""
        row = self.rows[x]
        cells = np.repeat(np.arange(self.width), row) if self.encoding == BY_CLASS else row
        return [self.agent_states.states[self.classes.representative[cell]] for cell in cells]

    def agent_classes(self, first: int, last: int) -> NDArray[np.uint16]:
        """The class of every agent, in configurations first..last-1."""
        rows = self.rows[first:last]
        if self.encoding == BY_CLASS:
            return np.stack([np.repeat(np.arange(self.width), row) for row in rows]).astype(rows.dtype)
        return rows

    def leaders(self) -> NDArray[np.int32]:
        """The number of leaders in each configuration."""
        return self.count_agents(self.agent_states.leader_mask()[self.classes.representative], 0, self.size)

    def count_agents(self, marked: Bits, first: int, last: int) -> NDArray[np.int32]:
        """The number of agents in marked classes, in configurations first..last-1."""
        marks, rows = marked.astype(np.int32), self.rows[first:last]
        if self.encoding == BY_CLASS:
            return np.asarray(rows.astype(np.int32) @ marks)
        out = np.zeros(last - first, np.int32)
        for column in range(self.width):
            out += marks[rows[:, column]]
        return out
