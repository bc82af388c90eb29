"""The series of a chart, and how each of them is drawn: as points, joined or not, a curve, a dashed curve or bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite, log10
from typing import TYPE_CHECKING, Any

from princeps.errors import UnknownName
from princeps.figures.inline import INK
from princeps.figures.style import COLOURS, DASHES, LineStyle, line_style
from princeps.figures.unicode_text import with_unicode_signs

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from princeps.figures.drawing import Entry

STYLES = ("points", "joined", "line", "dashed", "bars")
MARKED = 12  # points of a curve that has markers; more would run together
DEPTHS = (0.8, 0.3, 0.55)  # of the bars' colours, which differ in print without colours, too
STEP, MAX_SHIFT = 5.0, 20.0  # in points: between two series drawn side by side, and between the first and the last
BARS = 0.8  # of the distance of two places
ALONE = {True: 0.2, False: 1.0}  # the width of a bar without neighbours, in decades or in units


@dataclass(frozen=True)
class Curve:
    """`low` and `high` are the ends of intervals. `of`: the label of another series, whose colour it takes."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None
    style: str = "points"
    of: str = ""

    def __post_init__(self) -> None:
        if self.style not in STYLES:
            raise UnknownName("style of a line", self.style, STYLES)

    def shown(self, log_x: bool, log_y: bool) -> Curve:
        """Only the points that the axes have a place for; an end that they have none for is the point itself."""
        rows = [
            (x, y, *(_end(ends, k, y, log_y) for ends in (self.low, self.high)))
            for k, (x, y) in enumerate(zip(self.x, self.y, strict=True))
            if _fits(x, log_x) and _fits(y, log_y)
        ]
        x, y, low, high = ([row[k] for row in rows] for k in range(4))
        return Curve(self.label, x, y, low, high, self.style, self.of)

    @property
    def errors(self) -> list[list[float]] | None:
        """How far the intervals go down and up, if any does."""
        low, high = self.low or self.y, self.high or self.y
        down = [max(0.0, y - end) for y, end in zip(self.y, low, strict=True)]
        up = [max(0.0, end - y) for y, end in zip(self.y, high, strict=True)]
        return [down, up] if any(down) or any(up) else None


def draw(axes: Axes, curves: Sequence[Curve], log_x: bool) -> list[Entry]:
    """All of them, with their lines of the legend."""
    shifts = _shifts(curves)
    return [
        _bars(axes, curves, k, log_x) if curve.style == "bars" else _line(axes, curves, k, shifts.get(k, 0.0))
        for k, curve in enumerate(curves)
    ]


def width(curves: Sequence[Curve], log_x: bool) -> float:
    """Of all bars at one place together; on a logarithmic axis in decades."""
    places = sorted({x for curve in curves if curve.style == "bars" for x in curve.x})
    marks = [log10(x) for x in places] if log_x else places
    return BARS * min((b - a for a, b in pairwise(marks)), default=ALONE[log_x])


def side_by_side(curves: Sequence[Curve]) -> bool:
    """Points at the same x would hide each other's intervals."""
    at: dict[float, list[tuple[float, float]]] = {}
    for curve in curves:
        if curve.style == "points" and curve.errors:
            for x, low, high in zip(curve.x, curve.low or curve.y, curve.high or curve.y, strict=True):
                at.setdefault(x, []).append((low, high))
    return any(b[0] <= a[1] for ends in at.values() for a, b in pairwise(sorted(ends)))


def _shifts(curves: Sequence[Curve]) -> dict[int, float]:
    """How far each series of points stands beside its true place, in points of the letters."""
    own = [k for k, curve in enumerate(curves) if curve.style == "points"]
    if not side_by_side(curves):
        return {}
    step = min(STEP, MAX_SHIFT / len(own))
    return {k: step * (j - (len(own) - 1) / 2) for j, k in enumerate(own)}


def _line(axes: Axes, curves: Sequence[Curve], k: int, shift: float) -> Entry:
    """Points are not connected unless asked for: what is between them was not measured."""
    from matplotlib.transforms import ScaledTranslation

    from princeps.figures.drawing import Entry, sign

    curve, how = curves[k], _look(_owner(curves, k))
    number, of = _among(curves, k)
    parts: dict[str, Any] = {"color": how.colour}
    if curve.style == "points":
        parts |= {"marker": how.marker, "linestyle": ""}
    elif curve.style == "joined":
        parts |= {"marker": how.marker, "linestyle": "-"}
    elif curve.of:
        parts |= {"linestyle": DASHES[1], "linewidth": 0.8}
    elif curve.style == "dashed":
        parts |= {"linestyle": DASHES[1 + number % (len(DASHES) - 1)]}
    elif of > 1:
        parts |= {"linestyle": "-", "marker": how.marker, "markersize": 3.2}
        parts |= {"markevery": -(-len(curve.x) // MARKED) or 1}
    else:
        parts |= {"linestyle": "-"}
    more: dict[str, Any] = {"zorder": 3 if curve.style in ("points", "joined") else 2}
    if curve.errors:
        more |= {"yerr": curve.errors, "elinewidth": 0.9}
    if shift:
        more |= {"transform": axes.transData + ScaledTranslation(shift / 72, 0, axes.figure.dpi_scale_trans)}
    axes.errorbar(curve.x, curve.y, **parts, **more)
    return Entry(
        sign(**{key: value for key, value in parts.items() if key != "markevery"}), with_unicode_signs(curve.label)
    )


def _bars(axes: Axes, curves: Sequence[Curve], k: int, log_x: bool) -> Entry:
    """Side by side if there are several series of them."""
    from matplotlib.patches import Patch

    from princeps.figures.drawing import Entry

    curve, how = curves[k], _look(k)
    number, of = _among(curves, k)
    whole = width(curves, log_x)
    edges = [whole * ((number + side) / of - 0.5) for side in (0, 0.5, 1)]
    left, middle, right = ([x * 10**edge if log_x else x + edge for x in curve.x] for edge in edges)
    bottom = axes.get_ylim()[0] if axes.get_yscale() == "log" else 0.0
    style: dict[str, Any] = {
        "facecolor": (how.colour, DEPTHS[number % len(DEPTHS)]),
        "edgecolor": how.colour,
        "linewidth": 0.6,
    }
    spans = [b - a for a, b in zip(left, right, strict=True)]
    axes.bar(left, [y - bottom for y in curve.y], spans, bottom, align="edge", **style)
    if curve.errors:
        axes.errorbar(middle, curve.y, yerr=curve.errors, linestyle="", color=INK, elinewidth=0.9, zorder=3)
    return Entry(Patch(**style), with_unicode_signs(curve.label))


def _among(curves: Sequence[Curve], k: int) -> tuple[int, int]:
    """Its index among the curves of its style, and their number."""
    same = [j for j, other in enumerate(curves) if other.style == curves[k].style]
    return same.index(k), len(same)


def _owner(curves: Sequence[Curve], k: int) -> int:
    """The series whose look it has: its own, or that of the first with the label `of`."""
    return next((j for j, other in enumerate(curves) if curves[k].of and other.label == curves[k].of), k)


def _look(k: int) -> LineStyle:
    """Black is the colour of the page's letters."""
    found = line_style(k)
    return found._replace(colour=INK) if found.colour == COLOURS[-1] else found


def _fits(value: float, log: bool) -> bool:
    return isfinite(value) and (value > 0 or not log)


def _end(ends: Sequence[float] | None, k: int, y: float, log: bool) -> float:
    return ends[k] if ends is not None and _fits(ends[k], log) else y
