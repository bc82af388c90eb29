"""Links, saved pages, pictures, two tabs, a server that is gone."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.web import recorded_frames, recording
from princeps.web.recording import record
from princeps.web.saved_page import SavedPage
from tests_browser.conftest import Desk, Tab, watching

EBML = b"\x1a\x45\xdf\xa3"  # a WebM file begins so
COLOURS = """(() => {
  const { width, height } = princeps.stage.view.canvas;
  const seen = new Set(new Uint32Array(princeps.stage.view.context.getImageData(0, 0, width, height).data.buffer));
  return seen.size - (seen.has(0) ? 1 : 0);
})()"""
FILM = """async (film) => {
  const bytes = Uint8Array.from(atob(film), (one) => one.charCodeAt(0));
  const video = document.createElement('video');
  video.muted = true;
  video.src = URL.createObjectURL(new Blob([bytes], { type: 'video/webm' }));
  await new Promise((done, failed) => {
    video.onloadeddata = done;
    video.onerror = () => failed(new Error(video.error.message));
  });
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const shot = () => {
    context.drawImage(video, 0, 0);
    return context.getImageData(0, 0, canvas.width, canvas.height).data;
  };
  const ended = new Promise((done) => (video.onended = done));
  const begun = new Promise((done) => video.requestVideoFrameCallback(done));
  await video.play();
  await begun;
  const first = shot();
  await ended;
  const last = shot();
  let [differing, light] = [0, 0];
  for (let k = 0; k < first.length; k += 4) {
    if (Math.abs(first[k] - last[k]) > 60) differing++;
    light += Math.min(first[k], last[k]);
  }
  const pixels = first.length / 4;
  return [video.currentTime, video.videoWidth, differing / pixels, light / pixels];
}"""


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
        tab.button("Replace it")  # the run was attacked
        tab.wait("princeps.about.protocol === 'fratricide' && princeps.frame?.kind === 'agents'")
        second = desk.tab(link)
        second.wait("princeps.about?.protocol === 'p_rl' && princeps.frame?.step === '80'")
        assert second.states() == here
        second.wait("princeps.plot.series[0]?.points.length > 50")  # the plot of what came before
        curve = second.page.locator(".curve.present").get_attribute("d") or ""
        assert curve.startswith("M54.0 ")
        assert curve.count("H") > 20
        second.wait("document.querySelectorAll('.tick-mark.fault').length === 1")
        tab.wait("princeps.about.protocol === 'p_rl'")  # two tabs on one server see the same run


def test_a_saved_page_replays_from_disk_with_the_network_cut(desk: Desk, tmp_path: Path) -> None:
    with watching(desk, "p_rl", 12, seed=3) as (tab, _):
        tab.go_to(400)
        end = tab.states()
        tab.button("Share")
        with tab.page.expect_download() as download:
            tab.button("Save page")
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


def downloaded(tab: Tab, button: str) -> bytes:
    """What a button of the sheet gives as a file."""
    with tab.page.expect_download() as download:
        tab.button(button)
    return Path(download.value.path()).read_bytes()


def pictures_of(tab: Tab) -> None:
    """PNG, SVG and a film of what is shown and played, from whatever source it comes."""
    tab.button("Share")
    svg = downloaded(tab, "SVG").decode()
    assert svg.startswith("<svg")
    assert "var(" not in svg
    assert svg.count("<circle") >= 12
    assert downloaded(tab, "PNG").startswith(b"\x89PNG")
    tab.button("Film (WebM)")
    begun = int(tab.evaluate("princeps.frame.step"))
    tab.button("Play")
    tab.wait(f"Number(princeps.frame.step) >= {begun} + 8")
    tab.button("Pause")
    film = downloaded(tab, "Stop filming")
    assert film.startswith(EBML)
    assert b"webm" in film[:64]
    seconds, wide, differing, light = tab.page.evaluate(FILM, base64.b64encode(film).decode())
    assert seconds > 0.5
    assert wide == 800
    assert 0 < differing < 0.3  # the picture moves, on a ground that stays
    assert light > 150


def test_pictures_and_a_film_are_saved(desk: Desk) -> None:
    with watching(desk, "p_rl", 12, seed=3) as (tab, _):
        pictures_of(tab)


def test_a_saved_page_gives_pictures_and_a_film(desk: Desk, tmp_path: Path) -> None:
    pictures_of(desk.tab(saved(princeps.session("p_rl", 12, seed=3).step(200), tmp_path / "run.html")))


def saved(session: Any, file: Path) -> str:
    file.write_text(SavedPage(record(session)).text, encoding="utf-8")
    return file.as_uri()


def test_a_saved_page_of_many_agents_is_coloured_by_any_field(desk: Desk, tmp_path: Path) -> None:
    session = princeps.session("p_ll", 10_001, seed=1, engine="agents").step(60_000)
    tab = desk.tab(saved(session, tmp_path / "states.html"))
    tab.go_to(60_000)
    chooser = tab.page.locator(".legend select")
    for field, values in (("status", 3), ("epoch", 3)):
        chooser.select_option(label=field)
        tab.wait(f"princeps.choice.name === '{field}'")
        assert 1 <= int(tab.evaluate(COLOURS)) <= values
    chooser.select_option(label="status")
    assert int(tab.evaluate(COLOURS)) == len(set(session.configuration["status"].tolist())) > 1
    tab.page.locator("canvas").click(position={"x": 30, "y": 30})
    tab.wait("princeps.chosen !== null")
    tab.page.locator(".fields .field").first.wait_for()


def test_a_recording_of_colours_says_why_there_is_no_other(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorded_frames, "MAX_BYTES", 60_000)
    session = princeps.session("p_ll", 10_001, seed=1, engine="agents").step(60_000)
    tab = desk.tab(saved(session, tmp_path / "colours.html"))
    assert tab.page.locator(".legend select").is_disabled()
    assert "keeps one colour" in (tab.page.locator(".legend select").get_attribute("title") or "")


def test_a_server_that_is_gone_is_told(desk: Desk) -> None:
    with watching(desk, "fratricide", 8, seed=1) as (tab, _):
        tab.go_to(5)
    tab.page.get_by_text("The server has ended, or cannot be reached").wait_for()
    said = tab.page.locator(".connection").inner_text()
    assert "in a terminal: princeps watch fratricide -n 8 " in said
    assert tab.evaluate("princeps.frame.step") == "5"


def test_a_page_that_cannot_be_saved_says_why(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "MAX_MESSAGES", 3)
    with watching(desk, "chang_roberts", 6, seed=1) as (tab, _):
        tab.go_to(5)
        tab.button("Share")
        tab.button("Save page")
        tab.page.locator(".toast", has_text="too many for one page: go back to step 3").wait_for()
        assert "too many for one page" in tab.page.locator("dialog .panel-note", has_text="too many").inner_text()
        tab.errors = [error for error in tab.errors if "409" not in error]  # the browser writes it to its console


def test_the_library_offers_every_protocol(desk: Desk) -> None:
    from princeps.model.registry import names

    with watching(desk) as (tab, _):
        assert tab.page.locator(".library-item").count() == len(names())
        tab.page.get_by_role("button", name="Watch p_rl", exact=True).click()
        tab.wait("princeps.about?.protocol === 'p_rl' && princeps.frame")
        assert tab.page.locator("svg.circle-picture .agent").count() == int(tab.evaluate("princeps.about.n"))


def test_a_saved_page_of_moments_plays_to_its_end(desk: Desk, tmp_path: Path) -> None:
    """Moments lie further apart than a frame of the browser moves the run: what is earned is saved up."""
    session = princeps.session("p_ll", 12_000, seed=3, engine="agents").step(2_000_000)
    tab = desk.tab(saved(session, tmp_path / "moments.html"))
    tab.page.keyboard.press("Space")
    tab.wait("princeps.status?.step === '2000000'")
