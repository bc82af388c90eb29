"""However a run ends, and whenever: no process and no port is left (verification/network_bars/leftovers.py)."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parents[2] / "verification"))
leftovers: Any = __import__("network_bars.leftovers").leftovers

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
]
KINDS = [pytest.param(words, id=name) for name, words in leftovers.KINDS.items()]


@pytest.fixture
def commands() -> Iterator[Any]:
    with leftovers.commands() as made:
        yield made


@pytest.mark.parametrize("words", KINDS)
def test_ctrl_c_at_any_moment(commands: Any, words: list[str]) -> None:
    found = leftovers.interrupted(commands, words, 16)
    assert (found.runs, found.left) == (16, [])
    assert 130 in found.codes
    assert found.most_ports >= 6


@pytest.mark.parametrize("words", KINDS)
def test_a_launcher_that_is_killed_at_any_moment(commands: Any, words: list[str]) -> None:
    found = leftovers.killed(commands, words, 16)
    assert (found.runs, found.left) == (16, [])
    assert -signal.SIGKILL in found.codes
    assert min(found.most_processes, found.most_ports) >= 6


def test_many_starts_and_stops() -> None:
    found = leftovers.started_and_stopped(60)
    assert (found.runs, found.left) == (60, [])
