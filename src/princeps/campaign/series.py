"""Points that differ only in their size: what a law of growth is fitted to, and what a line in a figure connects."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from princeps.campaign.formula import evaluate
from princeps.campaign.network_point import NETWORK, WHERE, network_of
from princeps.campaign.results import Results
from princeps.campaign.sample import MEASURES, Sample
from princeps.campaign.stored_points import StoredPoint
from princeps.errors import ParameterError, RunError
from princeps.model.options import check_choice

OF_NETWORK = "network "  # before the name of an option of net, which may also be that of a parameter
WORDS = ("start", "until", "graph", "fault", "ids", "scheduler", "hold")  # the other facts are parameters


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
            _in_words(name, value)
            for name, value in self.what.items()
            if any(other.what.get(name) != value for other in alike if _is_compared(name, self, other))
        ]
        return ", ".join([self.protocol, *words] if len(alike) < len(others) or not words else words)


def _in_words(name: str, value: str) -> str:
    if name == WHERE:
        return value
    named = name.startswith(OF_NETWORK) or name in WORDS
    return f"{name.removeprefix(OF_NETWORK)} {value}" if named else f"{name}={value}"


def _is_compared(name: str, one: Series, other: Series) -> bool:
    """Networks are told apart by their options, and from simulations by being networks."""
    return not name.startswith(OF_NETWORK) or one.what.get(WHERE) == other.what.get(WHERE)


def series_of(results: Results, measure: str | None = None) -> list[Series]:
    """In the order of the store; sizes ascending."""
    if measure is not None:
        check_choice(measure, "measure", tuple(MEASURES))
    groups: dict[Any, list[StoredPoint]] = {}
    networked = any(point.where == NETWORK for point in results.points)
    for point in results.points:
        where = {WHERE: point.where} if networked else {}
        for typed in point.asked:  # a point may belong to several: at n = 64, N=64 is also N=n
            groups.setdefault((point.rule, tuple({**typed, **facts(point), **where}.items())), []).append(point)
    found = []
    for (_, what), points in groups.items():
        ordered = sorted(points, key=lambda point: point.n)
        asked = measure or results.measure or ordered[0].measures[1 if ordered[0].description.get("hold") else 0]
        if asked not in ordered[0].possible_measures:  # of points of the other kind
            continue
        samples = tuple(results.sample(point, asked) for point in ordered)
        found.append(Series(ordered[0].protocol, dict(what), tuple(ordered), asked, samples))
    if groups and not found:
        results.refuse_measure(measure or results.measure or "")
    return found


def facts(point: StoredPoint) -> dict[str, str]:
    """Everything but the size and the parameters."""
    family = point.graph.partition(":")[0]
    options = point.description
    found = {"start": point.start, "until": point.until}
    found["graph"] = family if family in ("grid", "torus") else point.graph
    if options.get("faults"):
        found["fault"] = " ".join(options["faults"])
    if options.get("ids"):
        found["ids"] = str(options["ids"])
    if options.get("scheduler"):
        found["scheduler"] = str(options["scheduler"])
    if options.get("hold"):
        found["hold"] = "yes"
    return found | {f"{OF_NETWORK}{name}": text for name, text in network_of(options).items()}


def value_of(by: str, point: StoredPoint) -> float:
    """A formula in n, the parameters and what derives from them."""
    try:
        return float(evaluate(by, {**point.constants, "n": point.n}))
    except OverflowError:
        shown = by if len(by) <= 40 else f"{by[:37]}..."
        raise ParameterError(f"{shown!r} is larger than 1e308 at n = {point.n}: choose a smaller formula.") from None


def along(series: Sequence[Series], by: str) -> list[Series]:
    """Joins series that differ only in what is on the x axis.

    Of a sweep over `-p t_max=4,6,8` every value is a series of its own, because the size is what they run along. If
    nothing but such values is on the axis they belong together, and then it is the sizes that must be kept apart.
    """
    if not isinstance(by, str):
        raise RunError(f"by = {by!r} is no text: give one formula, like 'n' or 'ceil(ln N)'.")
    names = set(re.findall(r"[A-Za-z_]\w*", by))
    if "n" in names or any(len({value_of(by, point) for point in one.points}) > 1 for one in series):
        return list(series)
    groups: dict[Any, list[tuple[Series, StoredPoint, Sample]]] = {}
    for one in series:
        same = {name: value for name, value in one.what.items() if name not in names}
        for point, sample in zip(one.points, one.samples, strict=True):
            key = (point.rule, one.measure, point.n, tuple(same.items()))
            groups.setdefault(key, []).append((one, point, sample))
    found = []
    for (_, measure, n, same), members in groups.items():
        ordered = sorted(members, key=lambda member: value_of(by, member[1]))
        what = {"n": f"{n:,}", **dict(same)}
        points, samples = tuple(member[1] for member in ordered), tuple(member[2] for member in ordered)
        found.append(Series(ordered[0][0].protocol, what, points, measure, samples))
    return found
