"""The built site: read from the disk, without any other host."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from sitebuilder.building import build, build_html
from sitebuilder.links import Page, problems

pytestmark = pytest.mark.filterwarnings("ignore:.*is deprecated. Check CHANGES for Sphinx")  # myst-parser's, not ours

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND",  # the browser's own requests end here, too
    "--virtual-time-budget=20000",
)
BROWSER = "not an origin"  # who asked, if it was no page
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium: apt-get install chromium")


@pytest.mark.medium
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("# Title\n", 0),
        ("# Title\n\n[nowhere](none.md)\n", 1),
        ("# Title\n\n```{unknown}\n```\n", 1),
        ('# Title\n\n<img src="https://host.invalid/x.png">\n', 1),
    ],
)
def test_a_warning_and_a_request_fail_the_build(text: str, code: int, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "index.md").write_text(text)
    assert build_html(pages, tmp_path / "site") == code


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("site")
    assert build(output, tmp_path_factory.mktemp("pages")) == 0  # no warning of Sphinx
    return output


@pytest.mark.slow
def test_every_part_of_a_page_is_in_the_site_and_no_link_leads_nowhere(site: Path) -> None:
    pages = [Page(path) for path in site.rglob("*.html")]
    assert len(pages) > 80
    assert sum(len(page.loads) for page in pages) > 500  # something was looked at
    assert problems(site) == []


@pytest.mark.slow
def test_no_text_of_the_machine_is_on_a_page(site: Path) -> None:
    """Pages are made from the code, some of which knows where it is."""
    here = str(Path(__file__).parents[2])
    assert [path.name for path in site.rglob("*.html") if here in path.read_text()] == []


def opened(site: Path, page: str, folder: Path) -> tuple[str, set[str]]:
    """The page as Chromium shows it, and every address that it asked for."""
    log = folder / "network.json"
    command = [str(CHROMIUM), *FLAGS, f"--user-data-dir={folder / 'profile'}", f"--log-net-log={log}", "--dump-dom"]
    done = subprocess.run([*command, f"file://{site}/{page}"], capture_output=True, text=True, timeout=300, check=True)
    events = json.loads(log.read_text())["events"]
    known = [event["params"] for event in events if "url" in event.get("params", {})]
    asked = {one["url"] for one in known if one.get("initiator", BROWSER) != BROWSER}
    return done.stdout, {address for address in asked if re.match(r"(https?|wss?)://", address)}


@pytest.mark.slow
@needs_chromium
def test_a_request_of_a_page_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        "<script>fetch('http://host.invalid/x')</script><img src='https://host.invalid/y'>"
    )
    _, asked = opened(tmp_path, "a.html", tmp_path)
    assert asked == {"http://host.invalid/x", "https://host.invalid/y"}


@pytest.mark.slow
@needs_chromium
@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("index.html", "A laboratory for leader election"),
        ("protocols/p_rl.html", "3409/1728"),
        ("commands/run.html", "--until"),
        ("stories/p_rl.html", "Caption 1 of"),
    ],
)
def test_a_page_is_shown_without_a_request(site: Path, page: str, words: str, tmp_path: Path) -> None:
    shown, asked = opened(site, page, tmp_path)
    assert words in shown
    assert asked == set()


@pytest.mark.slow
@needs_chromium
def test_the_search_finds_a_word_offline(site: Path, tmp_path: Path) -> None:
    shown, asked = opened(site, "search.html?q=shield", tmp_path)
    found = re.findall(r'href="([^"#?]+)[^"]*" data-score', shown)
    assert "protocols/p_rl.html" in found
    assert asked == set()
