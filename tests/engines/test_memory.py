"""Memory: agents are counted and translated in parts, and estimates are near what a process really needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from princeps.engines import forms
from princeps.engines.registry import engine_named
from princeps.model.description import describe, read
from princeps.model.run import Run
from princeps.model.scheduler import Pair
from tests.conftest import launch


def described(name: str, n: int, **options: object) -> Run:
    run = read(describe(name, n, seed=3, **options))
    assert isinstance(run, Run)
    return run


@pytest.mark.parametrize("name", ["p_rl", "fratricide", "numbered"])  # random words, ids, packed words
def test_agents_in_parts_are_the_same_agents(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def seen() -> tuple[Any, ...]:
        population = engine_named("agents").make(described(name, 50, engine="agents"))
        population.advance_exactly(40)
        fields = {field: values.tolist() for field, values in population.fields().items()}
        words = population.form.words().tolist()  # type: ignore[attr-defined]
        return fields, words, sorted(population.tally()), population.leaders

    whole = seen()
    monkeypatch.setattr(forms, "PART", 7)
    assert seen() == whole
    assert sum(size for _, size in whole[2]) == 50


def test_the_leader_is_found_in_any_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "PART", 4)
    pairs: list[Pair] = [(9, other) for other in range(12) if other != 9]
    population = engine_named("agents").make(described("fratricide", 12, engine="agents", pairs=pairs))
    population.advance_exactly(len(pairs))
    assert (population.leaders, population.leader()) == (1, 9)


def test_ids_are_translated_without_widening_all_of_them() -> None:
    ids = np.array([2, 0, 1, 2], np.uint16)
    rows = np.array([[5, 6], [7, 8], [9, 10]], np.uint8)
    assert forms.translated(ids, rows).tolist() == [[9, 10], [5, 6], [7, 8], [9, 10]]
    assert forms.translated(ids, rows).dtype == np.uint8


def peak(*words: str) -> int:
    """The largest resident memory of `princeps` with these words, in bytes."""
    process = launch([sys.executable, "-m", "princeps", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    largest = 0
    while process.poll() is None:
        text = Path(f"/proc/{process.pid}/status").read_text()
        largest = max([largest, *(int(line.split()[1]) * 1024 for line in text.splitlines() if "VmHWM" in line)])
    assert process.returncode in (0, 1)
    return largest


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read from /proc")
@pytest.mark.parametrize("name", ["fratricide", "timer", "p_pl", "michail"])  # begins as ids, as words; long; never ids
def test_an_estimate_is_near_the_peak(name: str) -> None:
    n = 60_000_000
    guess = engine_named("agents").need(described(name, n, engine="agents")).total
    run = ["run", name, "--engine", "agents", "--seed", "3"]
    peak(
        *run, "-n", "1000", "--max-steps", "1000"
    )  # compiled now, if it was not: an estimate is of what runs, not of a compiler
    # as many steps as it takes until ids were tried, so that words and ids have been in memory together
    measured = peak(*run, "-n", str(n), "--max-steps", str(1 << 22))
    assert 1 / 1.5 < guess / measured < 1.5, (guess, measured)
