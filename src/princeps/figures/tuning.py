"""Constants of a protocol: how long they hold a leader against how fast they elect one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from princeps.figures import output as files
from princeps.figures.chart import chart
from princeps.figures.marks import Curve
from princeps.figures.style import paper_style
from princeps.model.files import Output


class Timed(Protocol):
    @property
    def mean(self) -> float: ...
    @property
    def interval(self) -> tuple[float, float]: ...


class Tried(Protocol):
    @property
    def constants(self) -> Mapping[str, int]: ...
    @property
    def holding(self) -> float: ...
    @property
    def convergence(self) -> Timed: ...


class Tuned(Protocol):
    """What is drawn of an answer of `tune`."""

    @property
    def points(self) -> Sequence[Any]: ...
    @property
    def pareto(self) -> Sequence[Any]: ...
    @property
    def chosen(self) -> Any: ...


def write(found: Tuned, picture: Output) -> None:
    with paper_style():
        content = files.rendered(drawing(found).figure, picture.path)
    with picture.replacing() as put:
        put(content)


def drawing(found: Tuned) -> Any:
    """Everything that was tried, those that nothing else beats joined, and the one to use."""
    beaten = [one for one in found.points if one not in found.pareto]
    curves = [_curve("others", beaten, "points"), _curve("best of both", found.pareto, "joined")]
    if found.chosen is not None:
        curves.append(_curve("chosen", [found.chosen], "points"))
    known = [curve for curve in curves if curve.x]
    return chart("steps for which a leader is held", "steps to elect it", known, log_x=True, log_y=True)


def _curve(label: str, points: Sequence[Tried], style: str) -> Curve:
    ends = [one.convergence.interval for one in points]
    return Curve(
        label,
        [one.holding for one in points],
        [one.convergence.mean for one in points],
        [low for low, _ in ends],
        [high for _, high in ends],
        style,
    )
