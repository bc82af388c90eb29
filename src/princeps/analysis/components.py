"""Strongly connected components, sinks first, and what is decided by going through them once, from the sinks up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from princeps.analysis.chain import Bits, Chain
from princeps.analysis.progress import Observer, silence
from princeps.lowering.cache import kernel_module

PORTION = 1 << 20
UNDECIDED = 2
SOME_REACHED, NONE_UNMARKED_NOR_LOUD, ALL_REACHED = 0, 1, 2


def kernel() -> Any:
    return kernel_module("princeps.analysis.components_kernel")


@dataclass(frozen=True)
class Components:
    """`of[x]` is the component of x; every step leads to one with the same or a smaller number.

    The states of component c are order[begins[c]:begins[c + 1]]. Absorbing states have no steps out.
    """

    chain: Chain
    absorbing: Bits  # empty: none
    of: NDArray[np.int32]
    begins: NDArray[np.int64]
    order: NDArray[np.int32]

    @property
    def count(self) -> int:
        return len(self.begins) - 1

    @property
    def largest(self) -> int:
        return int(np.diff(self.begins).max())

    def reaching(self, marked: Bits) -> Bits:
        """States from which some marked state can be reached."""
        return self._sweep(marked, SOME_REACHED)

    def confined(self, marked: Bits) -> Bits:
        """States from which only marked ones can be reached."""
        return self._sweep(marked, ALL_REACHED)

    def settled(self, marked: Bits) -> Bits:
        """The largest set of marked states that no step leaves and in which no step is loud."""
        return self._sweep(marked, NONE_UNMARKED_NOR_LOUD)

    def _sweep(self, marked: Bits, mode: int) -> Bits:
        out = np.full(self.chain.size, UNDECIDED, np.uint8)
        chain = self.chain
        kernel().sweep_up(
            *(self.begins, self.order, chain.offsets, chain.successors, chain.loud, self.absorbing, marked, out, mode)
        )
        return out.view(np.bool_)


def components(chain: Chain, absorbing: Bits | None = None, observer: Observer = silence) -> Components:
    size = chain.size
    stop = np.zeros(0, np.bool_) if absorbing is None else absorbing
    number, stack, cursor = np.zeros(size, np.int32), np.empty(size, np.int32), np.empty(size, np.int32)
    root, at = np.empty(size, np.uint8), np.array([0, 1, size, 0, 0], np.int64)
    while not kernel().search(chain.offsets, chain.successors, stop, number, stack, cursor, root, at, PORTION):
        observer("components", int(at[0]), size)
    of = size - number
    del stack, cursor, root
    begins = np.zeros(int(of.max()) + 2, np.int64)
    order = np.empty(size, np.int32)
    kernel().sort_by_component(of, begins, order)
    return Components(chain, stop, of, begins, order)
