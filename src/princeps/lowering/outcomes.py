"""The laws of interactions of a rule that tosses coins: for each pair of states all results with integer weights.

The weights of one pair add up to the common denominator of all of them, so that probabilities are exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm
from typing import Any

import numpy as np

from princeps.errors import TooLarge
from princeps.lowering.cache import kernel_module
from princeps.lowering.choice_code import PATH, ROOM
from princeps.lowering.kernels import Kernels
from princeps.lowering.outcome_codes import LARGEST_DENOMINATOR, RULE_FAILS, TOO_MANY
from princeps.model.coins import MAX_PATHS, too_many_outcomes

ROWS = 1 << 17  # of results in one call of the kernel: at least the paths of one interaction


def outcomes_kernel() -> Any:
    return kernel_module("princeps.lowering.outcomes_kernel")


@dataclass(frozen=True)
class Outcomes:
    """Row k: of pair `pairs[k]` the packed words of both agents afterwards, with weight `weights[k]` of `denominator`.

    Rows are in the order of the pairs. A pair whose rule fails has no row, and is in `failed`.
    """

    pairs: Any
    after: Any
    weights: Any
    denominator: int
    failed: Any


def outcomes_of(kernels: Kernels, initiators: Any, responders: Any, told: int) -> Outcomes:
    """Of every row of packed words of `initiators` with that of `responders`, where the oracle says `told`."""
    width = kernels.layout.words
    cells = kernels.choice_cells()
    io = np.zeros(4 * width + cells, np.int64)
    io[4 * width + ROOM] = (cells - PATH) // 2
    pairs, denominators = np.empty(ROWS, np.int64), np.empty(ROWS, np.int64)
    after = np.empty((ROWS, 2 * width), np.int64)
    found, first = [], 0
    initiators, responders = (np.ascontiguousarray(rows, np.int64) for rows in (initiators, responders))
    while first < len(initiators):
        first, size = outcomes_kernel().follow_all(
            *(kernels.rule_at(), initiators, responders, told, io, kernels.constants, kernels.tops, first, MAX_PATHS),
            *(pairs, after, denominators),
        )
        found.append(np.column_stack([pairs[:size], denominators[:size], after[:size]]))
    rows = np.concatenate(found) if found else np.empty((0, 2 + 2 * width), np.int64)
    if (rows[:, 1] == TOO_MANY).any():
        raise too_many_outcomes(kernels.protocol.file())
    failed = rows[rows[:, 1] == RULE_FAILS, 0]
    rows = rows[rows[:, 1] > 0]
    denominator = common_denominator(np.unique(rows[:, 1]).tolist())
    keys, where = np.unique(np.delete(rows, 1, axis=1), axis=0, return_inverse=True)
    weights = np.zeros(len(keys), np.int64)
    np.add.at(weights, where.ravel(), denominator // rows[:, 1])
    return Outcomes(keys[:, 0], keys[:, 1:], weights, denominator, failed)


def common_denominator(denominators: list[int]) -> int:
    common = lcm(*denominators)
    if common > LARGEST_DENOMINATOR:
        raise TooLarge(
            f"the probabilities of this rule's outcomes have no common denominator below 2^52 ({common}): draw from numbers "
            f"with common factors, or simulate with --engine agents."
        )
    return common
