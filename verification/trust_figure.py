"""Exact laws as bars and what the engines drew as points, in the colours of figures.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
from figures import BLUE, STYLE, VERMILION, save
from laws import Verdict

Panel = tuple[str, str, Sequence[float], Mapping[int, int], Verdict]
MAX_BARS = 45
SHOWN = 0.985  # of the probability: the long tails say little


def draw(folder: Path, panels: Sequence[Panel]) -> None:
    """A panel for each cell; the last one, of a wrong engine, in another colour."""
    with plt.rc_context({**STYLE, "axes.titlesize": 11}):
        figure, grid = plt.subplots(2, 3, figsize=(11, 6.2), layout="constrained")
        for place, panel in enumerate(panels):
            one_panel(grid.flat[place], panel, VERMILION if place == len(panels) - 1 else BLUE)
        for axes in grid[1]:
            axes.set_xlabel("first step at the goal")
        for axes in grid[:, 0]:
            axes.set_ylabel("probability")
        save(figure, folder, "trust_laws")


def one_panel(axes: Any, panel: Panel, colour: str) -> None:
    title, way, law, seen, verdict = panel
    last, total = 0, 0.0
    reach = SHOWN * (1 - law[-1])
    while total < reach:
        total += law[last]
        last += 1
    width = -(-last // MAX_BARS)  # steps in a bar
    bars = [range(first, min(first + width, len(law) - 1)) for first in range(0, last, width)]
    steps = [(bar[0] + bar[-1]) / 2 for bar in bars]
    exact = [sum(law[step] for step in bar) for bar in bars]
    share = [sum(seen.get(step, 0) for step in bar) / verdict.trials for bar in bars]
    errors = [2 * sqrt(p * (1 - p) / verdict.trials) for p in exact]
    axes.bar(steps, exact, color="#dddddd", width=0.9 * width, label="exact law")
    axes.errorbar(
        steps, share, yerr=errors, fmt="o", color=colour, ms=3, lw=0, elinewidth=0.9, label="sample, two std errors"
    )
    axes.set_title(title if width == 1 else f"{title}, {width} steps a bar")
    engine, _, how = way.partition(":")
    name = f"{engine}, {how}" if how else engine
    p = "p < 1e-300" if verdict.p < 1e-300 else f"p = {verdict.p:.2g}"
    axes.text(0.98, 0.95, f"{name}\n{p}", transform=axes.transAxes, ha="right", va="top", color=colour, fontsize=9)
    axes.set_ylim(bottom=0, top=1.25 * max(*exact, *share))
    if title.startswith("timer"):  # the panel with most room
        axes.legend(frameon=False, fontsize=9, loc="center right")
