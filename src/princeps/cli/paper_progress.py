"""How far the evidence for a paper has come: a bar on a terminal, nothing elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from princeps.model.announcing import said


@contextmanager
def watching_papers(quiet: bool) -> Iterator[Callable[[int, int, str], None]]:
    if not sys.stderr.isatty():
        yield lambda done, total, what: None
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
