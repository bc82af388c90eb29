"""Frames a second in the browser while a run plays as fast as it goes: a part of `make bench-page`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from playwright.sync_api import sync_playwright

from tests.web.pages import served
from tests_browser.conftest import Desk, chromium

Run = tuple[str, int, str]  # protocol, agents, engine
SECONDS = 5
DRAW = """(() => {
  const times = [];
  for (let k = 0; k < 60; k++) {
    const began = performance.now();
    princeps.stage.view.shown?.fill(null);
    princeps.stage.redraw();
    times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b)[30];
})()"""


def browser_frames(runs: Iterable[Run]) -> Iterator[tuple[Run, float, float]]:
    """Of each run: frames a second, and the milliseconds in which one is drawn. Nothing where there is no browser."""
    path = chromium()
    if path is None:
        print(
            "no chromium is found: install it (apt install chromium), or name it in PRINCEPS_CHROMIUM.", file=sys.stderr
        )
        return
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for run in runs:
            name, n, engine = run
            desk = Desk(browser)
            with served(name, n, seed=1, engine=engine) as serving:
                tab = desk.tab(serving.address)
                tab.evaluate("princeps.act('speed', {value: null}).then(() => princeps.act('play'))")
                before = tab.evaluate("princeps.source.frames")
                tab.page.wait_for_timeout(1000 * SECONDS)
                after = tab.evaluate("princeps.source.frames")
                tab.evaluate("princeps.act('pause')")
                yield run, (after - before) / SECONDS, float(tab.evaluate(DRAW))
            desk.close()
        browser.close()
