"""Play, pause, step, back, seek: as a person does it."""

from __future__ import annotations

from time import sleep

from tests_browser.conftest import Desk, watching


def test_a_run_starts_paused_plays_and_is_rewound_exactly(desk: Desk) -> None:
    with watching(desk, "p_rl", 12, seed=3) as (tab, _):
        assert tab.evaluate("princeps.status?.playing ?? false") is False
        begun = tab.states()
        tab.button("Play")
        tab.wait("Number(princeps.frame.step) >= 3")
        tab.button("Pause")
        tab.wait("princeps.status.playing === false && princeps.status.step === princeps.frame.step")
        end = int(tab.evaluate("princeps.frame.step"))
        there = tab.states()
        tab.button("One step back")
        tab.at_step(end - 1)
        tab.button("To the start")
        tab.at_step(0)
        assert tab.states() == begun
        tab.go_to(end)
        assert tab.states() == there
        assert tab.page.locator(".step-field").input_value() == str(end)


def test_next_change_and_next_goal(desk: Desk) -> None:
    with watching(desk, "fratricide", 8, seed=1) as (tab, _):
        tab.button("Next change of who leads")
        tab.wait("princeps.frame.leaders === '7' && princeps.status.leaders === '7'")
        tab.button("Next goal")
        tab.wait("princeps.frame.leaders === '1' && princeps.status.goals.leader === true")
        assert tab.page.locator(".chip.holds", has_text="leader").count() >= 1
        tab.wait("document.querySelectorAll('.tick-mark.goal').length === 1")


def test_the_slider_and_the_plot_go_to_a_step(desk: Desk) -> None:
    with watching(desk, "fratricide", 8, seed=1) as (tab, _):
        tab.go_to(1000)
        tab.page.locator(".whole-run").fill("500")
        tab.at_step(500)
        box = tab.page.locator(".plot").bounding_box()
        assert box is not None
        tab.page.mouse.click(box["x"] + 54 + (box["width"] - 64) / 4, box["y"] + 40)
        tab.wait("Math.abs(Number(princeps.frame.step) - 250) <= 2")


def test_a_step_that_is_typed_while_it_plays_is_gone_to_exactly(desk: Desk) -> None:
    with watching(desk, "fratricide", 1000, seed=1, until="leaders == 0") as (tab, _):
        tab.page.locator(".speed").fill("10")
        tab.wait("princeps.status.speed === 2000")
        tab.button("Play")
        tab.wait("Number(princeps.status.step) > 300")
        field = tab.page.locator(".step-field")
        field.fill("20000")
        field.press("Enter")
        tab.at_step(20_000)
        tab.wait("!princeps.status.playing && !princeps.status.seeking")
        assert tab.evaluate("princeps.status.end") == "20000"


def test_a_step_that_is_none_is_refused_in_a_sentence(desk: Desk) -> None:
    with watching(desk, "fratricide", 8, seed=1) as (tab, _):
        field = tab.page.locator(".step-field")
        field.fill("soon")
        field.press("Enter")
        tab.page.get_by_text('"soon" is no step').wait_for()


def test_messages_of_a_ring_and_their_diagram(desk: Desk) -> None:
    with watching(desk, "chang_roberts", 6, seed=1) as (tab, _):
        for step in range(1, 9):
            tab.press("ArrowRight")
            tab.at_step(step)
        assert tab.page.locator(".space-time .act").count() == 8
        under_way = tab.evaluate("princeps.frame.messages.length")
        tab.wait(f"document.querySelectorAll('.capsule:not(.gone) title').length === {under_way}")
        tab.press("ArrowLeft")
        tab.at_step(7)
        assert tab.page.locator(".space-time .act").count() == 7


def test_an_engine_that_is_silent_is_explained(desk: Desk) -> None:
    with watching(desk, "fratricide", 1000, seed=1, until="leaders == 0") as (tab, serving):
        tab.page.locator(".speed").fill("8")
        tab.button("Play")
        tab.wait("princeps.status.playing && princeps.frame.step !== '0'")
        assert tab.page.locator(".connection").is_hidden()
        serving.player.submit(lambda: sleep(4))  # as if something were compiled
        tab.page.get_by_text("is being compiled").wait_for()
        tab.wait("document.querySelector('.connection').hidden")  # and it goes on


def test_a_billion_agents_have_speeds_of_their_own_and_no_next_change(desk: Desk) -> None:
    with watching(desk, "fratricide", 10**9, seed=1, engine="counts") as (tab, _):
        speed = tab.page.locator(".speed")
        assert speed.get_attribute("max") == "55"
        speed.fill("54")
        tab.wait("princeps.status.speed === 1e18")
        assert tab.page.locator(".speed-said").inner_text() == "1e18 steps/s"
        for name in ("Next change", "Next change of who leads"):
            button = tab.page.get_by_role("button", name=name, exact=True)
            assert button.is_disabled()
            assert "watch fewer agents" in (button.get_attribute("title") or "")
        tab.press("c")
        tab.page.get_by_text("does not stop at a change").wait_for()
        speed.fill("55")  # a busy machine would take minutes at any other
        tab.wait("princeps.status.speed === null")
        tab.button("Play")
        tab.wait("princeps.status.goals.leader === true && princeps.status.leaders === '1'")
    with watching(desk, "fratricide", 12, seed=1) as (tab, _):
        assert tab.page.locator(".speed").get_attribute("max") == "28"
        assert tab.page.get_by_role("button", name="Next change", exact=True).is_enabled()


FIRED = "document.querySelectorAll('.rule-panel .fired').length"


def test_lines_fire_at_the_usual_speed_and_nothing_old_stays_at_a_faster_one(desk: Desk) -> None:
    with watching(desk, "p_rl", 12, seed=3, until="leaders == 13") as (tab, _):
        tab.button("Play")
        tab.wait(f"princeps.status.playing && princeps.status.speed === 10 && {FIRED} > 0")
        assert tab.page.locator(".meeting dd").count() == 2
        tab.press("+", "+", "+")
        tab.wait("princeps.status.speed === 100")
        tab.wait(f"{FIRED} === 0 && document.querySelector('.meeting').childElementCount === 0")


def test_the_end_is_never_before_the_step_that_is_shown(desk: Desk) -> None:
    with watching(desk, "p_rl", 12, seed=3) as (tab, _):
        tab.go_to(5)
        tab.evaluate("princeps.controls.showStep('1234')")  # a frame that comes before its status
        assert tab.page.locator(".end-step").inner_text() == "of 1,234"
