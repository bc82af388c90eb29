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


def commands() -> list[tuple[str, list[str]]]:
    """Each `$ command` of the console blocks with the lines shown below it."""
    found: list[tuple[str, list[str]]] = []
    for block in BLOCKS:
        for line in block.splitlines():
            if line.strip().startswith("$ "):
                found.append((line.strip().removeprefix("$ "), []))
            elif line.strip():
                found[-1][1].append(line)
    return found


@pytest.mark.parametrize(("command", "shown"), commands(), ids=lambda item: item if isinstance(item, str) else "")
def test_the_readme_tells_the_truth(command: str, shown: list[str]) -> None:
    words = shlex.split(command)
    assert words[0] == "princeps"
    done = subprocess.run(
        [sys.executable, "-m", "princeps", *words[1:]],
        capture_output=True,
        text=True,
        cwd=ROOT,
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
