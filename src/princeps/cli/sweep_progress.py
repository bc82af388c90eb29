"""How far a sweep has come: a table on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from princeps.model.announcing import said

PLAIN_SECONDS = 5.0
SHOWN = 8  # points at work at the same time


def progress_row(queue: Any, workers: int) -> tuple[str, str, str, str]:
    """The point, its trials, its mean so far, and how long it will take."""
    tally = queue.tally
    done = f"{tally.trials:,} of {queue.wanted:,}"
    if queue.precision is not None and queue.wanted < queue.max_trials:
        done += f" (at most {queue.max_trials:,})"
    left = max(0, queue.wanted - tally.trials)
    eta = (
        ""
        if not left or queue.batch_sizes.mean is None
        else f"{duration(left * queue.batch_sizes.mean / workers)} left"
    )
    return queue.point.label, done, mean_in_words(tally, queue.point.measure), eta


def mean_in_words(tally: Any, measure: str) -> str:
    from princeps.model.formatting import half_width, table_number

    unit = measure.replace("_", " ")
    if tally.mean is None:
        return ""
    if tally.never:
        return f"{tally.never:,} trials never end"
    if tally.censored:
        return f"at least {table_number(tally.mean)} {unit} ({tally.censored:,} cut off)"
    half = "" if tally.interval is None else f" +- {half_width(tally.interval)}"
    return f"{table_number(tally.mean)}{half} {unit}"


def duration(seconds: float) -> str:
    whole = round(seconds)
    if whole < 100:
        return f"{whole} s"
    if whole < 100 * 60:
        return f"{whole // 60} min {whole % 60} s" if whole < 600 else f"{round(whole / 60)} min"
    return f"{whole / 3600:.1f} h"


@contextmanager
def watching_sweep() -> Iterator[Callable[[Any], None]]:
    if not sys.stderr.isatty():
        yield _plain()
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
            table.add_row(f"{sweep.points_done:,} of {len(sweep.points):,} points", f"{sweep.trials_run:,} trials run")
            live.update(table)

        yield watch


def _plain() -> Callable[[Any], None]:
    last = time.monotonic()

    def watch(sweep: Any) -> None:
        nonlocal last
        for queue in sweep.finished:
            _line(queue, sweep)
        if time.monotonic() - last >= PLAIN_SECONDS:
            last = time.monotonic()
            for queue in sweep.active[:SHOWN]:
                _line(queue, sweep)

    return watch


def _line(queue: Any, sweep: Any) -> None:
    label, done, mean, eta = progress_row(queue, sweep.workers)
    said()
    print(f"{label}: " + ", ".join(filter(None, (f"{done} trials", mean, eta))), file=sys.stderr, flush=True)
