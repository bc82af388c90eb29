"""The configurations of a population, listed once each, and the chain of interactions between them.

Either all configurations over an alphabet, or those that can be reached from a start. What the graph cannot tell apart
is listed once (see symmetry.py), in one of three forms: agent by agent, as a sorted multiset, or as numbers of agents
in each class where there are more agents than classes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import factorial, perm, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from princeps.analysis.alphabet import UNKNOWN, Alphabet
from princeps.analysis.chain import Bits, Chain
from princeps.analysis.memory import available_bytes, gigabytes
from princeps.analysis.merging import Classes, unmerged
from princeps.analysis.progress import Observer, silence
from princeps.analysis.symmetry import Permutation, arcs_of, as_array, orbits
from princeps.errors import ProtocolError, TooLarge
from princeps.lowering.cache import kernel_module
from princeps.model.numbers import in_words
from princeps.model.states import State
from princeps.model.topology import COMPLETE, Topology

AGENTS, SORTED, COUNTS = 0, 1, 2
DONE, ASK, GROW, WRONG = 0, 1, 2, 3
PORTION = 1 << 18  # configurations between two looks at the clock
FEW = 1 << 12  # configurations whose pairs are learnt together
LARGEST = 2**31 - 2**20
CELL = np.uint16
WIDE = 2**62  # numbers of configurations beyond this are Python's own


def kernel() -> Any:
    return kernel_module("princeps.analysis.configurations_kernel")


class Configurations:
    """Rows of classes, a hash table to find them, and the steps between them."""

    def __init__(
        self,
        alphabet: Alphabet,
        classes: Classes,
        topology: Topology,
        group: Sequence[Permutation] | None,
        observer: Observer = silence,
    ) -> None:
        self.alphabet, self.classes, self.topology, self.group = alphabet, classes, topology, group
        self.n, self.observe = topology.n, observer
        if group is not None:
            self.form = AGENTS
        else:
            self.form = COUNTS if alphabet.closed and classes.count < self.n else SORTED
        self.width = classes.count if self.form == COUNTS else self.n
        if max(self.n, classes.count) >= np.iinfo(CELL).max:
            raise TooLarge(
                f"n = {self.n} agents in {classes.count} states: at most {np.iinfo(CELL).max} of each. Lower -n."
            )
        self.permutations = as_array(group, self.n)
        arcs = np.array(arcs_of(topology) if self.form == AGENTS else [], np.int64).reshape(-1, 2)
        self.sources, self.targets = arcs[:, 0].copy(), arcs[:, 1].copy()
        self.most_steps = len(self.sources) if self.form == AGENTS else self.width**2
        self.rows: NDArray[np.uint16] = np.empty((0, self.width), CELL)
        self.size = 0
        self.slots: NDArray[np.int32] = np.zeros(4, np.int32)

    # -- which there are ------------------------------------------------------------------------------------------

    @property
    def listed(self) -> NDArray[np.uint16]:
        return self.rows[: self.size]

    def how_many(self) -> int:
        """All configurations over the classes, up to symmetry, without listing them."""
        return orbits(self.classes.count, self.n, self.group)

    def bytes_needed(self, count: int, steps: float) -> int:
        """Rows, hash table and steps (with weights, if they have any), and what the solver adds."""
        return int(count * (2 * self.width + 16 + (5 if self.form == AGENTS else 13) * steps + 60))

    def refuse_if_too_large(self, original: int) -> None:
        count, free = self.how_many(), available_bytes()
        needed = self.bytes_needed(min(count, 10**18), 0.8 * self.most_steps)
        if count > LARGEST or needed > free:
            raise TooLarge(
                f"there are {in_words(original)} configurations, {in_words(count)} after reduction, which need about "
                f"{gigabytes(needed)}{' and more' if count > 10**18 else ''}, and {gigabytes(free)} are free: lower -n "
                f"or the parameters, or explore from a start with --start."
            )

    def list_all(self) -> None:
        """Every configuration over the classes."""
        count = self.how_many()
        self.rows = np.empty((count + self.most_steps, self.width), CELL)
        row = np.zeros(self.width, CELL)
        if self.form == COUNTS:
            row[0] = self.n
        more = True
        while more:
            self.size, more = kernel().enumerate_rows(
                row, self.classes.count, self.form, self.permutations, self.rows, self.size, 8 * PORTION
            )
            self.observe("listing", self.size, count)
        assert self.size == count
        self._rehash(count)

    def begin(self, states: Sequence[State]) -> int:
        """The configuration in which agent i is in states[i]: its number, new if need be."""
        row = self._row([int(self.classes.of[self.alphabet.number[state]]) for state in states])
        if self.size + 1 >= len(self.rows):
            self._more_rows()
        found = self.find(row)
        if found < 0:
            self.rows[self.size] = row
            self.size += 1
            kernel().enter(self.rows, self.size - 1, self.size, self.slots)
            found = self.size - 1
        return found

    def number_of(self, states: Sequence[State]) -> int:
        """The number of a configuration of agents, -1 if it is not listed."""
        return self.find(self._row([int(self.classes.of[self.alphabet.number[state]]) for state in states]))

    def _row(self, cells: Sequence[int]) -> NDArray[np.uint16]:
        if self.form == COUNTS:
            return np.bincount(cells, minlength=self.width).astype(CELL)
        return np.array(cells, CELL)

    def find(self, row: NDArray[np.uint16]) -> int:
        return int(kernel().look_up(row, self.rows, self.slots, self.form, self.permutations))

    def states_of(self, x: int) -> list[State]:
        """A configuration of agents for which number x stands."""
        row = self.rows[x]
        cells = np.repeat(np.arange(self.width), row) if self.form == COUNTS else row
        return [self.alphabet.states[self.classes.chosen[cell]] for cell in cells]

    def leaders(self) -> NDArray[np.int32]:
        """How many agents lead, in each configuration."""
        return self.count(self.alphabet.leads()[self.classes.chosen], 0, self.size)

    def count(self, marked: Bits, first: int, last: int) -> NDArray[np.int32]:
        """How many agents are in marked classes, in each configuration from first to last."""
        marks, rows = marked.astype(np.int32), self.rows[first:last]
        if self.form == COUNTS:
            return np.asarray(rows.astype(np.int32) @ marks)
        out = np.zeros(last - first, np.int32)
        for column in range(self.width):
            out += marks[rows[:, column]]
        return out

    def multiplicities(self) -> NDArray[Any]:
        """How many configurations of the original space each one stands for: int64, or Python's own where those end."""
        sizes = self.classes.sizes
        if int(sizes.sum()) ** self.n < WIDE // factorial(min(self.n, 20)) and self.n <= 20:
            out = np.empty(self.size, np.int64)
            kernel().multiplicities(self.listed, self.form, self.permutations, sizes, out)
            return out
        if self.form == COUNTS:
            return self._multinomials()
        return np.array([self._multiplicity(row) for row in self.listed], object)

    def _multinomials(self) -> NDArray[Any]:
        """Each from the one before, which differs by a few agents: factorials of thousands are slow to divide."""
        sizes = [int(size) for size in self.classes.sizes]
        before, number = [self.n, *[0] * (self.width - 1)], sizes[0] ** self.n
        out = np.empty(self.size, object)
        for x, row in enumerate(self.listed.tolist()):
            above = below = 1
            for size, old, new in zip(sizes, before, row, strict=True):
                above *= perm(old, old - new) if old > new else size ** (new - old)
                below *= perm(new, new - old) if new > old else size ** (old - new)
            number = number * above // below
            out[x], before = number, row
        return out

    def _multiplicity(self, row: NDArray[np.uint16]) -> int:
        sizes = [int(size) for size in self.classes.sizes]
        if self.form == AGENTS:
            same = 1 + sum(bool((row[p] == row).all()) for p in self.permutations)
            return int((len(self.permutations) + 1) // same * prod(sizes[cell] for cell in row))
        number = factorial(self.n)
        for class_, copies in zip(*np.unique(row, return_counts=True), strict=True):
            number = number // factorial(int(copies)) * sizes[class_] ** int(copies)
        return number

    # -- the chain ------------------------------------------------------------------------------------------------

    @property
    def total(self) -> int:
        return self.n * (self.n - 1) if self.topology.kind == COMPLETE else len(self.sources)

    def expand(self, absorbing: Callable[[int, int], Bits] | None = None) -> Chain:
        """The steps from every configuration; what they lead to is added if it is new.

        `absorbing(first, last)` says which of these configurations are not to be left.
        """
        offsets = np.zeros(self.size + 1, np.int64)
        room = int(max(1024, 0.8 * self.most_steps * self.size))
        successors, loud = np.empty(room, np.int32), np.empty(room, np.uint8)
        weights = np.empty(0 if self.form == AGENTS else room, np.int64)
        leads = self.alphabet.leads()[self.classes.chosen]
        stop_at = np.empty(0, np.uint8)
        x = k = judged = 0
        while x < self.size:
            last = min(self.size, x + PORTION)
            if absorbing is not None and last > judged:
                stop_at = np.concatenate([stop_at, absorbing(judged, last).astype(np.uint8)])
                judged = last
            if len(offsets) <= last:
                offsets.resize(2 * last + 1, refcheck=False)
            why, x, self.size, k, a, b = kernel().expand(
                *(x, last, self.size, self.rows, self.slots, self.form, self.permutations, self.sources, self.targets),
                *(self.classes.table, leads, stop_at, offsets, k, successors, loud, weights),
            )
            if why == GROW:
                self._make_room()
                if k + self.most_steps > len(successors):
                    room = int(1.5 * len(successors)) + self.most_steps
                    successors.resize(room, refcheck=False)
                    loud.resize(room, refcheck=False)
                    weights.resize(0 if self.form == AGENTS else room, refcheck=False)
            elif why == ASK:
                some = slice(x, min(last, x + FEW))
                rows = self.rows[some] if not len(stop_at) else self.rows[some][stop_at[some] == 0]
                self.alphabet.learn(*self._unknown_pairs(rows))
                self.classes = unmerged(self.alphabet)  # an alphabet that grows has no merged states
                leads = self.alphabet.leads()
            elif why == WRONG:
                states = self.alphabet.states
                one, other = states[self.classes.chosen[a]], states[self.classes.chosen[b]]
                self.alphabet.protocol.step(one, other)  # says what is wrong
                raise ProtocolError(
                    f"the interaction of {one} and {other} exceeds 64 bits.", self.alphabet.protocol.file()
                )
            self.observe("exploring" if absorbing is not None else "stepping", x, self.size)
        offsets.resize(self.size + 1, refcheck=False)
        successors.resize(k, refcheck=False)
        loud.resize(k, refcheck=False)
        weights.resize(k if len(weights) else 0, refcheck=False)
        return Chain(offsets, successors, weights, loud, self.total)

    def _unknown_pairs(self, rows: NDArray[np.uint16]) -> tuple[Any, Any]:
        """All pairs of states that may meet in these configurations and that nobody has looked at yet."""
        rows = rows.astype(np.intp)
        if self.form == AGENTS:
            left, right = rows[:, self.sources].ravel(), rows[:, self.targets].ravel()
        else:
            i, j = np.nonzero(~np.eye(self.width, dtype=np.bool_))
            left, right = rows[:, i].ravel(), rows[:, j].ravel()
        size = self.alphabet.size
        pairs = np.unique((left * size + right)[self.alphabet.table[left, right] == UNKNOWN])
        return pairs // size, pairs % size

    def _make_room(self) -> None:
        if self.size + self.most_steps > len(self.rows):
            self._more_rows()
        if 2 * (self.size + self.most_steps) > len(self.slots):
            self._rehash(2 * self.size + self.most_steps)

    def _more_rows(self) -> None:
        room = 2 * self.size + 2 * self.most_steps + 1024
        needed = self.bytes_needed(room, self.most_steps / 2)
        if room > LARGEST or needed > available_bytes() + self.bytes_needed(self.size, self.most_steps / 2):
            raise TooLarge(
                f"more than {self.size:,} configurations can be reached, and {gigabytes(available_bytes())} of memory "
                f"are free: lower -n or the parameters."
            )
        grown = np.empty((room, self.width), CELL)
        grown[: self.size] = self.rows[: self.size]
        self.rows = grown
        self._rehash(room)

    def _rehash(self, count: int) -> None:
        self.slots = np.zeros(1 << max(10, (2 * (count + self.most_steps)).bit_length()), np.int32)
        for first in range(0, self.size, 4 * PORTION):
            kernel().enter(self.rows, first, min(self.size, first + 4 * PORTION), self.slots)
            self.observe("indexing", first, self.size)
