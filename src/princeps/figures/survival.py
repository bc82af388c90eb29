"""How long it lasts: the share of the trials that still go on, by Kaplan and Meier, with its 95 % band.

The share is on a logarithmic axis, where a memoryless holding time is a straight line: beside each holding time runs
the exponential law with the rate of its trials, those that were cut off included (ends per time under observation).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Any

import numpy as np

from princeps.campaign.series import Series
from princeps.figures.curves import SampleCurve, curves_of, evenly, fine, label_with_counts, wide
from princeps.figures.drawing import Entry, Plot, note, sign
from princeps.figures.scales import linear, logarithmic
from princeps.figures.style import tint
from princeps.figures.text import axis_name, number_markup, plain

MAX_TICKS = 120  # of trials that were cut off
CURVE = 100  # points of an exponential
TIMES = 3.0  # the mean: how far an estimate is drawn that no trial reaches


def survival(series: Sequence[Series], per_agent: bool, width: float | None) -> tuple[Plot, list[SampleCurve]]:
    curves, left_out, common = curves_of(series, per_agent)
    drawing = Plot(width, len(curves))
    if not curves:
        return drawing, curves
    lasts = [curve.sample.survival.last for curve in curves]
    log = wide(curves) and min(lasts) > 0 and max(lasts) > 50 * min(lasts)  # else exponentials stay straight
    lowest = min((float(share) for curve in curves for share in curve.sample.survival.share if share > 0), default=1)
    estimates = [mean for curve in curves if (mean := estimated_mean(curve, per_agent)) is not None]
    if estimates:  # the axes reach to where most would have ended
        log = log or (min(lasts) > 0 and TIMES * max(estimates) > 50 * min(lasts))
        lasts.append(TIMES * max(estimates))
        lowest = min(lowest, exp(-TIMES))
    logarithmic(drawing.axes, "y", [min(lowest / 1.3, 0.6), 1], plain=True)
    drawing.axes.set_ylim(top=1.04)
    if log:
        first = [float(values[values > 0].min()) for curve in curves if len(values := curve.sample.ended)]
        logarithmic(drawing.axes, "x", [*first, *lasts])
    else:
        linear(drawing.axes, "x")
        drawing.axes.set_xlim(0, 1.03 * max(lasts))
    entries = [_draw(drawing, curve, log, per_agent) for curve in curves]
    drawing.names(axis_name({curve.measure for curve in curves}, per_agent), "share still going on")
    drawing.legend([*entries, *left_out, _signs(curves)], plain(common))
    return drawing, curves


def exponential_mean(curve: SampleCurve) -> float | None:
    """The mean that a memoryless law would have: all time under observation, over the number of ends.

    Only of holding times: an election is not over with the same chance at every moment.
    """
    sample = curve.sample
    if curve.measure != "held_steps":
        return None
    if not len(sample.ended):
        return None
    return float((np.sum(sample.ended) + np.sum(sample.cut)) / len(sample.ended)) or None


def estimated_mean(curve: SampleCurve, per_agent: bool = False) -> float | None:
    """By splitting, of a point whose holding time no trial sees (sweep --hold --rare)."""
    holding = curve.point.holding if curve.measure == "held_steps" else None
    mean = None if holding is None else holding.get("mean")
    return None if mean is None else float(mean) / (curve.point.n if per_agent else 1)


def _draw(drawing: Plot, curve: SampleCurve, log: bool, per_agent: bool = False) -> Entry:
    found, colour, axes = curve.sample.survival, curve.colour, drawing.axes
    kept = fine(np.log(np.maximum(found.times, 1e-300)) if log else found.times, _depth(found.share))
    start = axes.get_xlim()[0] if log else 0.0
    last = max(found.last, found.times[-1]) if len(found.times) else found.last

    def stretched(edge: Any) -> Any:
        return np.concatenate([[1.0], edge[kept], edge[-1:] if len(edge) else [1.0]])

    xs = np.concatenate([[start], found.times[kept], [last]])
    axes.plot(xs, stretched(found.share), drawstyle="steps-post", color=colour, label=curve.label)
    band: dict[str, Any] = {"step": "post", "color": tint(colour, 0.25), "linewidth": 0, "zorder": 1}
    axes.fill_between(xs, stretched(found.low), stretched(found.high), **band)
    cut = np.unique(curve.sample.cut)
    if len(cut):
        cut = cut[evenly(len(cut), MAX_TICKS)]
        height = np.concatenate([[1.0], found.share])[np.searchsorted(found.times, cut, side="right")]
        axes.plot(cut, height, linestyle="", marker="|", markersize=5, color=colour, label=f"_{curve.label}, cut off")
    at, ended = zip(*curve.marks, strict=True)
    shares = [1 - share for share in ended]
    axes.plot(at, shares, linestyle="", color=colour, marker=curve.marker, label=f"_{curve.label}, marks")
    text, mean, known = label_with_counts(curve), exponential_mean(curve), estimated_mean(curve, per_agent)
    if known is not None:
        mean, last = known, TIMES * known
    if mean is not None:
        times = np.geomspace(start, last, CURVE) if log else np.linspace(0, last, CURVE)
        law = [exp(-time / mean) for time in times]
        axes.plot(times, law, color=colour, linestyle=(0, (1, 1.5)), linewidth=0.8, label=f"_{curve.label}, law")
        text += f": mean {number_markup(mean, 3)} {'by splitting' if known is not None else 'if exponential'}"
    return Entry(sign(color=colour, linestyle="-", marker=curve.marker), text)


def _depth(share: Any) -> Any:
    """Heights as on the axis."""
    return -np.log(np.maximum(share, share[share > 0].min() / 2 if (share > 0).any() else 0.5))


def _signs(curves: Sequence[SampleCurve]) -> Entry:
    """What bands, dots and ticks are."""
    words = ["shaded: 95 % band"]
    if any(exponential_mean(curve) is not None or estimated_mean(curve) is not None for curve in curves):
        words.append("dotted: exponential of that mean")
    if any(len(curve.sample.cut) for curve in curves):
        words.append("ticks: cut off")
    return note("; ".join(words))
