"""An execution event by event: written to a file, shown to a function, drawn. Joins the engines with the figures."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from typing import Any

from princeps.engines.rings.registry import refuse_other_engines
from princeps.engines.rings.simulate import trace_ring
from princeps.engines.tracing import trace_population
from princeps.errors import RunError, TooLarge
from princeps.figures.space_time_layout import Excerpt, place
from princeps.model.description import Description
from princeps.model.files import FIGURE, TRACE, Output, refuse_same
from princeps.model.formatting import counted
from princeps.model.meeting import Happening, with_names
from princeps.model.options import TraceOptions
from princeps.model.rings.event import Event
from princeps.model.rings.run import RingRun
from princeps.model.run import Run
from princeps.model.starts import starting_states
from princeps.model.state_names import names_of
from princeps.model.states import State
from princeps.model.topology import DIRECTED_RING, UNDIRECTED_RING
from princeps.model.window import Window, read_window

PICTURES = (".svg", ".pdf", ".png")
MAX_DRAWN_EVENTS = 1500  # events; a picture of more takes half a minute and nobody can read it
MAX_DRAWN_MEETINGS = 3000  # interactions, whose arrows have no text
MAX_DIAGRAM_ROWS = 900  # beyond this a page is longer than viewers show
MAX_DIAGRAM_AGENTS = 64  # columns
REMEDY = "draw a part of it with --window, or stop early with --max-steps"

TraceObserver = Callable[[Any], None]


class Traced(ABC):
    """One kind of execution: how it is run, what an event is in JSON, and how the events are drawn."""

    window: Window | None

    @abstractmethod
    def perform(self, watch: TraceObserver) -> Any:
        """The run, every event shown to `watch`."""

    @abstractmethod
    def when(self, event: Any) -> int:
        """By which it is in the window or not."""

    @abstractmethod
    def as_json(self, event: Any) -> dict[str, Any]: ...

    def for_people(self, event: Any) -> Any:
        """As a function of the user's gets it."""
        return event

    @abstractmethod
    def collect(self, event: Any) -> None:
        """What the picture needs of an event, be it in the window or not."""

    @abstractmethod
    def refuse_drawing(self) -> None:
        """What is too large for a picture, before the run."""

    @abstractmethod
    def draw(self, result: Any, path: str) -> bytes: ...


class TracedRing(Traced):
    def __init__(self, run: RingRun, window: Window | None) -> None:
        self.run, self.window = run, window
        self.excerpt = Excerpt(run.algorithm, window or Window())
        refuse_other_engines(run, "--trace and --diagram watch every event in plain Python: leave out --engine {}.")

    def perform(self, watch: TraceObserver) -> Any:
        return trace_ring(self.run, watch)

    def when(self, event: Event) -> int:
        return event.time

    def as_json(self, event: Event) -> dict[str, Any]:
        return event.as_json(self.run.algorithm)

    def collect(self, event: Event) -> None:
        if not event.action:
            return  # the picture shows by itself what is never received
        if len(self.excerpt.events) >= MAX_DRAWN_EVENTS and self.excerpt.window.has(event.time):
            raise RunError(
                f"more than {MAX_DRAWN_EVENTS:,} events are too many for a picture: draw a smaller ring, {REMEDY}."
            )
        self.excerpt.add(event)

    def refuse_drawing(self) -> None:
        """How long it is shows itself."""

    def draw(self, result: Any, path: str) -> bytes:
        from princeps.figures.space_time import draw

        run, events, around = self.run, self.excerpt.events, self.excerpt.around
        _refuse_empty(events, self.window, f"{result.time} time units")
        _refuse_rows(place(events, around.first).last + 1)
        k = f"k = {result.params['k']}, " if "k" in result.params else ""
        title = f"{result.protocol}, {run.ring.short}, {k}{result.schedule}{_part(self.window)}"
        return draw(events, run.algorithm, run.ring, title, path, around)


