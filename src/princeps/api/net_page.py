"""A network run on a page: live, served by a process of its own, or saved when it has ended.

This process has the network and nothing else to do: what it hears of the run it hands on in batches, and never waits for
the page.
"""

from __future__ import annotations

import json
import os
import select
import signal
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from princeps.errors import RunError
from princeps.model.options import NetOptions
from princeps.model.rings.run import RingRun
from princeps.model.run import Run
from princeps.model.script import ScriptEvent
from princeps.network.forking import Child, bury_all, fork, require_fork, uninterrupted
from princeps.network.onlooking import KILL, PAUSE, Moment, Order

if TYPE_CHECKING:
    from princeps.network.report import NetResult
    from princeps.network.rings.report import RingNetResult
    from princeps.web.saved_page import SavedPage

Batch = dict[str, Any]
Say = Callable[[str], None]
HOST = "127.0.0.1"
LIVE_PORTION = 0.02  # seconds of virtual time between two looks of somebody who watches
SAVED_PORTION = 0.1
EVERY = 0.1  # seconds between two batches in which nothing but the time is new
STARTING_SECONDS = 60.0
ENDING_SECONDS = 1.0
MAX_CUTS = 2000  # arcs that are shown as cut
CONDUCTED = "a conducted run is that of the seed, and a kill or a pause from the page is not: use --mode free."


@dataclass(frozen=True)
class Page:
    """How a network run is shown. `say` is told the address, `tell` what happens, `warn` what it means to be reached by others."""

    watch: bool = True
    save: str | None = None
    force: bool = False  # replaces a file that princeps did not write
    browser: bool = True
    host: str = HOST
    port: int = 0
    say: Say = print
    tell: Say = print
    warn: Say | None = None


class Gathered:
    """Looks on at a run, and makes batches of what it hears (web/network_tape.py)."""

    portion = SAVED_PORTION

    def __init__(self, run: Run | RingRun, hand: Callable[[Batch], None]) -> None:
        self.run, self.hand = run, hand
        self._events: list[list[Any]] = []
        self._told: tuple[Any, ...] = ()
        self._handed_at = -EVERY
        self._cut: tuple[Any, list[list[int]]] = {}, []

    def heard(self, event: ScriptEvent) -> None:
        self._events += event.lines()

    def sees(self, moment: Moment) -> None:
        known = (moment.deaths, moment.dead, moment.paused, moment.cut_off)
        if self._events or known != self._told or moment.seconds >= self._handed_at + EVERY:
            self._hand_over(moment)
            self._told, self._handed_at = known, moment.seconds

    def _hand_over(self, moment: Moment) -> None:
        events, self._events = self._events, []
        self.hand(
            {
                "seconds": moment.seconds,
                "events": events,
                "deaths": sorted(map(list, moment.deaths.items())),
                "dead": sorted(moment.dead),
                "paused": sorted(moment.paused),
                "cuts": self._cuts(moment),
            }
        )

    def _cuts(self, moment: Moment) -> list[list[int]]:
        """The arcs that carry nothing."""
        if moment.cut_off != self._cut[0]:
            graph = self.run.topology if isinstance(self.run, Run) else None
            arcs = [[i, j] for i, others in sorted(moment.cut_off.items()) for j in others]
            kept = [arc for arc in arcs if graph is None or graph.has_arc(*arc)]
            self._cut = moment.cut_off, kept[:MAX_CUTS]
        return self._cut[1]

    def orders(self) -> list[Order]:
        return []

    def finish(self, seconds: float) -> None:
        """What was heard after the last look. Nobody is stopped or cut off any more; whoever was dead stays so."""
        self._hand_over(Moment(max(seconds, self._handed_at), *self._told[:2]))


class PageProcess:
    """The process of the server: batches go to it, orders come from it. Use it in a `with`, which leaves nothing behind."""

    def __init__(self, run: Run | RingRun, told: dict[str, Any], page: Page) -> None:
        require_fork("leave out --watch; --save works")
        self.run, self.told, self.page = run, told, page
        self.children: list[Child] = []
        self._unsent, self._heard = bytearray(), b""
        self.is_gone = False

    def __enter__(self) -> PageProcess:
        run, told, page = self.run, self.told, self.page

        def work(control: int, log: int) -> None:
            from princeps.web.network_serving import serve_by_pipes

            serve_by_pipes(lambda: session_of(run), told, page.host, page.port, control, log)

        try:
            fork(work, (), self.children.append)
            os.set_blocking(self.child.control, False)
            first = self._first()
            if "failed" in first:
                raise RunError(first["failed"])
        except BaseException:
            self.__exit__()
            raise
        self.address = first["address"]
        return self

    def __exit__(self, *_: object) -> None:
        """It ends with its pipe, and by force if it does not."""
        with uninterrupted():
            for child in self.children:
                child.end()
                self._until_gone(time.monotonic() + ENDING_SECONDS)
            bury_all(self.children)
            self.children.clear()

    @property
    def child(self) -> Child:
        return self.children[0]

    def _first(self) -> dict[str, Any]:
        """The address, or why there is none."""
        end = time.monotonic() + STARTING_SECONDS
        while time.monotonic() < end and not self.is_gone:
            for found in self._lines(0.1):
                return found
        child = self.children.pop()
        child.send(signal.SIGKILL)
        why = child.bury()
        raise RunError(f"the server of the page does not begin{f' ({why})' if why else ''}: try it without --watch.")

    def _lines(self, seconds: float = 0.0) -> Iterator[dict[str, Any]]:
        poll = select.poll()
        poll.register(self.child.log, select.POLLIN)
        while not self.is_gone and poll.poll(1000 * seconds):
            seconds, piece = 0.0, self.child.read()
            if piece is None:
                break
            self.is_gone = not piece
            *lines, self._heard = (self._heard + piece).split(b"\n")
            yield from map(json.loads, lines)

    # -- while it runs ------------------------------------------------------------------------------------------

    def send(self, batch: Batch) -> None:
        """Never waits: what does not fit into the pipe goes with the next batch."""
        with uninterrupted():  # half a line would be the end of the page
            self._unsent += json.dumps(batch, separators=(",", ":")).encode() + b"\n"
            self._flush()

    def _flush(self) -> None:
        try:
            while self._unsent and not self.is_gone:
                del self._unsent[: os.write(self.child.control, self._unsent)]
        except BlockingIOError:
            pass
        except OSError:
            self.is_gone = True  # the run goes on without a page

    def orders(self) -> list[Order]:
        return [Order(*found["order"]) for found in self._lines() if "order" in found]

    def stay(self) -> None:
        """Until Ctrl-C, or until the server has ended."""
        with suppress(KeyboardInterrupt):
            while not self.is_gone:
                with uninterrupted():
                    self._flush()
                for _ in self._lines(0.02 if self._unsent else 0.25):
                    pass

    def _until_gone(self, end: float) -> None:
        while not self.is_gone and time.monotonic() < end:
            for _ in self._lines(0.05):
                pass


