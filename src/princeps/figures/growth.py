"""A measure against the size, both logarithmic, with the laws that fit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from princeps.campaign.fit import Fit, fit_series
from princeps.campaign.law import POOR
from princeps.campaign.series import Series, along
from princeps.errors import RunError
from princeps.figures.drawing import Entry, Plot
from princeps.figures.lines import SeriesLine, draw, entry, explained, extent, lines_of, statistic_of
from princeps.figures.scales import logarithmic
from princeps.figures.text import axis_name, plain, raised, unbroken
from princeps.figures.x_axis import shared, x_name

CURVE = 100  # points of a law's line


def growth(series: Sequence[Series], by: str, width: float | None) -> tuple[Plot, list[SeriesLine]]:
    """Points with their intervals; a law for every series of at least three sizes."""
    joined = along(series, by)
    lines = lines_of(joined, by)
    drawing = Plot(width, len(lines))
    if not lines:
        return drawing, lines
    logarithmic(drawing.axes, "x", [x for line in lines for x in line.xs], [x for line in lines for x in line.xs])
    logarithmic(drawing.axes, "y", extent(lines))
    entries: list[tuple[float, Entry]] = []
    for line in lines:
        law = _law(line, by, joined)
        draw(drawing.axes, line, connected=False)
        text = plain(line.label)
        if law is not None:
            xs = np.geomspace(min(law.sizes), max(law.sizes), CURVE)
            drawing.axes.plot(
                xs, law.best(xs), color=line.line_style.colour, linestyle=line.line_style.dash, label=f"_{text}, law"
            )
            text = f"{text}: {in_short(law)}"
        entries.append((line.last, entry(line, text, connected=law is not None)))
    entries.sort(key=lambda pair: -pair[0])
    drawing.names(plain(x_name(by, joined)), statistic_of(lines) + axis_name({line.series.measure for line in lines}))
    drawing.legend([*(one for _, one in entries), *explained(lines)], plain(shared(joined)))
    return drawing, lines


def in_short(law: Fit) -> str:
    """The verdict without its reasons, but not without its doubts."""
    text = raised(law.verdict.partition(";")[0])
    low, high = law.log_interval or (-np.inf, np.inf)
    certain = high < 0.5 if law.best.logs == 0 else law.best.logs - 0.5 < low and high < law.best.logs + 0.5
    remarks = {"poor fit": law.misfit > POOR, "free power": law.best.free, "log factor open": not certain}
    doubts = [remark for remark, holds in remarks.items() if holds][:1]
    doubts += ["others fit, too"] if law.alternatives else []  # whatever else is in doubt: fit says so as well
    return f"{text} ({'; '.join(map(unbroken, doubts))})" if doubts else text


def _law(line: SeriesLine, by: str, beside: Sequence[Series]) -> Fit | None:
    """None where there are too few sizes, or values that no law fits."""
    try:
        return fit_series(line.series, by, beside=beside)
    except RunError:
        return None
