"""The process that serves the page of a network run.

This process has the network and nothing else to do: what it hears of the run it hands on, and never waits for the page.
"""

from __future__ import annotations

import json
import os
import select
import signal
import time
from collections.abc import Callable, Iterator
from typing import Any

from princeps.api.net_batches import Batch, Gathered, session_of
from princeps.errors import RunError
from princeps.model.rings.run import RingRun
from princeps.model.run import Run
from princeps.network.forking import Child, bury_all, fork, require_fork, uninterrupted
from princeps.network.onlooking import Moment, Order

LIVE_PORTION = 0.02  # seconds of virtual time between two looks of somebody who watches
STARTING_SECONDS = 60.0
ENDING_SECONDS = 1.0


class PageProcess:
    """The process of the server: batches go to it, orders come from it. Use it in a `with`, which leaves nothing behind."""

    def __init__(self, run: Run | RingRun, told: dict[str, Any], host: str, port: int) -> None:
        require_fork("leave out --watch; --save works")
        self.run, self.told, self.host, self.port = run, told, host, port
        self.children: list[Child] = []
        self._unsent, self._heard = bytearray(), b""
        self.is_gone = False

    def __enter__(self) -> PageProcess:
        run, told, host, port = self.run, self.told, self.host, self.port

        def work(control: int, log: int) -> None:
            from princeps.web.network_serving import serve_by_pipes

            serve_by_pipes(lambda: session_of(run), told, host, port, control, log)

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
        """Until Ctrl-C, which is raised, or until the server has ended."""
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
