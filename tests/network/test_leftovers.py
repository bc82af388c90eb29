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
@pytest.mark.parametrize("way", ["interrupted", "killed"])
def test_the_launcher_is_struck_at_any_moment(commands: Any, words: list[str], way: str) -> None:
    """Ctrl-C, or kill -9: at the start of the run, in the middle and at the end of it."""
    found = getattr(leftovers, way)(commands, words, 18)
    assert (found.runs, found.left) == (18, [])
    assert found.during >= 12, "only what is struck at its end may be over"
    assert min(found.most_processes, found.most_ports) >= 6


def test_a_strike_that_misses_its_run_is_noticed(commands: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leftovers, "LONG", leftovers.SHORT)
    found = leftovers.strikes(commands, leftovers.POPULATION, 2, lambda pid, number: None, -signal.SIGKILL)
    assert (found.runs, found.during) == (2, 0)
    assert [sentence.rstrip("01") for sentence in found.left] == ["exit code "] * 2


def test_many_starts_and_stops() -> None:
    found = leftovers.started_and_stopped(60)
    assert (found.runs, found.left) == (60, [])
