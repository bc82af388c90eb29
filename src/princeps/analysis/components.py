"""Strongly connected components, sinks first, and properties decided by one pass over them from the sinks up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from princeps.analysis.chain import Bits, Chain
from princeps.analysis.codes import CLOSED_WITHOUT_OUTPUT_CHANGE, NEXT_STATE, REACHES_ONLY, REACHES_SOME
from princeps.analysis.progress import ProgressCallback, no_progress
from princeps.lowering.cache import kernel_module

SEARCH_PORTION = 1 << 20  # moves of the search between two reports of progress
UNDECIDED = 2  # in the output of a pass; otherwise 0 or 1


def kernel() -> Any:
    return kernel_module("princeps.analysis.components_kernel")


@dataclass(frozen=True)
class Components:
    """Every step leads to a component with the same or a smaller number.

    The states of component c are order[begins[c]:begins[c + 1]]. Absorbing states have no steps out.
    """

    chain: Chain
    absorbing: Bits  # empty: none
    component_of: NDArray[np.int32]
    begins: NDArray[np.int64]
    order: NDArray[np.int32]

    @property
    def count(self) -> int:
        return len(self.begins) - 1

    @property
    def largest(self) -> int:
        return int(np.diff(self.begins).max())

    def can_reach(self, marked: Bits) -> Bits:
        """States from which some marked state can be reached."""
        return self._decide(marked, REACHES_SOME)

    def reaches_only(self, marked: Bits) -> Bits:
        """States from which only marked ones can be reached."""
        return self._decide(marked, REACHES_ONLY)

    def closed_without_output_change(self, marked: Bits) -> Bits:
        """The largest set of marked states that no step leaves and in which no step changes an output."""
        return self._decide(marked, CLOSED_WITHOUT_OUTPUT_CHANGE)

    def _decide(self, marked: Bits, property_: int) -> Bits:
        out = np.full(self.chain.size, UNDECIDED, np.uint8)
        chain = self.chain
        kernel().decide_from_sinks(
            *(self.begins, self.order, chain.offsets, chain.successors, chain.changes_output),
            *(self.absorbing, marked, out, property_),
        )
        return out.view(np.bool_)


def find_components(
    chain: Chain, absorbing: Bits | None = None, progress: ProgressCallback = no_progress
) -> Components:
    size = chain.size
    stop = np.zeros(0, np.bool_) if absorbing is None else absorbing
    number, stack, cursor = np.zeros(size, np.int32), np.empty(size, np.int32), np.empty(size, np.int32)
    root, position = np.empty(size, np.uint8), kernel().initial_position(size)
    while not kernel().search(
        *(chain.offsets, chain.successors, stop, number, stack, cursor, root, position, SEARCH_PORTION)
    ):
        progress("components", int(position[NEXT_STATE]), size)
    component_of = size - number
    del stack, cursor, root
    begins = np.zeros(int(component_of.max()) + 2, np.int64)
    order = np.empty(size, np.int32)
    kernel().sort_by_component(component_of, begins, order)
    return Components(chain, stop, component_of, begins, order)
