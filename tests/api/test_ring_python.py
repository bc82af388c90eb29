"""Rings from Python: results, facts and surveys have the keys of --json as attributes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import princeps as library
from tests.conftest import Command
from tests.ring_tools import (
    CONTRACT,
    SEEDED,
)
from tests.tables import in_one_test


def plain(value: Any) -> Any:
    """As JSON has it."""
    if hasattr(value, "as_json"):
        return value.as_json()
    return [plain(item) for item in value] if isinstance(value, (tuple, list)) else value


def assert_attributes(thing: Any, shown: dict[str, Any], elsewhere: tuple[str, ...] = ()) -> None:
    """Everything in the JSON object is an attribute of the same name."""
    for key, value in shown.items():
        if key not in ("seconds", *elsewhere):
            assert plain(getattr(thing, key)) == value, key


RUNS: dict[str, dict[str, Any]] = {
    "labels": {"name": "a_k", "labels": "1,2,2", "k": 2},
    "a list": {"name": "b_k", "labels": ["x", "y", "x"], "schedule": "slow:1"},
    "drawn": {"name": "a_k", "random": "n=6,labels=4,max=2", "schedule": "random", "trial": 2},
    "numbered": {"name": "peterson", "n": 5},
    "limited": {"name": "a_k", "n": 5, "max_steps": 3},
    "forced": {"name": "a_k", "labels": "1,2,1,2", "force": True},
}


@in_one_test("arguments", RUNS.values(), ids=RUNS.keys())
def test_a_result_has_its_keys_as_attributes(arguments: dict[str, Any]) -> None:
    result = library.run(seed=7, **arguments)
    assert_attributes(result, result.as_json())
    assert set(result.as_json()) >= CONTRACT


def test_run_takes_what_the_command_line_takes(quick: Command, tmp_path: Path) -> None:
    result = library.run("a_k", labels=[1, 2, 2], k=2, seed=7)
    assert (result.leader, result.leader_label, result.time, result.messages, result.max_bits) == (0, 1, 10, 27, 14)
    assert_attributes(result, quick(*SEEDED, "--json").object)
    path = tmp_path / "ring.txt"
    path.write_text("1 2 2")
    assert library.run("a_k", ring=str(path), k=2).labels == [1, 2, 2]


def test_runs_without_a_seed_have_different_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PRINCEPS_SEED")
    assert library.run("a_k", labels="1,2,2").seed != library.run("a_k", labels="1,2,2").seed


def test_a_class_may_be_run_as_well() -> None:
    from princeps.protocols.a_k import AK

    result = library.run(AK, labels="1,2,2", seed=7)
    assert result.command == library.run("a_k", labels="1,2,2", seed=7).command


@pytest.mark.medium
def test_an_observer_sees_a_long_run() -> None:
    seen: list[int] = []
    result = library.run(
        "lelann", n=150, seed=1, engine="reference", observer=lambda network: seen.append(network.steps)
    )
    assert result.steps > 10_000
    assert len(seen) >= 2
    assert seen == sorted(set(seen))


def test_facts_have_their_keys_as_attributes(quick: Command) -> None:
    for given, words in (
        ({"labels": "1,3,2,2"}, ("1,3,2,2",)),
        ({"labels": [1, 2, 1, 2]}, ("1,2,1,2",)),
        ({"random": "n=6,labels=4,max=2", "seed": 9}, ("--random", "n=6,labels=4,max=2", "--seed", 9)),
    ):
        facts = library.ring(**given)
        assert_attributes(facts, quick("ring", *words, "--json").object)


@pytest.mark.medium
@pytest.mark.usefixtures("in_plain_python")
def test_a_survey_has_its_keys_as_attributes(quick: Command) -> None:
    shown = quick("rings", "a_k", "-n", "2..3", "--max-k", 2, "--json").objects
    found = list(library.rings("a_k", range(2, 4), max_k=2))
    assert len(found) == len(shown) == 4
    for survey, item in zip(found, shown, strict=True):
        assert_attributes(survey, item, tuple(survey.costs))
        assert {what: cost.as_json() for what, cost in survey.costs.items()} == {
            what: item[what] for what in survey.costs
        }
        assert survey.fine


def test_an_impossibility_has_its_keys_as_attributes(quick: Command) -> None:
    shown = quick("impossible", "a_k", "-p", "k=2", "--json").object
    found = library.impossible("a_k", k=2)
    assert_attributes(found, shown, ("large_labels",))
    assert list(found.large_ring.labels) == shown["large_labels"]
    assert found.first_election.process == found.first
    assert found.second_election.process == found.second
    assert library.impossible("a_k", n=4, k=2).n == 4


def test_trials_of_a_ring_algorithm_show_their_statistics() -> None:
    found = library.trials("a_k", labels="1,2,2", k=2, schedule="random", seed=1, trials=3, engine="reference")
    text = repr(found)
    assert text.startswith("a_k, k = 2, n = 3, random: 3 of 3 trials of seed 1")
    assert {"time", "messages", "bits"} <= {line.split()[0] for line in text.splitlines() if line.strip()}
    assert "<table" in found._repr_html_()
