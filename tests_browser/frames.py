"""Frames a second in the browser while a run plays as fast as it goes: a part of `make bench-page`."""

from __future__ import annotations

import sys

from playwright.sync_api import sync_playwright

from tests.web.pages import served
from tests_browser.conftest import Desk, chromium

RUNS = (
    ("p_rl", 60, "agents"),
    ("p_ll", 10_000, "agents"),
    ("fratricide", 10**6, "agents"),
    ("fratricide", 10**9, "counts"),
)
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


def main() -> None:
    path = chromium()
    if path is None:
        sys.exit("no chromium is found: install it (apt install chromium), or name it in PRINCEPS_CHROMIUM.")
    print("| protocol | agents | frames/s, playing | bytes a frame | ms to draw one |")
    print("|---|---|---|---|---|")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for name, n, engine in RUNS:
            desk = Desk(browser)
            with served(name, n, seed=1, engine=engine) as serving:
                tab = desk.tab(serving.address)
                tab.evaluate("princeps.act('speed', {value: null}).then(() => princeps.act('play'))")
                before = tab.evaluate("[princeps.source.frames, princeps.source.bytes]")
                tab.page.wait_for_timeout(1000 * SECONDS)
                after = tab.evaluate("[princeps.source.frames, princeps.source.bytes]")
                tab.evaluate("princeps.act('pause')")
                count = after[0] - before[0]
                size = (after[1] - before[1]) // max(1, count)
                print(f"| {name} | {n:,} | {count / SECONDS:.0f} | {size:,} | {tab.evaluate(DRAW):.1f} |", flush=True)
            desk.close()
        browser.close()


if __name__ == "__main__":
    main()
