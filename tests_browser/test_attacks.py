"""Attacks, branches, cards."""

from __future__ import annotations

from tests_browser.conftest import Desk, watching


def test_an_attack_in_the_past_makes_a_branch_that_is_switched_and_compared(desk: Desk) -> None:
    with watching(desk, "p_rl", 12, seed=3) as (tab, _):
        tab.go_to(300)
        old = tab.states()
        tab.go_to(100)
        before = tab.states()
        tab.panel("Attack")
        tab.page.get_by_label("How many agents").fill("5")
        tab.button("random agents")
        tab.wait("princeps.status.branch === 1")
        tab.wait("princeps.frame.branch === 1")
        assert sum(a != b for a, b in zip(before, tab.states(), strict=True)) in range(1, 6)
        tab.wait("document.querySelectorAll('.curve.ghost').length === 1")
        tab.wait("document.querySelectorAll('.tick-mark.fault').length === 1")
        tab.wait("document.querySelector('.command').textContent.includes('--script princeps1.')")
        tab.panel("Branches")
        tab.button("Compare at this step")
        tab.page.locator(".compare-answer", has_text="agents differ").wait_for()
        tab.button("Switch to it")
        tab.wait("princeps.status.branch === 0")
        tab.go_to(300)
        assert tab.states() == old


def test_the_card_of_an_agent_changes_a_field_and_kills(desk: Desk) -> None:
    with watching(desk, "p_rl", 12, seed=3) as (tab, _):
        tab.go_to(50)
        tab.page.locator('[data-agent="4"] .hit').click(force=True)
        field = tab.page.locator(".fields").get_by_label("leader", exact=True)
        field.wait_for()
        other = "0" if field.input_value() == "1" else "1"
        field.select_option(other)
        tab.wait(f"princeps.frame.states[princeps.frame.ids[4]].f[0] === {other}")
        tab.button("Kill it")
        tab.wait("princeps.frame.dead.includes(4)")
        tab.page.locator('[data-agent="4"] .dead').wait_for()
        tab.button("Revive it")
        tab.wait("!princeps.frame.dead.includes(4)")
        assert tab.page.locator(".meetings li").count() >= 1


def test_two_agents_are_made_to_meet_by_clicking_them(desk: Desk) -> None:
    with watching(desk, "fratricide", 6, seed=1) as (tab, _):
        tab.page.locator('[data-agent="2"] .hit').click(force=True)
        tab.button("Click the other…")
        tab.page.locator('[data-agent="5"] .hit').click(force=True)
        tab.at_step(1)
        assert tab.evaluate("princeps.frame.pair") == [2, 5]
        assert tab.evaluate("princeps.frame.leaders") == "5"


def test_what_is_refused_is_said(desk: Desk) -> None:
    with watching(desk, "p_rl", 12, seed=3) as (tab, _):
        tab.page.locator('[data-agent="2"] .hit').click(force=True)
        tab.page.get_by_label("The other agent").fill("7")
        tab.button("Do it")
        tab.page.locator(".toast", has_text="is no arc").wait_for()
