"""`!princeps run ...` in a cell has a terminal, which the notebook keeps: no movement, no colours."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import pytest

from tests.conftest import PATIENCE

COMMAND = [sys.executable, "-m", "princeps", "run", "fratricide", "-n", "20", "--seed", "1", "--engine", "reference"]


def on_a_terminal(**more: str) -> str:
    """What the command writes on a terminal, as IPython starts it."""
    ours, its = pty.openpty()
    hidden = ("NO_COLOR", "JPY_PARENT_PID")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    environment |= {"TERM": "xterm-color", "FORCE_COLOR": "1", "CLICOLOR": "1", **more}
    subprocess.run(COMMAND, stdin=its, stdout=its, stderr=its, env=environment, check=True, timeout=PATIENCE)
    os.close(its)
    written = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # Linux: nobody writes any more
            break
        if not piece:
            break
        written += piece
    os.close(ours)
    return written.decode()


@pytest.mark.medium
def test_a_notebook_keeps_plain_text() -> None:
    assert "\x1b[" in on_a_terminal()
    kept = on_a_terminal(JPY_PARENT_PID="1")
    assert "\x1b" not in kept
    assert "reached leader" in kept
