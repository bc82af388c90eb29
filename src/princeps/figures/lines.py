"""Series as lines of points with error bars; what growth and compare have in common.

A line shows one statistic all along: means, or, if any of its trials was cut off, medians, with hollow markers. A line
that went from means to medians would bend where nothing happens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Any

from princeps.campaign.series import Series
from princeps.figures.drawing import Entry, note, sign
from princeps.figures.estimate import StatisticEstimate, estimate_statistic
from princeps.figures.style import GREY, LineStyle, line_style
from princeps.figures.text import count_text
from princeps.figures.x_axis import x_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ARROW = 9  # points
UP, RIGHT = r"$\uparrow$", r"$\rightarrow$"  # the same in the legend


@dataclass(frozen=True)
class SeriesLine:
    """Points ascending in x; those that no logarithmic axis shows are only counted."""

    series: Series
    label: str
    line_style: LineStyle
    statistic: str
    xs: tuple[float, ...]
    estimates: tuple[StatisticEstimate, ...]
    hidden: int

    @property
    def last(self) -> float:
        return self.estimates[-1].value


def lines_of(series: Sequence[Series], by: str, per_agent: bool = False) -> list[SeriesLine]:
    """Every series that has something to show."""
    found = []
    for k, one in enumerate(series):
        samples = [
            sample.over(point.n) if per_agent else sample for point, sample in zip(one.points, one.samples, strict=True)
        ]
        statistic = "mean" if all(sample.is_complete for sample in samples) else "median"
        known = [
            (x_of(by, point), guess)
            for point, sample in zip(one.points, samples, strict=True)
            if (guess := estimate_statistic(sample, statistic)) is not None
        ]
        shown = sorted((x, guess) for x, guess in known if guess.value > 0)
        if shown:
            xs, guesses = zip(*shown, strict=True)
            hidden = len(known) - len(shown)
            found.append(SeriesLine(one, one.label(series), line_style(k), statistic, xs, guesses, hidden))
    return found


def draw(axes: Axes, line: SeriesLine, connected: bool) -> None:
    """Markers, intervals, and an arrow where the truth lies higher."""
    values = [guess.value for guess in line.estimates]
    axes.errorbar(line.xs, values, yerr=_lengths(line), linestyle="", label=line.label, **_how(line))
    if connected:
        known = [nan if guess.at_least else guess.value for guess in line.estimates]  # no line leads to a mere bound
        axes.plot(
            line.xs, known, color=line.line_style.colour, linestyle=line.line_style.dash, label=f"_{line.label}, line"
        )
    for x, guess in zip(line.xs, line.estimates, strict=True):
        if _is_open(guess):
            _arrow(axes, line, (x, _top(guess)), (0, ARROW))


def across(axes: Axes, line: SeriesLine, place: float) -> None:
    """The same with values along the x axis, all at one height."""
    values = [guess.value for guess in line.estimates]
    axes.errorbar(values, [place] * len(values), xerr=_lengths(line), linestyle="", label=line.label, **_how(line))
    for guess in line.estimates:
        if _is_open(guess):
            _arrow(axes, line, (_top(guess), place), (ARROW, 0))


def entry(line: SeriesLine, text: str, connected: bool = True) -> Entry:
    """A marker on a piece of the line."""
    face = "white" if line.statistic == "median" else line.line_style.colour
    how: dict[str, Any] = {"color": line.line_style.colour, "marker": line.line_style.marker, "markerfacecolor": face}
    return Entry(sign(**how, linestyle=line.line_style.dash if connected else ""), text)


def explained(lines: Sequence[SeriesLine], arrow: str = UP) -> list[Entry]:
    """What the reader must know about the points."""
    found = []
    statistics = {line.statistic for line in lines}
    hollow: dict[str, Any] = {"color": GREY, "marker": "o", "markerfacecolor": "white"}
    if "median" in statistics:
        beside = " (filled: mean)" if "mean" in statistics else ""
        found.append(Entry(sign(**hollow), f"hollow: median, as trials were cut off{beside}"))
    if any(_is_open(guess) for line in lines for guess in line.estimates):
        found.append(Entry(sign(color=GREY, marker=arrow, markersize=7), "unknown, but higher"))
    hidden = sum(line.hidden for line in lines)
    if hidden:
        found.append(note(f"{count_text(hidden, 'point')} at 0 not shown"))
    return found


def extent(lines: Sequence[SeriesLine]) -> list[float]:
    """All values that must be seen, with room for arrows."""
    guesses = [guess for line in lines for guess in line.estimates]
    ends = [end for guess in guesses for end in guess.ends if end > 0]
    room = max(1.1, (max(ends) / min(ends)) ** 0.13) if ends else 1.0
    return [*ends, *(_top(guess) * room for guess in guesses if _is_open(guess))]


def statistic_of(lines: Sequence[SeriesLine]) -> str:
    """In front of the axis's name, if it is the same for all."""
    statistics = {line.statistic for line in lines}
    return f"{statistics.pop()} " if len(statistics) == 1 else ""


def _how(line: SeriesLine) -> dict[str, Any]:
    face = "white" if line.statistic == "median" else line.line_style.colour
    return {
        "color": line.line_style.colour,
        "marker": line.line_style.marker,
        "markerfacecolor": face,
        "elinewidth": 0.9,
        "zorder": 3,
    }


def _arrow(axes: Axes, line: SeriesLine, origin: tuple[float, float], offset: tuple[float, float]) -> None:
    how = {"arrowstyle": "<-", "color": line.line_style.colour, "linewidth": 0.9, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", origin, offset, textcoords="offset points", arrowprops=how)


def _lengths(line: SeriesLine) -> list[list[float]]:
    """Of the error bars, down and up."""
    below = [guess.value - (guess.value if guess.low is None else guess.low) for guess in line.estimates]
    return [below, [_top(guess) - guess.value for guess in line.estimates]]


def _top(guess: StatisticEstimate) -> float:
    return next((end for end in (guess.high, guess.reached) if end is not None), guess.value)


def _is_open(guess: StatisticEstimate) -> bool:
    return guess.at_least or guess.reached is not None
