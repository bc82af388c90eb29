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
    width, values = kernels.layout.words, kernels.protocol.oracle_values
    number = {row.tobytes(): k for k, row in enumerate(words)}
    rows, first = [row.copy() for row in words], 0
    while first < len(rows) or first == 0:
        if len(rows) > most_states:
            return None
        found = _all_pairs(kernels, np.array(rows), values)
        first = len(rows)
        for one in found:
            for state in np.unique(one.after.reshape(-1, width), axis=0):
                if state.tobytes() not in number:
                    number[state.tobytes()] = len(rows)
                    rows.append(state.copy())
        if first == len(rows):
            return _table(np.array(rows), number, found)
    return None


def _all_pairs(kernels: Kernels, words: Any, values: tuple[int, ...]) -> list[Outcomes]:
    a, b = np.divmod(np.arange(len(words) ** 2), len(words))
    return [outcomes_of(kernels, words[a], words[b], told) for told in values]


def _table(words: Any, number: dict[bytes, int], found: list[Outcomes]) -> ChoiceTable:
    states, width = words.shape
    denominator = common_denominator([one.denominator for one in found])
    kinds, results, changes = [], [], np.zeros((len(found), states, states), np.bool_)
    for told, one in enumerate(found):
        after = np.array([number[row.tobytes()] for row in one.after.reshape(-1, width)], np.int64).reshape(-1, 2)
        results.append(np.column_stack([after, one.weights * (denominator // one.denominator)]))
        kinds.append(told * states**2 + one.pairs)
        moved = (after[:, 0] != one.pairs // states) | (after[:, 1] != one.pairs % states)
        changes[told].reshape(-1)[one.pairs[moved]] = True
        changes[told].reshape(-1)[one.failed] = True
    begins = np.searchsorted(np.concatenate(kinds), np.arange(len(found) * states**2 + 1)).astype(np.int64)
    most = max(len(part) for part in results)
    return ChoiceTable(words, begins, np.ascontiguousarray(np.concatenate(results)), changes, denominator, most)
