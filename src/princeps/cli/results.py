"""What a run prints, whatever its kind: tables of one result or of many, and events as they happen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from princeps.cli.frame import emit
from princeps.model.result import Result
from princeps.model.run import Run


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
    """Prints every event of an execution; the heading comes with the first."""
    if isinstance(run, Run):
        from princeps.cli.meeting_lines import lines_of

        heading, line, names = lines_of(run)
    else:
        from princeps.cli.ring_tables import event_line, trace_heading

        heading, line, names = trace_heading(run), partial(event_line, run), run.algorithm
    shown = 0

    def show(event: Any) -> None:
        nonlocal shown
        if as_json:
            emit(event.as_json(names))
            return
        if not shown:
            print(heading)
        shown += 1
        print(line(event))

    return show
