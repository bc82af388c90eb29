"""Figures from stored results."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from princeps.api.arguments import a_number, a_path, a_protocol_name, a_text, or_none, reads, renamed
from princeps.errors import RunError
from princeps.figures.picture import Picture, draw, picture_of
from princeps.model.announcing import announces
from princeps.model.files import FilePath
from princeps.model.options import explained
from princeps.model.result import Result
from princeps.model.values import shown

if TYPE_CHECKING:  # loaded when a figure is drawn
    from princeps.campaign.results import Results
    from princeps.figures.drawing import PaperFigure

__all__ = ["Picture", "plot", "plot_into"]


def a_source(value: FilePath | Results | Result | Sequence[Result], name: str) -> Any:
    """A file, the results of a sweep, or runs that were recorded."""
    from princeps.campaign.results import Results

    if isinstance(value, Results):
        return value
    if isinstance(value, Result):
        return [value]
    if isinstance(value, list | tuple) and value and all(isinstance(one, Result) for one in value):
        return list(value)
    if not isinstance(value, str | PathLike):
        raise RunError(
            f"{name} {shown(value)} is not understood: give a store or a recording by its path, what princeps.sweep "
            f"returned, or results of princeps.run(..., record=...)."
        )
    return a_path(value, name)


@explained
@announces("princeps.plot")
@renamed(smallest="from_")
@reads(
    source=a_source,
    output=or_none(a_path),
    kind=or_none(a_text),
    measure=or_none(a_text),
    protocol=or_none(a_protocol_name),
    by=a_text,
    from_=a_number,
    width=or_none(a_number),
)
def plot(
    source: str | Results | Result | Sequence[Result],
    output: str | None = None,
    *,
    kind: str | None = None,
    measure: str | None = None,
    protocol: str | None = None,
    by: str = "n",
    from_: float = 0,
    width: float | None = None,
    force: bool = False,
) -> PaperFigure:
    """Draw the results of a sweep, or for `leaders` recorded runs: a Figure of matplotlib, which notebooks show.

    With `output` it is also written into a file, which appears whole or not at all. What was drawn is in the figure's attribute `picture`.
    """
    figure, _ = draw(
        source, output, kind=kind, measure=measure, protocol=protocol, by=by, from_=from_, width=width, force=force
    )
    return figure


def plot_into(source: str, output: str, **how: Any) -> Picture:
    """What the command line shows of it."""
    return picture_of(plot(source, output, **how))
