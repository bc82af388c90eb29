"""Stores to draw, and how a test reads a figure."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from princeps.campaign.plan import grid
from princeps.campaign.results import Results
from princeps.campaign.rows import Row
from princeps.campaign.sample import Sample
from princeps.campaign.store import open_store
from princeps.figures.picture import drawing_of
from princeps.figures.style import paper_style

SIZES = (100, 200, 400, 800)
LIMIT = 1000
Trials = Mapping[int, Sequence[int]]  # of each size


def row(point: int, trial: int, steps: int, *, cut: bool = False, hold: bool = False, silent: bool = False) -> Row:
    """A trial of this many steps; with `hold` these are what it held after reaching its goal at step 5."""
    ended = hold or not (cut or silent)
    return Row(
        point=point,
        seed=7,
        trial=trial,
        steps="5" if hold else str(steps),
        converged=int(ended),
        censored=int(cut),
        silent=int(silent),
        leaders=1,
        leader=0,
        events=None,
        held=int(cut) if hold else None,
        held_steps=str(steps) if hold else None,
        recovery_steps=None,
        total_steps=str(steps + 5),
        max_steps=None,
        more=None,
        engine="made up",
        version="0",
        seconds=0.001,
    )


def fill(path: Path, protocol: str, trials: Trials, *, limit: int | None = None, **options: Any) -> str:
    """Adds the trials of a protocol to a store; those as long as the limit were cut off."""
    hold, params = options.pop("hold", False), options.pop("params", {})
    with open_store(str(path)) as store:
        points = list(grid([protocol], params, n=list(trials), hold=hold, **options))
        for point, numbered in zip(points, store.number(points), strict=True):
            values = trials[point.n]
            cuts = [limit is not None and value >= limit for value in values]
            store.add(
                [row(numbered, k, v, cut=c, hold=hold) for k, (v, c) in enumerate(zip(values, cuts, strict=True))]
            )
    return str(path)


def around(centre: float, many: int = 12, spread: float = 0.3) -> list[int]:
    """Values whose mean is nearly this."""
    return [round(centre * (1 + spread * shift)) for shift in np.linspace(-1, 1, many)]


def quadratic(factor: float = 1.0, sizes: Sequence[int] = SIZES) -> Trials:
    return {n: around(factor * n * n) for n in sizes}


def record(path: Path, *runs: Mapping[str, Sequence[float]], protocol: str = "p_ll", n: int = 8, **more: Any) -> str:
    """Appends runs, recorded every unit of parallel time."""
    with path.open("a") as file:
        for run in runs:
            moments = range(len(next(iter(run.values()))))
            columns = {"steps": [n * k for k in moments], "parallel_time": [float(k) for k in moments], **run}
            file.write(json.dumps({"protocol": protocol, "n": n, "params": {}, **more, "record": columns}) + "\n")
    return str(path)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Stores that are made once."""
    folder = tmp_path_factory.mktemp("stores")
    fill(folder / "two.db", "fratricide", quadratic())
    fill(folder / "two.db", "p_ll", {n: around(20 * n * np.log(n)) for n in SIZES})
    open_store(str(folder / "empty.db")).close()
    values = {10: [100, 200, 300, 300, LIMIT, LIMIT], 20: [40, 80, 120, 160, 200, 240]}
    fill(folder / "holding.db", "timer", values, limit=LIMIT, hold=True, params={"t_max": 4})
    return folder


@pytest.fixture
def two(tmp_path: Path, kept: Path) -> str:
    """fratricide in n^2 and p_ll in 20 n log n steps."""
    return shutil.copy(kept / "two.db", tmp_path / "two.db").as_posix()


@pytest.fixture
def holding(tmp_path: Path, kept: Path) -> str:
    """Of six trials at n = 10 two were cut off, of six at n = 20 none."""
    return shutil.copy(kept / "holding.db", tmp_path / "holding.db").as_posix()


def drawn(source: str, kind: str, **options: Any) -> Figure:
    """The figure before it is saved."""
    with paper_style():
        return drawing_of(source, kind, **options)[0].figure


def line(figure: Figure, label: str) -> Line2D:
    """The only one with this label."""
    (found,) = [one for one in figure.axes[0].get_lines() if one.get_label() == label]
    return found


def bars(figure: Figure, label: str) -> Any:
    """Points with error bars: x, y, and the ends of the bars."""
    containers: list[Any] = list(figure.axes[0].containers)
    (found,) = [one for one in containers if one.get_label() == label]
    points, _, (ends,) = found.lines
    return points, [(tuple(low), tuple(high)) for low, high in ends.get_segments()]


def spaced(text: str) -> str:
    """Whatever kind of space it is."""
    return " ".join(text.split())


def legend(figure: Figure) -> list[str]:
    return [spaced(text.get_text()) for text in figure.legends[0].get_texts()] if figure.legends else []


def title(figure: Figure) -> str:
    return figure.legends[0].get_title().get_text()


def names(figure: Figure) -> tuple[str, str]:
    axes = figure.axes[0]
    return spaced(axes.get_xlabel()), spaced(axes.get_ylabel())


def sample_of(source: str, protocol: str, measure: str, n: int) -> Sample:
    results = Results(source, protocol=protocol)
    (point,) = [point for point in results.points if point.n == n]
    return results.sample(point, measure)
