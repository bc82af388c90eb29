"""Agent states that no execution can distinguish, found by partition refinement.

The coarsest partition that is finer than the given colours and that the transition function respects: two states of
one class, interacting with any third in either role, give results in the same classes. Each round splits classes by a
64-bit signature of all transitions. Different signatures prove a difference, so the partition never becomes too fine;
that it is not too coarse is proved at the end, entry by entry. Where an interaction has several results, two states are
merged only if all their laws agree, for every answer of the oracle.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from princeps.analysis.agent_states import AgentStates, initiator_of, kernel, pack_pair, responder_of
from princeps.analysis.choosing_states import ChoosingStates
from princeps.lowering.cache import kernel_module


def choosing_kernel() -> Any:
    return kernel_module("princeps.analysis.choosing_kernel")


@dataclass(frozen=True)
class StateClasses:
    """A partition of the agent states: `representative[c]` is one state of class c, `sizes[c]` how many it has."""

    class_of: NDArray[np.int64]
    representative: NDArray[np.int64]
    sizes: NDArray[np.int64]
    table: NDArray[np.int64]  # transitions of classes, as in AgentStates
    begins: NDArray[np.int64] | None = None  # where these are laws: as in ChoosingStates
    results: NDArray[np.int64] | None = None

    @property
    def count(self) -> int:
        return len(self.representative)


def singleton_classes(agent_states: AgentStates) -> StateClasses:
    """Every state is a class of its own."""
    own = np.arange(agent_states.size, dtype=np.int64)
    if isinstance(agent_states, ChoosingStates):
        laws = agent_states.begins, agent_states.results
        return StateClasses(own, own, np.ones_like(own), agent_states.table, *laws)
    return StateClasses(own, own, np.ones_like(own), agent_states.table)


def merge(agent_states: AgentStates, colours: Any) -> StateClasses:
    """The classes of a closed set of states; states of different colours are never merged."""
    _, colour = np.unique(np.asarray(colours), axis=0, return_inverse=True)
    colour = colour.ravel().astype(np.int64)
    found = np.empty(agent_states.size, np.uint64)
    while True:
        _sign(agent_states, colour, found)
        _, finer = np.unique(np.stack([colour.astype(np.uint64), found]), axis=1, return_inverse=True)
        if finer.max() == colour.max():
            break
        colour = finer.ravel().astype(np.int64)
    colour = _numbered_by_first(colour)
    representative = np.unique(colour, return_index=True)[1].astype(np.int64)
    if not _is_congruence(agent_states, colour, representative):  # two signatures have collided
        return singleton_classes(agent_states)
    sizes = np.bincount(colour).astype(np.int64)
    if isinstance(agent_states, ChoosingStates):
        table = np.ascontiguousarray(agent_states.table[:, representative[:, None], representative[None, :]])
        results = agent_states.results.copy()
        results[:, :2] = colour[results[:, :2]]
        return StateClasses(colour, representative, sizes, table, agent_states.begins, results)
    return StateClasses(colour, representative, sizes, _class_table(agent_states, colour, representative))


def _sign(agent_states: AgentStates, colour: Any, found: Any) -> None:
    if isinstance(agent_states, ChoosingStates):
        choosing_kernel().signatures(agent_states.table, agent_states.begins, agent_states.results, colour, found)
    else:
        kernel().signatures(agent_states.table, colour, found)


def _is_congruence(agent_states: AgentStates, colour: Any, representative: Any) -> bool:
    if isinstance(agent_states, ChoosingStates):
        laws = agent_states.begins, agent_states.results
        return bool(choosing_kernel().is_congruence(agent_states.table, *laws, colour, representative))
    return bool(kernel().is_congruence(agent_states.table, colour, representative))


def _numbered_by_first(colour: Any) -> Any:
    """Classes in the order of their first states, so that their numbering follows that of the states."""
    first = np.unique(colour, return_index=True)[1]
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[colour]


def _class_table(agent_states: AgentStates, colour: Any, representative: Any) -> Any:
    entries = agent_states.table[np.ix_(representative, representative)]
    is_pair = entries >= 0
    pairs = np.where(is_pair, entries, 0)
    return np.where(is_pair, pack_pair(colour[initiator_of(pairs)], colour[responder_of(pairs)]), entries)
