"""Links and codes: what is sent to somebody, and what opens it."""

from __future__ import annotations

from tests.web.pages import Page, served
from tests_browser.conftest import Desk, Tab, watching


def attack_at(tab: Tab, step: int) -> None:
    tab.go_to(step)
    tab.panel("Attack")
    tab.button("whoever leads")
    tab.wait("document.querySelectorAll('.tick-mark.fault').length === 1")


def shared(tab: Tab, field: str) -> str:
    """A field of the sheet, by its name."""
    tab.button("Share")
    tab.wait("document.querySelector('.code-field').value.startsWith('princeps1.')")
    found = tab.page.get_by_label(field, exact=True).input_value()
    tab.button("Close")
    return found


def test_a_link_is_opened_once(desk: Desk) -> None:
    with watching(desk, "p_rl", 12, seed=3) as (tab, _):
        tab.go_to(80)
        second = desk.tab(shared(tab, "Link"))
        second.wait("princeps.frame?.step === '80' && location.hash === ''")
        second.go_to(200)
        tab.at_step(200)
        second.page.reload()
        second.wait("globalThis.princeps?.frame && princeps.status")
        second.page.wait_for_timeout(500)
        second.at_step(200)


def test_a_run_that_was_attacked_is_replaced_only_if_one_says_so(desk: Desk) -> None:
    with watching(desk, "p_rl", 12, seed=3) as (tab, _):
        tab.go_to(30)
        link = shared(tab, "Link")
        attack_at(tab, 80)
        second = desk.tab(link)
        second.page.get_by_role("button", name="Keep the run").wait_for()
        assert second.evaluate("document.activeElement.textContent") == "Keep the run"
        second.press("Enter")
        second.wait("!document.querySelector('dialog[open]') && location.hash === ''")
        second.at_step(80)
        third = desk.tab(link)
        third.page.get_by_role("button", name="Replace it").wait_for()
        third.press("Shift+Tab" if third.evaluate("document.activeElement.nextElementSibling === null") else "Tab")
        assert third.evaluate("document.activeElement.textContent") == "Replace it"
        third.press("Enter")
        third.at_step(30)
        tab.at_step(30)


def test_a_code_is_copied_and_opened_in_another_server(desk: Desk) -> None:
    with watching(desk, "p_rl", 12, seed=3) as (tab, _):
        attack_at(tab, 80)
        here = tab.states()
        tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
        tab.button("Share")
        tab.wait("document.querySelector('.code-field').value.startsWith('princeps1.')")
        tab.button("Copy the code")
        code = tab.clipboard()
        tab.button("Copy the command")
        assert tab.clipboard() == f"princeps watch --script {code}"
        tab.page.get_by_text("in this server only").wait_for()
        link = tab.page.get_by_label("Link", exact=True).input_value()
        assert link.endswith(f"#s={code}")
    with watching(desk) as (other, _):
        field = other.page.locator(".library").get_by_label("Open a code or a link")
        field.fill(f"  {code}\n")
        field.press("Enter")
        other.wait("princeps.about?.protocol === 'p_rl' && princeps.frame?.step === '80'")
        assert other.states() == here
        other.button("Library")
        other.page.get_by_role("button", name="Watch fratricide").click()
        other.button("Replace it")  # the run was attacked
        other.wait("princeps.about.protocol === 'fratricide' && princeps.frame?.kind === 'agents'")
        other.button("Share")
        field = other.page.locator("dialog[open]").get_by_label("Open a code or a link")
        field.fill("my run of yesterday")
        field.press("Enter")
        other.page.locator("dialog[open]").get_by_text("is no code").wait_for()
        field.fill(link)
        field.press("Enter")
        other.wait("princeps.about?.protocol === 'p_rl' && princeps.frame?.step === '80'")
        other.wait("!document.querySelector('dialog[open]')")


def test_a_page_too_many_is_told_so(desk: Desk) -> None:
    with served("fratricide", 8, seed=1) as serving:
        pages = [Page(serving) for _ in range(16)]
        tab = desk.tab()
        tab.page.goto(serving.address)
        tab.page.get_by_text("Too many pages are open").wait_for()
        tab.page.wait_for_timeout(1500)
        assert tab.page.get_by_text("Too many pages are open").is_visible()
        assert len([one for one in tab.asked if one.startswith("ws:")]) <= 4  # it waits longer and longer
        for page in pages:
            page.close()
        tab.wait("globalThis.princeps?.frame")
        assert tab.page.locator(".connection").is_hidden()
