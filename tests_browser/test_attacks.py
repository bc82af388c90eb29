"""Attacks, branches, cards."""

from __future__ import annotations

from tests_browser.conftest import Desk, Tab, watching

LARGE_FIELD = """(() => {
  const ask = princeps.source.do.bind(princeps.source);
  princeps.source.do = async (word, values) => {
    if (word === 'card') return { agent: 4, fields: { rank: 'LARGE' }, dead: false, meetings: [] };
    if (word === 'attack') globalThis.given = values;
    return word === 'attack' ? {} : ask(word, values);
  };
})()"""


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


def do_to_pair(tab: Tab, deed: str, other: int) -> None:
    tab.page.get_by_label("What happens").select_option(deed)
    tab.page.get_by_label("The other agent").fill(str(other))
    tab.button("Do it")


def test_a_torn_meeting_changes_one_of_two(desk: Desk) -> None:
    with watching(desk, "fratricide", 6, seed=1) as (tab, _):
        tab.page.locator('[data-agent="2"] .hit').click(force=True)
        do_to_pair(tab, "torn initiator", 5)
        tab.at_step(1)
        assert tab.evaluate("[princeps.frame.pair, princeps.status.leaders]") == [[2, 5], "6"]  # the responder would
        do_to_pair(tab, "torn responder", 5)
        tab.at_step(2)
        assert tab.evaluate("[princeps.frame.pair, princeps.status.leaders]") == [[2, 5], "5"]
        tab.wait("document.querySelectorAll('.tick-mark.fault').length === 2")
        said = tab.page.locator(".tick-mark.fault title").all_text_contents()
        assert ["torn" in one for one in said] == [True, True]


def test_an_arc_is_cut_and_joined_again(desk: Desk) -> None:
    with watching(desk, "p_rl", 12, seed=3) as (tab, _):
        tab.page.locator('[data-agent="2"] .hit').click(force=True)
        do_to_pair(tab, "cut", 3)
        tab.wait("JSON.stringify(princeps.frame.cuts) === '[[2,3]]'")
        tab.page.locator(".cut-mark").first.wait_for()
        tab.wait("princeps.status.safe === null")  # with less than all arcs it is not known
        tab.page.locator(".readout .chip.unknown", has_text="not known").wait_for()
        do_to_pair(tab, "heal", 3)
        tab.wait("princeps.frame.cuts.length === 0 && princeps.status.safe !== null")
        assert tab.page.locator(".readout .chip.unknown").count() == 0


def test_everybody_is_put_into_a_start(desk: Desk) -> None:
    with watching(desk, "p_rl", 12, seed=3) as (tab, _):
        tab.go_to(100)
        tab.panel("Attack")
        for start, leaders in (("all_leaders", "12"), ("no_leader", "0"), ("two_leaders", "2")):
            tab.page.get_by_label("Start", exact=True).select_option(start)
            tab.button("Put")
            tab.wait(f"princeps.status.leaders === '{leaders}' && princeps.frame.leaders === '{leaders}'")


def test_one_agent_is_corrupted_on_its_card(desk: Desk) -> None:
    with watching(desk, "p_rl", 12, seed=3) as (tab, _):
        tab.go_to(50)
        before = tab.states()
        tab.page.locator('[data-agent="4"] .hit').click(force=True)
        tab.button("Corrupt it")
        tab.wait("document.querySelectorAll('.tick-mark.fault').length === 1")
        differing = [k for k, (a, b) in enumerate(zip(before, tab.states(), strict=True)) if a != b]
        assert differing in ([4], [])  # a random state may be the same
        assert tab.page.locator(".toast").is_hidden()


def test_a_server_that_cannot_corrupt_one_agent_is_not_asked_again(desk: Desk) -> None:
    with watching(desk, "p_rl", 12, seed=3) as (tab, _):
        tab.page.locator('[data-agent="4"] .hit').click(force=True)
        tab.page.get_by_role("button", name="Corrupt it").wait_for()
        tab.evaluate("(() => { princeps.source.do = async () => { throw new Error('it knows no agents'); }; })()")
        tab.button("Corrupt it")
        tab.page.locator(".toast", has_text="it knows no agents").wait_for()
        assert tab.page.get_by_role("button", name="Corrupt it").is_hidden()


def test_a_field_beyond_the_exact_numbers_of_the_browser_stays_exact(desk: Desk) -> None:
    large, larger = "9007199254740993", "9007199254740995"
    with watching(desk, "p_rl", 12, seed=3) as (tab, _):
        tab.evaluate(LARGE_FIELD.replace("LARGE", large))
        tab.page.locator('[data-agent="4"] .hit').click(force=True)
        field = tab.page.locator(".fields").get_by_label("rank", exact=True)
        field.wait_for()
        assert field.input_value() == large
        field.fill(larger)
        field.press("Enter")
        tab.wait("globalThis.given")
        assert tab.evaluate("given.fields") == {"rank": larger}
        field.fill("17")
        field.press("Enter")
        tab.wait("given.fields.rank === 17")
