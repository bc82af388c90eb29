"""How a command refuses: one sentence with the value and the remedy, and exit code 2."""

from __future__ import annotations

from tests.conftest import Outcome


def assert_refused(outcome: Outcome, value: str, remedy: str) -> None:
    assert outcome.code == 2
    assert outcome.stdout == ""
    (line,) = outcome.stderr.splitlines()
    assert line.startswith("princeps: ")
    assert value in line
    assert remedy in line
    assert "Traceback" not in line
