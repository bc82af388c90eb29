"""Points that differ only in their size: what a law of growth is fitted to, and what a line in a figure connects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from princeps.campaign.results import Results, StoredPoint
from princeps.campaign.sample import Sample

WORDS = ("start", "until", "graph", "fault", "ids", "hold")  # the other facts are parameters


@dataclass(frozen=True)
class Series:
    """`what` are the facts that all its points share, as the user wrote them."""

    protocol: str
    what: dict[str, str]
    points: tuple[StoredPoint, ...]
    measure: str
    samples: tuple[Sample, ...]

    def label(self, beside: Sequence[Series] = ()) -> str:
        """What tells it apart from the others."""
        others = [other for other in beside if other is not self]
        alike = [other for other in others if other.protocol == self.protocol]
        words = [
            f"{name} {value}" if name in WORDS else f"{name}={value}"
            for name, value in self.what.items()
            if any(other.what.get(name) != value for other in alike)
        ]
        return ", ".join([self.protocol, *words] if len(alike) < len(others) or not words else words)


def series_of(results: Results, measure: str | None = None) -> list[Series]:
    """In the order of the store; sizes ascending."""
    groups: dict[Any, list[StoredPoint]] = {}
    for point in results.points:
        groups.setdefault((point.rule, tuple(facts(point).items())), []).append(point)
    found = []
    for points in groups.values():
        ordered = sorted(points, key=lambda point: point.n)
        asked = measure or results.measure or ordered[0].measures[1 if ordered[0].description.get("hold") else 0]
        samples = tuple(results.sample(point, asked) for point in ordered)
        found.append(Series(ordered[0].protocol, facts(ordered[0]), tuple(ordered), asked, samples))
    return found


def facts(point: StoredPoint) -> dict[str, str]:
    """Everything but the size."""
    family = point.graph.partition(":")[0]
    options = point.description
    found = {**point.typed, "start": point.start, "until": point.until}
    found["graph"] = family if family in ("grid", "torus") else point.graph
    if options.get("faults"):
        found["fault"] = " ".join(options["faults"])
    if options.get("ids"):
        found["ids"] = str(options["ids"])
    if options.get("hold"):
        found["hold"] = "yes"
    return found
