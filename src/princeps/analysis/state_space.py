"""The state space of a population: its configurations, the Markov chain between them, and named sets of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from princeps.analysis.chain import Bits, Chain
from princeps.analysis.components import Components, find_components
from princeps.analysis.configurations import Configurations
from princeps.analysis.multiplicities import multiplicities
from princeps.analysis.progress import ProgressCallback
from princeps.analysis.targets import SAFE
from princeps.model.run import Run


class StateSpace:
    """All configurations, or those that can be reached from a start; with every named set that was asked for."""

    def __init__(
        self,
        run: Run,
        configurations: Configurations,
        chain: Chain,
        sets: Mapping[str, Bits],
        starts: Sequence[int] = (),
        complete: bool = True,
    ) -> None:
        self.run, self.configurations, self.chain = run, configurations, chain
        self.sets = dict(sets)
        self.starts = starts  # the number of the start, then of its other placements; empty: all configurations
        self.complete = complete  # False: the steps from the target are left out

    @property
    def start(self) -> int | None:
        return self.starts[0] if self.starts else None

    @property
    def size(self) -> int:
        return self.configurations.size

    @property
    def progress(self) -> ProgressCallback:
        return self.configurations.progress

    @cached_property
    def multiplicity(self) -> NDArray[Any]:
        """How many configurations of the original space each listed one stands for."""
        return multiplicities(self.configurations)

    @cached_property
    def original_size(self) -> int:
        return int(self.multiplicity.sum())

    def original_count(self, chosen: Bits) -> int:
        """How many configurations of the original space a set has."""
        picked = self.multiplicity[chosen]
        return int(picked.sum()) if len(picked) else 0

    @cached_property
    def leaders(self) -> NDArray[np.int32]:
        """The number of leaders in each configuration."""
        return self.configurations.leaders()

    @cached_property
    def components(self) -> Components:
        """Strongly connected components of the chain, without absorbing states."""
        return find_components(self.chain, None, self.progress)

    @cached_property
    def safe(self) -> Bits:
        """The largest set with exactly one leader that no step leaves and in which no output ever changes."""
        return self.components.closed_without_output_change(self.leaders == 1)

    def members(self, name: str) -> Bits:
        return self.safe if name == SAFE else self.sets[name]
