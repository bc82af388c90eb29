"""What is on the x axis: the size of the population, a parameter, or a formula of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from princeps.campaign.formula import evaluate
from princeps.campaign.results import StoredPoint
from princeps.campaign.sample import Sample
from princeps.campaign.series import Series
from princeps.errors import RunError


def x_of(by: str, point: StoredPoint) -> float:
    value = float(evaluate(by, {**point.constants, "n": point.n}))
    if value <= 0:
        raise RunError(
            f"{by} = {value:g} at n = {point.n:,} has no place on a logarithmic axis: leave it out with --from, or "
            f"choose another --by."
        )
    return value


def x_name(by: str) -> str:
    return "population size n" if by == "n" else by


def from_size(series: Sequence[Series], smallest: float) -> list[Series]:
    """Without smaller populations, and without series of which nothing is left."""
    found = []
    for one in series:
        kept = [pair for pair in zip(one.points, one.samples, strict=True) if pair[0].n >= smallest]
        if kept:
            points, samples = zip(*kept, strict=True)
            found.append(replace(one, points=points, samples=samples))
    return found


def shared(series: Sequence[Series]) -> str:
    """The protocol, where labels leave it out because all have the same one."""
    names = {one.protocol for one in series}
    return names.pop() if len(series) > 1 and len(names) == 1 else ""


def along(series: Sequence[Series], by: str) -> list[Series]:
    """Joins series that differ only in what is on the x axis.

    Of a sweep over `-p t_max=4,6,8` every value is a series of its own, because the size is what they run along. If
    nothing but such values is on the axis they belong together, and then it is the sizes that must be kept apart.
    """
    names = set(re.findall(r"[A-Za-z_]\w*", by))
    if "n" in names or any(len({x_of(by, point) for point in one.points}) > 1 for one in series):
        return list(series)
    groups: dict[Any, list[tuple[Series, StoredPoint, Sample]]] = {}
    for one in series:
        same = {name: value for name, value in one.what.items() if name not in names}
        for point, sample in zip(one.points, one.samples, strict=True):
            key = (point.rule, one.measure, point.n, tuple(same.items()))
            groups.setdefault(key, []).append((one, point, sample))
    found = []
    for (_, measure, n, same), members in groups.items():
        ordered = sorted(members, key=lambda member: x_of(by, member[1]))
        what = {"n": f"{n:,}", **dict(same)}
        points, samples = tuple(member[1] for member in ordered), tuple(member[2] for member in ordered)
        found.append(Series(ordered[0][0].protocol, what, points, measure, samples))
    return found
