"""A comparison table as data: its rows, what each of them claims, and how it is measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

MEASURED, RECONSTRUCTION, CITED = "measured", "reconstruction", "cited"
MARKS = {
    MEASURED: "measured",
    RECONSTRUCTION: "reconstruction measured",
    CITED: "cited only, rules not published where we could read them",
}


@dataclass(frozen=True)
class Growth:
    """The claim as a law: the measure is of order n^power (log n)^logs, at most, at least, or both."""

    power: float
    logs: int = 0
    upper: bool = True
    lower: bool = False


@dataclass(frozen=True)
class Effort:
    """Which sizes are simulated, and how often each of them."""

    sizes: Sequence[int]
    trials: int


@dataclass(frozen=True)
class Row:
    """One algorithm. Of a row that is only cited, the first five entries are all.

    `starts` are those that may be slow; the one with the largest mean at the largest size is the worst known start.
    `exact` are the sizes, with parameters, at which the worst start is computed without sampling.
    """

    row: str
    assumes: str
    claimed_time: str
    claimed_states: str
    status: str
    protocol: str = ""
    claim: Growth | None = None
    quick: Effort | None = None
    full: Effort | None = None
    sketch: Effort | None = None  # enough to see a planted fault; without it, as for --quick
    starts: Sequence[str | None] = (None,)
    until: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)  # numbers, or formulas of n
    options: Mapping[str, Any] = field(default_factory=dict)  # of the sweep
    exact: Sequence[tuple[int, Mapping[str, int]]] = ()
    exact_start: str | None = None
    target: str | None = None
    of_all: bool = False  # the claim is about all protocols, of which this is one
    remark: str = ""


@dataclass(frozen=True)
class Comparison:
    """A table of a paper. `measure` is what its times are: steps, parallel_time, or for ring algorithms time."""

    id: str
    title: str
    source: str
    measure: str
    rows: Sequence[Row]
    remark: str = ""

    @property
    def paper(self) -> str:
        return self.id.partition(".")[0]
