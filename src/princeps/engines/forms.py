"""Two ways to hold the agents: packed words under the compiled rule, or interned ids under the memo table of delta.

Both go through the same pairs and reach the same configurations; the ids are faster while few states are occupied.
Where a rule tosses coins or reads an oracle, two states have no one result that could be remembered: such agents are
always packed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any
from weakref import ReferenceType, ref

import numpy as np

from princeps.lowering.cache import kernel_module
from princeps.lowering.interning import MAX_STATES, MIN_STATES, StateTable, interning_kernel
from princeps.lowering.kernels import Kernels
from princeps.model.protocol import Predicate
from princeps.model.states import State

PART = 1 << 20  # agents that are translated at once: numpy widens their ids to 64 bits, four times their size
COUNTED = 1 << 15  # ids that are counted at once: widened, they stay in the second-level cache, as do others' data
SHARED_STATES = 512  # a snapshot keeps a table of at most this capacity alive (its transitions take 1 MiB)


def agents_kernel() -> Any:
    return kernel_module("princeps.engines.agents_kernel")


class Packed:
    """Agents as rows of words."""

    def __init__(self, kernels: Kernels, words: Any) -> None:
        self.kernels, self.agents = kernels, words

    def copy(self) -> Packed:
        return Packed(self.kernels, self.agents.copy())

    def words(self) -> Any:
        return self.agents

    def state(self, agent: int) -> State:
        return self.kernels.unpack(self.agents, agent)

    def put(self, agent: int, words: Any) -> bool:
        self.agents[agent] = words
        return True

    def put_all(self, agents: Any, words: Any) -> bool:
        self.agents[agents] = words
        return True

    def compact(self) -> Packed:
        return self.copy()

    def fields(self) -> dict[str, Any]:
        """One array for each field, indexed by agent."""
        return columns(self.kernels, self.agents)

    def occupied(self) -> tuple[list[State], list[int]]:
        """The states that occur, and how often."""
        found = [np.unique(part, axis=0, return_counts=True) for part in parts(self.agents)]
        states, part_of = np.unique(np.concatenate([states for states, _ in found]), axis=0, return_inverse=True)
        sizes = np.zeros(len(states), np.int64)
        np.add.at(sizes, part_of.reshape(-1), np.concatenate([sizes for _, sizes in found]))
        return [self.kernels.unpack(states, k) for k in range(len(states))], sizes.tolist()


class Interned:
    """Agents as ids, and the state table that says what they mean."""

    def __init__(self, kernels: Kernels, ids: Any, state_table: StateTable) -> None:
        self.kernels, self.agents, self.state_table = kernels, ids, state_table
        self._asked_of: ReferenceType[StateTable] = ref(state_table)
        self._satisfy: dict[Predicate, Any] = {}  # for each id of that table 1, 0, or -1 if nobody has asked yet

    def satisfying(self, predicate: Predicate, sizes: Any) -> int:
        """How many agents satisfy a predicate, given how many have each id. It is asked once of each state: thousands of
        them take fifty milliseconds, and a plot asks again and again."""
        if self._asked_of() is not self.state_table:
            self._asked_of, self._satisfy = ref(self.state_table), {}
        known = self._satisfy.get(predicate, np.zeros(0, np.int8))
        known = np.pad(known, (0, len(sizes) - len(known)), constant_values=-1)
        protocol = self.kernels.protocol
        for number in np.flatnonzero((sizes > 0) & (known < 0)).tolist():
            agent = protocol.agent(self._meaning(number))  # type: ignore[call-arg]
            known[number] = bool(protocol.ask(predicate, agent, protocol.constants))
        self._satisfy[predicate] = known
        return int(sizes[known > 0].sum())

    def copy(self) -> Interned:
        """The state table is shared: it only ever grows, or is replaced as a whole."""
        return Interned(self.kernels, self.agents.copy(), self.state_table)

    def compact(self) -> Interned | Stored:
        """A copy that does not keep a large table alive."""
        return self.copy() if self.state_table.capacity <= SHARED_STATES else Stored(self)

    def fields(self) -> dict[str, Any]:
        size = self.state_table.size
        known = columns(self.kernels, self.state_table.words[:size])
        return {name: translated(self.agents, values) for name, values in known.items()}

    def words(self) -> Any:
        rows = translated(self.agents, self.state_table.words.astype(self.kernels.layout.dtype))
        return rows.reshape(-1) if self.kernels.layout.words == 1 else rows

    def state(self, agent: int) -> State:
        return self._meaning(int(self.agents[agent]))

    def _meaning(self, number: int) -> State:
        kernels = self.kernels
        return kernels.layout.unpack(kernels.protocol.space.names, self.state_table.words[number].tolist())

    def put(self, agent: int, words: Any) -> bool:
        """False if there is no room for a new state."""
        row = np.array(words, np.int64).reshape(-1)
        while (number := self.state_table.id_of(row)) < 0:
            if not self.make_room():
                return False
        self.agents[agent] = number
        return True

    def put_all(self, agents: Any, words: Any) -> bool:
        """False if there is no room for the new states."""
        numbered = interned(self.kernels, words, self.state_table)
        if numbered is None:
            return False
        self.state_table = numbered.state_table
        self.agents[agents] = numbered.agents
        return True

    def occupied(self) -> tuple[list[State], list[int]]:
        sizes = self.sizes()
        present = np.flatnonzero(sizes)
        return [self._meaning(k) for k in present.tolist()], sizes[present].tolist()

    def sizes(self) -> Any:
        """How many agents have each id."""
        out = np.zeros(self.state_table.size, np.int64)
        for part in parts(self.agents, COUNTED):
            found = np.bincount(part)
            out[: len(found)] += found
        return out

    def first_among(self, wanted: Any) -> int:
        """The first agent whose id is marked in an array."""
        for k, part in enumerate(parts(self.agents)):
            found = np.flatnonzero(wanted[part])
            if len(found):
                return k * PART + int(found[0])
        raise AssertionError("no agent has such an id")

    @property
    def table_is_largest(self) -> bool:
        return self.state_table.capacity >= MAX_STATES

    def make_room(self) -> bool:
        """A larger state table; or the same without the states that nobody is in, if that frees half of it."""
        if not self.table_is_largest:
            self.state_table = self.state_table.grown()
            return True
        present = np.flatnonzero(self.sizes())
        if len(present) > MAX_STATES // 2:
            return False
        number = np.zeros(MAX_STATES, np.uint16)
        number[present] = np.arange(len(present))
        self.state_table = self.state_table.only(present)
        for part in parts(self.agents):
            part[:] = number[part]
        return True


class Stored:
    """Interned agents in a snapshot: the table is written down without its transitions."""

    def __init__(self, form: Interned) -> None:
        self.kernels, self.agents, self.saved = form.kernels, form.agents.copy(), form.state_table.saved()

    def copy(self) -> Interned:
        return Interned(self.kernels, self.agents.copy(), self.saved.table())


Form = Packed | Interned


def parts(agents: Any, length: int = PART) -> Iterator[Any]:
    """The same agents in views of a limited length."""
    return (agents[first : first + length] for first in range(0, len(agents), length))


def translated(ids: Any, meanings: Any) -> Any:
    """The meaning of every id, without widening all of them at once."""
    out = np.empty((len(ids), *meanings.shape[1:]), meanings.dtype)
    for part, place in zip(parts(ids), parts(out), strict=True):
        np.take(meanings, part, axis=0, out=place, mode="clip")  # "raise" would buffer it
    return out


def columns(kernels: Kernels, words: Any) -> dict[str, Any]:
    """The fields of agents or states given as packed words."""
    layout = kernels.layout
    rows = words.reshape(-1, layout.words)
    out = {}
    for name in kernels.protocol.space.names:
        place = layout.bit_fields[name]
        word = rows[:, place.word].astype(np.int64)
        out[name] = word if place.width == 64 else (word >> place.shift) & place.mask
    return out


def packed_words(kernels: Kernels, states: Sequence[State]) -> Any:
    """Kernels.pack of many states, field by field."""
    layout, names = kernels.layout, kernels.protocol.space.names
    values = np.fromiter(chain.from_iterable(states), np.int64, len(states) * len(names))
    rows = np.zeros((len(states), layout.words), np.int64)
    for column, name in zip(values.reshape(len(states), len(names)).T, names, strict=True):
        place = layout.bit_fields[name]
        rows[:, place.word] |= column << place.shift
    words = rows.astype(layout.dtype)
    return words.reshape(-1) if layout.words == 1 else words


def interned(kernels: Kernels, words: Any, state_table: StateTable) -> Interned | None:
    """Ids for packed agents, or nothing if they are in too many states."""
    rows = words.reshape(len(words), -1)
    form = Interned(kernels, roomy(len(rows)), state_table)
    done = 0
    while True:
        done = interning_kernel().intern_all(form.state_table.header, rows, form.agents, done)
        if done == len(rows):
            return form
        if form.state_table.capacity >= MAX_STATES:
            return None
        form.state_table = form.state_table.grown()


def roomy(n: int) -> Any:
    """n ids in memory that the system maps in large pages, which numpy asks for from 4 MiB on: 1.2x at n = 10^6."""
    return np.zeros(max(n, 1 << 21) if n > 1 << 17 else n, np.uint16)[:n]


def in_blocks(kernels: Kernels, blocks: Sequence[tuple[int, State]], predicates: Sequence[Predicate]) -> Interned:
    """Agents in blocks of equal states, one block after the other; no word of theirs is ever written."""
    form = interned(kernels, kernels.pack([state for _, state in blocks]), shared_table(kernels, predicates))
    if form is None:  # no id is given to a state of which a predicate fails: Python says which one, and why
        protocol = kernels.protocol
        for _, state in blocks:
            for predicate in predicates:
                protocol.ask(predicate, protocol.agent(state), protocol.constants)  # type: ignore[call-arg]
    assert form is not None
    ids, end = roomy(sum(size for size, _ in blocks)), 0
    for (size, _), number in zip(blocks, form.agents.tolist(), strict=True):
        ids[end : end + size] = number
        end += size
    form.agents = ids
    return form


def shared_table(kernels: Kernels, predicates: Sequence[Predicate]) -> StateTable:
    """A state table that the next trial finds as the last one left it: short trials would spend their time on learning."""
    kept: StateTable | None = kernels.state_tables.get(tuple(predicates))
    if kept is None or 2 * kept.size > kept.capacity:
        kept = new_table(kernels, predicates)
        kernels.state_tables.keep(tuple(predicates), kept)
    return kept


def new_table(kernels: Kernels, predicates: Sequence[Predicate]) -> StateTable:
    return StateTable(
        MIN_STATES,
        kernels.layout.words,
        kernels.rule_at(),
        kernels.marks_at(predicates),
        kernels.constants,
        kernels.tops,
        kernels.choice_cells(),
    )
