"""Long work says so: one line on stderr after some seconds, where nothing else has shown that it goes on.

Compiling is named earlier, but only where somebody watches: it happens once, and a log need not have it.

A verb or a public function says when it begins and ends, which costs a microsecond, so that a loop over short calls pays
nothing. A thread looks now and then at what has begun, and ends when nothing goes on.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import ParamSpec, TypeVar

from princeps.model import machine
from princeps.model.machine import say

SILENT_SECONDS = (
    7.0  # that work may take without a word; the environment variable PRINCEPS_SILENT_SECONDS says otherwise
)
LOOK_SECONDS = 0.5
COMPILING_SECONDS = 1.0  # that compiling may take without a word
COST = "which takes up to"  # occurs in what an analysis says of its cost, and in nothing else that it says

P = ParamSpec("P")
T = TypeVar("T")


@dataclass
class Work:
    """What a thread does for somebody, since when, and whether anything was said about it."""

    name: str
    remedy: str
    began: float
    is_said: bool = False
    show: Callable[[], None] | None = None  # writes the line that a display has for this work
    compiles: str = "an engine"  # what it compiles, if it does
    compiles_for: int | None = None  # seconds of a processor, usually
    compiling_since: float | None = None
    compiled_seconds: float = 0.0
    compiling_is_said: bool = False

    def is_compiling_long(self, now: float) -> bool:
        if self.compiling_since is None or self.compiling_is_said or not self.name:
            return False
        longer = max(1.0, silent_seconds() / SILENT_SECONDS)  # who wants to hear less hears less of this, too
        return self.compiled_seconds + now - self.compiling_since > COMPILING_SECONDS * longer


_going_on: dict[int, Work] = {}  # by the thread that does it: its outermost work
_watch: threading.Thread | None = None


@contextmanager
def announced(name: str, remedy: str = "Ctrl-C ends it") -> Iterator[None]:
    """Work inside other work is part of it."""
    here = threading.get_ident()
    if here in _going_on:
        yield
        return
    _going_on[here] = Work(name, remedy, time.monotonic())
    _begin_watch()
    try:
        yield
    finally:
        _going_on.pop(here, None)


def announces(name: str, observer: str = "") -> Callable[[Callable[P, T]], Callable[P, T]]:
    """A public function that may take long; `observer` is its argument that shows how far it has come."""

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def announcing(*args: P.args, **kwargs: P.kwargs) -> T:
            remedy = f"Ctrl-C ends it, and {observer}= shows how far it is" if observer else "Ctrl-C ends it"
            with announced(name, remedy):
                return function(*args, **kwargs)

        return announcing

    return decorate


def each_announced(name: str, items: Iterator[T]) -> Iterator[T]:
    """Items that take long; what the caller does between two of them is not ours."""
    while True:
        with announced(name):
            try:
                item = next(items)
            except StopIteration:
                return
        yield item


def leave_to_others() -> None:
    """Nothing that this thread does is announced: whoever has started it shows how far it is."""
    _going_on[threading.get_ident()] = Work("", "", 0.0, is_said=True)


def asked_to_take(seconds: float) -> None:
    """The work of this thread was asked to take so long: nobody waits for a word before that."""
    work = _going_on.get(threading.get_ident())
    if work is not None:
        work.began += seconds


def said() -> None:
    """How far the work of this thread has come is shown by other means."""
    work = _going_on.get(threading.get_ident())
    if work is not None:
        work.is_said = True


def shown_by(show: Callable[[], None] | None) -> None:
    """A display is there for the work of this thread: it is told to show itself, in the place of a sentence."""
    work = _going_on.get(threading.get_ident())
    if work is not None:
        work.show = show


def compiles(what: str, seconds: int | None = None) -> None:
    """What this thread may have to compile from now on, and how long a processor usually takes for all of it."""
    work = _going_on.get(threading.get_ident())
    if work is not None:
        work.compiles, work.compiles_for = what, seconds


@contextmanager
def compiling() -> Iterator[None]:
    """This thread compiles, in here."""
    work = _going_on.get(threading.get_ident())
    if work is None or work.compiling_since is not None:  # compiling a function compiles those that it calls
        yield
        return
    work.compiling_since = time.monotonic()
    try:
        yield
    finally:
        now = time.monotonic()
        work.compiled_seconds += now - work.compiling_since
        work.compiling_since = None
        if work.compiling_is_said:
            work.began = now  # it is not silent until now


def only_costs(phase: str, done: int, total: int) -> None:
    """An observer of an analysis that nobody watches: what it will cost is said all the same, and nothing else."""
    if COST in phase:
        said()
        say(f"{phase}.")


def _begin_watch() -> None:
    global _watch
    if _watch is None or not _watch.is_alive():
        _watch = threading.Thread(target=_look, name="princeps-announcing", daemon=True)
        try:
            _watch.start()
        except RuntimeError:  # no more threads: the work goes on without a word
            _watch = None


def _look() -> None:
    idle = 0
    while idle < 2:
        time.sleep(LOOK_SECONDS)
        works = list(_going_on.values())
        idle = 0 if works else idle + 1
        for work in works:
            _look_at(work, time.monotonic())


def _look_at(work: Work, now: float) -> None:
    if work.is_compiling_long(now) and machine.is_watched():
        work.compiling_is_said, work.began = True, now
        usually = f", usually {work.compiles_for} s and once on this machine" if work.compiles_for else ""
        say(f"compiling {work.compiles}{usually} ...")
    if not work.is_said and now - work.began > (limit := silent_seconds()):
        work.is_said = True
        if work.show is not None:
            work.show()
        else:
            say(f"{work.name} takes longer than {limit:.0f} s and goes on: {work.remedy}.")


def silent_seconds() -> float:
    try:
        return float(os.environ.get("PRINCEPS_SILENT_SECONDS") or SILENT_SECONDS)
    except ValueError:  # no number: better a word too many than none
        return SILENT_SECONDS
