"""The examples of docs/sessions.md run, one after the other, as a reader would type them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "sessions.md"


def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert len(blocks) >= 6
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, "docs/sessions.md", "exec"), names)
    printed = capsys.readouterr().out
    assert "<session p_rl n=60 agents: step 1,000, " in printed
    assert "<script of " in printed
    assert (tmp_path / "attack.script").exists()
