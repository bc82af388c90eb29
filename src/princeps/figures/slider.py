"""A slider over the recorded configurations of a run, for notebooks. The only file that knows ipywidgets."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from princeps.errors import RunError
from princeps.figures.configurations import Recording
from princeps.model.result import Result

if TYPE_CHECKING:
    from ipywidgets import VBox as VBox

FRAME_MILLISECONDS = 200  # of the button that plays all of them


def make_slider(result: Result) -> VBox:
    recording = Recording(result)  # what is missing from the run is said first
    if find_spec("ipywidgets") is None:
        raise RunError("a slider needs ipywidgets: install it with pip install 'princeps[notebook]'.")
    import ipywidgets

    last = len(recording.moments) - 1
    layout = ipywidgets.Layout(width="480px")
    chosen = ipywidgets.IntSlider(value=0, min=0, max=last, description="moment", layout=layout)
    player = ipywidgets.Play(value=0, min=0, max=last, interval=FRAME_MILLISECONDS)
    shown = ipywidgets.HTML(recording.picture(0))

    def show(change: Any) -> None:
        shown.value = recording.picture(change["new"])

    chosen.observe(show, names="value")
    ipywidgets.jslink((player, "value"), (chosen, "value"))
    return ipywidgets.VBox([ipywidgets.HBox([player, chosen]), shown])
