"""How far the evidence for a paper has come: a bar on a terminal, a line in a minute elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from princeps.model.announcing import said
from princeps.model.machine import say

EVERY = 60.0  # seconds


@contextmanager
def watching_papers(quiet: bool) -> Iterator[Callable[[int, int, str], None]]:
    if not sys.stderr.isatty():
        yield Lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description:40.40}", markup=False),
        BarColumn(),
        TextColumn("{task.completed:,} of {task.total:,}"),
    )
    with Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True, markup=False), transient=True) as bar:
        said()
        task = bar.add_task("", total=1)
        yield lambda done, total, what: bar.update(task, description=what, completed=done, total=total)


class Lines:
    """For a log that somebody reads hours later."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock, self.last = clock, clock()

    def __call__(self, done: int, total: int, what: str) -> None:
        if self.clock() - self.last >= EVERY:
            self.last = self.clock()
            say(f"{done:,} of {total:,} trials and parts are done; now {what or 'the next'}.")