class Watched(Gathered):
    """Looks on for a page: virtual time passes as that of a clock, and orders are carried out."""

    portion = LIVE_PORTION

    def __init__(
        self, run: Run | RingRun, hand: Callable[[Batch], None], process: PageProcess, is_virtual: bool
    ) -> None:
        super().__init__(run, hand)
        self.process, self.is_virtual = process, is_virtual
        self.began = time.monotonic()

    def sees(self, moment: Moment) -> None:
        super().sees(moment)
        ahead = self.began + moment.seconds - time.monotonic()
        if self.is_virtual and ahead > 0:
            time.sleep(ahead)

    def orders(self) -> list[Order]:
        return self.process.orders()


def session_of(run: Run | RingRun) -> Any:
    """The session in which the interactions of the network happen again."""
    from princeps.engines.registry import REFERENCE
    from princeps.engines.rings.session import RingSession
    from princeps.engines.session import Session

    return RingSession(run) if isinstance(run, RingRun) else Session(replace(run, engine=REFERENCE))


def told_of(options: NetOptions, transport: str, command: str) -> dict[str, Any]:
    """What the page is told of the network."""
    conducted = options.mode == "conducted"
    return {
        "command": command,
        "transport": transport,
        "mode": options.mode,
        "orders": [] if conducted else [KILL, PAUSE],
        "no_orders": CONDUCTED,
    }


def result_json(result: NetResult | RingNetResult) -> dict[str, Any]:
    """The verdict and the rows of the report."""
    report = result.report()
    verdict = result.replay if result.replay == "agrees" else f"differs: {result.replay}"
    return {
        "verdict": verdict,
        "agrees": result.replay == "agrees",
        "succeeded": result.succeeded,
        "interrupted": result.interrupted,
        "title": report.title,
        "rows": [list(row) for row in report.rows],
    }


@contextmanager
def shown_on(
    page: Page, run: Run | RingRun, told: dict[str, Any]
) -> Iterator[tuple[Gathered, Callable[[NetResult | RingNetResult], None]]]:
    """Somebody who looks on at the run, and what is to be called with its result."""
    if page.watch:
        from princeps.web.server import require_extra, warning_of

        require_extra()
        warning = warning_of(page.host)
        if warning is not None:
            (page.warn or page.tell)(warning)
    kept: list[Batch] = []
    if not page.watch:
        onlooker = Gathered(run, kept.append)

        def save(result: NetResult | RingNetResult) -> None:
            onlooker.finish(result.seconds)
            _save(page, run, told, kept, result)

        yield onlooker, save
        return
    with PageProcess(run, told, page) as process:

        def hand(batch: Batch) -> None:
            process.send(batch)
            if page.save is not None:
                kept.append(batch)

        watched = Watched(run, hand, process, told["transport"] == "memory")

        def end(result: NetResult | RingNetResult) -> None:
            watched.finish(result.seconds)
            process.send({"ended": result_json(result)})
            if page.save is not None:
                _save(page, run, told, kept, result)
            if not process.is_gone:
                page.tell("the run has ended; the page stays until Ctrl-C.")
                process.stay()

        page.say(process.address)
        if page.browser:
            threading.Thread(target=webbrowser.open, args=(process.address,), daemon=True).start()
        watched.began = time.monotonic()
        yield watched, end


def _save(
    page: Page, run: Run | RingRun, told: dict[str, Any], batches: list[Batch], result: NetResult | RingNetResult
) -> None:
    assert page.save is not None
    saved_page(run, told, batches, result).save(page.save, force=page.force)
    page.tell(f"the page is in {page.save}")


def saved_page(
    run: Run | RingRun, told: dict[str, Any], batches: list[Batch], result: NetResult | RingNetResult
) -> SavedPage:
    """One file that replays the network run."""
    from princeps.web.network_watch import NetworkWatch
    from princeps.web.saved_page import SavedPage

    watch = NetworkWatch(told, lambda order: None)
    watch.open_tape(session_of(run))
    for batch in batches:
        watch.tape.append(batch)
    watch.result = result_json(result)
    return SavedPage(watch.recording())
