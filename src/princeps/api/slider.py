"""A slider over a recorded run, in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from princeps.errors import RunError
from princeps.model.result import Result

if TYPE_CHECKING:
    from princeps.figures.slider import VBox


def slider(result: Result) -> VBox:
    """Move through the configurations that a run has kept: bars of the occupied states, and the agents on their graph.

    result: a result of `run(..., record="states")` or `run(..., snapshots=[...])`. Agents are drawn from snapshots of at
    most 200 of them. A widget of ipywidgets, which shows itself as the last value of a cell.
    """
    if not isinstance(result, Result):
        raise RunError(f"slider takes one result of princeps.run of a population, not {type(result).__name__}.")
    from princeps.figures.slider import make_slider

    return make_slider(result)
