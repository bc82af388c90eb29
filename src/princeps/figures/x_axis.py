"""What is on the x axis: the size of the population, a parameter, or a formula of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from princeps.campaign.series import Series, value_of
from princeps.campaign.stored_points import StoredPoint
from princeps.errors import RunError


def x_of(by: str, point: StoredPoint) -> float:
    value = value_of(by, point)
    if value <= 0:
        raise RunError(
            f"{by} = {value:g} at n = {point.n:,} has no place on a logarithmic axis: leave it out with --from, or "
            f"choose another --by."
        )
    return value


def x_name(by: str, series: Sequence[Series]) -> str:
    if by != "n":
        return by
    kinds = {point.is_ring for one in series for point in one.points}
    return "ring size n" if kinds == {True} else "population size n" if True not in kinds else "size n"


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
