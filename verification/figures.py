"""The means of the tables as pictures: colours of Okabe and Ito, distinguished by their markers too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib
from elections import Growth
from measure import Mean, pooled

matplotlib.use("Agg")
import matplotlib.pyplot as plt

BLUE, VERMILION, GREEN = "#0072B2", "#D55E00", "#009E73"
STYLE: dict[Any, Any] = {
    "font.size": 11,
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "grid.color": "#dddddd",
    "svg.hashsalt": "princeps",  # the same numbers give the same file
    "svg.fonttype": "none",
}


def points(axes: Any, means: dict[int, Mean], colour: str, marker: str, line: str, aside: float = 1.0) -> None:
    """Means with two standard errors on either side; `aside` moves them a little where others would hide them."""
    axes.errorbar(
        [n * aside for n in means],
        [mean.rounded().value for mean in means.values()],
        yerr=[2 * mean.rounded().error for mean in means.values()],
        fmt=marker,
        ls=line,
        color=colour,
        mfc=colour if aside == 1 else "white",
        ms=6,
        lw=1.4,
        capsize=3,
        elinewidth=1.1,
    )


def label(axes: Any, place: tuple[float, float], text: str, colour: str, above: float = 0) -> None:
    axes.annotate(text, place, xytext=(12, above), textcoords="offset points", color=colour, va="center")


def note(axes: Any, text: str) -> None:
    axes.text(0.01, 0.03, text, transform=axes.transAxes, color="#555555", fontsize=9)


def power_axis(axes: Any, first: int, last: int, step: int) -> None:
    axes.set_xscale("log", base=2)
    ticks = [1 << k for k in range(first, last + 1, step)]
    axes.set_xticks(ticks, [f"$2^{{{tick.bit_length() - 1}}}$" for tick in ticks])
    axes.minorticks_off()


def save(figure: Any, folder: Path, name: str) -> None:
    figure.savefig(folder / f"{name}.png", dpi=150, metadata={"Software": None})
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None, "Creator": None})
    plt.close(figure)


def p_ll_growth(folder: Path, growth: Growth, symmetric: dict[int, Mean]) -> None:
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(8, 4.8), layout="constrained")
        points(axes, growth.printed, VERMILION, "s", "--")
        points(axes, growth.repaired, BLUE, "o", "-")
        points(axes, symmetric, GREEN, "^", "none", aside=1.22)
        first, last = min(growth.repaired), max(growth.repaired)
        label(axes, (last, growth.printed[last].rounded().value), "P_LL as printed", VERMILION)
        label(axes, (last, growth.repaired[last].rounded().value), "P_LL symmetric, repaired", GREEN, 9)
        label(axes, (last, growth.repaired[last].rounded().value), "P_LL repaired", BLUE, -9)
        level = pooled([mean.rounded() for mean in growth.repaired.values()]).value
        axes.plot([first, last], [level, level], color=BLUE, lw=0.9, ls=":", zorder=0)
        power_axis(axes, 6, last.bit_length() - 1, 2)
        axes.set_xlim(first / 1.5, last * 24)
        axes.set_ylim(bottom=0)
        axes.set_xlabel("agents n")
        axes.set_ylabel("mean parallel time / lg n")
        axes.set_title("P_LL: 7 lg n with the repaired Tournament, near 16 lg n as printed")
        note(axes, "bars: two standard errors; dotted: mean of all repaired runs")
        save(figure, folder, "p_ll_growth")


def p_rl_steps(folder: Path, rings: dict[int, Mean]) -> None:
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(8, 3.6), layout="constrained")
        points(axes, rings, BLUE, "o", "-")
        axes.axhline(5, color="#555555", lw=0.9, ls=":", zorder=0)
        axes.set_xscale("log", base=2)
        axes.set_xticks(list(rings), [str(n) for n in rings])
        axes.minorticks_off()
        axes.set_ylim(0, 7)
        note(axes, "bars: two standard errors")
        axes.set_xlabel("agents n = N on a directed ring")
        axes.set_ylabel("mean steps / n²")
        axes.set_title("P_RL from random starts reaches its safe set S_RL in about 5 n² steps")
        save(figure, folder, "p_rl_steps")
