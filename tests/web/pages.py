"""A page without a browser: the WebSocket of a real server, by the client of `websockets`."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from websockets.sync.client import ClientConnection, connect

from princeps.api.watch import serving_of
from princeps.model.description import describe
from princeps.web.frames import decode
from princeps.web.server import Serving

SECONDS = 600  # a test waits for an answer, on whatever machine


@contextmanager
def served(name: Any = None, n: Any = None, **given: Any) -> Iterator[Serving]:
    description = None if name is None else describe(name, n, **given)
    with serving_of(description) as serving:
        yield serving


class Page:
    """Sends words and waits for their answers; statuses and abouts that come in between are kept."""

    def __init__(self, serving: Serving) -> None:
        self.serving = serving
        self._connecting = connect(
            f"ws://127.0.0.1:{serving.port}/{serving.guard.token}/socket",
            origin=f"http://127.0.0.1:{serving.port}",
            compression=None,
            max_size=None,
            open_timeout=SECONDS,
        )
        self.socket: ClientConnection = self._connecting.__enter__()
        self.number = 0
        self.about: dict[str, Any] | None = None
        self.statuses: list[dict[str, Any]] = []
        self.frames: list[tuple[dict[str, Any], bytes]] = []
        self.known, self.table, self.v = 0, -1, -1
        self.states: list[dict[str, Any]] = []

    def send(self, word: str, **arguments: Any) -> int:
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "do": word, **arguments}))
        return self.number

    def receive(self) -> dict[str, Any] | None:
        """One answer; None if it was news or a frame."""
        received = self.socket.recv(timeout=SECONDS)
        if isinstance(received, bytes):
            self.frames.append(decode(received))
            return None
        found: dict[str, Any] = json.loads(received)
        if "about" in found:
            self.about = found["about"]
        if "status" in found:
            self.statuses.append(found["status"])
        return found if "reply" in found else None

    def ask(self, word: str, **arguments: Any) -> dict[str, Any]:
        number = self.send(word, **arguments)
        while True:
            answer = self.receive()
            if answer is not None and answer["reply"] == number:
                return answer

    def do(self, word: str, **arguments: Any) -> dict[str, Any]:
        """What must succeed."""
        answer = self.ask(word, **arguments)
        assert answer.get("ok") is True, answer
        return answer

    def frame(self, choice: str | None = None, again: bool = False) -> tuple[dict[str, Any], bytes]:
        self.send("frame", known=self.known, table=self.table, v=-1 if again else self.v, choice=choice)
        while not self.frames:
            self.receive()
        header, payload = self.frames.pop()
        self.v = header["v"]
        if header["table"] != self.table:
            self.states, self.table = [], header["table"]
        assert header["states_from"] == len(self.states)
        self.states += header["states"]
        self.known = len(self.states)
        return header, payload

    def status(self, **wanted: Any) -> dict[str, Any]:
        """The first status, of those that have come and of those to come, that says this."""
        while True:
            for status in self.statuses:
                if all(status.get(key) == value for key, value in wanted.items()):
                    self.statuses.clear()
                    return status
            self.statuses.clear()
            self.receive()

    def close(self) -> None:
        self._connecting.__exit__(None, None, None)

    def __enter__(self) -> Page:
        self.do("hello")
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def get(serving: Serving, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", serving.port, timeout=SECONDS)
    try:
        connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    finally:
        connection.close()
