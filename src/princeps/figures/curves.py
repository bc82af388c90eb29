"""Points as curves: what distribution and survival have in common. At most eight of them can be distinguished."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from princeps.campaign.sample import Sample
from princeps.campaign.series import Series
from princeps.campaign.stored_points import StoredPoint
from princeps.figures.drawing import Entry, note
from princeps.figures.style import line_style, tint
from princeps.figures.text import count_text, plain
from princeps.figures.x_axis import shared

MAX_CURVES = 8
MAX_STEPS_DRAWN = 1500  # steps of a curve that a picture of one column shows
LIGHTEST = 0.45
QUARTERS = (0.25, 0.5, 0.75)


@dataclass(frozen=True)
class SampleCurve:
    point: StoredPoint
    sample: Sample
    measure: str
    label: str
    colour: str
    marker: str

    @property
    def marks(self) -> list[tuple[float, float]]:
        """Where the marker is drawn: where a quarter, a half and three quarters have ended, else where it is lost."""
        survival = self.sample.survival
        known = [(time, q) for q in QUARTERS if (time := survival.quantile(q)) is not None]
        share = float(survival.share[-1]) if len(survival.share) else 1.0
        return known or [(survival.last, 1 - share)]


def curves_of(series: Sequence[Series], per_agent: bool = False) -> tuple[list[SampleCurve], list[Entry], str]:
    """A colour for each series, deeper for larger sizes; what is to be said about those left out; what all share."""
    points = [
        (k, point, sample.over(point.n) if per_agent else sample)
        for k, one in enumerate(series)
        for point, sample in zip(one.points, one.samples, strict=True)
        if sample.trials
    ]
    shown = chosen([k for k, _, _ in points])
    several = len({k for k, _, _ in points}) > 1
    sizes = len({point.n for _, point, _ in points}) > 1
    found = []
    for index in shown:
        k, point, sample = points[index]
        same = [other for other in shown if points[other][0] == k]
        rank = same.index(index)
        depth = 1.0 if len(same) == 1 or not several else LIGHTEST + (1 - LIGHTEST) * rank / (len(same) - 1)
        colour, marker, _ = line_style(k if several else rank)
        words = [series[k].label(series)] if several else []
        words += [f"n = {point.n:,}"] if sizes or not words else []
        found.append(SampleCurve(point, sample, series[k].measure, ", ".join(words), tint(colour, depth), marker))
    left_out = [] if len(shown) == len(points) else [note(f"{len(shown)} of {count_text(len(points), 'point')} shown")]
    common = [shared(series)] if several or not points else [series[points[0][0]].label(series)]
    common += [] if sizes or not several else [f"n = {points[0][1].n:,}"]
    return found, left_out, ", ".join(filter(None, common))


def label_with_counts(curve: SampleCurve) -> str:
    """The label, and what became of the trials that did not end."""
    cut, never = len(curve.sample.cut), curve.sample.never
    remarks = [f"{cut:,} of {curve.sample.trials:,} cut off"] * bool(cut)
    remarks += [f"{never:,} of {curve.sample.trials:,} never end"] * bool(never)
    return plain(f"{curve.label} ({', '.join(remarks)})" if remarks else curve.label)


def chosen(members: Sequence[int], most: int = MAX_CURVES) -> list[int]:
    """At most `most` indices of a list, evenly spaced within each group, the last of a group first of all."""
    places: dict[int, list[int]] = {}
    for place, member in enumerate(members):
        places.setdefault(member, []).append(place)
    if len(members) <= most:
        return list(range(len(members)))
    groups = [list(places)[k] for k in evenly(len(places), min(most, len(places)))]
    each = max(1, most // len(groups))
    return sorted(places[group][k] for group in groups for k in evenly(len(places[group]), each))


def evenly(length: int, many: int) -> list[int]:
    """`many` of 0, ..., length - 1, with the ends among them; a single one is the last."""
    if many >= length:
        return list(range(length))
    return [length - 1] if many == 1 else [round(k * (length - 1) / (many - 1)) for k in range(many)]


def fine(xs: Any, ys: Any) -> Any:
    """Which steps of a monotone curve to draw: a hundred thousand of them would fill the file, not the picture."""
    if len(xs) <= MAX_STEPS_DRAWN:
        return np.arange(len(xs))
    cells = [np.floor((part - part[0]) / ((part[-1] - part[0]) or 1) * MAX_STEPS_DRAWN) for part in (xs, ys)]
    new = np.ones(len(xs), bool)
    new[1:-1] = (cells[0][1:-1] != cells[0][:-2]) | (cells[1][1:-1] != cells[1][:-2])
    return np.flatnonzero(new)


def wide(curves: Sequence[SampleCurve], factor: float = 50) -> bool:
    """A linear axis would press some of the values together."""
    ends = [
        float(np.quantile(values, q)) for curve in curves if len(values := curve.sample.ended) for q in (0.05, 0.95)
    ]
    positive = [end for end in ends if end > 0]
    return bool(positive) and min(ends) > 0 and max(positive) > factor * min(positive)
