"""Where the interactions of a population are drawn: their rows, and the states of every agent row by row.

Interactions that touch no common column share a row, as long as they follow one another: rows are in the order of the
steps. On a ring a pair takes the columns of its two agents; on another graph all columns between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from princeps.figures.space_time_layout import with_headings
from princeps.model.meeting import Happening, Meeting
from princeps.model.states import State


class Stretch(NamedTuple):
    """An agent in one state, between two rows."""

    agent: int
    begins: float
    ends: float
    state: State


class Layout(NamedTuple):
    rows: list[int]  # of every happening
    steps: dict[int, int]  # row -> its first step
    headings: tuple[int, ...]

    @property
    def last(self) -> int:
        return max(self.rows, default=0)


def columns_of(happening: Happening, n: int, is_ring: bool) -> set[int]:
    """The columns that are taken by what happened."""
    if not isinstance(happening, Meeting):
        return {happening.agent}
    low, high = sorted((happening.initiator, happening.responder))
    if is_ring and (low, high) == (0, n - 1) and n > 2:
        return {low, high}
    return set(range(low, high + 1))


def arrange(happenings: Sequence[Happening], n: int, is_ring: bool) -> Layout:
    row, taken = -1, set(range(n))
    rows: list[int] = []
    for happening in happenings:
        wanted = columns_of(happening, n, is_ring)
        if taken & wanted:
            row, taken = row + 1, set()
        taken |= wanted
        rows.append(row)
    moved, headings = with_headings(rows or [0])
    rows = [moved[row] for row in rows]
    steps: dict[int, int] = {}
    for row, happening in zip(rows, happenings, strict=True):
        steps.setdefault(row, happening.step)
    return Layout(rows, steps, headings)


def stretches(
    happenings: Sequence[Happening], layout: Layout, start: Sequence[State], margin: float
) -> Iterator[Stretch]:
    """The states of all agents over the whole picture; `start` are those at its upper edge."""
    state, since = list(start), [-margin] * len(start)
    for happening, row in zip(happenings, layout.rows, strict=True):
        for agent, before, after in happening.agents:
            if before != after:
                yield Stretch(agent, since[agent], row, state[agent])
                state[agent], since[agent] = after, float(row)
    for agent, last in enumerate(state):
        yield Stretch(agent, since[agent], layout.last + margin, last)
