"""A browser by its own protocol, of which only `Runtime.evaluate` is used.

playwright has every message of a WebSocket copied to itself as text: of frames of a million agents that takes more than
everything that the page does with them. Speed is therefore measured without it.
"""

from __future__ import annotations

import json
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote
from urllib.request import Request, urlopen

from websockets.sync.client import connect

SECONDS = 120  # that something may take, on whatever machine
OPTIONS = ("--headless=new", "--no-sandbox", "--no-first-run", "--window-size=1440,900", "--remote-debugging-port=0")


class DevTools:
    """A browser of its own, with a profile that is thrown away."""

    def __init__(self, path: str) -> None:
        self._folder = TemporaryDirectory(prefix="princeps-browser-", ignore_cleanup_errors=True)
        command = [path, *OPTIONS, f"--user-data-dir={self._folder.name}", "about:blank"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._port = self._said_port()

    def _said_port(self) -> int:
        said, end = Path(self._folder.name, "DevToolsActivePort"), time.monotonic() + SECONDS
        while time.monotonic() < end and self.process.poll() is None:
            with suppress(OSError, ValueError, IndexError):  # not written yet, or in part
                return int(said.read_text().splitlines()[0])
            time.sleep(0.05)
        self.close()
        raise AssertionError("the browser does not say at which port it can be asked")

    def open(self, address: str) -> DevPage:
        asked = Request(f"http://127.0.0.1:{self._port}/json/new?{quote(address, safe=':/')}", method="PUT")
        with urlopen(asked, timeout=SECONDS) as answer:
            return DevPage(json.load(answer)["webSocketDebuggerUrl"])

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(SECONDS)
        self._folder.cleanup()

    def __enter__(self) -> DevTools:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Reloaded(Exception):
    """What a script was asked of is not there any more."""


class DevPage:
    def __init__(self, address: str) -> None:
        self._socket = connect(address, max_size=None, open_timeout=SECONDS)
        self._number = 0

    def evaluate(self, script: str) -> Any:
        """The value, of a promise what it promises."""
        self._number += 1
        asked = {"expression": script, "returnByValue": True, "awaitPromise": True}
        self._socket.send(json.dumps({"id": self._number, "method": "Runtime.evaluate", "params": asked}))
        while (answer := json.loads(self._socket.recv(timeout=SECONDS))).get("id") != self._number:
            pass
        if "result" not in answer:  # the page was loaded anew meanwhile
            raise Reloaded(answer)
        assert "exceptionDetails" not in answer["result"], answer
        return answer["result"]["result"].get("value")

    def wait(self, condition: str) -> None:
        end = time.monotonic() + SECONDS
        while not self._holds(condition):
            assert time.monotonic() < end, f"{condition} does not become true"
            time.sleep(0.05)

    def _holds(self, condition: str) -> bool:
        try:
            return bool(self.evaluate(f"Boolean({condition})"))
        except Reloaded:
            return False

    def close(self) -> None:
        self._socket.close()
