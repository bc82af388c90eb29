"""All states that can arise from some, and the law of every interaction between them, for rules with choices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from princeps.lowering.kernels import Kernels
from princeps.lowering.outcomes import Outcomes, common_denominator, outcomes_of


@dataclass(frozen=True)
class ChoiceTable:
    """A kind is (value of the oracle * states + initiator) * states + responder; see choosing_counts_kernel.py."""

    words: Any  # of the states, a row each
    begins: Any  # by kind: the first row of its results, and where those of the last kind end
    results: Any  # both states afterwards, and the weight
    changes: Any  # by oracle, initiator and responder: may something change? A rule that fails is a change
    denominator: int  # what the weights of a kind add up to
    most_results: int  # of all kinds of one value of the oracle

    @property
    def states(self) -> int:
        return len(self.words)


def known_table(kernels: Kernels, words: Any, most_states: int) -> ChoiceTable | None:
    """The same, found once for all trials that begin in these states."""
    question = words.tobytes(), most_states
    if question not in kernels.choice_tables:
        kernels.choice_tables.keep(question, choice_table(kernels, words, most_states))
    found: ChoiceTable | None = kernels.choice_tables[question]
    return found


def choice_table(kernels: Kernels, words: Any, most_states: int) -> ChoiceTable | None:
    """From these states; None if more than `most_states` can arise. Those given keep their numbers."""
    values = kernels.protocol.oracle_values
    number = {row.tobytes(): k for k, row in enumerate(words)}
    rows, first = [row.copy() for row in words], 0
    found: list[_Laws] = []
    while first < len(rows):
        last = len(rows)
        if last > most_states:
            return None
        known = np.array(rows)
        a, b = np.divmod(np.arange(last**2), last)
        new = (a >= first) | (b >= first)
        a, b, first = a[new], b[new], last
        for told in values:
            laws = outcomes_of(kernels, known[a], known[b], told)
            found.append(_Laws(told, a, b, laws))
            for state in np.unique(laws.after.reshape(-1, known.shape[1]), axis=0):
                if state.tobytes() not in number:
                    number[state.tobytes()] = len(rows)
                    rows.append(state.copy())
    return _table(np.array(rows), number, found, len(values))


@dataclass(frozen=True)
class _Laws:
    """Of some pairs of states by number, under one value of the oracle."""

    told: int
    initiators: Any
    responders: Any
    outcomes: Outcomes


def _table(words: Any, number: dict[bytes, int], found: list[_Laws], values: int) -> ChoiceTable:
    states, width = words.shape
    denominator = common_denominator([laws.outcomes.denominator for laws in found])
    kinds, results, failing = [], [], []
    for laws in found:
        one = laws.outcomes
        after = np.array([number[row.tobytes()] for row in one.after.reshape(-1, width)], np.int64).reshape(-1, 2)
        results.append(np.column_stack([after, one.weights * (denominator // one.denominator)]))
        kind = (laws.told * states + laws.initiators) * states + laws.responders
        kinds.append(kind[one.pairs])
        failing.append(kind[one.failed])
    kind, rows = np.concatenate(kinds), np.concatenate(results)
    order = np.argsort(kind, kind="stable")
    kind, rows = kind[order], np.ascontiguousarray(rows[order])
    changes = np.zeros(values * states**2, np.bool_)
    changes[kind[(rows[:, 0] != kind // states % states) | (rows[:, 1] != kind % states)]] = True
    changes[np.concatenate(failing)] = True
    begins = np.searchsorted(kind, np.arange(values * states**2 + 1)).astype(np.int64)
    most = max(int(begins[(told + 1) * states**2] - begins[told * states**2]) for told in range(values))
    return ChoiceTable(words, begins, rows, changes.reshape(values, states, states), denominator, most)
