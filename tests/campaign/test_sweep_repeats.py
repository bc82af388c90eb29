"""Any trial of a sweep can be repeated alone, by the command that its summary shows."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.campaign.sweep_tools import OWN, REFERENCE, assert_repeats, rows_of, swept
from tests.conftest import Command

REPEATED: dict[str, str] = {
    "plain": "fratricide -n 5",
    "parameters": "p_pl -n 4 -p N=2n -p virus_factor=2,3 -p emit_factor=1 --start all_leaders",
    "holding": "timer -n 4 -p t_max=6 --hold",
    "holding to a limit": "timer -n 4 -p t_max=20 --hold --max-steps 300",
    "faults": "p_rl -n 5 --fault 100:2 --fault 300:5",
    "faults for ever": "p_rl -n 4 --fault every:200:1 --max-steps 1000",
    "faults that may be final": "fratricide -n 3 --fault 50:3",
    "a drawn graph": "infection -n 8 --graph regular:3",
    "a graph": "infection -n 6 --graph star",
    "a graph that says the size": "infection --graph grid:2x3",
    "a graph by force": "fratricide -n 5 --graph ring --force --max-steps 100",
    "listed identifiers": "infection -n 4 --ids 9,2,7,4",
    "random identifiers": "numbered -n 5 --ids random:1000",
    "a verdict": "numbered -n 6 -p m=1",
    "listed states": "fratricide -n 3 --start states:1;0;1",
    "a limit": "fratricide -n 6 --max-steps 15",
    "another goal": "p_rl -n 4 --until leader --start no_leader",
    "a file of one's own": "{folder}/mine.py:Mine -n 5 -p k=1,3",
}


@pytest.mark.medium
@pytest.mark.usefixtures("on_the_spot")
@pytest.mark.parametrize("typed", REPEATED.values(), ids=REPEATED.keys())
def test_the_command_of_a_summary_repeats_any_trial(quick: Command, store: str, tmp_path: Path, typed: str) -> None:
    (tmp_path / "mine.py").write_text(OWN)
    words = typed.replace("{folder}", str(tmp_path)).split()
    outcome = quick("sweep", *words, *REFERENCE, "--trials", 3, "--store", store, "--seed", 5, "--json")
    assert outcome.code in (0, 1), outcome.stderr
    assert_repeats(quick, outcome, store)


@pytest.mark.slow
def test_the_command_repeats_a_trial_of_the_engine_that_was_chosen(quick: Command, store: str) -> None:
    outcome = quick("sweep", "fratricide", "-n", "20,600", "--trials", 2, "--jobs", 1, "--store", store, "--json")
    assert {row["engine"] for row in rows_of(store).values()} == {"agents", "counts"}
    assert_repeats(quick, outcome, store)


@pytest.mark.medium
def test_from_python_the_command_repeats_a_trial_too(quick: Command, store: str) -> None:
    swept("p_rl", 4, store, trials=2, faults=["10:1"], N=[5])
    assert_repeats(quick, quick("results", store, "--json"), store)


@pytest.mark.usefixtures("on_the_spot")
@pytest.mark.parametrize(("name", "options"), [("p_rl", {"faults": "10:1"}), ("infection", {"ids": [4, 3, 2, 1]})])
def test_whatever_sweep_accepts_the_command_says(
    quick: Command, store: str, name: str, options: dict[str, Any]
) -> None:
    found, _ = swept(name, 4, store, trials=1, **options)
    words = shlex.split(next(iter(found)).command)
    assert quick(*words[1:-1], 0, "--json").code == 0
