"""Protocols side by side in parallel time: lines over the sizes, or, at one size, a row for each."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from princeps.campaign.series import Series, along
from princeps.figures.abscissa import shared, x_name
from princeps.figures.lines import RIGHT, Line, across, draw, entry, explained, extent, lines_of, statistic_of
from princeps.figures.scales import logarithmic
from princeps.figures.sheet import Sheet
from princeps.figures.style import RULE
from princeps.figures.words import axis_name, number, plain

ROW, LINE, AROUND = 0.2, 0.11, 0.6  # inches: of a row of the dot plot, of each further line of its name, of the axis
LETTERS = 26  # of a name in one line


def compare(series: Sequence[Series], by: str, per_agent: bool, width: float | None) -> tuple[Sheet, list[Line]]:
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
            ", ".join(filter(None, [plain(shared(joined)), f"{plain(by)} = {number(xs[0], 7)}"])),
            width,
        ), lines
    sheet = Sheet(width, len(lines))
    if lines:
        logarithmic(sheet.axes, "x", xs, xs)
        logarithmic(sheet.axes, "y", ends)
        for line in lines:
            draw(sheet.axes, line, connected=True)
        sheet.names(plain(x_name(by)), name)
        sheet.legend([*(entry(line, plain(line.label)) for line in lines), *explained(lines)], plain(shared(joined)))
    return sheet, lines


def _rows(lines: Sequence[Line], ends: Sequence[float], name: str, where: str, width: float | None) -> Sheet:
    """A dot plot: values along x, a name at the left of each, and what they have in common above."""
    labels = ["\n".join(wrap(plain(line.label), LETTERS)) for line in lines]
    heights = [ROW + LINE * label.count("\n") for label in labels]
    places = [sum(heights[: k + 1]) - heights[k] / 2 for k in range(len(lines))]
    sheet = Sheet(width, 1, AROUND + sum(heights))
    logarithmic(sheet.axes, "x", ends)
    for line, place in zip(lines, places, strict=True):
        across(sheet.axes, line, place)
    sheet.axes.set_yticks(places, labels)
    sheet.axes.set_ylim(sum(heights), 0)
    sheet.axes.tick_params(axis="y", length=0)
    sheet.axes.grid(axis="y", color=RULE, linewidth=0.5)
    sheet.axes.spines["left"].set_visible(False)
    sheet.axes.set_axisbelow(True)
    sheet.axes.set_xlabel(name)
    sheet.axes.set_title(where, loc="left", fontsize=8)
    sheet.legend(explained(lines, RIGHT))
    return sheet
