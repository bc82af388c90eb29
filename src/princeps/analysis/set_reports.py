"""Properties of one set of configurations: its size, is it closed, is it safe; with counterexamples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from princeps.analysis.chain import Bits
from princeps.analysis.counterexamples import (
    Counterexample,
    path_to_output_change,
    single_configuration,
    step_leaving,
)
from princeps.analysis.state_space import StateSpace
from princeps.model.formatting import json_integer


@dataclass(frozen=True)
class SetReport:
    """Closed: no step leaves the set. Safe: it is part of the largest safe set. `leak` and `danger` refute these."""

    name: str
    size: int
    share_of_safe: float | None  # its size divided by that of the largest safe set, if it is part of it
    closed: bool
    safe: bool
    leak: Counterexample | None
    danger: Counterexample | None
    is_largest_safe: bool

    def as_json(self, names: tuple[str, ...]) -> dict[str, Any]:
        return {
            "set": self.name,
            "size": json_integer(self.size),
            "closed": self.closed,
            "safe": self.safe,
            "is_largest_safe": self.is_largest_safe,
            "share_of_largest_safe": self.share_of_safe,
            "leak": None if self.leak is None else self.leak.as_json(names),
            "danger": None if self.danger is None else self.danger.as_json(names),
        }


def report_set(space: StateSpace, name: str) -> SetReport:
    chosen, safe = space.members(name), space.safe
    is_safe = not (chosen & ~safe).any()
    size, largest = space.original_count(chosen), space.original_count(safe)
    return SetReport(
        name=name,
        size=size,
        share_of_safe=size / largest if is_safe and largest else None,
        closed=(leak := step_leaving(space, chosen)) is None,
        safe=is_safe,
        leak=leak,
        danger=None if is_safe else safety_counterexample(space, chosen),
        is_largest_safe=bool((chosen == safe).all()),
    )


def safety_counterexample(space: StateSpace, chosen: Bits) -> Counterexample | None:
    """The shortest path from the set to a configuration without exactly one leader, or to a change of an output."""
    not_one = chosen & (space.leaders != 1)
    if not_one.any():
        return single_configuration(space, int(np.flatnonzero(not_one)[0]))
    return path_to_output_change(space, chosen)
