"""A ring's execution event by event: written to a file, shown to a function, drawn. Joins the engines with the figures."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from typing import Any

from princeps.engines.rings.registry import refuse_other_engines
from princeps.engines.rings.simulate import trace_ring
from princeps.errors import RunError
from princeps.model.description import Description
from princeps.model.files import FIGURE, TRACE, Output, refuse_same
from princeps.model.rings.event import Event
from princeps.model.rings.result import RingResult
from princeps.model.rings.run import RingRun

PICTURES = (".svg", ".pdf", ".png")
MAX_DRAWN_EVENTS = 1500  # events; a picture of more takes half a minute and nobody can read it
MAX_DIAGRAM_ROWS = 900  # beyond this a page is longer than viewers show

TraceObserver = Callable[[Event], None]


def run_traced(
    run: RingRun, trace: str | TraceObserver | None, diagram: str | None, description: Description
) -> RingResult:
    """The run in plain Python, every event given to `trace` (a function, or a file for JSON lines) and drawn."""
    refuse_other_engines(run, "--trace and --diagram watch every event in plain Python: leave out --engine {}.")
    refuse_same([None if callable(trace) else trace, diagram])
    rules: dict[str, Any] = {"inputs": description.inputs, "force": description.options.force}
    picture = None if diagram is None else Output(diagram, FIGURE, **rules)
    events: list[Event] = []
    with ExitStack() as stack:
        watchers: list[TraceObserver] = []
        if picture is not None:
            _refuse_drawing(picture)
            watchers.append(lambda event: _collect(events, event))
        if trace is not None:
            watch = trace if callable(trace) else stack.enter_context(_writing(run, Output(trace, TRACE, **rules)))
            watchers.append(watch)

        def watch_all(event: Event) -> None:
            for watch in watchers:
                watch(event)

        result = trace_ring(run, watch_all)
        if picture is not None:
            _draw(run, result, events, picture)
    return result


def _draw(run: RingRun, result: RingResult, events: list[Event], picture: Output) -> None:
    from princeps.figures.space_time import draw
    from princeps.figures.space_time_layout import place

    rows = place(events).last + 1
    if rows > MAX_DIAGRAM_ROWS:
        raise RunError(f"{rows} rows are too many for a picture: stop early with --max-steps.")
    k = f"k = {result.params['k']}, " if "k" in result.params else ""
    title = f"{result.protocol}, {run.ring.short}, {k}{result.schedule}"
    with picture.replacing() as write:
        write(draw(events, run.algorithm, run.ring, title, picture.path))


def _collect(events: list[Event], event: Event) -> None:
    if not event.action:
        return  # the picture shows by itself what is never received
    if len(events) >= MAX_DRAWN_EVENTS:
        raise RunError(
            f"more than {MAX_DRAWN_EVENTS:,} events are too many for a picture: draw a smaller ring, or stop early with --max-steps."
        )
    events.append(event)


def _refuse_drawing(picture: Output) -> None:
    """Before the run what would be refused after it."""
    if not picture.path.lower().endswith(PICTURES):
        raise RunError(f"diagram {picture.path!r} is no picture file: end it with {', '.join(PICTURES)}.")
    if find_spec("matplotlib") is None:
        raise RunError("--diagram needs matplotlib: install it with pip install 'princeps[plot]'.")
    picture.check()


@contextmanager
def _writing(run: RingRun, output: Output) -> Iterator[TraceObserver]:
    """A watcher that writes every event as a JSON line; the file is there when the run has ended."""
    with output.replacing() as write:
        yield lambda event: write(json.dumps(event.as_json(run.algorithm)).encode() + b"\n")
