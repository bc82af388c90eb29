"""A progress bar on a terminal, which observes a run; nothing elsewhere, where a file or a program would get it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from princeps.model.announcing import only_costs, said
from princeps.model.progress_text import phase_text, run_text


@contextmanager
def watching(quiet: bool, max_steps: int | None) -> Iterator[Callable[[Any], None] | None]:
    """An observer for `simulate`, or None where nobody looks."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    with _bar(max_steps) as observer:
        yield observer


@contextmanager
def _bar(max_steps: int | None) -> Iterator[Callable[[Any], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    began = time.perf_counter()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        TextColumn("{task.fields[text]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        said()
        task = progress.add_task("electing", total=max_steps, text="")

        def observe(item: Any) -> None:
            progress.update(
                task, description=item.phase, completed=item.steps, text=run_text(item, time.perf_counter() - began)
            )

        yield observe


@contextmanager
def phases(quiet: bool) -> Iterator[Callable[[str, int, int], None]]:
    """An observer for an analysis that passes through phases."""
    if quiet:
        yield only_costs
    elif sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn("{task.description}"), BarColumn(bar_width=20), TextColumn("{task.fields[text]}"))
        with Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True) as progress:
            said()
            task = progress.add_task("preparing", total=None, text="")

            def observe(phase: str, done: int, total: int) -> None:
                if "configurations" in phase:  # said before the work begins, and kept on the screen
                    progress.console.print(phase, highlight=False)
                    return
                text = f"{done:,}" + (f" of {total:,}" if total else "")
                progress.update(task, description=phase, completed=done, total=total or None, text=text)

            yield observe
    else:
        yield _only_sizes


def _only_sizes(phase: str, done: int, total: int) -> None:
    """How large the work is, which a log should have; how far it has come is for a terminal."""
    if "configurations" in phase:
        said()
        print(phase_text(phase, done, total), file=sys.stderr, flush=True)
