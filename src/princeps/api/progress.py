"""How far a call from Python is: one line, rewritten in a terminal, and updated in place in a notebook.

Nothing is shown elsewhere, where a file or another program would get it, nor of calls that end soon. In a notebook the line
is an output of the cell that IPython updates, which needs no widgets and is saved with the notebook as one short line.
The command line has displays of its own.
"""

from __future__ import annotations

import html
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any, TypeVar

from princeps.model import machine
from princeps.model.announcing import COST, only_costs, said, shown_by
from princeps.model.progress_text import elapsed_text, phase_text, run_text, sweep_text

AFTER_SECONDS = (
    1.5  # that a call may take without a line; the environment variable PRINCEPS_PROGRESS_SECONDS says otherwise
)
EVERY_SECONDS = 0.25
CLEAR = "\r\x1b[K"

T = TypeVar("T")
Write = Callable[[str], None]
_is_shown = False  # a call within a call is part of it


class Display:
    """The line of one call; `write` puts a text into its place."""

    def __init__(self, name: str, write: Write) -> None:
        self.name, self.write = name, write
        self.began = time.monotonic()
        self.due = self.began + _after_seconds()
        self.latest: Callable[[], str] = str
        self.is_written = False
        self.alone = Lock()  # the thread that looks after silent work writes, too

    def show(self, text: Callable[[], str]) -> None:
        """If it is time for it; the text is made only then, and at the end."""
        now, self.latest = time.monotonic(), text
        if now >= self.due:
            with self.alone:
                self.due, self.is_written = now + EVERY_SECONDS, True
                said()
                self.write(f"{self.name}: {text()}")

    def clear(self) -> None:
        """Something else is written on the same terminal."""
        with self.alone:
            if self.write is _on_terminal and self.is_written:
                self.write("")

    def show_time(self) -> None:
        """That it goes on, where nothing has told how far it is."""
        with self.alone:
            if not self.is_written:
                self.is_written = True
                self.write(self.last_text)

    @property
    def last_text(self) -> str:
        known = ", ".join(filter(None, (self.latest(), elapsed_text(time.monotonic() - self.began))))
        return f"{self.name}: {known}"


@contextmanager
def displayed(name: str, wanted: bool = True, of_a_verb: bool = False) -> Iterator[Display | None]:
    """A line for what is done in here, where somebody looks. A verb of the command line says that it wants it."""
    global _is_shown
    kind = None if not wanted or _is_shown or (machine.is_own_process and not of_a_verb) else _writer()
    if kind is None:
        before, _is_shown = _is_shown, _is_shown or not wanted  # nor do calls within this one show themselves
        try:
            yield None
        finally:
            _is_shown = before
        return
    write, end = kind
    display, _is_shown = Display(name, write), True
    shown_by(display.show_time)
    if write is _on_terminal:
        machine.before_saying = lambda: _on_terminal("")
    try:
        yield display
    finally:
        _is_shown, machine.before_saying = False, None
        shown_by(None)
        if display.is_written:
            end(display.last_text)


def observing_run(display: Display | None) -> Callable[[Any], None] | None:
    if display is None:
        return None
    return lambda item: display.show(lambda: run_text(item, time.monotonic() - display.began))


def observing_phases(display: Display | None) -> Callable[[str, int, int], None] | None:
    if display is None:
        return None

    def observe(phase: str, done: int, total: int) -> None:
        only_costs(phase, done, total)
        if COST not in phase:
            display.show(lambda: phase_text(phase, done, total))

    return observe


def watching_sweep(display: Display | None) -> Callable[[Any], None] | None:
    if display is None:
        return None
    return lambda sweep: display.show(lambda: sweep_text(sweep))


def watching_evidence(display: Display | None) -> Callable[[int, int, str], None]:
    def watch(done: int, total: int, what: str) -> None:
        if display is not None:
            display.show(lambda: f"{done:,} of {total:,}, {what}")

    return watch


def counting(items: Iterator[T], total: int, display: Display | None) -> Iterator[T]:
    """Trials as they are finished."""
    for done, item in enumerate(items, 1):
        yield item
        if display is not None:
            display.show(lambda done=done: f"{done:,} of {total:,} trials")  # type: ignore[misc]


# -- where somebody looks ---------------------------------------------------------------------------------------------


def _writer() -> tuple[Write, Write] | None:
    """How a line is written, and what becomes of it at the end; None where nobody would see it change."""
    if machine.in_notebook():
        return _in_a_cell()
    if sys.stderr is not None and sys.stderr.isatty():
        return _on_terminal, lambda text: _on_terminal("")
    return None


def _on_terminal(text: str) -> None:
    width = shutil.get_terminal_size().columns - 1
    sys.stderr.write(CLEAR + (text if len(text) <= width else text[: max(0, width - 3)] + "..."))
    sys.stderr.flush()


def _in_a_cell() -> tuple[Write, Write]:
    handle: Any = None

    def write(text: str) -> None:
        nonlocal handle
        display = sys.modules["IPython"].display.display
        shown = {"text/plain": text, "text/html": f"<code>{html.escape(text)}</code>"}
        if handle is None:
            handle = display(shown, raw=True, display_id=True)
        else:
            handle.update(shown, raw=True)

    return write, write


def _after_seconds() -> float:
    try:
        return float(os.environ.get("PRINCEPS_PROGRESS_SECONDS") or AFTER_SECONDS)
    except ValueError:
        return AFTER_SECONDS
