"""The counts that a goal reads, kept up to date while the counts engine applies pairs, and the bounds between which they
can move within a batch.

`numbers` has three rows: the counts, and the least and the greatest values they can take; the last column is n.
`goal` holds addresses and a width, at the indices named below.
"""

from __future__ import annotations

from typing import Any

from princeps.lowering.interning import ID_BITS, ID_MASK, OUTPUT
from princeps.lowering.jit import njit
from princeps.lowering.pointers import call
from princeps.lowering.status import CONTINUE, GOAL_MET, OUTPUT_CHANGED, STOP_AT_GOAL, STOP_AT_OUTPUT

LEAST, GREATEST = 1, 2  # rows of `numbers`, after the counts themselves

# Indices of `goal`: addresses of the compiled goal, of the same on intervals, of `numbers` and of the protocol's
# constants; the number of columns of `numbers`.
GOAL_AT, REACH_AT, NUMBERS_AT, CONSTANTS_AT, WIDTH_OF_NUMBERS = range(5)
GOAL_LENGTH = 5


@njit
def goal_holds(goal: Any) -> bool:
    """Is the goal met by the counts?"""
    return call(goal[GOAL_AT], goal[NUMBERS_AT], goal[CONSTANTS_AT], goal[CONSTANTS_AT]) != 0


@njit
def recount_many(numbers: Any, width: int, x: int, y: int, z: int, w: int, times: int) -> None:
    """Keep the counts, from the marks of two agents before and after, for `times` pairs of one kind."""
    for k in range(width - 1):
        numbers[k] += times * (((z >> k) & 1) + ((w >> k) & 1) - ((x >> k) & 1) - ((y >> k) & 1))


@njit
def start_box(numbers: Any, width: int) -> None:
    for k in range(width - 1):
        numbers[LEAST * width + k] = numbers[GREATEST * width + k] = numbers[k]


@njit
def stretch_box(numbers: Any, width: int, x: int, y: int, z: int, w: int, times: int) -> None:
    """The least and the most that the counts can become while these pairs meet in any order among others."""
    for k in range(width - 1):
        change = times * (((z >> k) & 1) + ((w >> k) & 1) - ((x >> k) & 1) - ((y >> k) & 1))
        numbers[(LEAST if change < 0 else GREATEST) * width + k] += change


@njit
def account(marks: Any, numbers: Any, a: int, b: int, entry: int, goal: Any, stop_at: int) -> int:
    """Count one interaction that changed something tracked; a status."""
    recount_many(
        numbers,
        goal[WIDTH_OF_NUMBERS],
        marks[a],
        marks[b],
        marks[entry & ID_MASK],
        marks[(entry >> ID_BITS) & ID_MASK],
        1,
    )
    if stop_at == STOP_AT_GOAL:
        return GOAL_MET if goal_holds(goal) else CONTINUE
    return OUTPUT_CHANGED if stop_at == STOP_AT_OUTPUT and (entry & OUTPUT) != 0 else CONTINUE


@njit
def may_meet_goal(goal: Any, numbers: Any) -> bool:
    """Can the goal be true somewhere between LEAST and GREATEST?"""
    row = 8 * goal[WIDTH_OF_NUMBERS]
    return (
        call(goal[REACH_AT], goal[NUMBERS_AT] + LEAST * row, goal[NUMBERS_AT] + GREATEST * row, goal[CONSTANTS_AT]) != 0
    )
