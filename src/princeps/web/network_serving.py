"""The server of a network run that is watched: a process of its own, which hears of the run by a pipe.

One line of JSON a batch comes in (network_tape.py), at last {"ended": RESULT}; lines of JSON go out: {"address"} or
{"failed"} first, then {"order": ["kill", agent, 0]} and {"order": ["pause", agent, seconds]}. The server ends with the pipe.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from princeps.errors import PrincepsError, RunError
from princeps.web.actions import Actions, Answer
from princeps.web.branches import Held
from princeps.web.network_tape import Batch
from princeps.web.network_watch import NetworkWatch, Order
from princeps.web.player import SAVE, Player
from princeps.web.saved_page import SavedPage
from princeps.web.server import Serving

PIECE = 1 << 16  # bytes that are read at once
ONE_RUN = "this page shows one network run: see others with princeps watch."


class NetworkActions(Actions):
    """The words of pages that watch a network run."""

    watch: NetworkWatch

    def _live(self) -> None:
        self.watch.follow()

    def _order(self, kind: str, agent: int, seconds: float) -> Answer:
        return {"what": self.watch.command(kind, agent, seconds)}

    def _open(self, code: str) -> Answer:
        raise RunError(ONE_RUN)

    def _choose(self, protocol: str, n: str | None, params: dict[str, str] | None, **options: str | None) -> Answer:
        raise RunError(ONE_RUN)


class NetworkServing(Serving):
    """A server whose run grows by `append`, from any thread."""

    def __init__(
        self, begin: Callable[[], Held], told: dict[str, Any], order: Order, host: str = "127.0.0.1", port: int = 0
    ) -> None:
        watch = NetworkWatch(told, order)
        player = Player(watch, NetworkActions(watch))
        player.begin(lambda: watch.open_tape(begin()))
        self.watch = watch
        try:
            super().__init__(player, host, port, saved=self._saved)
        except BaseException:
            player.stop()
            raise

    def append(self, batch: Batch) -> None:
        """Waits while the watch is behind; a page is woken."""
        self.watch.arrived.put(batch)
        self.player.submit(_look_up)

    def __enter__(self) -> NetworkServing:
        self.start()
        return self

    def _saved(self) -> Future[bytes]:
        return self.player.submit(lambda: SavedPage(self.watch.recording()).text.encode(), SAVE)


def _look_up() -> None:
    """Nothing: the thread that has the watch looks for what has come."""


def serve_by_pipes(
    begin: Callable[[], Held], told: dict[str, Any], host: str, port: int, control: int, log: int
) -> None:
    """The life of the process: until the end of `control`."""
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # a page that has gone is an error, not the end

    def say(what: dict[str, Any]) -> None:
        os.write(log, json.dumps(what).encode() + b"\n")

    try:
        serving = NetworkServing(begin, told, lambda order: say({"order": order}), host, port)
    except PrincepsError as error:
        say({"failed": str(error)})
        return
    with serving:
        say({"address": serving.address})
        rest = b""
        while piece := os.read(control, PIECE):
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                serving.append(json.loads(line))
