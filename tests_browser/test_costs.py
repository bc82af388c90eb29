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


def test_the_next_frame_is_asked_for_before_the_last_is_drawn(desk: Desk) -> None:
    """The server makes the one while the page draws the other; a page that is slow has one in hand and not more."""
    with watching(desk, "p_rl", 60, **ENDLESS) as (tab, _):
        tab.evaluate("""(() => {
          globalThis.underWay = [];
          globalThis.inHand = [];
          const draw = princeps.showFrame.bind(princeps);
          princeps.showFrame = (frame) => {
            underWay.push(princeps.source.asked !== null);
            const began = performance.now();
            while (performance.now() < began + 30);
            draw(frame);
          };
          const receive = princeps.source.receiveFrame.bind(princeps.source);
          princeps.source.receiveFrame = (data) => {
            inHand.push(princeps.source.newest !== null);
            receive(data);
          };
        })()""")
        tab.page.locator(".speed").fill(FULL_SPEED)
        tab.button("Play")
        tab.wait("underWay.length > 20")
        assert tab.evaluate("underWay.every(Boolean)")
        assert not tab.evaluate("inHand.some(Boolean)")
        tab.button("Pause")
        tab.wait("!princeps.status.playing && princeps.frame.step === princeps.status.step")
        drawn = tab.evaluate("underWay.length")
        tab.page.wait_for_timeout(300)
        assert tab.evaluate("underWay.length") == drawn
        tab.press("ArrowRight")
        tab.wait(f"underWay.length > {drawn} && princeps.frame.step === princeps.status.step")


def test_agents_that_are_pixels_get_another_colour_while_nothing_plays(desk: Desk) -> None:
    with watching(desk, "p_ll", 1001, seed=1, engine="agents") as (tab, _):
        tab.go_to(3000)
        for name in ("status", "leaders", "status"):
            tab.page.locator(".legend select").select_option(label=name)
            tab.wait(f"princeps.frame.choice === '{name}' && princeps.source.asked !== null")
        assert tab.evaluate("princeps.frame.classes.length") == 3
