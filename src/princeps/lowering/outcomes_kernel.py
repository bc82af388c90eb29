"""All results of many interactions through the compiled rule, path after path of its draws (choices.py)."""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.lowering.choice_code import MADE, ORACLE, PATH
from princeps.lowering.choices import begin_paths, next_path
from princeps.lowering.jit import njit
from princeps.lowering.outcome_codes import LARGEST_DENOMINATOR, RULE_FAILS, TOO_MANY
from princeps.lowering.pointers import call
from princeps.lowering.status import CONTINUE


@njit
def path_denominator(io: Any, base: int) -> Any:
    """The path that was just taken has the probability 1 / this; TOO_MANY if it is too large."""
    product = np.int64(1)
    for k in range(io[base + MADE]):
        bound = io[base + PATH + 2 * k + 1]
        if product > LARGEST_DENOMINATOR // bound:
            return TOO_MANY
        product *= bound
    return product


@njit(cache=True)
def follow_all(
    rule: int, initiators: Any, responders: Any, told: int, io: Any, constants: Any, tops: Any, first: int,
    most_paths: int, pairs: Any, after: Any, denominators: Any,
) -> Any:  # fmt: skip
    """The results of pairs first, first + 1, ... as far as there is room; the next pair, and how many rows were written.

    A pair whose rule fails, or that has too many paths, has one row with a negative code in place of the denominator.
    """
    width = initiators.shape[1]
    base = 4 * width
    filled = 0
    for pair in range(first, initiators.shape[0]):
        begin = filled
        for w in range(width):
            io[w] = initiators[pair, w]
            io[width + w] = responders[pair, w]
        io[base + ORACLE] = told
        begin_paths(io, base)
        paths = 0
        while True:
            if filled == pairs.size:
                return pair, begin
            code: Any = np.int64(TOO_MANY)
            if paths < most_paths:
                status = call(rule, io.ctypes.data, constants.ctypes.data, tops.ctypes.data)
                code = path_denominator(io, base) if status == CONTINUE else np.int64(RULE_FAILS)
            if code < 0:
                filled = begin
            pairs[filled] = pair
            denominators[filled] = code
            for w in range(2 * width):
                after[filled, w] = io[2 * width + w] if code > 0 else -1
            filled += 1
            paths += 1
            if code < 0 or not next_path(io, base):
                break
    return initiators.shape[0], filled
