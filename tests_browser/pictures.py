"""The pictures of docs/watch.md: `make page-pictures`. Runs with fixed seeds, shown by chromium, reduced to 256 colours."""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

import princeps
from princeps.web.recording import record
from princeps.web.saved_page import SavedPage
from princeps.web.story_page import story_page
from tests.web.pages import served
from tests_browser.conftest import Desk, Tab, chromium

FIGURES = Path(__file__).parent.parent / "docs" / "figures"
DESK = {"viewport": {"width": 1280, "height": 820}}
PHONE = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "device_scale_factor": 2}


MIXED = """(() => {
  const mixed = (frame) => {
    const counts = new Map();
    for (let k = 0; k < frame.ids.length; k += 7) counts.set(frame.ids[k], (counts.get(frame.ids[k]) ?? 0) + 1);
    return Math.max(...counts.values());
  };
  const best = princeps.source.player.frames.reduce((a, b) => (mixed(b) < mixed(a) ? b : a));
  return princeps.goTo(BigInt(best.step));
})()"""


def kept(tab: Tab, name: str, folder: Path) -> None:
    """As a PNG of few colours, well below 150 kB."""
    tab.page.wait_for_timeout(900)  # until the curve is there and nothing moves
    image = Image.open(io.BytesIO(tab.page.screenshot())).convert("RGB")
    image.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(folder / name, optimize=True)
    print(f"{name}: {(folder / name).stat().st_size:,} bytes")


def opened(desk: Desk, page: SavedPage, settings: dict[str, Any]) -> Tab:
    file = Path(tempfile.mkdtemp()) / "page.html"
    file.write_text(page.text, encoding="utf-8")
    return desk.tab(file.as_uri(), **settings)


def ring(desk: Desk) -> Tab:
    """A ring with its story."""
    tab = opened(desk, story_page("p_rl"), DESK)
    tab.evaluate("princeps.story.go(Math.min(3, princeps.story.story.length - 1))")
    return tab


def messages(desk: Desk) -> Tab:
    session: Any = princeps.session("franklin", 10, seed=2)
    session.run_until()
    tab = opened(desk, SavedPage(record(session)), DESK)
    tab.evaluate("princeps.goTo(BigInt(princeps.status.end) * 2n / 5n)")
    return tab


def pixels(desk: Desk) -> Tab:
    session: Any = princeps.session("majority", 40_000, seed=1, engine="agents")
    session.step(400_000)
    tab = opened(desk, SavedPage(record(session)), DESK)
    tab.evaluate(MIXED)  # the frame whose colours are mixed best
    return tab


def phone(desk: Desk) -> Tab:
    session: Any = princeps.session("p_rl", 24, seed=5)
    session.run_until()
    tab = opened(desk, SavedPage(record(session)), PHONE)
    tab.evaluate("princeps.goTo(BigInt(princeps.status.end) / 3n)")
    return tab


def branches(desk: Desk) -> Iterator[Tab]:
    """An attack in the past, with the old future as a thin line."""
    with served("p_rl", 40, seed=3) as serving:
        tab = desk.tab(serving.address, **DESK)
        tab.go_to(4000)
        tab.go_to(1500)
        tab.panel("Attack")
        tab.page.get_by_label("How many agents").fill("12")
        tab.button("random agents")
        tab.wait("princeps.frame.branch === 1")
        tab.go_to(4000)
        tab.panel("Branches")
        tab.button("Compare at this step")
        yield tab


def main(wanted: list[str]) -> None:
    path = chromium()
    if path is None:
        sys.exit("no chromium is found: install it (apt install chromium), or name it in PRINCEPS_CHROMIUM.")
    FIGURES.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser: Browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        desk = Desk(browser)
        for make in (ring, messages, pixels, phone):
            if not wanted or make.__name__ in wanted:
                kept(make(desk), f"watch-{make.__name__}.png", FIGURES)
        if not wanted or "branches" in wanted:
            for tab in branches(desk):
                kept(tab, "watch-branches.png", FIGURES)
        desk.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
