"""The states of one agent, numbered, and the table of transitions of every ordered pair of them.

Either all legal states of the protocol, or those that can arise from a start if any two existing states may interact.
An entry of the table holds the numbers of both states after the interaction (see `pack_pair`). It is FAILS where the
rule leaves a domain, which is an error only if an execution gets there, and UNKNOWN before it is computed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from princeps.analysis.codes import FAILS, RESPONDER_BITS, RESPONDER_MASK, UNKNOWN
from princeps.analysis.memory import available_bytes, gigabytes
from princeps.analysis.progress import ProgressCallback, no_progress
from princeps.errors import ProtocolError, TooLarge
from princeps.lowering.cache import kernel_module
from princeps.lowering.kernels import Kernels
from princeps.lowering.status import Status
from princeps.model.protocol import PopulationProtocol, Predicate
from princeps.model.states import State

MAX_TABULATED_STATES = 6000  # the table of all pairs takes 8 bytes a pair
MEETINGS_PORTION = 1 << 20  # pairs of states that are looked at together: a fraction of a second, and 100 MiB
MAX_NUMBERED_STATES = 2**15 - 1  # the table has up to twice as many rows, which are numbered with 16 bits


def kernel() -> Any:
    return kernel_module("princeps.analysis.agent_states_kernel")


def pack_pair(initiator: Any, responder: Any) -> Any:
    """The entry of the table for these numbers of states (integers or arrays)."""
    return initiator << RESPONDER_BITS | responder


def initiator_of(entry: Any) -> Any:
    return entry >> RESPONDER_BITS


def responder_of(entry: Any) -> Any:
    return entry & RESPONDER_MASK


class AgentStates:
    """`states` and `table`. `is_closed`: no interaction leads to another state, and the table is complete."""

    def __init__(self, protocol: PopulationProtocol, states: Sequence[State]) -> None:
        self.protocol, self.kernels = protocol, Kernels(protocol)
        self.states: list[State] = list(dict.fromkeys(states))
        self.number = {state: k for k, state in enumerate(self.states)}
        self.table: NDArray[np.int64] = np.full((len(self.states), len(self.states)), UNKNOWN, np.int64)
        self.is_closed = False
        self._rule = self.kernels.rule_at()
        self._words = np.empty((0, self.kernels.layout.words), np.int64)
        self._satisfying: dict[Predicate, NDArray[np.bool_]] = {}

    denominator = 1  # of the probabilities of an interaction's results

    @property
    def most_results(self) -> int:
        """Of one interaction."""
        return 1

    @property
    def size(self) -> int:
        return len(self.states)

    def is_unknown(self, initiators: Any, responders: Any) -> Any:
        """Which of these pairs have no entry yet."""
        return self.table[initiators, responders] == UNKNOWN

    @property
    def words(self) -> Any:
        """The packed words of the states, a row each; each state is packed once."""
        if len(self._words) < self.size:
            new = self.kernels.pack(self.states[len(self._words) :]).astype(np.int64)
            self._words = np.concatenate([self._words, new.reshape(-1, self.kernels.layout.words)])
        return self._words

    def results_of(self, a: int, b: int, told: int) -> list[tuple[State, State]]:
        """What can become of two states by number: one pair, unless the rule tosses coins."""
        entry = int(self.table[a, b])
        return [(self.states[initiator_of(entry)], self.states[responder_of(entry)])]

    def leader_mask(self) -> NDArray[np.bool_]:
        """Which states have the output "leader"."""
        return self.satisfying(self.protocol.is_leader)

    def satisfying(self, predicate: Predicate) -> NDArray[np.bool_]:
        """Which states satisfy a predicate on one agent; it is evaluated once for each state."""
        known = self._satisfying.get(predicate, np.zeros(0, np.bool_))
        if len(known) < self.size:
            protocol = self.protocol
            agents = (protocol.agent(state) for state in self.states[len(known) :])  # type: ignore[call-arg]
            new = [bool(protocol.ask(predicate, agent, protocol.constants)) for agent in agents]
            known = self._satisfying[predicate] = np.append(known, np.array(new, np.bool_))
        return known

    def add_transitions(self, initiators: Any, responders: Any) -> None:
        """Compute the entries of these pairs; new states get numbers."""
        if None in self.protocol.space.sizes:  # unbounded fields may exceed 64 bits: use the rule in plain Python
            for a, b in zip(initiators.tolist(), responders.tolist(), strict=True):
                after = self.protocol.step(self.states[a], self.states[b])
                numbers = [self._number_of(state) for state in after]
                self._enlarge_table()
                self.table[a, b] = pack_pair(numbers[0], numbers[1])
            return
        entries = self._entries(*self._interact(initiators, responders))
        self._enlarge_table()
        self.table[initiators, responders] = entries

    def include(self, states: Sequence[State]) -> None:
        """Number these states, too; nothing is known of their interactions yet."""
        for state in states:
            self._number_of(state)
        self._enlarge_table()

    def _enlarge_table(self) -> None:
        if self.size > len(self.table):
            if self.size > MAX_NUMBERED_STATES or 32 * self.size**2 > available_bytes():
                raise TooLarge(
                    f"more than {self.size:,} states of agents occur, too many for a table of their meetings in "
                    f"{gigabytes(available_bytes())} of memory: lower -n or the parameters."
                )
            larger = np.full((2 * self.size, 2 * self.size), UNKNOWN, np.int64)
            larger[: len(self.table), : len(self.table)] = self.table
            self.table = larger

    def _number_of(self, state: State) -> int:
        """The number of a state, which is added if it is new."""
        if state not in self.number:
            self.number[state] = len(self.states)
            self.states.append(state)
        return self.number[state]

    def _interact(self, initiators: Any, responders: Any) -> tuple[Any, Any]:
        """Packed words after the interactions of two lists of states given by number, and where the rule failed."""
        words = self.words
        width = words.shape[1]
        after = np.empty((len(initiators), 2 * width), np.int64)
        status = np.empty(len(initiators), np.int64)
        buffer, k = np.empty(4 * width, np.int64), self.kernels
        kernel().interact_all(
            *(self._rule, words[initiators], words[responders], buffer, k.constants, k.tops, after, status)
        )
        return after, status != Status.CONTINUE

    def close(self, max_states: int = MAX_TABULATED_STATES, progress: ProgressCallback = no_progress) -> bool:
        """Add the results of interactions until no state is new, and fill the table; False if there are too many states.

        Any two states interact here, also such as never occur in one configuration: with an unbounded field this need
        not end.
        """
        if None in self.protocol.space.sizes:
            return False
        first = 0
        known: list[tuple[Meetings, list[Any]]] = []
        while first < self.size:
            last = self.size
            if last > max_states:
                return False
            meetings = Meetings(first, last)
            known.append((meetings, self._all_entries(meetings, progress)))
            first = last
        self.table = np.full((self.size, self.size), UNKNOWN, np.int64)
        for meetings, entries in known:
            for (initiators, responders), entry in zip(meetings.portions(), entries, strict=True):
                self.table[initiators, responders] = entry
        self.is_closed = True
        return True

    def _all_entries(self, meetings: Meetings, progress: ProgressCallback) -> list[Any]:
        """The entries of the table, portion by portion. States are numbered in the order of their words, over all portions:
        where there are several, they are gone through twice."""
        if meetings.count <= MEETINGS_PORTION:
            return [self._entries(*self._interact(*pairs)) for pairs in meetings.portions()]
        found, entries, total = [], [], 2 * meetings.count
        for k, pairs in enumerate(meetings.portions()):
            found.append(_different(*self._interact(*pairs))[0])
            progress("states that meetings lead to", k * MEETINGS_PORTION, total)
        numbers = self._numbered(_unique(np.concatenate(found))[0])
        for k, pairs in enumerate(meetings.portions()):
            entries.append(self._entries(*self._interact(*pairs), numbers))
            progress("table of meetings", meetings.count + k * MEETINGS_PORTION, total)
        return entries

    def _entries(self, after: Any, failed: Any, known: Mapping[bytes, int] | None = None) -> Any:
        """Entries of the table from packed words; new states are added, unless all are known by their words."""
        different, where = _different(after, failed)
        known = self._numbered(different) if known is None else known
        numbers = np.array([known[row.tobytes()] for row in different], np.int64)[where].reshape(-1, 2)
        return np.where(failed, FAILS, pack_pair(numbers[:, 0], numbers[:, 1]))

    def _numbered(self, rows: Any) -> dict[bytes, int]:
        """The numbers of states by their words, new ones in this order."""
        names, unpack = self.protocol.space.names, self.kernels.layout.unpack
        return {
            row.tobytes(): FAILS if (row == -1).all() else self._number_of(unpack(names, row.tolist())) for row in rows
        }


@dataclass(frozen=True)
class Meetings:
    """All ordered pairs of the states 0..last-1 of which at least one is in first..last-1."""

    first: int
    last: int

    @property
    def count(self) -> int:
        return self.last**2 - self.first**2

    def portions(self) -> Iterator[tuple[Any, Any]]:
        """Initiators and responders: new states with all, then old ones with new ones."""
        new = self.last - self.first
        for begin in range(0, self.count, MEETINGS_PORTION):
            k = np.arange(begin, min(self.count, begin + MEETINGS_PORTION))
            with_all = k[k < new * self.last]
            with_new = k[len(with_all) :] - new * self.last
            yield (
                np.concatenate([self.first + with_all // self.last, with_new // new]),
                np.concatenate([with_all % self.last, self.first + with_new % new]),
            )


def _different(after: Any, failed: Any) -> tuple[Any, Any]:
    """The states among packed words, each once, and where each is; -1 where the rule failed."""
    rows = after.reshape(-1, after.shape[1] // 2)
    rows[np.repeat(failed, 2)] = -1
    return _unique(rows)


def _unique(rows: Any) -> tuple[Any, Any]:
    width = rows.shape[1]
    flat = rows.ravel() if width == 1 else rows  # one column sorts many times faster
    different, where = np.unique(flat, axis=None if width == 1 else 0, return_inverse=True)
    return different.reshape(-1, width), where.ravel()


def all_states(protocol: PopulationProtocol) -> list[State]:
    """Every legal state."""
    return protocol.space.listed()


def legal_agent_states(protocol: PopulationProtocol, progress: ProgressCallback = no_progress) -> AgentStates:
    """All legal states with a complete table; a rule that leaves them is refused with its line."""
    count = protocol.state_count or 0
    if count > MAX_TABULATED_STATES:
        raise TooLarge(
            f"{protocol.name} has {count:,} states with these parameters, more than the {MAX_TABULATED_STATES:,} whose meetings "
            f"are tabulated: choose smaller parameters."
        )
    agent_states = make_agent_states(protocol, all_states(protocol))
    if not agent_states.close(count, progress) and agent_states.size <= count:
        raise TooLarge(
            f"{protocol.name} has {count:,} states with these parameters, too many for a rule that tosses coins or reads an "
            f"oracle: choose smaller parameters."
        )
    if agent_states.size > count:
        illegal = protocol.space.name_values(agent_states.states[count])
        raise ProtocolError(
            f"an interaction leads to {illegal}, which is in no group of legal states.", protocol.file()
        )
    failing = np.argwhere(agent_states.table == FAILS)
    if len(failing):
        *told, a, b = failing[0].tolist()
        refuse_failing(agent_states, a, b, told[0] if told else 0)
    return agent_states


def make_agent_states(protocol: PopulationProtocol, states: Sequence[State]) -> AgentStates:
    """For this protocol's kind of rule."""
    if not protocol.has_choices:
        return AgentStates(protocol, states)
    from princeps.analysis.choosing_states import ChoosingStates

    return ChoosingStates(protocol, list(states))


def refuse_failing(agent_states: AgentStates, a: int, b: int, told: int) -> NoReturn:
    """The rule fails where these two meet: do it in Python, which tells in which line."""
    protocol, one, other = agent_states.protocol, agent_states.states[a], agent_states.states[b]
    if protocol.has_choices:
        protocol.branches(one, other, told)
    else:
        protocol.step(one, other)
    raise agent_states.kernels.overflow()
