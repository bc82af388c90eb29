"""The states that an agent may be in, numbered, and what becomes of two of them.

All legal states of the protocol, or those that can arise from a start when any two that exist may meet. An entry of
the table is the pair of numbers after the interaction, left << 32 | right; FAILS where the rule leaves a domain (told
only if an execution gets there), UNKNOWN where nobody has looked yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from princeps.analysis.memory import available_bytes, gigabytes
from princeps.errors import ProtocolError, TooLarge
from princeps.lowering.cache import kernel_module
from princeps.lowering.kernels import Kernels
from princeps.model.protocol import PopulationProtocol, Predicate
from princeps.model.states import State

UNKNOWN, FAILS = -1, -2
MOST = 6000  # states; the table of all pairs takes 8 bytes a pair
MOST_NUMBERED = 2**15 - 1  # of which a row of a configuration can name twice as many, in 16 bits


def kernel() -> Any:
    return kernel_module("princeps.analysis.alphabet_kernel")


class Alphabet:
    """`states` and `table`; `closed`: no meeting leads outside, and the table is complete."""

    def __init__(self, protocol: PopulationProtocol, states: Sequence[State]) -> None:
        self.protocol, self.kernels = protocol, Kernels(protocol)
        self.states: list[State] = list(dict.fromkeys(states))
        self.number = {state: k for k, state in enumerate(self.states)}
        self.table = np.full((len(self.states), len(self.states)), UNKNOWN, np.int64)
        self.closed = False
        self._rule = self.kernels.rule_at()
        self._words = np.empty((0, self.kernels.layout.words), np.int64)
        self._marks: dict[Predicate, NDArray[np.bool_]] = {}

    @property
    def size(self) -> int:
        return len(self.states)

    @property
    def words(self) -> Any:
        """The packed words of the states, a row each; each state is packed once."""
        if len(self._words) < self.size:
            new = self.kernels.pack(self.states[len(self._words) :]).astype(np.int64)
            self._words = np.concatenate([self._words, new.reshape(-1, self.kernels.layout.words)])
        return self._words

    def leads(self) -> NDArray[np.bool_]:
        """Which states are a leader's."""
        return self.satisfying(self.protocol.is_leader)

    def satisfying(self, predicate: Predicate) -> NDArray[np.bool_]:
        """Which states satisfy a predicate on one agent; each state is asked once."""
        known = self._marks.get(predicate, np.zeros(0, np.bool_))
        if len(known) < self.size:
            protocol = self.protocol
            agents = (protocol.agent(state) for state in self.states[len(known) :])  # type: ignore[call-arg]
            new = [bool(protocol.ask(predicate, agent, protocol.constants)) for agent in agents]
            known = self._marks[predicate] = np.append(known, np.array(new, np.bool_))
        return known

    def learn(self, left: Any, right: Any) -> None:
        """Look at these pairs; what is new gets a number."""
        if None in self.protocol.space.sizes:  # what has no bound may exceed 64 bits: plain Python has none either
            for a, b in zip(left.tolist(), right.tolist(), strict=True):
                after = self.protocol.step(self.states[a], self.states[b])
                numbers = [self._numbered(state) for state in after]
                self._make_room()
                self.table[a, b] = numbers[0] << 32 | numbers[1]
            return
        entries = self._numbers(*self._meetings(left, right))
        self._make_room()
        self.table[left, right] = entries

    def _make_room(self) -> None:
        if self.size > len(self.table):
            if self.size > MOST_NUMBERED or 32 * self.size**2 > available_bytes():
                raise TooLarge(
                    f"more than {self.size:,} states of agents occur, too many for a table of their meetings in "
                    f"{gigabytes(available_bytes())} of memory: lower -n or the parameters."
                )
            grown = np.full((2 * self.size, 2 * self.size), UNKNOWN, np.int64)
            grown[: len(self.table), : len(self.table)] = self.table
            self.table = grown

    def _numbered(self, state: State) -> int:
        if state not in self.number:
            self.number[state] = len(self.states)
            self.states.append(state)
        return self.number[state]

    def _meetings(self, left: Any, right: Any) -> tuple[Any, Any]:
        """Words after the meetings of two lists of states given by number, and where the rule failed."""
        words = self.words
        width = words.shape[1]
        out = np.empty((len(left), 2 * width), np.int64)
        status = np.empty(len(left), np.int64)
        io, k = np.empty(4 * width, np.int64), self.kernels
        kernel().meet_all(self._rule, words[left], words[right], io, k.constants, k.tops, out, status)
        return out, status != 0

    def close(self, most: int = MOST) -> bool:
        """Add what meetings lead to until nothing is new, and fill the table; False if that is too much.

        Any two states may meet here, also such as are never in one configuration: where a field is unbounded this
        need not end.
        """
        if None in self.protocol.space.sizes:
            return False
        first = 0
        entries: list[tuple[Any, Any, Any]] = []
        while first < self.size:
            last = self.size
            if last > most:
                return False
            old, new = np.arange(first), np.arange(first, last)
            left = np.concatenate([np.repeat(new, last), np.repeat(old, last - first)])
            right = np.concatenate([np.tile(np.arange(last), last - first), np.tile(new, first)])
            after, failed = self._meetings(left, right)
            entries.append((left, right, self._numbers(after, failed)))
            first = last
        self.table = np.full((self.size, self.size), UNKNOWN, np.int64)
        for left, right, entry in entries:
            self.table[left, right] = entry
        self.closed = True
        return True

    def _numbers(self, after: Any, failed: Any) -> Any:
        """Entries of the table from words; states that are new are added."""
        width = after.shape[1] // 2
        rows = after.reshape(-1, width)
        rows[np.repeat(failed, 2)] = -1
        flat = rows.ravel() if width == 1 else rows  # many times faster to sort
        different, where = np.unique(flat, axis=None if width == 1 else 0, return_inverse=True)
        different = different.reshape(-1, width)
        names = self.protocol.space.names
        unpack = self.kernels.layout.unpack
        numbers = np.array(
            [FAILS if (row == -1).all() else self._numbered(unpack(names, row.tolist())) for row in different], np.int64
        )[where.ravel()].reshape(-1, 2)
        return np.where(failed, FAILS, numbers[:, 0] << 32 | numbers[:, 1])


def all_states(protocol: PopulationProtocol) -> list[State]:
    """Every legal state."""
    found: list[State] = []
    for group in protocol.space.groups:
        found += product(*(values for values in group if values is not None))
    return found


def all_legal(protocol: PopulationProtocol) -> Alphabet:
    count = protocol.state_count or 0
    if count > MOST:
        raise TooLarge(
            f"{protocol.name} has {count:,} states with these parameters, more than the {MOST:,} whose meetings are "
            f"tabulated: choose smaller parameters."
        )
    alphabet = Alphabet(protocol, all_states(protocol))
    alphabet.close(most=count)
    if alphabet.size > count:
        stray = protocol.space.name_values(alphabet.states[count])
        raise ProtocolError(f"an interaction leads to {stray}, which is in no group of legal states.", protocol.file())
    failing = np.argwhere(alphabet.table == FAILS)
    if len(failing):
        a, b = (alphabet.states[k] for k in failing[0])
        protocol.step(a, b)  # says what is wrong
    return alphabet
