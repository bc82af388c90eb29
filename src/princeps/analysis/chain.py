"""A finite Markov chain with integer weights: the object of every analysis in this room."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.bool_]


@dataclass(frozen=True)
class Chain:
    """From state x one step leads to `successors[k]` with probability weights[k] / total, for k in
    offsets[x]..offsets[x + 1]-1; with the rest of the probability it stays at x.

    A successor may be listed more than once. A step from x to x is listed only if it changes an agent's output: x
    stands for all configurations that a symmetry maps to one another, and two of them may have different leaders.
    """

    offsets: NDArray[np.int64]
    successors: NDArray[np.int32]
    weights: NDArray[np.int64]  # empty: every listed step has weight 1
    changes_output: NDArray[np.uint8]  # 1: an agent's output changes in this step
    total: int

    @property
    def size(self) -> int:
        return len(self.offsets) - 1

    def steps(self, x: int) -> Iterator[tuple[int, int]]:
        """Successors other than x itself, with their weights."""
        for k in range(self.offsets[x], self.offsets[x + 1]):
            if self.successors[k] != x:
                yield int(self.successors[k]), int(self.weights[k]) if len(self.weights) else 1
