"""`princeps net --watch` as a whole: a real network, its server beside it, Ctrl-C, and nothing left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.conftest import PATIENCE, wait_for
from tests.web.pages import Page

sys.path.append(str(Path(__file__).parents[2] / "verification"))
leftovers: Any = __import__("network_bars.leftovers").leftovers
MARK, is_free, marked = leftovers.MARK, leftovers.is_free, leftovers.marked

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
]


class Command:
    """A command line whose page is open, and all its processes."""

    def __init__(self, *words: str) -> None:
        self.mark = uuid.uuid4().hex
        self.process = subprocess.Popen(
            [sys.executable, "-m", "princeps", "net", *words, "--watch", "--no-browser"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, MARK: self.mark},
        )
        assert self.process.stdout is not None
        address = urlsplit(self.process.stdout.readline().strip())
        assert address.hostname == "127.0.0.1", self.process.communicate()
        assert address.port is not None
        self.port = address.port
        self.guard = SimpleNamespace(token=address.path.strip("/"))

    def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def ended(self) -> tuple[int, str, str]:
        out, errors = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, errors


@contextmanager
def shown(*words: str) -> Iterator[tuple[Command, Page]]:
    command = Command(*words)
    serving: Any = command
    try:
        with Page(serving) as page:
            yield command, page
    finally:
        for pid in marked(command.mark):
            os.kill(pid, signal.SIGKILL)


def at_the_end(page: Page) -> dict[str, Any]:
    """The status that has the result."""
    while (status := page.status())["network"]["result"] is None:
        pass
    return status


def result_of(page: Page) -> dict[str, Any]:
    result: dict[str, Any] = at_the_end(page)["network"]["result"]
    return result


def assert_nothing_is_left(command: Command) -> None:
    wait_for(lambda: not marked(command.mark))
    assert is_free(("tcp", command.port))


def test_the_page_stays_after_the_end_and_the_report_comes_last(tmp_path: Path) -> None:
    saved = tmp_path / "page.html"
    words = ("p_rl", "-n", "4", "--seed", "1", "--for", "2s", "--chaos", "1s: kill leader", "--save", str(saved))
    with shown(*words) as (command, page):
        status = at_the_end(page)
        result = status["network"]["result"]
        assert (result["verdict"], result["interrupted"]) == ("agrees", False)
        middle = int(status["end"]) // 2  # of as many interactions as the machine has let them have
        assert page.do("goto", step=middle)["step"] == str(middle)
        assert command.process.poll() is None
        command.interrupt()
        code, out, errors = command.ended()
        assert code in (0, 1)
        assert "replay        agrees" in out
        assert "the run has ended" in errors
        assert "Traceback" not in errors
        assert_nothing_is_left(command)
    assert b"network over udp" in saved.read_bytes()


@pytest.mark.parametrize("words", [("timer", "-n", "4"), ("timer", "-n", "4", "--transport", "memory")], ids=str)
def test_ctrl_c_ends_the_run_and_then_the_page(words: tuple[str, ...]) -> None:
    with shown(*words, "--seed", "1", "--for", "600s") as (command, page):
        while int(page.status()["end"]) < 30:
            pass
        page.do("order", kind="kill", agent=2)
        while not any("agent 2 comes back" in mark[2] for mark in page.do("series")["branches"][0]["marks"]):
            pass
        command.interrupt()
        result = result_of(page)
        assert (result["verdict"], result["interrupted"]) == ("agrees", True)
        command.interrupt()
        code, out, errors = command.ended()
        assert code == 130
        assert "replay        agrees" in out
        assert "Traceback" not in errors
        assert_nothing_is_left(command)


def test_a_launcher_that_is_killed_leaves_no_server() -> None:
    with shown("timer", "-n", "4", "--seed", "1", "--for", "600s") as (command, page):
        page.do("pause")
        command.process.kill()
        command.ended()
        assert_nothing_is_left(command)


def test_a_port_that_is_taken_is_refused_in_a_sentence() -> None:
    with shown("timer", "-n", "4", "--seed", "1", "--for", "600s") as (command, _):
        again = subprocess.run(
            [sys.executable, "-m", "princeps", "net", "timer", "-n", "4", "--watch", "--port", str(command.port)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert again.returncode == 2
        assert f"port {command.port} of 127.0.0.1 cannot be opened" in again.stderr
        assert again.stderr.count("\n") == 1
