"""The strings of A_k without the strings: what a process needs to know of a prefix of LLabels(p), letter by letter.

A process appends the labels that reach it, so its string is a prefix of LLabels(p): the ring itself holds all the
letters, and the string is its length. (The kernel compares every appended letter; if it is not the next one of
LLabels(p), the plain engine repeats the run.) What is asked of a string is kept up to date in constant time:

- srp(w) is a Lyndon word if and only if w is a prefix of a power of a Lyndon word. Duval's algorithm decides this letter
  by letter: with d the period so far, the next letter must not be smaller than the one d letters before it; if it is
  larger, the whole word is its own period. Once a letter is smaller, no longer string qualifies either.
- the first letter of LW(srp(w)) is the smallest letter of w: srp(w) contains every letter of w, and a Lyndon word
  begins with its smallest letter.
- the copies of a label in a prefix are its multiplicity times the whole turns, and those of the last turn, found in the
  sorted list of its positions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.lowering.chance import next_below
from princeps.lowering.jit import njit

COLUMNS = ("length", "turns", "position", "back", "lyndon", "copies", "smallest")


def label_tables(ranks: Any) -> tuple[Any, Any]:
    """Where each label's positions begin, and all positions, label by label, in ascending order."""
    positions = np.argsort(ranks, kind="stable").astype(np.int64)
    first = np.concatenate([[0], np.cumsum(np.bincount(ranks))]).astype(np.int64)
    return first, positions


@njit(inline="always")
def up_to(first: Any, positions: Any, x: Any, last: Any) -> Any:
    """How many of the processes 0..last have label x."""
    low, high = first[np.uint64(x)], first[np.uint64(x + 1)]
    while low < high:
        middle = (low + high) >> 1
        if positions[np.uint64(middle)] <= last:
            low = middle + 1
        else:
            high = middle
    return low - first[x]


@njit
def tossed(coins: Any, bound: Any) -> Any:
    """A coin of a process, which must have a side."""
    if bound < 1:
        raise ValueError
    return np.int64(next_below(coins, np.uint64(bound)))


@njit(inline="always")
def defined(label: Any, unset: Any) -> Any:
    """The label, which must have a value by now."""
    if label < 0:
        unset[0] = 1
    return label


@njit
def copies_with(
    labels: Any, first: Any, positions: Any, j: int, length: int, turns: int, position: int, copies: int, x: int
) -> Any:
    """The copies of the most frequent label, so far `copies`, if x is appended to the first `length` letters of LLabels(j).

    `position` is the process whose label is the next letter of LLabels(j); x may be another letter.
    """
    times = first[np.uint64(x + 1)] - first[np.uint64(x)]
    at_most = (turns + 1) * times + int(x != labels[np.uint64(position)])
    if at_most <= copies:  # x does not become the most frequent label
        return copies
    if length == turns * labels.size:
        return max(copies, turns * times + 1)
    found = turns * times + up_to(first, positions, x, j) - up_to(first, positions, x, position)
    return max(copies, found + 1 if position < j else found + times + 1)
