"""What the pictures look like: nothing lies on something else, crowns stand upright, shapes differ without colours, the
space-time diagram has no gaps, motion is reduced where somebody wishes so."""

from __future__ import annotations

from typing import Any

import pytest

from tests_browser.conftest import Desk, Tab, watching

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
OVERLAPS = """([selector, room]) => {
  const of = (one) => one.closest('[data-agent]')?.dataset.agent ?? one.textContent;
  const boxes = [...document.querySelectorAll(selector)]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .map((one) => [one.getBoundingClientRect(), of(one), one.getAttribute('class')]);
  const found = [];
  boxes.forEach(([a, mine, name], k) => boxes.slice(k + 1).forEach(([b, theirs, other]) => {
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (mine !== theirs && wide > room && high > room) found.push(`${name} of ${mine} and ${other} of ${theirs}`);
  }));
  return found;
}"""
CONTROLS = (
    ".head button, .readout .chip, .readout .figure, .readout button, .stage-foot select, .switch-button, [role=tab]"
)
CAPSULE = ".ring-picture .capsule:not(.gone)"
OF_TIME = ".controls button, .controls input, .end-step, .speed-said"


NEAR = """(selector) => {
  const drawn = [...document.querySelectorAll(selector)].map((one) => {
    const box = one.getBoundingClientRect();
    const [x, y, size] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2, Math.min(box.width, box.height) / 2];
    return [x, y, size, one.closest('[data-agent]')?.dataset.agent ?? `number ${one.textContent}`, one.getAttribute('class')];
  });
  const found = [];
  drawn.forEach(([x, y, size, mine, name], k) => drawn.slice(k + 1).forEach(([u, v, other, theirs, second]) => {
    if (mine !== theirs && Math.hypot(x - u, y - v) < 0.95 * (size + other)) found.push(`${name} of ${mine} and ${second} of ${theirs}`);
  }));
  return found;
}"""  # by the circles within the boxes, since most shapes are round or turned


COVERED = """([boxes, circles]) => {
  const of = (selector) => [...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect());
  const away = (low, high, at) => Math.max(low - at, 0, at - high);
  const lies = (a, b) => {
    const [x, y] = [(b.left + b.right) / 2, (b.top + b.bottom) / 2];
    return Math.hypot(away(a.left, a.right, x), away(a.top, a.bottom, y)) < b.width / 2 - 1;
  };
  return of(boxes).filter((box) => of(circles).some((circle) => lies(box, circle))).length;
}"""


def overlaps(tab: Tab, selector: str, room: float = 1.0) -> Any:
    return tab.page.evaluate(OVERLAPS, [selector, room])


@pytest.mark.parametrize(
    ("run", "given", "step"),
    [
        (("p_rl", 60), {"seed": 3}, 700),
        (("p_rl", 12), {"seed": 3}, 100),
        (("p_ll", 100), {"seed": 3}, 300),
        (("fratricide", 36), {"seed": 3, "graph": "torus:6x6", "force": True}, 10),
    ],
    ids=["circle", "small-circle", "rows", "torus"],
)
def test_nothing_of_an_agent_lies_on_another(
    desk: Desk, run: tuple[Any, ...], given: dict[str, Any], step: int
) -> None:
    with watching(desk, *run, **given) as (tab, _):
        tab.go_to(step)
        assert tab.page.locator(".agent .crown").count() == int(tab.evaluate("princeps.frame.leaders"))
        assert tab.page.evaluate(NEAR, ".agent .node, .agent .crown, .agent .mark, .agent-number") == []
        turned = "[...document.querySelectorAll('.agent .crown')].map((one) => Math.abs(one.getScreenCTM().b / one.getScreenCTM().a))"
        assert max(tab.evaluate(turned)) < 0.01  # crowns stand upright


def test_live_and_dummy_bullets_differ_in_shape(desk: Desk) -> None:
    with watching(desk, "p_rl", 12, seed=3) as (tab, _):
        shape = "(word) => [...document.querySelectorAll('.legend-list li')].find((one) => one.textContent === word).querySelector('path').getAttribute('d')"
        live, dummy = (tab.page.evaluate(shape, word) for word in ("live bullet", "dummy bullet"))
        assert live != dummy
        assert dummy.count("M") == 2  # a hollow one has an inner outline


