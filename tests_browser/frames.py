"""Frames a second in the browser while a run plays as fast as it goes: a part of `make bench-page`."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from princeps.web.server import Serving
from tests.web.pages import served
from tests_browser.conftest import chromium
from tests_browser.devtools import DevPage, DevTools
from tests_browser.processor_time import processor_seconds

Run = tuple[str, int, str]  # protocol, agents, engine
SECONDS = 5.0
WARM_SECONDS = 2  # portions find their length, new states are learnt
NO_BROWSER = "no chromium is found: install it (apt install chromium), or name it in PRINCEPS_CHROMIUM."
COUNT_DRAWN = """(() => {
  const draw = princeps.showFrame.bind(princeps);
  globalThis.drawn = 0;
  princeps.showFrame = (frame) => { drawn += 1; draw(frame); };
})()"""
NOW = "[performance.now(), drawn, princeps.source.bytes, princeps.status.step]"
GOES_ON = "princeps.status.playing"
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


@dataclass
class Seen:
    """Of one run in the browser."""

    run: Run
    frames: float  # drawn in a second
    bytes: float  # on the wire in a second
    milliseconds: float  # in which one frame is drawn
    steps: int  # of the engine meanwhile
    engine: float  # milliseconds of processor time of the engine's thread between two frames
    beside: float | None  # of everything else between two frames: the server, and all processes of the browser


@dataclass
class Moment:
    """What has been computed so far, in seconds."""

    engine: float
    server: float
    browser: float | None

    @classmethod
    def of(cls, serving: Serving, browser: DevTools) -> Moment:
        engine = serving.player.submit(time.thread_time).result()
        return cls(engine, time.process_time(), processor_seconds(browser.process.pid))


def browser_frames(runs: Iterable[Run], seconds: float = SECONDS) -> Iterator[Seen]:
    """Runs that play as fast as they go, past every goal. Nothing where there is no browser."""
    path = chromium()
    if path is None:
        print(NO_BROWSER, file=sys.stderr)
        return
    with DevTools(path) as browser:
        for run in runs:
            name, n, engine = run
            never = f"leaders == {n + 1}"  # a run pauses at its goal: P_LL with 10^4 agents after a moment
            with served(name, n, seed=1, engine=engine, until=never) as serving:
                page = browser.open(serving.address)
                page.wait("globalThis.princeps?.frame && princeps.status")
                page.evaluate("princeps.act('speed', {value: null}).then(() => princeps.act('play'))")
                page.wait(GOES_ON)
                page.evaluate(COUNT_DRAWN)
                time.sleep(WARM_SECONDS)
                yield _seen(run, serving, browser, page, seconds)
                page.evaluate("close()")
                page.close()


def _seen(run: Run, serving: Serving, browser: DevTools, page: DevPage, seconds: float) -> Seen:
    first, before = Moment.of(serving, browser), page.evaluate(NOW)
    time.sleep(seconds)
    after, last = page.evaluate(NOW), Moment.of(serving, browser)
    status = page.evaluate("princeps.status")
    assert status["playing"], f"{run[0]} has stopped ({status['note']}): its frames are not those of full speed"
    page.evaluate("princeps.act('pause')")
    passed, frames, read = (b - a for a, b in zip(before[:3], after[:3], strict=True))
    engine = last.engine - first.engine
    beside = None
    if last.browser is not None and first.browser is not None:
        beside = last.browser - first.browser + last.server - first.server - engine
    return Seen(
        run,
        frames=1000 * frames / passed,
        bytes=1000 * read / passed,
        milliseconds=float(page.evaluate(DRAW)),
        steps=int(after[3]) - int(before[3]),
        engine=1000 * engine / max(1, frames),
        beside=None if beside is None else 1000 * beside / max(1, frames),
    )
