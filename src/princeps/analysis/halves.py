"""Torn interactions: the rule is applied, but only one of the two agents takes its new state.

From the table of transitions (a, b) -> (u, v) follow two others, (a, b) -> (u, b) and (a, b) -> (a, v). An interaction
that changes at most one agent cannot be torn: half of it is the whole or nothing. Merged states stay indistinguishable: a
class determines the classes of both u and v for every partner, hence those of either half (merging.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from princeps.analysis.agent_states import (
    AgentStates,
    all_states,
    initiator_of,
    make_agent_states,
    pack_pair,
    responder_of,
)
from princeps.analysis.choosing_states import ChoosingStates
from princeps.analysis.merging import StateClasses
from princeps.model.protocol import PopulationProtocol
from princeps.model.script import SIDES_OF_A_PAIR
from princeps.model.states import State

INITIATOR, RESPONDER = SIDES_OF_A_PAIR
MAX_COUNTED_STATES = 2000  # whose pairs are counted: four million of them take two seconds


def halved(classes: StateClasses, side: str) -> StateClasses:
    """The same classes, of whose interactions only this side takes its new state; null where nothing can be torn."""
    table = classes.table
    if classes.begins is not None and classes.results is not None:
        return replace(classes, results=_halved_laws(table, classes.begins, classes.results, side))
    a, b = np.arange(len(table))[:, None], np.arange(len(table))[None, :]
    both = _change_both(table)
    half = pack_pair(initiator_of(table), b) if side == INITIATOR else pack_pair(a, responder_of(table))
    return replace(classes, table=np.where(both, half, np.where(table >= 0, pack_pair(a, b), table)))


def _change_both(table: Any) -> Any:
    """Which entries of the table change both agents."""
    here = np.arange(len(table))
    return (table >= 0) & (initiator_of(table) != here[:, None]) & (responder_of(table) != here[None, :])


def _meeting_of_results(table: Any, begins: Any) -> tuple[Any, Any]:
    """The states that met, for each row of `results`: each law belongs to one pair; -1 for laws of merged states."""
    initiators, responders = (np.full(len(begins) - 1, -1, np.int64) for _ in range(2))
    _, a, b = known = np.nonzero(table >= 0)
    laws = table[known]
    initiators[laws], responders[laws] = a, b
    lengths = np.diff(begins)
    return np.repeat(initiators, lengths), np.repeat(responders, lengths)


def _halved_laws(table: Any, begins: Any, results: Any, side: str) -> Any:
    a, b = _meeting_of_results(table, begins)
    after = results.copy()
    both = (results[:, 0] != a) & (results[:, 1] != b)
    keep_initiator, keep_responder = both & (side == INITIATOR), both & (side == RESPONDER)
    after[:, 0] = np.where(keep_initiator, results[:, 0], a)
    after[:, 1] = np.where(keep_responder, results[:, 1], b)
    return after


def pairs_changing_both(protocol: PopulationProtocol, begin: Sequence[State] | None) -> tuple[int, int] | None:
    """Of all ordered pairs of states those that can change both agents, and how many pairs there are.

    The states are those that can arise if agents begin in these, and any two meet; all legal ones, if none are given. None
    where they are infinitely or too many, or where the rule leaves them.
    """
    count = protocol.state_count
    if begin is None and (count is None or count > MAX_COUNTED_STATES):
        return None
    agent_states: AgentStates = make_agent_states(protocol, all_states(protocol) if begin is None else begin)
    if not agent_states.close(MAX_COUNTED_STATES) or (count is not None and agent_states.size > count):
        return None
    return known_pairs_changing_both(agent_states)


def known_pairs_changing_both(agent_states: AgentStates) -> tuple[int, int]:
    """The same of the pairs whose interaction was computed."""
    table, known = agent_states.table, (agent_states.table >= 0)
    if not isinstance(agent_states, ChoosingStates):
        return int(_change_both(table).sum()), int(known.sum())
    a, b = _meeting_of_results(table, agent_states.begins)
    both = (agent_states.results[:, 0] != a) & (agent_states.results[:, 1] != b)
    return len(np.unique(a[both] * agent_states.size + b[both])), int(known.any(axis=0).sum())
