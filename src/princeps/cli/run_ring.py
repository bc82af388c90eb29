"""princeps run NAME, where NAME is a ring algorithm: elections, traces and space-time diagrams."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from typing import Any

from princeps.cli.frame import DONE, INTERRUPTED, NOT_REACHED, Saver, emit, writable
from princeps.errors import RunError

ON_SCREEN = "-"  # what a bare --trace stands for
PICTURES = (".svg", ".pdf", ".png")
MOST_DRAWN = 1500  # events; a picture of more takes half a minute and nobody can read it
MOST_ROWS = 900  # beyond this a page is longer than viewers show


def exit_code(result: Any) -> int:
    return INTERRUPTED if result.interrupted else DONE if result.converged else NOT_REACHED


def run_once(run: Any, as_json: bool, save: Saver, trace: str | None, diagram: str | None) -> int:
    """One election, shown in as much detail as asked for."""
    from princeps.cli.ring_tables import print_ring_result

    if trace is None and diagram is None:
        from princeps.cli.progress import watching
        from princeps.engines.rings import simulate_ring

        with watching(as_json, run.max_steps) as observer:
            result = simulate_ring(run, observer)
    else:
        result = _watched(run, as_json, trace, diagram)
    if as_json:
        emit(result.as_json())
    else:
        print_ring_result(result)
    save(result.as_json())
    return exit_code(result)


def _watched(run: Any, as_json: bool, trace: str | None, diagram: str | None) -> Any:
    from princeps.engines.rings import trace_ring

    if run.engine == "compiled":
        raise RunError("--trace and --diagram watch every event in plain Python: leave out --engine compiled.")
    events: list[Any] = []
    with ExitStack() as stack:
        watchers: list[Callable[[Any], None]] = []
        if diagram is not None:
            stack.enter_context(_drawable(diagram))
            watchers.append(lambda event: _collect(events, event))
        if trace is not None:
            watchers.append(stack.enter_context(_tracing(run, trace, as_json)))

        def watch_all(event: Any) -> None:
            for watch in watchers:
                watch(event)

        result = trace_ring(run, watch_all)
    if diagram is not None:
        from princeps.figures.space_time import draw, place

        rows = place(events).last + 1
        if rows > MOST_ROWS:
            raise RunError(f"{rows} rows are too many for a picture: stop early with --max-steps.")
        title = f"{result.protocol}, {run.ring.short}, {_params(result)}{result.schedule}"
        with writable(diagram):
            draw(events, run.algorithm, run.ring, title, diagram)
        print(f"the diagram is in {diagram}", file=sys.stderr)
    return result


def _params(result: Any) -> str:
    return "".join(f"{name} = {value}, " for name, value in result.params.items() if name == "k")


def _collect(events: list[Any], event: Any) -> None:
    if len(events) >= MOST_DRAWN:
        raise RunError(
            f"more than {MOST_DRAWN:,} events are too many for a picture: draw a smaller ring, or stop early with --max-steps."
        )
    events.append(event)


@contextmanager
def _drawable(path: str) -> Iterator[None]:
    """Refuses before the run what would be refused after it."""
    if not path.endswith(PICTURES):
        raise RunError(f"diagram {path!r} is no picture file: end it with {', '.join(PICTURES)}.")
    if find_spec("matplotlib") is None:
        raise RunError("--diagram needs matplotlib: install it with pip install 'princeps[plot]'.")
    with writable(path), open(path, "ab"):
        pass
    yield


@contextmanager
def _tracing(run: Any, target: str, as_json: bool) -> Iterator[Callable[[Any], None]]:
    """A watcher that prints every event, or writes it to a file as a JSON line."""
    algorithm = run.algorithm
    if target == ON_SCREEN:
        from princeps.cli.ring_tables import event_line, trace_heading

        if as_json:
            yield lambda event: emit(event.as_json(algorithm))
        else:
            print(trace_heading(run))
            yield lambda event: print(event_line(run, event))
        return
    with writable(target):
        file = open(target, "w", encoding="utf-8")  # noqa: SIM115

    def write(event: Any) -> None:
        with writable(target):
            file.write(json.dumps(event.as_json(algorithm)) + "\n")

    with file:
        yield write
        with writable(target):
            file.flush()
