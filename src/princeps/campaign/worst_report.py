"""What a race for the worst start found, as plain data: attributes here, keys in JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from princeps.model.formatting import json_integer
from princeps.model.report import Report

SHOWN_ALIKE = 2  # labels of starts that run alike, in the table


@dataclass(frozen=True)
class RacedStart:
    """`mean` steps of fresh trials, with their interval at 95 %; with `unfinished` trials it is a lower bound.

    `alike`: starts that took the same steps in every trial of the race. `not_distinguishable_from`: other finalists whose
    means differ by no more than chance explains. `command` runs as many trials from there.
    """

    label: str
    kind: str
    start: str
    mean: float
    interval: tuple[float, float]
    trials: int
    unfinished: int
    alike: tuple[str, ...]
    not_distinguishable_from: tuple[str, ...]
    command: str

    def as_json(self) -> dict[str, Any]:
        lists = {name: list(getattr(self, name)) for name in ("interval", "alike", "not_distinguishable_from")}
        return {**vars(self), **lists}


@dataclass(frozen=True)
class WorstStarts:
    """The slowest starts that were found, the slowest first, of `candidates` that were raced: never all that there are."""

    protocol: str
    params: dict[str, int]
    n: int
    graph: str
    until: str
    seed: int
    candidates: int
    trials: int
    steps: int
    starts: tuple[RacedStart, ...]
    notes: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def worst(self) -> RacedStart:
        return self.starts[0]

    def report(self) -> Report:
        rows = [
            ("raced", f"{self.candidates:,} starts, {self.trials:,} trials, {self.steps:,} steps, seed {self.seed}")
        ]
        for number, one in enumerate(self.starts, 1):
            low, high = one.interval
            least = "at least " if one.unfinished else ""
            rows.append((f"{number}", f"{one.label}: {least}{one.mean:.5g} steps, 95 % in [{low:.5g}, {high:.5g}]"))
            if one.alike:
                more = len(one.alike) - SHOWN_ALIKE
                shown = "; ".join(one.alike[:SHOWN_ALIKE]) + (f"; {more:,} more" if more > 0 else "")
                rows.append(("", f"runs alike: {shown}"))
            if one.not_distinguishable_from:
                rows.append(("", f"not distinguishable from: {'; '.join(one.not_distinguishable_from)}"))
        rows += [("note", note) for note in self.notes]
        rows.append(("seconds", f"{self.seconds:.2f}"))
        return Report(
            f"{self.protocol}, n = {self.n:,}, {self.graph}, until {self.until}: the worst starts found", rows
        )

    def __repr__(self) -> str:
        return self.report().text()

    def _repr_html_(self) -> str:
        return self.report().html()

    def as_json(self) -> dict[str, Any]:
        own = {
            name: getattr(self, name) for name in ("protocol", "params", "n", "graph", "until", "seed", "candidates")
        }
        return {
            **own,
            "trials": self.trials,
            "steps": json_integer(self.steps),
            "starts": [one.as_json() for one in self.starts],
            "notes": list(self.notes),
            "seconds": self.seconds,
        }
