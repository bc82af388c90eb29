"""A network run on the page, as a person watches it: in virtual time, handed to the server as it goes."""

from __future__ import annotations

from pathlib import Path

from princeps.api.net_batches import session_of
from princeps.api.net_page import saved_page
from princeps.web.network_serving import NetworkServing
from tests.web.network_runs import CHAOS, heard_of
from tests_browser.conftest import Desk


def test_a_live_run_is_followed_paused_rewound_and_followed_again(desk: Desk) -> None:
    heard = heard_of("p_rl", 6, net={"duration": "3s", "chaos": CHAOS})
    third, orders = len(heard.batches) // 3, list[list[object]]()
    with NetworkServing(lambda: session_of(heard.run), heard.told, orders.append) as serving:
        for batch in heard.batches[:third]:
            serving.append(batch)
        tab = desk.tab(serving.address)
        tab.wait("princeps.status.network.following && Number(princeps.frame.step) > 20")
        assert tab.page.locator(".verdict").is_hidden()

        tab.page.locator('[data-agent="2"]').click()  # the card of an agent: its real process can be killed
        tab.button("Kill its process")
        tab.wait("document.querySelector('.toast').textContent.includes('killed')")
        assert orders == [["kill", 2, 2.0]]
        tab.panel("Attack")
        assert tab.page.locator("fieldset:disabled", has_text="Corrupt").get_attribute("title") is not None

        tab.button("Pause")
        tab.wait("princeps.status.network.following === false")
        here = int(tab.evaluate("princeps.status.step"))
        tab.button("One step back")
        tab.at_step(here - 1)
        for batch in heard.batches[third:]:
            serving.append(batch)
        tab.wait(f"Number(princeps.status.end) === {heard.result.all_interactions}")
        assert tab.evaluate("princeps.frame.step") == str(here - 1)
        assert tab.page.locator("fieldset:disabled").count() == 0
        tab.wait("document.querySelectorAll('.tick-mark.fault').length >= 6")

        marks = serving.watch.tape.branch.series.marks
        tab.go_to(next(step for step, _, text in marks if text == "agent 3 is stopped"))
        tab.wait("document.querySelectorAll('.stop-mark').length === 1")
        tab.go_to(next(step for step, _, text in marks if text == "2 arcs are cut"))
        tab.wait("document.querySelectorAll('.cut-mark').length === 2")

        tab.page.locator(".live-button").click()
        tab.wait("princeps.status.network.following && princeps.status.step === princeps.status.end")
        assert tab.page.locator(".reading", has_text="Seconds").inner_text().endswith("3.00")
        serving.append(heard.ended)
        tab.panel("Network")
        tab.wait("document.querySelector('.verdict').textContent === 'The replay agrees.'")
        assert "whole" in tab.page.locator(".report-rows").inner_text()
        assert tab.page.locator(".live-button").is_hidden()
        tab.press("Home")
        tab.at_step(0)
        tab.press("End")
        tab.at_step(heard.result.all_interactions)


def test_a_saved_network_run_is_replayed_without_a_server(desk: Desk, tmp_path: Path) -> None:
    heard = heard_of("p_rl", 6, net={"duration": "3s", "chaos": CHAOS})
    page = tmp_path / "network.html"
    saved_page(heard.run, heard.told, heard.batches, heard.result).save(str(page))
    tab = desk.tab(page.as_uri())
    assert tab.page.locator(".verdict").inner_text() == "The replay agrees."
    tab.go_to(heard.result.all_interactions)
    assert tab.page.locator(".reading", has_text="Seconds").inner_text().endswith("3.00")
    tab.wait("princeps.frame.paused.length === 0 && princeps.frame.cuts.length === 0")
    marks = saved_page(heard.run, heard.told, heard.batches, heard.result).recording["marks"]
    tab.go_to(next(step for step, _, text in marks if text == "agent 3 is stopped"))
    tab.wait("document.querySelectorAll('.stop-mark').length === 1")


def test_a_saved_run_counts_leaders_as_its_result_does(desk: Desk, tmp_path: Path) -> None:
    """A leader that stays dead leads no more; one whose process comes back was never away."""
    for restart, leaders in (("none", 0), ("initial", 1)):
        heard = heard_of("fratricide", 5, net={"duration": "4s", "chaos": "2s: kill leader", "restart": restart})
        assert heard.result.leaders == leaders
        page = tmp_path / f"{restart}.html"
        saved_page(heard.run, heard.told, heard.batches, heard.result).save(str(page))
        tab = desk.tab(page.as_uri())
        tab.go_to(heard.result.all_interactions)
        tab.wait(f"princeps.frame.leaders === '{leaders}'")
        assert tab.evaluate("princeps.frame.dead.length") == 1 - leaders
        tab.go_to(0)
        tab.wait("princeps.frame.leaders === '5' && princeps.frame.dead.length === 0")


def test_the_ring_of_a_network_is_shown(desk: Desk) -> None:
    heard = heard_of("a_k", net={"chaos": "20ms: kill 1", "restart": "durable"}, labels="3,1,1,2,4,2", k=2)
    with NetworkServing(lambda: session_of(heard.run), heard.told, lambda order: None) as serving:
        for batch in [*heard.batches, heard.ended]:
            serving.append(batch)
        tab = desk.tab(serving.address)
        tab.wait("document.querySelector('.verdict').textContent === 'The replay agrees.'")
        tab.wait("princeps.status.step === princeps.status.end && princeps.status.goals.leader === true")
