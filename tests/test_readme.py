"""The commands of the README do what it shows."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BLOCKS = re.findall(r"```console\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)


def commands(block: str) -> list[tuple[str, list[str]]]:
    """Each `$ command` of a console block with the lines shown below it."""
    found: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.strip().startswith("$ "):
            found.append((line.strip().removeprefix("$ "), []))
        elif line.strip():
            found[-1][1].append(line)
    return found


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: commands(block)[0][0])
def test_the_readme_tells_the_truth(block: str, tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for command, shown in commands(block):
        check(command, shown, tmp_path)


def check(command: str, shown: list[str], folder: Path) -> None:
    words = shlex.split(command)
    assert words[0] == "princeps"
    done = subprocess.run(
        [sys.executable, "-m", "princeps", *words[1:]],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "COLUMNS": "120", "NO_COLOR": "1"},
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    printed = [line.rstrip() for line in done.stdout.splitlines()]
    assert printed
    for line in shown:  # `...` at the end of a line stands for what may differ
        start, dots, _ = line.rstrip().partition("...")
        assert any(p.startswith(start.rstrip()) if dots else p == start.rstrip() for p in printed), (line, printed)