class TracedPopulation(Traced):
    def __init__(self, run: Run, window: Window | None) -> None:
        self.run, self.window = run, window
        self.names = names_of(run.protocol.space)
        self.happenings: list[Happening] = []
        self.states: list[State] = []  # at the upper edge of the picture

    def perform(self, watch: TraceObserver) -> Any:
        return trace_population(self.run, watch, self.window)

    def when(self, event: Happening) -> int:
        return event.step

    def as_json(self, event: Happening) -> dict[str, Any]:
        return event.as_json(self.names)

    def for_people(self, event: Happening) -> Happening:
        return with_names(event, self.names)

    def collect(self, event: Happening) -> None:
        if self.window is not None and event.step < self.window.first:
            for agent, _, after in event.agents:
                self.states[agent] = after
            return
        if len(self.happenings) >= MAX_DRAWN_MEETINGS:
            raise RunError(f"more than {MAX_DRAWN_MEETINGS:,} interactions are too many for a picture: {REMEDY}.")
        self.happenings.append(event)

    def refuse_drawing(self) -> None:
        n = self.run.n
        if n > MAX_DIAGRAM_AGENTS:
            raise TooLarge(
                f"a diagram has a column for each agent, and n = {n:,} is more than {MAX_DIAGRAM_AGENTS}: lower -n, or "
                f"follow the counts with --record states."
            )
        self.states = starting_states(self.run)

    def draw(self, result: Any, path: str) -> bytes:
        from princeps.figures.meetings import draw_meetings
        from princeps.figures.meetings_layout import arrange

        run = self.run
        is_ring = run.topology.kind in (DIRECTED_RING, UNDIRECTED_RING)
        _refuse_empty(self.happenings, self.window, counted(result.total_steps, "steps"))
        _refuse_rows(arrange(self.happenings, run.n, is_ring).last + 1)
        title = f"{result.protocol}, n = {run.n}, {_short(run.topology.text)}, seed {run.seed}{_part(self.window)}"
        sizes, leads = run.protocol.space.sizes, run.protocol.leads
        return draw_meetings(self.happenings, self.states, self.names, sizes, leads, is_ring, title, path)


def run_traced(run: Run | RingRun, shown: TraceOptions, description: Description) -> Any:
    """The run in plain Python, every event given to `trace` (a function, or a file for JSON lines) and drawn."""
    window, trace, diagram = read_window(shown.window), shown.trace, shown.diagram
    traced: Traced = TracedPopulation(run, window) if isinstance(run, Run) else TracedRing(run, window)
    refuse_same([None if callable(trace) else trace, diagram])
    rules: dict[str, Any] = {"inputs": description.inputs, "force": description.options.force}
    picture = None if diagram is None else Output(diagram, FIGURE, **rules)
    with ExitStack() as stack:
        watch: TraceObserver | None = None
        if picture is not None:
            _refuse_picture(picture)
            traced.refuse_drawing()
        if trace is not None:
            watch = (
                _showing(traced, trace)
                if callable(trace)
                else stack.enter_context(_writing(traced, Output(trace, TRACE, **rules)))
            )

        def watch_all(event: Any) -> None:
            if picture is not None:
                traced.collect(event)
            if watch is not None and (window is None or window.has(traced.when(event))):
                watch(event)

        result = traced.perform(watch_all)
        if picture is not None:
            with picture.replacing() as write:
                write(traced.draw(result, picture.path))
    return result


def _part(window: Window | None) -> str:
    return "" if window is None else f", {window.text}"


def _short(text: str) -> str:
    return text if len(text) <= 30 else f"{text[:28]}…"


def _refuse_rows(rows: int) -> None:
    if rows > MAX_DIAGRAM_ROWS:
        raise RunError(f"{rows} rows are too many for a picture: {REMEDY}.")


def _refuse_empty(events: list[Any], window: Window | None, end: str) -> None:
    if not events and window is not None:
        raise RunError(
            f"nothing happens in the window {window.text}: the run ended after {end}. Choose an earlier one."
        )


def _refuse_picture(picture: Output) -> None:
    """Before the run what would be refused after it."""
    if not picture.path.lower().endswith(PICTURES):
        raise RunError(f"diagram {picture.path!r} is no picture file: end it with {', '.join(PICTURES)}.")
    if find_spec("matplotlib") is None:
        raise RunError("--diagram needs matplotlib: install it with pip install 'princeps[plot]'.")
    picture.check()


def _showing(traced: Traced, trace: TraceObserver) -> TraceObserver:
    return lambda event: trace(traced.for_people(event))


@contextmanager
def _writing(traced: Traced, output: Output) -> Iterator[TraceObserver]:
    """A watcher that writes every event as a JSON line; the file is there when the run has ended."""
    with output.replacing() as write:
        yield lambda event: write(json.dumps(traced.as_json(event)).encode() + b"\n")
