"""The story of every protocol on its page: each caption at its step, with the agent and the lines that it speaks of."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.web.story_page import story_page
from tests_browser.conftest import Desk, Tab, watching

TOLD = "[...new Set([...document.querySelectorAll('.told .paper-line')].map((one) => one.textContent).filter(Boolean))]"
FIRED = "[...document.querySelectorAll('.rule-panel .fired .paper-line')].map((one) => one.textContent)"


def check_caption(tab: Tab, place: int, caption: dict[str, Any]) -> None:
    """What the page shows at the step of a caption."""
    tab.at_step(int(caption["step"]))
    tab.page.locator(".story-text", has_text=caption["text"]).wait_for()
    assert tab.page.locator(".present-caption").count() == 1
    assert tab.page.locator(".story-count").inner_text().startswith(f"Caption {place + 1} of ")
    lines = caption.get("lines") or []
    tab.wait(f"{TOLD}.length === {len(lines)}")
    assert set(tab.evaluate(TOLD)) == set(lines)
    shown = set(tab.page.locator(".story-lines .paper-line").all_inner_texts()) - {""}
    assert set(lines) <= shown  # the rule beside the caption
    if lines:
        tab.wait(f"{lines!r}.every((line) => {FIRED}.includes(line))")  # the meeting executed them


@pytest.mark.parametrize("name", princeps.library())
def test_the_story_of_a_protocol_is_told(desk: Desk, tmp_path: Path, name: str) -> None:
    file = tmp_path / "story.html"
    file.write_text(story_page(name).text, encoding="utf-8")
    tab = desk.tab(file.as_uri())
    captions = tab.evaluate("princeps.about.story")
    assert len(captions) >= 5
    assert tab.page.get_by_role("tab", name="Story").get_attribute("aria-selected") == "true"
    if captions[0]["step"] != "0":
        tab.press("]")
    check_caption(tab, 0, captions[0])
    for place, caption in enumerate(captions[1:], 1):
        tab.press("]")
        check_caption(tab, place, caption)
        if caption["agents"]:
            tab.wait(f"princeps.chosen === {caption['agents'][0]}")
    tab.press("[")
    check_caption(tab, len(captions) - 2, captions[-2])
    tab.press("Home")
    tab.at_step(0)
    tab.page.locator(".speed").fill("28")
    tab.button("Play")
    tab.wait(
        f"document.querySelector('.story-text').textContent === {captions[-1]['text']!r}"
    )  # captions follow the run


SITE = Path(__file__).parent.parent / "sitebuilder" / "theme" / "static" / "site.css"
COLUMN = 736  # pixels: the width of the documentation's text
ABOVE_CONTROLS = """(() => {
  const bottom = (name) => document.querySelector(name).getBoundingClientRect().bottom;
  const end = document.querySelector(".controls").getBoundingClientRect().top;
  return [bottom(".stage .picture") <= end, bottom(".story-panel .strong") <= end];
})()"""


@pytest.mark.parametrize("name", ["p_rl", "p_ll", "b_k"])
def test_the_frame_of_the_documentation_shows_picture_and_story_at_once(desk: Desk, tmp_path: Path, name: str) -> None:
    """One saw the upper half of a ring, and had to look for the story below it."""
    rule = re.search(r"iframe\.story \{[^}]*height: (\d+)rem", SITE.read_text(encoding="utf-8"))
    assert rule is not None
    file = tmp_path / "story.html"
    file.write_text(story_page(name).text, encoding="utf-8")
    tab = desk.tab(file.as_uri(), viewport={"width": COLUMN, "height": 16 * int(rule[1])})
    assert tab.evaluate(ABOVE_CONTROLS) == [True, True]
    assert tab.is_narrow()


def test_a_story_is_told_by_a_server_too(desk: Desk) -> None:
    with watching(desk) as (tab, _):
        tab.page.get_by_role("button", name="Watch p_rl", exact=True).click()
        tab.wait("princeps.about?.protocol === 'p_rl' && princeps.frame")
        captions = tab.evaluate("princeps.about.story")
        for place, caption in enumerate(captions[:4]):
            if place:
                tab.button("Next")
            check_caption(tab, place, caption)


def test_another_run_says_where_the_story_is(desk: Desk) -> None:
    with watching(desk, "p_rl", 20, seed=1) as (tab, _):
        tab.panel("Story")
        tab.button("Open the story")
        tab.wait("princeps.about.n === '6' && princeps.about.story?.length === 8 && princeps.frame")
        check_caption(tab, 0, tab.evaluate("princeps.about.story[0]"))


def test_a_run_with_attacks_gives_way_only_after_a_question(desk: Desk) -> None:
    with watching(desk, "p_rl", 20, seed=1) as (tab, _):
        tab.evaluate("princeps.attack({ kind: 'dead', agent: 3 })")
        tab.panel("Story")
        tab.button("Open the story")
        tab.button("Keep the run")
        tab.button("Library")
        tab.button("Watch p_ll")
        tab.button("Keep the run")
        assert tab.evaluate("princeps.about.protocol + princeps.about.n") == "p_rl20"
        tab.button("Watch p_ll")
        tab.button("Replace it")
        tab.wait("princeps.about.protocol === 'p_ll' && princeps.frame")


def test_the_library_leads_back_to_the_run(desk: Desk) -> None:
    with watching(desk, "p_rl", 20, seed=1) as (tab, _):
        tab.go_to(7)
        title = tab.page.locator(".title").inner_text()
        tab.button("Library")
        tab.press("ArrowRight", "x", "n", "Space")  # keys of a run that is not shown
        assert tab.page.locator("dialog[open]").count() == 0
        tab.button("Back to the run")
        tab.page.locator(".stage").wait_for()
        assert tab.page.locator(".library").is_hidden()
        assert tab.page.locator(".title").inner_text() == title
        assert not tab.evaluate("princeps.status.playing")
        tab.press("ArrowRight")
        tab.at_step(8)
        tab.button("Library")
        tab.press("Escape")
        tab.page.locator(".stage").wait_for()


OWN = """from princeps import Bit, Blocks, PopulationProtocol

class Duel(PopulationProtocol):
    leader = Bit()
    starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1})])}
    @staticmethod
    def interact(a, b, p):
        if a.leader == 1 and b.leader == 1:
            b.leader = 0
"""


def test_keys_open_no_panel_that_is_not_offered(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "duel.py"
    file.write_text(OWN)
    with watching(desk, str(file), 8, seed=1) as (tab, _):
        assert not tab.page.get_by_role("tab", name="Story").is_visible()
        tab.press("s")
        assert tab.evaluate("princeps.tabs.present") == "rule"
