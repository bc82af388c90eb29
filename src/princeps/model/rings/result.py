"""What happened in a run of a ring algorithm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from princeps.model.report import Report
from princeps.model.rings.ring import Ring
from princeps.model.rings.specification import Violation

SHOWN = (
    *("protocol", "params", "n", "labels", "schedule", "seed", "trial", "engine", "why", "converged", "leaders"),
    *("leader", "leader_label", "time", "steps", "messages", "kinds", "max_bits", "bounds"),
)


@dataclass(frozen=True)
class RingResult:
    """What happened. `time` is in units of the longest message delay; `leader` is a process, counted from 0."""

    protocol: str
    params: dict[str, int]
    ring: Ring
    schedule: str
    seed: int
    trial: int
    engine: str
    converged: bool
    leader: int | None
    leaders: int
    time: int
    steps: int
    messages: int
    kinds: dict[str, int]
    max_bits: int
    bounds: dict[str, float]
    violations: tuple[Violation, ...]
    seconds: float
    why: str = ""
    limited: bool = False
    stopped: str = ""  # by what, in words, where it was not the limit; not in the JSON
    interrupted: bool = False
    command: str = ""
    elects_true_leader: bool = False  # the algorithm promises to
    own_constants: tuple[str, ...] = ()  # bounds of which the paper gives the order only; not in the JSON

    def report(self) -> Report:
        """What the command line prints."""
        from princeps.model.rings.result_report import ring_report

        return ring_report(self)

    def __repr__(self) -> str:
        return self.report().text()

    def _repr_html_(self) -> str:
        return self.report().html()

    @property
    def n(self) -> int:
        return self.ring.n

    @property
    def labels(self) -> list[int] | list[str]:
        return list(self.ring.labels)  # type: ignore[return-value]

    @property
    def leader_label(self) -> int | str | None:
        return None if self.leader is None else self.ring.labels[self.leader]

    @property
    def succeeded(self) -> bool:
        return self.converged

    @property
    def label_bits(self) -> int:
        return self.ring.label_bits

    def as_json(self) -> dict[str, Any]:
        out = {name: getattr(self, name) for name in SHOWN}
        out["label_bits"] = self.label_bits
        out["violations"] = [violation.as_json() for violation in self.violations]
        out["seconds"] = round(self.seconds, 6)
        out |= {name: True for name in ("limited", "interrupted") if getattr(self, name)}
        out["command"] = self.command
        return out