def test_messages_lie_beside_the_processes(desk: Desk) -> None:
    with watching(desk, "franklin", 10, seed=2) as (tab, _):
        tab.go_to(40)
        tab.page.wait_for_timeout(400)  # they move to their places
        assert tab.page.locator(CAPSULE).count() == 5
        assert tab.page.evaluate(COVERED, [f"{CAPSULE} rect", ".ring-picture circle.process"]) == 0


ROWS = "princeps.stage.view.history.rows"


def test_the_space_time_diagram_has_no_gap_after_a_jump(desk: Desk) -> None:
    with watching(desk, "franklin", 10, seed=2) as (tab, _):
        tab.go_to(40)
        tab.wait(f"{ROWS}.length === 40 && {ROWS}.every((row) => !row.gap)")
        assert tab.page.locator(".space-time .act").count() == 40
        jumped = tab.evaluate(f"{ROWS}.map((row) => [row.step, row.process, row.received, row.sent.length])")
        tab.go_to(0)
        for step in range(1, 6):
            tab.press("ArrowRight")
            tab.at_step(step)
        shown = tab.evaluate(f"{ROWS}.map((row) => [row.step, row.process, row.received, row.sent.length])")
        assert shown == jumped[:5]  # as if every step had been watched


def test_what_the_diagram_leaves_out_is_said(desk: Desk) -> None:
    with watching(desk, "chang_roberts", 40, seed=1) as (tab, _):
        tab.go_to(200)
        tab.wait(f"{ROWS}.length === 151")
        tab.page.get_by_text("50 steps left out").wait_for()


def test_a_lost_message_is_gone_at_once(desk: Desk) -> None:
    with watching(desk, "chang_roberts", 6, seed=1) as (tab, _):
        tab.go_to(3)
        before = tab.page.locator(CAPSULE).count()
        to, side = tab.evaluate("[princeps.frame.messages[0].to, princeps.frame.messages[0].side]")
        tab.page.evaluate("([process, side]) => princeps.attack({ kind: 'drop', process, side })", [to, side])
        tab.wait(f"document.querySelectorAll('{CAPSULE}').length === {before - 1}")


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_motion_is_reduced_where_somebody_wishes_so(desk: Desk, motion: str) -> None:
    with watching(desk, "chang_roberts", 6, seed=1, tab={"reduced_motion": motion}) as (tab, _):
        tab.go_to(3)
        seconds = "[...document.querySelectorAll('*')].map((one) => Math.max(...getComputedStyle(one).transitionDuration.split(',').map(parseFloat), parseFloat(getComputedStyle(one).animationDuration)))"
        assert (max(tab.evaluate(seconds)) > 0) == (motion == "no-preference")


@pytest.mark.parametrize(
    ("run", "given", "step"),
    [
        (("p_rl", 60), {"seed": 3}, 100),
        (("p_ll", 100), {"seed": 3}, 300),
        (("majority", 40_000), {"seed": 1, "engine": "agents"}, 100_000),
        (("fratricide", 10**9), {"seed": 1, "engine": "counts"}, 10**9),
        (("franklin", 10), {"seed": 2}, 40),
    ],
    ids=["circle", "graph", "pixels", "counts", "messages"],
)
def test_on_a_phone_nothing_lies_on_something_else(
    desk: Desk, run: tuple[Any, ...], given: dict[str, Any], step: int
) -> None:
    with watching(desk, *run, **given, tab=PHONE) as (tab, _):
        field = tab.page.locator(".step-field")
        field.fill(str(step))
        field.press("Enter")
        tab.wait("princeps.status && !princeps.status.seeking && Number(princeps.frame.step) > 0")
        assert tab.is_narrow()
        assert overlaps(tab, CONTROLS) == []
        assert overlaps(tab, OF_TIME) == []
        assert overlaps(tab, ".plot text") == []
        cut = "[...document.querySelectorAll('.step-field, .chip, .switch-button, [role=tab]')].filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.outerHTML)"
        assert tab.evaluate(cut) == []


APART = """(() => {
  const [crown, note] = [".crown", ".process-note"].map((name) =>
    document.querySelector(`.agent[data-agent="0"] ${name}`).getBoundingClientRect());
  return crown.width > 0 && note.width > 0 && (crown.bottom < note.top || note.bottom < crown.top);
})()"""


def test_a_crown_does_not_hide_which_action_was_executed(desk: Desk) -> None:
    with watching(desk, "b_k", labels="1,2,2", params={"k": "2"}, seed=1) as (tab, _):
        tab.press("g")
        tab.wait("princeps.frame.processes[0].leader && princeps.frame.last?.process === 0")
        tab.wait(APART)
