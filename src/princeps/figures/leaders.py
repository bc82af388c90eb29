"""Leaders, and whatever else was counted, over parallel time.

A few runs are a line each. Many are their median, behind it every run, or from 5 % to 95 % of them where they are more
than can be distinguished; a run that has ended keeps its last counts, which is said in the legend.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from princeps.figures.drawing import Entry, Plot, note, sign
from princeps.figures.recording import Recorded
from princeps.figures.scales import linear, logarithmic, with_zero
from princeps.figures.style import LineStyle, line_style, tint
from princeps.figures.text import STEPS_PER_N, count_text, plain

MAX_WITHOUT_MEDIAN, MAX_DRAWN_SINGLY = 4, 20  # runs: without a median, and drawn one by one
MOMENTS = 2000  # of a median
SAMPLES = 20  # of a run whose beginning is worth a closer look
APART = 0.25  # of the diagonal, from one marker to the next


@dataclass(frozen=True)
class CountCurves:
    """One predicate over the runs of one kind."""

    label: str
    line_style: LineStyle
    runs: tuple[tuple[Any, Any], ...]  # times and counts of each

    @property
    def times(self) -> Any:
        """All moments of all runs, thinned out if they are too many."""
        every = np.unique(np.concatenate([times for times, _ in self.runs]))
        return every[np.unique(np.linspace(0, len(every) - 1, MOMENTS).astype(int))]

    def at(self, moments: Any) -> Any:
        """A row for each run; after its end, its last value."""
        return np.array(
            [values[np.clip(np.searchsorted(times, moments, side="right") - 1, 0, None)] for times, values in self.runs]
        )


def leaders(recorded: Sequence[Recorded], width: float | None) -> tuple[Plot, list[CountCurves]]:
    found = list(_counted(recorded))
    drawing = Plot(width, len(found))
    _scales(drawing, recorded)
    entries = [_draw(drawing, one) for one in found]
    names = {name for run in recorded for name in run.counts}
    drawing.names(f"parallel time {STEPS_PER_N}", "leaders" if names == {"leaders"} else "agents")
    drawing.legend([*entries, *_notes(found), *_copies(recorded)], _common(recorded))
    return drawing, found


def _counted(recorded: Sequence[Recorded]) -> Iterator[CountCurves]:
    """Colours for what is counted; if several kinds of runs are in the file, colours and markers for these, dashes for that."""
    kinds = list(dict.fromkeys(run.kind for run in recorded))
    names = list(dict.fromkeys(name for run in recorded for name in run.counts))
    for k, kind in enumerate(kinds):
        same = [run for run in recorded if run.kind == kind]
        for j, name in enumerate(names):
            runs = tuple((run.times, run.counts[name]) for run in same if name in run.counts)
            if not runs:
                continue
            if len(kinds) == 1:
                yield CountCurves(name, line_style(j)._replace(marker=""), runs)
            else:
                words = [_title(same[0]), *([name] if len(names) > 1 else [])]
                yield CountCurves(
                    ": ".join(words), LineStyle(line_style(k).colour, line_style(k).marker, line_style(j).dash), runs
                )


def _scales(drawing: Plot, recorded: Sequence[Recorded]) -> None:
    """Counts from n down to 1, and 0 where it occurs; time is logarithmic where most happens at the very beginning."""
    values = np.concatenate([values for run in recorded for values in run.counts.values()])
    most = max(2.0, float(values.max()))
    logarithmic(drawing.axes, "y", [1, most], plain=most < 1e5)
    if (values == 0).any():
        with_zero(drawing.axes, "y", 1)
    end = max(float(run.times[-1]) for run in recorded)
    if end > 0 and _early(recorded):
        firsts = [float(run.times[run.times > 0][0]) for run in recorded if run.times[-1] > 0]
        logarithmic(drawing.axes, "x", [min(firsts), end])
        if any(run.times[0] == 0 for run in recorded):  # the start, which is what all the rest is seen against
            with_zero(drawing.axes, "x", min(firsts))
    else:
        linear(drawing.axes, "x")
        drawing.axes.set_xlim(0, 1.02 * end or 1)


def _early(recorded: Sequence[Recorded]) -> bool:
    """Half of all change, as counted on a logarithmic scale, is over in the first tenth of a time of many samples."""
    end = max(float(run.times[-1]) for run in recorded)
    before, after = 0.0, 0.0
    for run in recorded:
        for values in run.counts.values():
            change = np.abs(np.diff(np.log(np.maximum(values, 0.5))))
            late = run.times[1:] > end / 10
            before, after = before + float(change[~late].sum()), after + float(change[late].sum())
    return before > after and max(len(run.times) for run in recorded) > SAMPLES


def _draw(drawing: Plot, one: CountCurves) -> Entry:
    axes, colour = drawing.axes, one.line_style.colour
    how: dict[str, Any] = {
        "color": colour,
        "linestyle": one.line_style.dash,
        "marker": one.line_style.marker,
        "markersize": 3.5,
    }
    if max(len(times) for times, _ in one.runs) == 1:
        how["marker"] = "o"  # it was over at once: no line leads anywhere
    if len(one.runs) <= MAX_WITHOUT_MEDIAN:
        for times, values in one.runs:
            axes.plot(times, values, label=one.label, markevery=APART, **how)
    else:
        moments = one.times
        rows = one.at(moments)
        if len(one.runs) <= MAX_DRAWN_SINGLY:
            for times, values in one.runs:
                thin: dict[str, Any] = {"color": tint(colour, 0.35), "linewidth": 0.5}
                axes.plot(times, values, label=f"_{one.label}, run", **thin)
        else:
            low, high = np.quantile(rows, (0.05, 0.95), axis=0)
            axes.fill_between(moments, low, high, color=tint(colour, 0.25), linewidth=0, zorder=1)
        middle = np.median(rows, axis=0)
        axes.plot(moments, middle, linewidth=1.5, label=one.label, zorder=3, markevery=APART, **how)
    return Entry(sign(**how), plain(one.label))


def _notes(found: Sequence[CountCurves]) -> list[Entry]:
    """How many runs are a line."""
    most = max(len(one.runs) for one in found)
    if most <= MAX_WITHOUT_MEDIAN:
        return []
    behind = "thin: each run" if most <= MAX_DRAWN_SINGLY else "shaded: 5 % to 95 % of them"
    return [note(f"bold: median of {most:,} runs, where one that ended keeps its last count; {behind}")]


def _copies(recorded: Sequence[Recorded]) -> list[Entry]:
    """How many trials were left out because they are there already."""
    twice = sum(run.copies > 0 for run in recorded)
    return [note(f"{count_text(twice, 'trial')} recorded more than once, counted once")] if twice else []


def _common(recorded: Sequence[Recorded]) -> str:
    """What all runs are, if they are of one kind."""
    kinds = {run.kind for run in recorded}
    return plain(_title(recorded[0])) if len(kinds) == 1 else ""


def _title(run: Recorded) -> str:
    return f"{run.protocol}, n = {run.n:,}"
