"""What a user sees of a run on a ring: results, ways to give a ring, trials, what goes wrong."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import princeps as library
from princeps.engines.rings.reference import Network
from princeps.model.rings.event import Event
from tests.conftest import Command, without_times
from tests.ring_tools import (
    A_2,
    CONTRACT,
    SEEDED,
    TRIALS,
    rows_of,
)
from tests.tables import in_one_test

# -- one election --------------------------------------------------------------------------------------------------


def test_a_run_has_the_keys_of_the_contract(quick: Command) -> None:
    outcome = quick(*SEEDED, "--json")
    assert (outcome.code, outcome.stderr) == (0, "")
    result = outcome.object
    assert set(result) >= CONTRACT
    assert (result["protocol"], result["params"]["k"]) == ("a_k", 2)
    assert (result["n"], result["labels"]) == (3, [1, 2, 2])
    assert (result["schedule"], result["seed"], result["trial"]) == ("synchronous", 7, 0)
    assert (result["converged"], result["leaders"]) == (True, 1)
    assert (result["leader"], result["leader_label"]) == (0, 1)
    assert (result["time"], result["messages"], result["max_bits"]) == (10, 27, 14)
    assert result["kinds"] == {"token": 24, "FINISH": 3}
    assert result["bounds"] == {"time": 18, "messages": 45, "max_bits": 20}
    assert (result["steps"], result["label_bits"], result["violations"]) == (30, 1, [])
    assert result["seconds"] >= 0
    assert not {"limited", "interrupted"} & set(result)


def test_a_run_ends_with_a_table(quick: Command) -> None:
    outcome = quick(*SEEDED)
    result = quick(*SEEDED, "--json").object
    assert outcome.code == 0
    assert outcome.stdout.splitlines()[0] == "a_k, k = 2, n = 3, elected"
    rows = rows_of(outcome)
    assert rows["ring"] == "1,2,2"
    assert rows["leader"] == "process 0, whose label is 1, the true leader"
    assert rows["time"] == "10; bound 18"
    assert rows["messages"] == "27 (24 token, 3 FINISH); bound 45"
    assert rows["bits"] == "14 in a process, 1 a label; bound 20"
    assert (rows["schedule"], rows["seed"]) == ("synchronous", "7")
    assert rows["engine"] == "reference, few messages"
    assert float(rows["seconds"]) >= 0
    assert rows["repeat"] == result["command"]


def test_b_k_on_the_same_ring_takes_longer_with_less_memory(quick: Command) -> None:
    result = quick("run", "b_k", "--labels", "1,2,2", "-p", "k=2", "--json").object
    assert (result["leader"], result["leader_label"]) == (0, 1)
    assert result["max_bits"] == 2 * 1 + 3 * 1 + 5  # 2 ceil(lg k) + 3b + 5
    assert result["messages"] > 27
    assert result["time"] > 10
    assert sum(result["kinds"].values()) == result["messages"]


def test_k_defaults_to_the_multiplicity(quick: Command) -> None:
    assert quick("run", "a_k", "--labels", "1,2,2", "--json").object["params"]["k"] == 2
    assert quick("run", "a_k", "-n", 4, "--json").object["params"]["k"] == 1
    assert quick("run", "b_k", "-n", 4, "--json").object["params"]["k"] == 2


@in_one_test(
    "schedule", ["synchronous", "random", "adversarial", "slow:0", "slow:1", "slow:2", "order:2,2,1,0", "order:0"]
)
@pytest.mark.parametrize("name", ["a_k", "b_k"])
def test_every_schedule_elects_the_true_leader_with_the_same_messages(quick: Command, name: str, schedule: str) -> None:
    words = ("run", name, "--labels", "1,2,2", "-p", "k=2", "--seed", 7, "--json")
    result, usual = quick(*words, "--schedule", schedule).object, quick(*words).object
    assert (result["schedule"], result["leader"], result["converged"]) == (schedule, 0, True)
    for what in ("messages", "kinds", "max_bits", "steps"):
        assert result[what] == usual[what]
    assert 0 < result["time"] <= result["bounds"]["time"]


def test_without_a_seed_one_is_chosen_and_shown(quick: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PRINCEPS_SEED")
    first, second = quick(*A_2, "--json").object, quick(*A_2, "--json").object
    assert first["seed"] != second["seed"]
    assert f"--seed {first['seed']}" in first["command"]


def test_text_labels_stay_text(quick: Command) -> None:
    result = quick("run", "a_k", "--labels", "ABAAB", "--json").object
    assert result["labels"] == list("ABAAB")
    assert result["leader"] == library.ring("ABAAB").leader
    assert result["leader_label"] == "A"


# -- the four ways to give a ring ----------------------------------------------------------------------------------


def test_a_random_ring_is_drawn_by_the_seed(quick: Command) -> None:
    words = ("run", "a_k", "--random", "n=6,labels=4,max=k", "-p", "k=2", "--json", "--seed")
    first, again, other = (quick(*words, seed).object for seed in (1, 1, 2))
    assert without_times(first) == without_times(again)
    assert first["labels"] != other["labels"]
    assert first["n"] == 6
    assert max(Counter(first["labels"]).values()) <= 2
    assert first["leader"] == library.ring(first["labels"]).leader


def test_a_ring_is_read_from_a_file(quick: Command, tmp_path: Path) -> None:
    path = tmp_path / "ring.txt"
    path.write_text("# of Table 1\n1 2\n2\n")
    result = quick("run", "a_k", "--ring", path, "-p", "k=2", "--seed", 7, "--json").object
    assert result["labels"] == [1, 2, 2]
    assert f"--ring {path}" in result["command"]
    same = quick(*SEEDED, "--json").object
    assert {**without_times(result), "command": ""} == {**without_times(same), "command": ""}


def test_n_alone_numbers_the_processes(quick: Command) -> None:
    first = quick("run", "chang_roberts", "-n", "1e1", "--seed", 1, "--json").object
    assert sorted(first["labels"]) == list(range(1, 11))
    assert first["labels"] != quick("run", "chang_roberts", "-n", 10, "--seed", 2, "--json").object["labels"]
    nameless = quick("run", "itai_rodeh", "-n", 4, "--seed", 1, "--json").object
    assert nameless["labels"] == [0, 0, 0, 0]
    assert nameless["converged"]


# -- repetition ----------------------------------------------------------------------------------------------------

REPEATED: dict[str, tuple[object, ...]] = {
    "plain": ("a_k", "--labels", "1,2,2"),
    "parameters": ("a_k", "--labels", "1,2,2", "-p", "k=3", "-p", "printed=1"),
    "text": ("b_k", "--labels", "ABAAB"),
    "blanks and quotes": ("a_k", "--labels", "it's,a b,c"),
    "negative labels": ("a_k", "--labels=-3,-1,-3"),
    "negative seed": ("a_k", "-n", 4, "--seed", -3, "--schedule", "random"),
    "numbered": ("peterson", "-n", 6),
    "drawn": ("a_k", "--random", "n=6,labels=4,max=2"),
    "drawn for k": ("b_k", "--random", "n=5,labels=4,max=k", "-p", "k=2", "--schedule", "random"),
    "slow": ("a_k", "--labels", "1,2,2", "--schedule", "slow:1"),
    "adversarial": ("franklin", "-n", 5, "--schedule", "adversarial"),
    "ordered": ("a_k", "--labels", "1,2,2", "--schedule", "order:2,2,1"),
    "trial": ("a_k", "--random", "n=6,labels=4,max=2", "--trial", 4, "--schedule", "random"),
    "coins": ("itai_rodeh", "-n", 5, "--schedule", "random"),
    "engine": ("a_k", "-n", 5, "--engine", "reference"),
    "limit": ("a_k", "-n", 5, "--max-steps", 9),
    "forced": ("a_k", "--labels", "1,2,1,2", "-p", "k=2", "--force"),
}


@pytest.mark.medium
@in_one_test("words", REPEATED.values(), ids=REPEATED.keys())
def test_the_printed_command_repeats_the_run(quick: Command, words: tuple[object, ...]) -> None:
    first = quick("run", *words, "--json").object
    again = quick(*shlex.split(first["command"])[1:], "--json").object
    assert without_times(again) == without_times(first)
    assert first["steps"] > 0


def test_the_command_of_a_python_run_repeats_it_too(quick: Command) -> None:
    for given in ({"labels": ["x", "y", "x"]}, {"random": "n=6,labels=4,max=2"}, {"n": 5}):
        result = library.run("a_k", seed=3, schedule="random", **given)
        again = quick(*shlex.split(result.command)[1:], "--json").object
        assert without_times(again) == without_times(result.as_json())


# -- trials and output ---------------------------------------------------------------------------------------------


def test_trials_are_independent_of_the_jobs_and_can_be_run_alone(quick: Command) -> None:
    outcome = quick(*TRIALS, "--trials", 5, "--jobs", 2, "--json")
    results = outcome.objects
    assert (outcome.code, outcome.stderr) == (0, "")
    assert [result["trial"] for result in results] == list(range(5))
    assert len({tuple(result["labels"]) for result in results}) > 1
    alone = [quick(*TRIALS, "--trial", trial, "--json").object for trial in range(5)]
    assert [without_times(result) for result in alone] == [without_times(result) for result in results]
    single = quick(*TRIALS, "--trials", 5, "--json").objects
    assert [without_times(result) for result in single] == [without_times(result) for result in results]


def test_trials_end_with_statistics(quick: Command) -> None:
    outcome = quick(*SEEDED, "--trials", 5, "--schedule", "random")
    lines = outcome.stdout.splitlines()
    assert outcome.code == 0
    assert lines[0] == "a_k, k = 2, n = 3, random: 5 of 5 trials of seed 7"
    assert lines[-2] == "bounds: time 18, messages 45, bits 20"
    alone = lines[-1].removeprefix("trial i alone: princeps ").replace("--trial i", "--trial 3").split()
    assert quick(*alone, "--json").object["trial"] == 3
    rows = {line.split()[0]: line.split()[1:] for line in lines[2:-2]}
    times = [result["time"] for result in quick(*SEEDED, "--trials", 5, "--schedule", "random", "--json").objects]
    assert list(rows) == ["time", "messages", "token", "FINISH", "bits"]
    assert float(rows["time"][0]) == pytest.approx(sum(times) / 5, rel=1e-5)
    assert rows["messages"] == ["27", "0", "27", "27", "27"]
    assert rows["bits"] == ["14", "0", "14", "14", "14"]


def test_trials_that_elect_nobody_are_counted(quick: Command) -> None:
    outcome = quick("run", "a_k", "--labels", "1,2,1,2", "-p", "k=2", "--force", "--trials", 2)
    assert outcome.code == 1
    assert "2 trials elected nobody rightly; the statistics are of the others." in outcome.stdout


def test_output_is_appended_to_a_file(quick: Command, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    shown = quick(*SEEDED, "-o", path, "--json").object
    quick(*SEEDED, "-o", path, "--trials", 2)
    quick(*SEEDED, "-o", path, "--trace")
    kept = [json.loads(line) for line in path.read_text().splitlines()]
    assert [item["trial"] for item in kept] == [0, 0, 1, 0]
    assert kept[0] == shown
    assert without_times(kept[1]) == without_times(shown)


# -- what goes wrong on the way ------------------------------------------------------------------------------------


def test_force_shows_what_goes_wrong_on_a_symmetric_ring(quick: Command) -> None:
    words = ("run", "a_k", "--labels", "1,2,1,2", "-p", "k=2", "--seed", 1, "--force")
    outcome = quick(*words, "--json")
    result = outcome.object
    assert (outcome.code, outcome.stderr) == (1, "")
    assert (result["converged"], result["leaders"], result["leader"]) == (False, 2, None)
    second, several = result["violations"]
    assert second["rule"] == "a second process elects itself"
    assert (second["process"], second["action"], second["time"]) == (2, "A3", 8)
    assert (several["rule"], several["process"]) == ("several lead", None)
    text = quick(*words)
    assert text.code == 1
    assert text.stdout.splitlines()[0] == "a_k, k = 2, n = 4, not elected"
    assert "\nviolated  process 2 by A3 at time 8: a second process elects itself beside process 0\n" in text.stdout
    assert "\nviolated  in the end 2 processes lead (0, 2)\n" in text.stdout
    assert rows_of(text)["leader"] == "2 processes"


def test_force_shows_what_a_too_small_k_does(quick: Command) -> None:
    outcome = quick("run", "a_k", "--labels", "1,2,2,2,3", "-p", "k=1", "--force", "--json")
    assert outcome.code == 1
    assert outcome.object["leader"] == 3
    rules = [violation["rule"] for violation in outcome.object["violations"]]
    assert rules == ["done, but leader is not the label of a process that leads", "wrong leader", "misled"]


def test_force_shows_a_deadlock_with_the_state_of_the_process(quick: Command) -> None:
    outcome = quick("run", "b_k", "--labels", "1,2,2,2,3", "-p", "k=2", "--force", "--json")
    assert outcome.code == 1
    assert (outcome.object["leaders"], outcome.object["leader"], outcome.object["leader_label"]) == (0, None, None)
    stuck, *rest = outcome.object["violations"]
    assert stuck["sentence"].startswith("process 3 at time 3: no action is enabled for <1> there; it is in state (")
    assert "state = SHIFT, guest = 2" in stuck["sentence"]
    assert [broken["rule"] for broken in rest] == ["nobody leads", "not done", "not halted", "links not empty"]


def test_force_is_not_needed_where_all_is_well(quick: Command) -> None:
    outcome = quick(*SEEDED, "--force", "--json")
    assert outcome.code == 0
    assert "--force" not in outcome.object["command"]
    assert without_times(outcome.object) == without_times(quick(*SEEDED, "--json").object)


def test_a_limit_that_comes_first_is_code_1(quick: Command) -> None:
    outcome = quick(*SEEDED, "--max-steps", 5, "--json")
    assert outcome.code == 1
    assert (outcome.object["steps"], outcome.object["limited"], outcome.object["converged"]) == (5, True, False)
    assert outcome.object["violations"] == []  # of an end that was not waited for
    text = quick(*SEEDED, "--max-steps", 5)
    assert rows_of(text)["stopped"] == "after 5 actions (limit)"
    assert rows_of(text)["leader"] == "nobody"
    nothing = quick(*SEEDED, "--max-steps", 0, "--json")
    assert (nothing.code, nothing.object["steps"], nothing.object["messages"]) == (1, 0, 0)
    enough = quick(*SEEDED, "--max-steps", 30, "--json")
    assert (enough.code, enough.object["converged"]) == (0, True)


def test_an_interrupted_run_shows_how_far_it_came(quick: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Network.events

    def events(self: Network) -> Iterator[Event]:
        for event in real(self):
            yield event
            if event.step == 7:
                raise KeyboardInterrupt

    monkeypatch.setattr(Network, "events", events)
    outcome = quick(*SEEDED, "--json")
    assert (outcome.code, outcome.stderr) == (130, "")
    assert (outcome.object["interrupted"], outcome.object["converged"], outcome.object["steps"]) == (True, False, 8)
    assert quick(*SEEDED).stdout.startswith("a_k, k = 2, n = 3, interrupted\n")
    trials = quick(*SEEDED, "--trials", 3, "--json")
    assert (trials.code, trials.stdout) == (130, "")
    assert trials.stderr == "princeps: interrupted after 0 of 3 trials.\n"
