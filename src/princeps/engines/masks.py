"""Dead agents and cut arcs: which of the drawn pairs can interact."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Mask:
    """The agents that are dead and the arcs that are cut; true if there are any."""

    dead: frozenset[int] = frozenset()
    cuts: frozenset[tuple[int, int]] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.dead or self.cuts)

    def with_agent(self, agent: int, dead: bool) -> Mask:
        return replace(self, dead=self.dead | {agent} if dead else self.dead - {agent})

    def with_arc(self, i: int, j: int, is_cut: bool) -> Mask:
        return replace(self, cuts=self.cuts | {(i, j)} if is_cut else self.cuts - {(i, j)})

    @cached_property
    def _dead_list(self) -> Any:
        return np.array(sorted(self.dead), dtype=np.uint32)

    def able(self, left: Any, right: Any, n: int) -> Any:
        """The places of the pairs that can interact."""
        good = left != right  # an agent that meets itself does nothing
        if self.dead:
            good &= ~(np.isin(left, self._dead_list) | np.isin(right, self._dead_list))
        if self.cuts:
            codes = np.array(sorted(i * n + j for i, j in self.cuts), dtype=np.uint64)
            good &= ~np.isin(left.astype(np.uint64) * np.uint64(n) + right, codes)
        return np.flatnonzero(good)
