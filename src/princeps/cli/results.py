"""What a run prints, whatever its kind: tables of one result or of many, and events as they happen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from princeps.cli.frame import emit
from princeps.model.result import Result


def print_one(result: Any, run: Any) -> None:
    if isinstance(result, Result):
        from princeps.cli.tables import print_result

        print_result(result, run)
    else:
        from princeps.cli.ring_tables import print_ring_result

        print_ring_result(result)


def print_many(results: Sequence[Any], wanted: int) -> None:
    if isinstance(results[0], Result):
        from princeps.cli.tables import print_trials

        print_trials(list(results), wanted)
    else:
        from princeps.cli.ring_tables import print_ring_trials

        print_ring_trials(list(results), wanted)


def on_screen(run: Any, as_json: bool) -> Callable[[Any], None]:
    """Prints every event of an execution on a ring; the heading comes with the first."""
    from princeps.cli.ring_tables import event_line, trace_heading

    def show(event: Any) -> None:
        if as_json:
            emit(event.as_json(run.algorithm))
            return
        if event.step == 0:
            print(trace_heading(run))
        print(event_line(run, event))

    return show
