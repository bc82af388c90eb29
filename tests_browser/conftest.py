"""A real browser on a real server. `make test-browser` runs these in a process of their own: playwright's event loop
stays in the thread of the tests, where `asyncio.run` of others would fail."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, sync_playwright

from princeps.web.server import Serving
from tests.web.pages import served

NAMES = ("chromium", "chromium-browser", "google-chrome")
SERVER_GONE = "WebSocket connection to"  # the browser writes every failed connection to its console
PATIENCE = int(os.environ.get("PRINCEPS_PATIENCE", "60"))  # seconds until something must be there, on whatever machine
MILLISECONDS = PATIENCE * 1000

NOTE_WORDS = """(() => {
  globalThis.words = [];
  const ask = princeps.source.do.bind(princeps.source);
  princeps.source.do = (word, values) => {
    words.push(word);
    return ask(word, values);
  };
})()"""


def chromium() -> str | None:
    """The browser by its path; nothing is downloaded."""
    return os.environ.get("PRINCEPS_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium()
    if path is None:
        pytest.skip("no chromium is found: install it (apt install chromium), or name it in PRINCEPS_CHROMIUM.")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        started.close()


class Tab:
    """A page at which a person sits: what the page asks for, and what goes wrong in it, is kept."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.page: Page = context.new_page()
        self.page.set_default_timeout(MILLISECONDS)
        self.asked: list[str] = []
        self.errors: list[str] = []
        self.page.on("request", self._note)
        self.page.on("websocket", lambda socket: self.asked.append(socket.url))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)

    def _note(self, request: Request) -> None:
        self.asked.append(request.url)

    def open(self, address: str) -> Tab:
        self.page.goto(address)
        self.wait("globalThis.princeps?.frame || document.querySelector('.library-item')")
        return self

    def evaluate(self, script: str) -> Any:
        return self.page.evaluate(script)

    def wait(self, condition: str) -> None:
        """playwright's own way of waiting evaluates a text within the page, which the page's policy forbids."""
        end = monotonic() + MILLISECONDS / 1000
        # between two runs there is no frame: what reads of it is not true then
        true = f"(() => {{ try {{ return Boolean({condition}); }} catch (error) {{ if (error instanceof TypeError) return false; throw error; }} }})()"
        while not self.page.evaluate(true):
            assert monotonic() < end, f"{condition} does not become true; the page says {self._present()}"
            self.page.wait_for_timeout(40)

    def _present(self) -> Any:
        said = "[princeps.status, princeps.frame && {...princeps.frame, ids: null, states: null, payload: null, bars: null}]"
        return self.page.evaluate(f"JSON.stringify({said})"), self.errors

    def at_step(self, step: int) -> None:
        """Both the frame and the status are there."""
        self.wait(f"princeps.frame.step === '{step}' && princeps.status?.step === '{step}'")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def button(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def panel(self, name: str) -> None:
        self.page.get_by_role("tab", name=name).click()

    def go_to(self, step: int) -> None:
        field = self.page.locator(".step-field")
        field.fill(str(step))
        field.press("Enter")
        self.at_step(step)

    def words_within(self, seconds: float) -> list[str]:
        """What the page asks of the server from now on."""
        self.evaluate(NOTE_WORDS)
        self.page.wait_for_timeout(1000 * seconds)
        found: list[str] = self.evaluate("words")
        return found

    def clipboard(self) -> str:
        self.context.grant_permissions(["clipboard-read", "clipboard-write"])
        return str(self.evaluate("navigator.clipboard.readText()"))

    def states(self) -> list[str]:
        """The configuration: every agent's state as a text."""
        found: list[str] = self.evaluate("Array.from(princeps.frame.ids, (k) => princeps.frame.states[k].t)")
        return found

    def is_narrow(self) -> bool:
        return bool(self.evaluate("document.documentElement.scrollWidth <= innerWidth"))


class Desk:
    """Opens tabs, and says at the end whether one of them asked another host for anything or failed."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.tabs: list[Tab] = []

    def tab(self, address: str | None = None, **settings: Any) -> Tab:
        options = {"viewport": {"width": 1440, "height": 900}, "accept_downloads": True, **settings}
        made = Tab(self.browser.new_context(**options))
        self.tabs.append(made)
        return made if address is None else made.open(address)

    def close(self) -> None:
        for tab in self.tabs:
            tab.context.close()

    def check(self) -> None:
        for tab in self.tabs:
            foreign = [address for address in tab.asked if not is_own(address)]
            assert foreign == [], "the page asked another host"
            assert [error for error in tab.errors if not error.startswith(SERVER_GONE)] == []


def is_own(address: str) -> bool:
    parts = urlsplit(address)
    return parts.scheme in ("data", "blob", "file") or parts.hostname == "127.0.0.1"


@pytest.fixture
def desk(browser: Browser) -> Iterator[Desk]:
    made = Desk(browser)
    yield made
    made.close()
    made.check()


@contextmanager
def watching(desk: Desk, *run: Any, **given: Any) -> Iterator[tuple[Tab, Serving]]:
    """A run, and a tab that shows it."""
    settings = given.pop("tab", {})
    with served(*run, **given) as serving:
        yield desk.tab(serving.address, **settings), serving
