"""A seed is any integer, negative ones included, wherever one is taken."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import princeps as library
from princeps.errors import ParameterError
from tests.campaign.sweep_tools import OnTheSpot
from tests.cli.refusals import assert_refused
from tests.conftest import Command

TAKEN = (
    "run fratricide -n 5 --engine reference --seed",
    "run a_k --labels 1,2,2 --seed",
    "ring --random n=8,labels=3,max=3 --seed",
    "ring 1,2,2 --seed",
    "ring -1,-2,-2 --seed",
    "exact fratricide -n 3 --seed",
    "rings a_k -n 3 --seed",
    "sweep fratricide -n 5 --engine reference --jobs 1 --trials 2 --store s.db --seed",
)


@pytest.mark.parametrize(
    "words",
    [pytest.param(words, marks=pytest.mark.slow) if words.startswith(("exact", "rings")) else words for words in TAKEN],
)
def test_a_negative_seed_is_a_seed(quick: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("princeps.campaign.worker_pool.WorkerPool", OnTheSpot)
    outcome = quick(*words.split(), "-1", "--json")
    assert outcome.code == 0, outcome.stderr
    again = quick(*words.removesuffix("--seed").split(), "--seed=-1", "--json")
    timeless = [{**item, "seconds": 0} for item in outcome.objects]
    assert timeless == [{**item, "seconds": 0} for item in again.objects] != []


@pytest.mark.parametrize("words", TAKEN)
def test_what_is_no_seed_is_refused_alike(
    quick: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    if words.startswith("ring "):
        words = "ring --random n=8,labels=3,max=3 --seed"  # a ring that is given draws nothing
    for seed in ("1.5", "1e3", "x"):
        assert_refused(quick(*words.split(), seed), f"seed = '{seed}' is not an integer", "like 7")
    assert_refused(quick(*words.split(), "9" * 1001), "seed has more than 1000 digits", "like 7")


@pytest.mark.parametrize("seed", [True, 1.5, "", 10**1000], ids=["bool", "float", "empty", "long"])
def test_in_python_too(seed: Any) -> None:
    for call in (
        lambda: library.run("fratricide", n=5, seed=seed, engine="reference"),
        lambda: library.session("fratricide", n=5, seed=seed),
        lambda: library.exact("fratricide", n=3, seed=seed),
        lambda: library.ring(random="n=8,labels=3,max=3", seed=seed),
        lambda: library.sweep("fratricide", 5, seed=seed, engine="reference"),
    ):
        with pytest.raises(ParameterError, match="seed"):
            call()
