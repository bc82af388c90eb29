"""princeps run NAME, where NAME is a ring algorithm: elections, traces and space-time diagrams."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from princeps.cli.frame import Saver, emit

ON_SCREEN = "-"  # what a bare --trace stands for


def run_once(run: Any, as_json: bool, save: Saver, trace: str | None, diagram: str | None) -> Any:
    """The result of one election, shown in as much detail as asked for."""
    from princeps.cli.ring_tables import print_ring_result

    if trace is None and diagram is None:
        from princeps.cli.progress import watching
        from princeps.engines.rings.simulate import simulate_ring

        with watching(as_json, run.max_steps) as observer:
            result = simulate_ring(run, observer)
    else:
        from princeps.api.trace import watched

        result = watched(run, _on_screen(run, as_json) if trace == ON_SCREEN else trace, diagram)
        if diagram is not None:
            print(f"the diagram is in {diagram}", file=sys.stderr)
    if as_json:
        emit(result.as_json())
    else:
        print_ring_result(result)
    save(result.as_json())
    return result


def _on_screen(run: Any, as_json: bool) -> Callable[[Any], None]:
    """A watcher that prints every event; the heading comes with the first."""
    from princeps.cli.ring_tables import event_line, trace_heading

    def show(event: Any) -> None:
        if as_json:
            emit(event.as_json(run.algorithm))
            return
        if event.step == 0:
            print(trace_heading(run))
        print(event_line(run, event))

    return show
