"""How far a sweep has come: a table on a terminal; elsewhere a line for each point that is finished."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from princeps.model.announcing import said
from princeps.model.formatting import counted
from princeps.model.progress_text import progress_row

SHOWN = 8  # points at work at the same time


@contextmanager
def watching_sweep() -> Iterator[Callable[[Any], None]]:
    if not sys.stderr.isatty():
        yield _finished
        return
    from rich.console import Console
    from rich.live import Live
    from rich.table import Table

    console = Console(stderr=True, markup=False)  # a protocol's name may contain brackets
    said()
    with Live(console=console, refresh_per_second=4, transient=True) as live:

        def watch(sweep: Any) -> None:
            for queue in sweep.finished:
                live.console.print("  ".join(filter(None, progress_row(queue, sweep.workers))), highlight=False)
            table = Table(box=None, pad_edge=False, show_header=False)
            for queue in sweep.active[:SHOWN]:
                table.add_row(*progress_row(queue, sweep.workers))
            table.add_row(
                f"{sweep.points_done:,} of {counted(len(sweep.points), 'points')}",
                f"{counted(sweep.trials_run, 'trials')} run",
            )
            live.update(table)

        yield watch


def _finished(sweep: Any) -> None:
    for queue in sweep.finished:
        _line(queue, sweep)


def _line(queue: Any, sweep: Any) -> None:
    label, done, mean, eta = progress_row(queue, sweep.workers)
    said()
    print(f"{label}: " + ", ".join(filter(None, (f"{done} trials", mean, eta))), file=sys.stderr, flush=True)
