"""A terminal that keeps what is written on it."""

from __future__ import annotations

import io
import re
import sys

import pytest

COLOURS = re.compile(r"\x1b\[[0-9;]*m")
MOVEMENTS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True

    @property
    def lines(self) -> list[str]:
        """Everything that stood there at some time, without colours and movements of the cursor."""
        text = MOVEMENTS.sub("\n", COLOURS.sub("", self.getvalue()))
        return [line.rstrip() for line in text.splitlines() if line.strip()]


def as_stderr(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "160")
    return terminal
