"""Agent states and their interactions where the rule tosses coins or reads an oracle.

The table has one more axis, the value of the oracle, and an entry is the number of a law: its results are the rows
begins[law] .. begins[law + 1] - 1 of `results`, numbers of both states afterwards and a weight. The weights of every law
add up to `denominator`, so that probabilities stay exact integers over a common one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from princeps.analysis.agent_states import MAX_TABULATED_STATES, AgentStates, Meetings
from princeps.analysis.codes import FAILS, UNKNOWN
from princeps.analysis.progress import ProgressCallback, no_progress
from princeps.lowering.outcomes import Outcomes, common_denominator, outcomes_of
from princeps.lowering.vocabulary import counts_asked
from princeps.model.fields import Counts
from princeps.model.protocol import PopulationProtocol
from princeps.model.states import State

MAX_CHOOSING_STATES = 2000  # whose meetings are tabulated: each has several results


class ChoosingStates(AgentStates):
    """`states` and `table`, as for other rules, with laws in place of pairs."""

    def __init__(self, protocol: PopulationProtocol, states: list[State]) -> None:
        super().__init__(protocol, states)
        self.values = protocol.oracle_values
        self.table = np.full((len(self.values), self.size, self.size), UNKNOWN, np.int64)
        self.begins = np.zeros(1, np.int64)
        self.results = np.zeros((0, 3), np.int64)
        self.denominator = 1

    @property
    def most_results(self) -> int:
        """Of one interaction."""
        return int(np.diff(self.begins).max(initial=1))

    def is_unknown(self, initiators: Any, responders: Any) -> Any:
        return self.table[0, initiators, responders] == UNKNOWN

    def add_transitions(self, initiators: Any, responders: Any) -> None:
        """Compute the laws of these pairs, for all values of the oracle; new states get numbers."""
        for place, told in enumerate(self.values):
            if None in self.protocol.space.sizes:  # unbounded fields may exceed 64 bits
                pairs, after, weights, denominator, failed = self._in_python(initiators, responders, told)
            else:
                words = self.words
                found: Outcomes = outcomes_of(self.kernels, words[initiators], words[responders], told)
                width, unpack = words.shape[1], self.kernels.layout.unpack
                rows, where = np.unique(found.after.reshape(-1, width), axis=0, return_inverse=True)
                names = self.protocol.space.names
                numbers = np.array([self._number_of(unpack(names, row.tolist())) for row in rows], np.int64)
                after = numbers[where.ravel()].reshape(-1, 2)
                pairs, weights, denominator, failed = found.pairs, found.weights, found.denominator, found.failed
            self._enlarge_table()
            self._enter(place, initiators, responders, pairs, after, weights, denominator, failed)

    def _in_python(self, initiators: Any, responders: Any, told: int) -> tuple[Any, Any, Any, int, Any]:
        pairs, after, shares = [], [], []
        for k, (a, b) in enumerate(zip(initiators.tolist(), responders.tolist(), strict=True)):
            for probability, (one, other), _ in self.protocol.branches(self.states[a], self.states[b], told):
                pairs.append(k)
                after.append((self._number_of(one), self._number_of(other)))
                shares.append(probability)
        denominator = common_denominator([share.denominator for share in shares])
        weights = np.array([int(share * denominator) for share in shares], np.int64)
        return (
            np.array(pairs, np.int64),
            np.array(after, np.int64).reshape(-1, 2),
            weights,
            denominator,
            np.zeros(0, np.int64),
        )

    def _enter(
        self, place: int, initiators: Any, responders: Any, pairs: Any, after: Any, weights: Any, denominator: int, failed: Any
    ) -> None:  # fmt: skip
        common = common_denominator([self.denominator, denominator])
        self.results[:, 2] *= common // self.denominator
        self.denominator = common
        with_results, begins = np.unique(pairs, return_index=True)
        laws = len(self.begins) - 1 + np.arange(len(with_results))
        self.table[place, initiators[with_results], responders[with_results]] = laws
        self.table[place, initiators[failed], responders[failed]] = FAILS
        size = len(self.results)
        self.results = np.concatenate([self.results, np.column_stack([after, weights * (common // denominator)])])
        self.begins = np.concatenate([self.begins[:-1], size + begins, [len(self.results)]])

    def _enlarge_table(self) -> None:
        """Room for all numbered states."""
        known = self.table.shape[1]
        if self.size > known:
            larger: NDArray[np.int64] = np.full((len(self.values), 2 * self.size, 2 * self.size), UNKNOWN, np.int64)
            larger[:, :known, :known] = self.table
            self.table = larger

    def close(self, max_states: int = MAX_TABULATED_STATES, progress: ProgressCallback = no_progress) -> bool:
        if None in self.protocol.space.sizes:
            return False
        first = 0
        while first < self.size:
            last = self.size
            if last > min(max_states, MAX_CHOOSING_STATES):
                return False
            meetings = Meetings(first, last)
            for done, pairs in enumerate(meetings.portions()):
                self.add_transitions(*pairs)
                progress("table of meetings", done, 0)
            first = last
        self.table = np.ascontiguousarray(self.table[:, : self.size, : self.size])
        self.is_closed = True
        return True

    # -- the oracle ---------------------------------------------------------------------------------------------------

    def oracle_columns(self) -> Any:
        """For each state what the oracle counts: states that differ in it are never merged."""
        oracle = self.protocol.oracle
        if oracle is None:
            return np.zeros((self.size, 0), np.bool_)
        known = type(self.protocol).all_predicates()
        return np.stack([self.satisfying(known[name]) for name in counts_asked(self.protocol, [oracle.rule])], axis=1)

    def told(self, counts: Any, n: int) -> Any:
        """What the oracle says where these numbers of agents are in its columns, a row for each configuration."""
        oracle, protocol = self.protocol.oracle, self.protocol
        if oracle is None:
            return np.zeros(len(counts), np.uint8)
        names = counts_asked(protocol, [oracle.rule])
        different, where = np.unique(counts, axis=0, return_inverse=True)
        answers = [
            bool(protocol.ask(oracle.rule, Counts({**dict(zip(names, row, strict=True)), "n": n}), protocol.constants))
            for row in different.tolist()
        ]
        return np.array(answers, np.uint8)[where.ravel()]

    def results_of(self, a: int, b: int, told: int) -> list[tuple[State, State]]:
        """What can become of two states."""
        law = int(self.table[told, a, b])
        rows = self.results[self.begins[law] : self.begins[law + 1]].tolist()
        return [(self.states[u], self.states[v]) for u, v, _ in rows]
