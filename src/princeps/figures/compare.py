"""Protocols side by side in parallel time: lines over the sizes, or, at one size, a row for each."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from princeps.campaign.series import Series, along
from princeps.figures.drawing import Plot
from princeps.figures.lines import RIGHT, SeriesLine, across, draw, entry, explained, extent, lines_of, statistic_of
from princeps.figures.scales import logarithmic
from princeps.figures.style import RULE
from princeps.figures.text import axis_name, number_markup, plain
from princeps.figures.x_axis import shared, x_name

ROW, LINE, AROUND = 0.2, 0.11, 0.6  # inches: of a row of the dot plot, of each further line of its name, of the axis
LETTERS = 26  # of a name in one line


def compare(series: Sequence[Series], by: str, per_agent: bool, width: float | None) -> tuple[Plot, list[SeriesLine]]:
    """The slowest comes first, as it is on top at the right end."""
    joined = along(series, by)
    lines = sorted(lines_of(joined, by, per_agent), key=lambda line: -line.last)
    name = statistic_of(lines) + axis_name({line.series.measure for line in lines}, per_agent) if lines else ""
    ends = extent(lines)
    xs = [x for line in lines for x in line.xs]
    if lines and len(set(xs)) == 1:
        return _rows(
            lines,
            ends,
            name,
            ", ".join(filter(None, [plain(shared(joined)), f"{plain(by)} = {number_markup(xs[0], 7)}"])),
            width,
        ), lines
    drawing = Plot(width, len(lines))
    if lines:
        logarithmic(drawing.axes, "x", xs, xs)
        logarithmic(drawing.axes, "y", ends)
        for line in lines:
            draw(drawing.axes, line, connected=True)
        drawing.names(plain(x_name(by, joined)), name)
        drawing.legend([*(entry(line, plain(line.label)) for line in lines), *explained(lines)], plain(shared(joined)))
    return drawing, lines


def _rows(lines: Sequence[SeriesLine], ends: Sequence[float], name: str, where: str, width: float | None) -> Plot:
    """A dot plot: values along x, a name at the left of each, and what they have in common above."""
    labels = ["\n".join(wrap(plain(line.label), LETTERS)) for line in lines]
    heights = [ROW + LINE * label.count("\n") for label in labels]
    heights_of_rows = [sum(heights[: k + 1]) - heights[k] / 2 for k in range(len(lines))]
    drawing = Plot(width, 1, AROUND + sum(heights))
    logarithmic(drawing.axes, "x", ends)
    for line, place in zip(lines, heights_of_rows, strict=True):
        across(drawing.axes, line, place)
    drawing.axes.set_yticks(heights_of_rows, labels)
    drawing.axes.set_ylim(sum(heights), 0)
    drawing.axes.tick_params(axis="y", length=0)
    drawing.axes.grid(axis="y", color=RULE, linewidth=0.5)
    drawing.axes.spines["left"].set_visible(False)
    drawing.axes.set_axisbelow(True)
    drawing.axes.set_xlabel(name)
    drawing.axes.set_title(where, loc="left", fontsize=8)
    drawing.legend(explained(lines, RIGHT))
    return drawing
