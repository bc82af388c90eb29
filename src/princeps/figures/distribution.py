"""The distribution of a measure at each point: the share of the trials that have ended by then.

With trials that were cut off it is what Kaplan and Meier make of them, and goes no further than is known.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from princeps.campaign.series import Series
from princeps.figures.curves import SampleCurve, curves_of, fine, label_with_counts, wide
from princeps.figures.drawing import Entry, Plot, sign
from princeps.figures.scales import linear, logarithmic
from princeps.figures.text import axis_name, plain


def distribution(series: Sequence[Series], width: float | None) -> tuple[Plot, list[SampleCurve]]:
    """Step functions from 0 to the share that is known to have ended."""
    curves, left_out, common = curves_of(series)
    drawing = Plot(width, len(curves))
    if not curves:
        return drawing, curves
    log = wide(curves)
    if log:
        values = [curve.sample.ended for curve in curves if len(curve.sample.ended)]
        logarithmic(drawing.axes, "x", [*(float(v) for part in values for v in (part[part > 0].min(), part.max()))])
    else:
        linear(drawing.axes, "x")
    entries = [_draw(drawing, curve, log) for curve in curves]
    drawing.axes.set_ylim(0, 1.02)
    if not log:
        drawing.axes.set_xlim(left=0)
    drawing.names(axis_name({curve.measure for curve in curves}), "share of trials")
    drawing.legend([*entries, *left_out], plain(common))
    return drawing, curves


def _draw(drawing: Plot, curve: SampleCurve, log: bool) -> Entry:
    """Rises with every trial that ends, and stays at the height up to which it is known."""
    survival = curve.sample.survival
    xs, ys = survival.times, 1 - survival.share
    kept = fine(np.log(np.maximum(xs, 1e-300)) if log else xs, ys) if len(xs) else []
    start = xs[:1] if len(xs) else [drawing.axes.get_xlim()[0]]
    xs, ys = np.concatenate([start, xs[kept]]), np.concatenate([[0.0], ys[kept]])
    if survival.last > xs[-1]:
        xs, ys = np.append(xs, survival.last), np.append(ys, ys[-1])
    drawing.axes.plot(xs, ys, drawstyle="steps-post", color=curve.colour, label=curve.label)
    at, shares = zip(*curve.marks, strict=True)
    drawing.axes.plot(at, shares, linestyle="", color=curve.colour, marker=curve.marker, label=f"_{curve.label}, marks")
    return Entry(sign(color=curve.colour, linestyle="-", marker=curve.marker), label_with_counts(curve))
