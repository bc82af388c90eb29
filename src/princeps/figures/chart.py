"""Any numbers as a chart for a page: points with their intervals, curves and bars over one pair of axes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from princeps.figures.marks import Curve, draw, side_by_side, width
from princeps.figures.style import paper_style
from princeps.figures.text import count_text, number_markup
from princeps.figures.unicode_text import with_unicode_signs, without_markup

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from princeps.figures.drawing import Plot

WIDTH = 4.2  # inches: letters can be read on a telephone, too
HEIGHT = 2.5
FLAT = 0.1  # of the largest value: what spans less would be a flat line above 0
MARGIN = 0.05
MAX_TICKS = 9  # one for every place at which something was measured
APART = 0.08  # of the axis: numbers do not run into each other


def chart_svg(
    title: str, x: str, y: str, curves: Sequence[Curve], *, key: str, log_x: bool = False, log_y: bool = False
) -> str:
    """The chart as svg text for a page, in which no other has this key. The same data give the same text."""
    from matplotlib import style

    from princeps.figures.inline import TEXTS, inlined

    with paper_style(), style.context(TEXTS):
        return inlined(chart(x, y, curves, log_x=log_x, log_y=log_y).figure, key, with_unicode_signs(title))


def chart(x: str, y: str, curves: Sequence[Curve], *, log_x: bool = False, log_y: bool = False) -> Plot:
    """The legend is below the axes, where no data are. To be called within the style."""
    from princeps.figures.drawing import Plot, note

    drawing = Plot(WIDTH, len(curves), HEIGHT)
    known = [curve.shown(log_x, log_y) for curve in curves]
    hidden = sum(len(curve.x) for curve in curves) - sum(len(curve.x) for curve in known)
    drawing.axes.margins(MARGIN)
    if any(curve.x for curve in known):
        _scale_x(drawing.axes, known, log_x)
        _scale_y(drawing.axes, known, log_y)
    else:
        drawing.axes.set(xticks=[], yticks=[])
        drawing.axes.text(0.5, 0.5, "no data", ha="center", va="center", transform=drawing.axes.transAxes)
    entries = draw(drawing.axes, known, log_x)
    drawing.names(with_unicode_signs(x), with_unicode_signs(y))
    remarks = {
        f"{count_text(hidden, 'point')} without a place on these axes": hidden > 0,
        "points at the same place stand side by side": side_by_side(known),
    }
    drawing.legend(
        [*(entry for entry in entries if entry.text), *(note(remark) for remark, holds in remarks.items() if holds)]
    )
    return drawing


def _scale_x(axes: Axes, curves: Sequence[Curve], log: bool) -> None:
    """Ticks are at what was measured, where that is not too much."""
    from matplotlib.ticker import FixedLocator, FuncFormatter

    from princeps.figures.scales import linear, logarithmic

    places = sorted({x for curve in curves if curve.style in ("points", "joined", "bars") for x in curve.x})
    bars = {x for curve in curves if curve.style == "bars" for x in curve.x}
    half = width(curves, log) / 2
    sides = [x * 10**side if log else x + side for x in bars for side in (-half, half)]
    extent = [*sides, *(x for curve in curves for x in curve.x)]
    if log:
        logarithmic(axes, "x", extent, places)
        low, high = axes.get_xlim()
        if 1 < len(places) <= MAX_TICKS and all(b / a > (high / low) ** APART for a, b in pairwise(places)):
            axes.xaxis.set_major_locator(FixedLocator(places))
            axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: number_markup(x)))
            axes.xaxis.set_minor_locator(FixedLocator([]))
    else:
        linear(axes, "x")
        if bars and len(places) <= MAX_TICKS:
            axes.xaxis.set_major_locator(FixedLocator(places))
        low, high = min(extent), max(extent)
        room = MARGIN * (high - low) or 0.5
        axes.set_xlim(low - room, high + room)
    _write_upright(axes, "x")


def _scale_y(axes: Axes, curves: Sequence[Curve], log: bool) -> None:
    """From 0, unless nothing would be seen then."""
    from princeps.figures.scales import linear, logarithmic

    values = [y for curve in curves for part in (curve.y, curve.low or (), curve.high or ()) for y in part]
    low, high = min(values), max(values)
    if log:
        logarithmic(axes, "y", values)
    else:
        linear(axes, "y")
        if any(curve.style == "bars" for curve in curves) or (low >= 0 and high - low > FLAT * high):
            low, high = min(low, 0.0), max(high, 0.0)
        room = MARGIN * (high - low) or abs(high) * MARGIN or 0.5
        axes.set_ylim(low - (room if low else 0.0), high + room)
    _write_upright(axes, "y")


def _write_upright(axes: Axes, which: str) -> None:
    """Numbers at the ticks as plain texts."""
    from matplotlib.ticker import FuncFormatter

    axis = getattr(axes, f"{which}axis")
    written = axis.get_major_formatter()
    axis.set_major_formatter(FuncFormatter(lambda value, _: without_markup(written(value))))
