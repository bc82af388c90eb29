"""Stores whose means follow a law of growth exactly, and what is found in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import princeps as library
from princeps.campaign.fit import Fit
from princeps.campaign.point import Point
from princeps.campaign.rows import Row
from princeps.campaign.store import open_store
from tests.campaign.stored_rows import a_cut, a_point, a_row

SIZES = [2**k for k in range(4, 14)]
Growth = Callable[[int], float]
Make = Callable[[int], Point]


def grown(
    path: Path | str,
    growth: Growth,
    sizes: Sequence[int] = SIZES,
    *,
    trials: int = 40,
    noise: float = 0.3,
    seed: int = 0,
    make: Make = a_point,
    limit: float = float("inf"),
    rows: Callable[..., Row] = a_row,
) -> str:
    """A store of trials whose mean grows so; each is off by a factor of mean 1; beyond the limit they are cut off."""
    source = np.random.default_rng(seed)
    with open_store(str(path)) as store:
        points = [make(n) for n in sizes]
        for number, point in zip(store.number(points), points, strict=True):
            factors = source.gamma(noise**-2, noise**2, trials) if noise else np.ones(trials)
            values = [round(growth(point.n) * factor) for factor in factors.tolist()]
            store.add(
                [
                    rows(k, value, point=number) if value < limit else a_cut(k, int(limit), point=number)
                    for k, value in enumerate(values)
                ]
            )
    return str(path)


def only(path: str, **options: Any) -> Fit:
    (found,) = library.fit(path, **options)
    return found


def covers(interval: tuple[float, float], value: float) -> bool:
    return interval[0] <= value <= interval[1]
