"""A part of a page on another host and a link that leads nowhere are found in a built site."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitebuilder.links import problems

SOUND = '<html><link rel="stylesheet" href="a.css"><script src="a.js"></script><a href="b.html#two">b</a></html>'


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "a.html").write_text(SOUND)
    (tmp_path / "b.html").write_text('<h2 id="two">2</h2><a href="https://example.org">a link may lead elsewhere</a>')
    (tmp_path / "a.css").write_text("body { background: url(data:image/png;base64,AA) }")
    (tmp_path / "a.js").write_text("")
    return tmp_path


def test_a_sound_site_has_no_problems(site: Path) -> None:
    assert problems(site) == []


@pytest.mark.parametrize(
    ("file", "text", "word"),
    [
        ("a.html", '<script src="https://cdn.example/x.js"></script>', "another host"),
        ("a.html", '<link rel="stylesheet" href="//cdn.example/x.css">', "another host"),
        ("a.html", '<link rel="preconnect" href="https://fonts.example">', "another host"),
        ("a.html", '<img src="data:image/png;base64,AA" srcset="http://cdn.example/2.png 2x">', "another host"),
        ("a.html", '<p style="background: url(https://cdn.example/x.png)">', "another host"),
        ("a.html", "<style>@import 'https://cdn.example/x.css';</style>", "another host"),
        ("a.css", "@font-face { src: url('https://fonts.example/x.woff2') }", "another host"),
        ("a.html", '<img src="none.png">', "not there"),
        ("a.html", '<a href="c.html">', "not there"),
        ("a.html", '<a href="b.html#three">', "anchor"),
        ("a.html", '<a href="#here">', "anchor"),
    ],
)
def test_a_problem_is_named(site: Path, file: str, text: str, word: str) -> None:
    (site / file).write_text(text)
    (found,) = problems(site)
    assert found.startswith(file)
    assert word in found
