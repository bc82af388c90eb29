"""Keyboard, screen reader, dark, narrow, many agents."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests_browser.conftest import Desk, watching

SLOWNESS = 4  # of a machine on which others work at the same time
FIRST_STEP = """(() => {
  let [begun, statuses] = [0, 0];
  document.querySelector('.play').addEventListener('click', () => (begun = performance.now()), { capture: true, once: true });
  const show = princeps.showStatus.bind(princeps);
  princeps.showStatus = (status) => {
    show(status);
    statuses += begun ? 1 : 0;
    const moved = document.querySelector('.readout .figure').textContent !== '0';
    if (moved) globalThis.firstStep ??= [statuses, performance.now() - begun];
  };
})()"""
FOCUSABLE = "button, input, select, a[href], [tabindex]"
NAMED = """(elements) => elements
  .filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility() && one !== document.body && !one.closest('dialog'))
  .map((one) => `${one.tagName} ${one.id} ${one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent.slice(0, 40)}`)"""
UNNAMED = """[...document.querySelectorAll('button, input, select, a[href], [role=tab]')]
  .filter((one) => !(one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.length))
  .map((one) => one.outerHTML)"""
CONTRAST = """(() => {
  const light = (name) => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = `var(--${name})`;
    const parts = getComputedStyle(probe).color.match(/[\\d.]+/g).slice(0, 3).map((x) => x / 255);
    probe.remove();
    const [r, g, b] = parts.map((x) => (x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  return ['ground', 'panel'].flatMap((back) => ['ink', 'dim', 'accent'].map((front) => ratio(light(front), light(back))));
})()"""


def test_everything_by_keyboard(desk: Desk) -> None:
    with watching(desk, "p_rl", 12, seed=3) as (tab, _):
        tab.press("ArrowRight", "ArrowRight")
        tab.at_step(2)
        tab.press("ArrowLeft")
        tab.at_step(1)
        tab.press("t")
        tab.page.keyboard.type("200")
        tab.press("Enter")
        tab.at_step(200)
        tab.press("Home")
        tab.at_step(0)
        tab.press("l")
        tab.wait("princeps.frame.leaders !== '' && Number(princeps.frame.step) > 0 && !princeps.status.seeking")
        tab.press(" ")
        tab.wait("princeps.status.playing")
        tab.press(" ")
        tab.wait("!princeps.status.playing")
        tab.press("v", "v")
        tab.page.locator(".table-picture").wait_for()
        tab.press("n")
        tab.page.keyboard.type("7")
        tab.press("Enter")
        tab.wait("princeps.chosen === 7")
        tab.press("Escape", "a")
        assert tab.evaluate("document.activeElement.id") == "tab-attack"
        tab.press("ArrowRight")
        assert tab.evaluate("document.activeElement.id") == "tab-branches"
        tab.press("?")
        tab.page.get_by_role("heading", name="Keys").wait_for()
        tab.press("Escape")
        tab.wait("!document.querySelector('dialog[open]')")
        tab.press("Tab")
        assert tab.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


@pytest.mark.parametrize("panel", ["Rule", "Agent", "Attack", "Branches"])
def test_tab_walks_through_every_control(desk: Desk, panel: str) -> None:
    with watching(desk, "p_rl", 12, seed=3) as (tab, _):
        tab.press("n")
        tab.page.keyboard.type("4")
        tab.press("Enter")
        tab.page.locator(".fields select").first.wait_for()
        tab.panel(panel)
        tab.evaluate("document.activeElement.blur()")
        wanted = set(tab.evaluate(f"({NAMED})([...document.querySelectorAll({FOCUSABLE!r})])"))
        assert len(wanted) > 15
        reached: set[str] = set()
        for _ in range(len(wanted) + 25):
            tab.press("Tab")
            reached |= set(tab.evaluate(f"({NAMED})([document.activeElement])"))
        assert wanted - reached == set()
        for name in ("Play", "Share", "One step back", "Speed", "Position in the run", "Picture"):
            assert any(name in one for one in reached), name


def test_every_key_of_the_sheet_is_in_the_docs(desk: Desk) -> None:
    with watching(desk, "fratricide", 8, seed=1) as (tab, _):
        tab.press("?")
        keys = {one.lower() for one in tab.page.locator("dialog[open] kbd").all_inner_texts()}
    table = (Path(__file__).parent.parent / "docs" / "watch.md").read_text(encoding="utf-8").split("## Keys")[1]
    told = table.split("\n\n")[1].lower().replace("escape", "esc").replace("-", "\N{MINUS SIGN}")
    assert {key for key in keys if key not in told} == set()
    assert len(keys) > 15


def test_a_screen_reader_hears_steps_and_every_control_has_a_name(desk: Desk) -> None:
    with watching(desk, "p_rl", 12, seed=3) as (tab, _):
        tab.go_to(30)
        tab.wait("document.getElementById('status-line').textContent.startsWith('Step 30: ')")
        assert tab.evaluate("document.getElementById('status-line').getAttribute('aria-live')") == "polite"
        tab.page.locator('[data-agent="4"] .hit').click(force=True)
        tab.page.locator(".fields select").first.wait_for()
        assert tab.evaluate(UNNAMED) == []
        tab.button("Table")
        rows = tab.page.locator("tbody tr")
        assert rows.count() == 12
        leads = tab.page.locator("tbody td", has_text="leads").count()
        assert leads == int(tab.evaluate("princeps.frame.leaders"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_follow_the_system_and_can_be_read(desk: Desk, scheme: str) -> None:
    with watching(desk, "fratricide", 8, seed=1, tab={"color_scheme": scheme}) as (tab, _):
        ground = tab.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
        assert (sum(ground) < 200) == (scheme == "dark")
        assert min(tab.evaluate(CONTRAST)) >= 4.5


@pytest.mark.parametrize(
    ("run", "given"),
    [
        (("p_rl", 60), {"seed": 3}),
        (("chang_roberts", 12), {"seed": 1}),
        (("fratricide", 10**9), {"seed": 1, "engine": "counts"}),
        ((), {}),
    ],
    ids=["circle", "messages", "counts", "library"],
)
def test_a_phone_needs_no_sideways_scrolling(desk: Desk, run: tuple[object, ...], given: dict[str, object]) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
    with watching(desk, *run, **given, tab=phone) as (tab, _):
        assert tab.is_narrow()
        if not run:
            return
        for name in tab.page.get_by_role("tab").all_inner_texts():
            tab.panel(name)
            assert tab.is_narrow(), name
        for view in tab.page.locator(".switch-button").all():
            if view.is_visible():
                view.click()
                assert tab.is_narrow(), view.inner_text()


def test_a_million_agents_are_pixels_that_play(desk: Desk) -> None:
    with watching(desk, "fratricide", 10**6, seed=1) as (tab, _):
        assert tab.evaluate("[princeps.stage.view.canvas.width, princeps.stage.view.canvas.height]") == [1000, 1000]
        colours = """(() => {
          const data = princeps.stage.view.context.getImageData(0, 0, 1000, 1000).data;
          return new Set(new Uint32Array(data.buffer)).size;
        })()"""
        assert tab.evaluate(colours) == 1  # all lead
        tab.page.locator(".speed").fill("28")
        tab.wait("princeps.status.speed === null")
        tab.evaluate(FIRST_STEP)
        tab.button("Play")
        tab.wait("Number(princeps.frame.leaders) < 900000 && globalThis.firstStep")
        statuses, milliseconds = tab.evaluate("firstStep")
        assert statuses <= 4  # the step moves with the first statuses, which come ten times a second
        assert milliseconds < 300 * SLOWNESS
        tab.button("Pause")
        tab.wait("!princeps.status.playing")
        assert tab.evaluate(colours) == 2
        tab.page.locator("canvas").click(position={"x": 30, "y": 30})
        tab.wait("princeps.chosen !== null")
        tab.page.locator(".fields .field").first.wait_for()


def test_an_invariant_is_broken_only_where_it_is_promised(desk: Desk) -> None:
    with watching(desk, "p_ll", 8, seed=1) as (tab, _):
        tab.wait("princeps.status?.invariants?.length === 3")
        assert tab.page.locator(".chip.fails", has_text="L4").count() == 1  # not yet
        assert tab.page.locator(".chip.broken").count() == 0
        tab.press("ArrowRight")
        tab.at_step(1)
        tab.page.locator(".chip.holds", has_text="all 3").wait_for()
        tab.page.evaluate(
            "() => princeps.showStatus({ ...princeps.status, invariants: [{ name: 'L4', holds: false, promised: true }] })"
        )
        assert tab.page.locator(".chip.broken", has_text="L4").count() == 1


@pytest.mark.parametrize("width", [1440, 1920])
def test_the_command_has_room_beside_ten_goals(desk: Desk, width: int) -> None:
    with watching(desk, "p_ll", 30, seed=1, tab={"viewport": {"width": width, "height": 900}}) as (tab, _):
        tab.wait("document.querySelectorAll('.readout .chip').length >= 10")
        attack = "document.querySelector('.command').textContent += ' --script princeps1.' + 'x'.repeat(300)"
        tab.evaluate(attack)
        assert tab.evaluate("document.querySelector('.command').clientWidth") >= 560
        assert tab.evaluate("document.querySelector('.run').clientHeight") >= 400
        assert tab.is_narrow()
        tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
        tab.button("Copy the command that repeats this")
        assert tab.clipboard() == tab.page.locator(".command").inner_text()


def test_the_first_step_of_the_goal_is_told(desk: Desk) -> None:
    with watching(desk, "fratricide", 8, seed=1) as (tab, _):
        tab.button("Next goal")
        tab.wait("princeps.status.hit")
        tab.wait(
            "document.querySelector('.readout .chip.holds')?.title.includes(`first met at step ${princeps.status.hit}`)"
        )


@pytest.mark.parametrize(
    ("run", "has_one"), [(("p_rl", 12), True), (("epidemic", 12), False), (("chang_roberts", 6), False)]
)
def test_a_safe_set_is_spoken_of_where_there_is_one(desk: Desk, run: tuple[str, int], has_one: bool) -> None:
    with watching(desk, *run, seed=3) as (tab, _):
        tab.wait("document.querySelector('.readout .chip')")
        reading = tab.page.locator(".reading", has_text="Safe set")
        assert reading.is_visible() == has_one
        assert not has_one or "not safe" in reading.inner_text()
