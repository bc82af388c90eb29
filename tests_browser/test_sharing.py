"""Links, saved pages, pictures, two tabs, a server that is gone."""

from __future__ import annotations

from pathlib import Path

from tests_browser.conftest import Desk, watching


def test_a_link_opens_the_same_run_in_another_tab(desk: Desk) -> None:
    with watching(desk, "p_rl", 12, seed=3) as (tab, _):
        tab.go_to(80)
        tab.panel("Attack")
        tab.button("whoever leads")
        tab.wait("document.querySelectorAll('.tick-mark.fault').length === 1")
        here = tab.states()
        tab.button("Share")
        tab.wait("document.querySelector('.link-field').value.includes('#s=princeps1.')")
        link = tab.page.locator(".link-field").input_value()
        tab.button("Close")
        tab.button("Library")
        tab.page.get_by_role("button", name="Watch fratricide").click()
        tab.wait("princeps.about.protocol === 'fratricide' && princeps.frame?.kind === 'agents'")
        second = desk.tab(link)
        second.wait("princeps.about?.protocol === 'p_rl' && princeps.frame?.step === '80'")
        assert second.states() == here
        tab.wait("princeps.about.protocol === 'p_rl'")  # two tabs on one server see the same run


def test_a_saved_page_replays_from_disk_with_the_network_cut(desk: Desk, tmp_path: Path) -> None:
    with watching(desk, "p_rl", 12, seed=3) as (tab, _):
        tab.go_to(400)
        end = tab.states()
        tab.button("Share")
        with tab.page.expect_download() as download:
            tab.page.get_by_text("Save page").click()
        file = tmp_path / "run.html"
        download.value.save_as(file)
    alone = desk.tab()
    alone.context.set_offline(True)
    alone.open(file.as_uri())
    alone.at_step(0)
    alone.go_to(400)
    assert alone.states() == end
    alone.button("One step back")
    alone.at_step(399)
    alone.page.locator(".speed").fill("6")
    alone.button("To the start")
    alone.button("Play")
    alone.wait("Number(princeps.frame.step) > 20")
    alone.button("Pause")
    alone.button("Table")
    assert alone.page.locator("tbody tr").count() == 12
    alone.panel("Attack")
    alone.page.get_by_text("This is a recording").first.wait_for()
    assert [address for address in alone.asked if not address.startswith(("file:", "data:", "blob:"))] == []


def test_pictures_are_saved(desk: Desk) -> None:
    with watching(desk, "p_rl", 12, seed=3) as (tab, _):
        tab.button("Share")
        with tab.page.expect_download() as svg:
            tab.button("SVG")
        text = Path(svg.value.path()).read_text(encoding="utf-8")
        assert text.startswith("<svg")
        assert "var(" not in text
        assert text.count("<circle") >= 12
        with tab.page.expect_download() as png:
            tab.button("PNG")
        assert Path(png.value.path()).read_bytes().startswith(b"\x89PNG")


def test_a_server_that_is_gone_is_told(desk: Desk) -> None:
    with watching(desk, "fratricide", 8, seed=1) as (tab, _):
        tab.go_to(5)
    tab.page.get_by_text("The server does not answer").wait_for()
    assert tab.evaluate("princeps.frame.step") == "5"


def test_the_library_offers_every_protocol(desk: Desk) -> None:
    from princeps.model.registry import names

    with watching(desk) as (tab, _):
        assert tab.page.locator(".library-item").count() == len(names())
        tab.page.get_by_role("button", name="Watch p_rl").click()
        tab.wait("princeps.about?.protocol === 'p_rl' && princeps.frame")
        assert tab.page.locator("svg.circle-picture .agent").count() == int(tab.evaluate("princeps.about.n"))
