"""What the page asks of a run that hurries: next to nothing."""

from __future__ import annotations

from tests_browser.conftest import Desk, Tab, watching

ENDLESS = {"seed": 1, "start": "two_leaders", "until": "leaders == 60"}  # of P_RL, in which something always happens
FULL_SPEED, TEN_STEPS = "28", "3"  # notches of the speed


def choose_agent(tab: Tab) -> None:
    tab.press("n")
    tab.page.keyboard.type("3")
    tab.press("Enter")
    tab.page.locator(".fields .field").first.wait_for()


def test_a_card_is_seldom_asked_for_at_full_speed(desk: Desk) -> None:
    with watching(desk, "p_rl", 60, **ENDLESS) as (tab, _):
        choose_agent(tab)
        tab.page.locator(".speed").fill(FULL_SPEED)
        tab.wait("princeps.status.speed === null")
        tab.button("Play")
        tab.wait("princeps.status.playing && princeps.frame.step !== '0'")
        assert tab.words_within(2.5).count("card") <= 1
        tab.button("Pause")
        tab.wait("!princeps.status.playing && princeps.frame.step === princeps.status.step")
        tab.wait("words.lastIndexOf('card') > words.lastIndexOf('pause')")


def test_a_card_that_nobody_sees_is_not_asked_for(desk: Desk) -> None:
    with watching(desk, "p_rl", 60, **ENDLESS) as (tab, _):
        choose_agent(tab)
        tab.panel("Rule")
        tab.page.locator(".speed").fill(TEN_STEPS)
        tab.button("Play")
        tab.wait("princeps.status.playing && Number(princeps.frame.step) > 2")
        assert tab.words_within(1.2).count("card") == 0
        tab.button("Pause")
        tab.wait("!princeps.status.playing")
        tab.panel("Agent")
        tab.wait("words.includes('card')")


def test_neither_lines_nor_the_link_are_asked_for_while_something_is_sought(desk: Desk) -> None:
    with watching(desk, "p_rl", 60, **ENDLESS) as (tab, _):
        tab.panel("Attack")
        tab.button("random agents")
        tab.wait("document.querySelector('.command').textContent.includes('--script princeps1.')")
        tab.panel("Rule")
        tab.button("Next goal")
        tab.wait("princeps.status.seeking && princeps.frame.step !== '0'")
        asked = tab.words_within(1.5)
        assert asked.count("lines") == 0
        assert asked.count("link") == 0
        tab.button("Pause")
        tab.wait("!princeps.status.seeking && words.includes('lines')")
        assert "--script princeps1." in tab.page.locator(".command").inner_text()
