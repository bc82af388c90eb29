"""Stores written row by row, without running anything."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import princeps as library
from princeps import __version__
from princeps.campaign.point import Point, make_point
from princeps.campaign.results import Summary
from princeps.campaign.rows import Row
from princeps.campaign.store import open_store

HUGE = 10**30 + 7


def a_point(n: int = 6, name: Any = "fratricide", typed: dict[str, str] | None = None, **options: Any) -> Point:
    """As a sweep would make it; `typed` are its parameters, as numbers."""
    params = {key: int(value) for key, value in (typed or {}).items()}
    return make_point(name, n, params, {"hold": False, **options}, typed or {})


def a_row(trial: int, steps: int, **parts: Any) -> Row:
    """A trial that reached its goal after this many steps, unless `parts` say otherwise."""
    usual: dict[str, Any] = {
        "point": 1,
        "seed": 7,
        "trial": trial,
        "steps": str(steps),
        "converged": 1,
        "censored": 0,
        "silent": 0,
        "leaders": 1,
        "leader": 0,
        "events": None,
        "held": None,
        "held_steps": None,
        "recovery_steps": None,
        "total_steps": str(steps),
        "max_steps": None,
        "more": None,
        "engine": "reference",
        "version": __version__,
        "seconds": 0.5,
    }
    return Row(**{**usual, **parts})


def a_cut(trial: int, steps: int, **parts: Any) -> Row:
    """A trial that was cut off there."""
    return a_row(
        trial, steps, **{"converged": 0, "censored": 1, "leaders": 3, "leader": None, "max_steps": str(steps), **parts}
    )


def stored(path: Path | str, rows: Iterable[Row], point: Point | None = None) -> str:
    """All of one point; a store that is there gets them in addition."""
    with open_store(str(path)) as store:
        (number,) = store.number([point or a_point()])
        store.add([row._replace(point=number) for row in rows])
    return str(path)


def summary(path: str, measure: str | None = None) -> Summary:
    (one,) = library.results(path, measure=measure)
    return one
