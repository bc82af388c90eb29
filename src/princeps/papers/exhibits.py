"""Charts and tables of a paper's page, as data: who draws them is not decided here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """Points (with bars from `low` to `high` if given), or a curve through them."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None
    style: str = "points"  # points, joined (points with a line through them), line, dashed, bars
    of: str = ""  # the label of another line, whose colour it takes


@dataclass(frozen=True)
class Chart:
    title: str
    caption: str  # with what is ours in it, and the command
    x: str  # the axes, with their units
    y: str
    lines: Sequence[Line]
    log_x: bool = False
    log_y: bool = False
    ours: bool = False  # not in the paper


@dataclass(frozen=True)
class Table:
    title: str
    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    ours: bool = False


Exhibit = Chart | Table
