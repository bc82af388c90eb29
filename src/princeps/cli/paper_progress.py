"""How far the evidence for a paper has come: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from princeps.model.announcing import said

PLAIN_SECONDS = 10.0


@contextmanager
def watching_papers(quiet: bool) -> Iterator[Callable[[int, int, str], None]]:
    if not sys.stderr.isatty():
        yield _plain()
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


def _plain() -> Callable[[int, int, str], None]:
    last = time.monotonic()

    def watch(done: int, total: int, what: str) -> None:
        nonlocal last
        if time.monotonic() - last >= PLAIN_SECONDS:
            last = time.monotonic()
            said()
            print(f"evidence: {done:,} of {total:,}, {what}", file=sys.stderr, flush=True)

    return watch
