"""Files to read that have no end, or whose names no file has, are refused like those that are missing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from princeps.model import input_files
from princeps.model.input_files import opened_bytes, opened_text
from tests.conftest import Command

ENDLESS = "/dev/zero"
READERS = (
    ["run", "fratricide", "-n", "4", "--pairs", ENDLESS],
    ["run", "fratricide", "-n", "4", "--graph", ENDLESS, "--force"],
    ["run", "fratricide", "-n", "4", "--start", f"file:{ENDLESS}"],
    ["run", "fratricide", "-n", "4", "--scheduler", f"weighted:{ENDLESS}"],
    ["run", "peterson", "--ring", ENDLESS],
    ["run", "--script", ENDLESS],
    ["plot", ENDLESS, "-o", "new.svg"],
)


@pytest.mark.skipif(not os.path.exists(ENDLESS), reason="a device of Unix")
@pytest.mark.parametrize("line", READERS, ids=" ".join)
def test_a_file_without_an_end_is_refused(line: list[str], quick: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(input_files, "MAX_BYTES", 1 << 20)
    left = quick(*line)
    assert left.code == 2
    assert "has more than 1 MiB, or no end" in left.stderr


def test_lines_end_as_everywhere(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(b"a\r\nb\nc\r")
    with open(path, encoding="utf-8") as file:
        assert opened_text(str(path)).read() == file.read() == "a\nb\nc\n"
    assert opened_bytes(str(path)).read() == b"a\r\nb\nc\r"


def test_a_name_that_no_file_has_is_an_error_of_the_system() -> None:
    with pytest.raises(OSError, match="no path"):
        opened_text("a\0b")
