"""princeps watch on the command line: what is refused, and the page that is saved."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.refusals import assert_refused
from tests.conftest import Command


@pytest.mark.medium
def test_what_is_wrong_is_said_before_anything_is_served(princeps: Command) -> None:
    assert_refused(princeps("watch", "-n", 5, "--no-browser"), "which protocol", "princeps watch p_rl")
    assert_refused(princeps("watch", "fratricide", "-n", 5, "--port", 99999, "--no-browser"), "99999", "0 to 65535")


@pytest.mark.medium
def test_a_page_is_saved(princeps: Command, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    done = princeps("watch", "fratricide", "-n", 6, "--seed", 1, "--engine", "reference", "--save", path)
    assert (done.code, done.stdout) == (0, "")
    assert str(path) in done.stderr
    text = path.read_text()
    assert text.startswith("<!doctype html>")
    assert 'id="recording"' in text
