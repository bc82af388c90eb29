"""What a user sees of ring algorithms: run, ring, rings and impossible, and the same from Python."""

from __future__ import annotations

import json
import re
import shlex
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import princeps as library
from princeps.engines import ring_survey
from princeps.engines.ring_reference import Network
from princeps.model import registry
from princeps.model.trace import Event
from tests.conftest import Command, Outcome, Start, without_times
from tests.test_bad_input import assert_refused

A_2 = ("run", "a_k", "--labels", "1,2,2", "-p", "k=2")
SEEDED = (*A_2, "--seed", 7)
CONTRACT = {
    *("protocol", "params", "n", "labels", "schedule", "seed", "converged", "leader", "leader_label"),
    *("time", "messages", "max_bits", "seconds"),
}


def rows_of(outcome: Outcome) -> dict[str, str]:
    """The table below its title."""
    pairs = (line.split("  ", 1) for line in outcome.stdout.splitlines()[1:])
    return {name.strip(): value.strip() for name, value in pairs}


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


@pytest.mark.parametrize(
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


def test_without_a_seed_one_is_chosen_and_shown(quick: Command) -> None:
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


@pytest.mark.parametrize("words", REPEATED.values(), ids=REPEATED.keys())
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

TRIALS = ("run", "a_k", "--random", "n=5,labels=4,max=2", "-p", "k=2", "--schedule", "random", "--seed", 3)


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


# -- refusals ------------------------------------------------------------------------------------------------------

# what is typed, what the sentence must quote, what it must advise
CASES = {
    "symmetric ring": ("run a_k --labels 1,2,1,2 -p k=2", "symmetric (period 2", "--force"),
    "one label only": ("run a_k --labels 7,7,7", "symmetric (period 1", "--force"),
    "multiplicity beyond k": (
        "run a_k --labels 1,2,2,2,3 -p k=2",
        "multiplicity 3 exceeds k = 2: A_2 may elect two leaders here.",
        "-p k=3",
    ),
    "multiplicity beyond k for b_k": (
        "run b_k --labels 1,2,2,2,3 -p k=2",
        "multiplicity 3 exceeds k = 2: B_2 may elect two leaders here.",
        "-p k=3",
    ),
    "repeated label": ("run lelann --labels 1,2,2", "label 2 occurs 2 times", "--force"),
    "wrong size": ("run itai_rodeh -n 4 -p size=5", "size = 5", "--force"),
    "k below 1": ("run a_k --labels 1,2,2 -p k=0", "k = 0", ">= 1"),
    "k below 2": ("run b_k --labels 1,2,3 -p k=1", "k = 1", ">= 2"),
    "k not a number": ("run a_k --labels 1,2,2 -p k=two", "'two'", "like 1000 or 1e6"),
    "parameter unknown": ("run a_k --labels 1,2,2 -p N=3", "'N'", "its parameters are k"),
    "one process": ("run a_k --labels 5", "1 process (5)", "at least two"),
    "n below 2": ("run a_k -n 1", "n = 1", "at least two"),
    "n not a number": ("run a_k -n many", "'many'", "like 1000 or 1e6"),
    "n beyond all bounds": ("run a_k -n 1e9", "n = 1000000000", "at most"),
    "a label missing": ("run a_k --labels 1,,2", "label 1 of '1,,2' is empty", "--labels 1,2,2"),
    "commas only": ("run a_k --labels ,", "no labels", "--labels ABAAB"),
    "no ring": ("run a_k", "none of them is given", "--labels, --random, --ring or -n"),
    "two rings": ("run a_k --labels 1,2 -n 3", "-n and --labels are given", "one ring"),
    "three rings": ("run a_k --random n=3 -n 3 --ring x", "-n and --random and --ring are given", "one ring"),
    "random without n": ("run a_k --random labels=3,max=2", "'labels=3,max=2'", "n=1000,labels=50,max=20"),
    "random of strange things": ("run a_k --random n=3,k=2", "'k=2'", "n=1000,labels=50,max=20"),
    "random with too few labels": ("run a_k --random n=9,labels=2,max=4", "n = 9", "raise labels or max"),
    "random with max=k, but no k": ("run a_k --random n=9,max=k", "max=k", "-p k=3"),
    "ring file not found": ("run a_k --ring nowhere.txt", "'nowhere.txt'", "text file of labels"),
    "schedule unknown": ("run a_k --labels 1,2,2 --schedule synchron", "'synchron'", "did you mean synchronous"),
    "schedule unlike any": ("run a_k --labels 1,2,2 --schedule zzz", "'zzz'", "known: adversarial"),
    "schedule without a link": ("run a_k --labels 1,2,2 --schedule slow", "'slow'", "slow:EDGE"),
    "link beyond the ring": ("run a_k --labels 1,2,2 --schedule slow:9", "'slow:9'", "slow:0 to slow:2"),
    "link that is none": ("run a_k --labels 1,2,2 --schedule slow:x", "'slow:x'", "slow:0 to slow:2"),
    "order of nobody": ("run a_k --labels 1,2,2 --schedule order:0,3", "'order:0,3'", "0..2"),
    "order by the wrong engine": (
        "run a_k --labels 1,2,2 --schedule order:0 --engine compiled",
        "order:...",
        "leave out --engine compiled",
    ),
    "engine for agents": ("run a_k --labels 1,2,2 --engine agents", "'agents'", "compiled, reference"),
    "seed not a number": ("run a_k --labels 1,2,2 --seed lucky", "'lucky'", "like 7"),
    "trial negative": ("run a_k --labels 1,2,2 --trial -1", "trial = -1", "from 0"),
    "limit negative": ("run a_k --labels 1,2,2 --max-steps -1", "max-steps = -1", "0 or more"),
    "graph for a ring algorithm": ("run a_k --labels 1,2,2 --graph ring", "a_k is a ring algorithm", "--graph"),
    "start for a ring algorithm": ("run a_k --labels 1,2,2 --start random", "a_k is a ring algorithm", "--start"),
    "goal for a ring algorithm": ("run a_k --labels 1,2,2 --until safe", "a_k is a ring algorithm", "--until"),
    "fault for a ring algorithm": ("run a_k --labels 1,2,2 --fault 5:1", "a_k is a ring algorithm", "--fault"),
    "hold for a ring algorithm": ("run a_k --labels 1,2,2 --hold", "a_k is a ring algorithm", "--hold"),
    "check for a ring algorithm": ("run a_k --labels 1,2,2 --check", "a_k is a ring algorithm", "--check"),
    "pairs for a ring algorithm": ("run a_k --labels 1,2,2 --pairs x", "a_k is a ring algorithm", "--pairs"),
    "ids for a ring algorithm": ("run a_k --labels 1,2,2 --ids 1,2,3", "a_k is a ring algorithm", "--ids"),
    "record for a ring algorithm": ("run a_k --labels 1,2,2 --record x", "a_k is a ring algorithm", "--record"),
    "every for a ring algorithm": ("run a_k --labels 1,2,2 --every 2", "a_k is a ring algorithm", "--every"),
    "estimate for a ring algorithm": ("run a_k --labels 1,2,2 --dry-run", "a_k is a ring algorithm", "--dry-run"),
    "labels for agents": ("run p_rl -n 3 --labels 1,2,2", "p_rl is a population protocol", "--labels"),
    "random ring for agents": ("run p_rl --random n=3", "p_rl is a population protocol", "--random"),
    "ring file for agents": ("run p_rl -n 3 --ring x", "p_rl is a population protocol", "--ring"),
    "schedule for agents": ("run p_rl -n 3 --schedule random", "p_rl is a population protocol", "--schedule"),
    "trace for agents": ("run p_rl -n 3 --trace", "p_rl is a population protocol", "--trace"),
    "diagram for agents": ("run p_rl -n 3 --diagram x.svg", "p_rl is a population protocol", "--diagram"),
    "trace unwritable": (
        "run a_k --labels 1,2,2 --trace /nowhere/at/all.jsonl",
        "'/nowhere/at/all.jsonl'",
        "another path",
    ),
    "trace of many": ("run a_k --labels 1,2,2 --trace --trials 2", "one execution", "--trial"),
    "trace by the wrong engine": ("run a_k --labels 1,2,2 --trace --engine compiled", "--trace", "leave out"),
    "diagram of many": ("run a_k --labels 1,2,2 --diagram x.svg --trials 2", "one execution", "--trial"),
    "diagram of no kind": ("run a_k --labels 1,2,2 --diagram x.txt", "'x.txt'", ".svg, .pdf, .png"),
    "diagram of no kind, with a trace": (
        "run a_k --labels 1,2,2 --trace --diagram x.txt",
        "'x.txt'",
        ".svg, .pdf, .png",
    ),
    "diagram unwritable": ("run a_k --labels 1,2,2 --diagram /nowhere/at/all.svg", "'/nowhere/at/all.svg'", "another"),
    "output unwritable": ("run a_k --labels 1,2,2 -o /nowhere/at/all.json", "'/nowhere/at/all.json'", "another path"),
    "facts of no ring": ("ring", "one ring is needed", "--random"),
    "facts of two rings": ("ring 1,2,2 --random n=3", "one ring is needed", "--random"),
    "facts of one process": ("ring 5", "1 process (5)", "at least two"),
    "facts of a gap": ("ring 1,,2", "label 1", "--labels 1,2,2"),
    "facts of no file": ("ring --ring nowhere.txt", "'nowhere.txt'", "text file of labels"),
    "facts by no seed": ("ring --random n=3 --seed lucky", "'lucky'", "like 7"),
    "facts for max=k": ("ring --random n=9,max=k", "max=k", "write a number"),
    "rings of one process": ("rings a_k -n 1..3", "n = 1", "at least 2"),
    "rings of no size": ("rings a_k -n 3..2", "'3..2'", "like 2..7"),
    "rings of all sizes": ("rings a_k -n 2..99", "n = 99", "at most 16"),
    "rings of a word": ("rings a_k -n few", "'few'", "like 1000"),
    "rings of half a range": ("rings a_k -n 2..", "''", "like 1000"),
    "rings over no label": ("rings a_k --alphabet 0", "alphabet = 0", "at least 1"),
    "rings for no k": ("rings b_k --max-k 1", "max-k = 1", "k >= 2"),
    "rings of agents": ("rings p_rl", "p_rl is a population protocol", "the ring algorithms are a_k"),
    "rings of nobody": ("rings a_l", "'a_l'", "did you mean"),
    "impossible for agents": ("impossible p_rl", "p_rl is a population protocol", "the ring algorithms are a_k"),
    "impossible alone": ("impossible a_k -p k=2 -n 1", "n = 1", "at least two"),
    "impossible for k = 0": ("impossible a_k -p k=0", "k = 0", ">= 1"),
    "impossible both ways": ("impossible franklin", "franklin", "unidirectional labeled rings"),
}


@pytest.mark.parametrize(("typed", "value", "remedy"), CASES.values(), ids=CASES.keys())
def test_one_sentence_says_what_is_wrong(quick: Command, typed: str, value: str, remedy: str) -> None:
    assert_refused(quick(*typed.split()), value, remedy)


def test_no_labels_are_no_ring(quick: Command) -> None:
    for words in (("run", "a_k", "--labels", ""), ("run", "a_k", "--labels", "  "), ("ring", "")):
        assert_refused(quick(*words), "no labels", "--labels 1,2,2")


def test_a_refused_run_leaves_no_trace(quick: Command, tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    assert_refused(quick("run", "a_k", "--labels", "1,2,1,2", "--trace", path), "symmetric", "--force")
    assert_refused(quick(*A_2, "--trace", path, "--diagram", "x.txt"), "'x.txt'", ".svg")
    assert not path.exists()
    assert_refused(quick(*A_2, "--trace", tmp_path), f"'{tmp_path}'", "another path")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_told(quick: Command) -> None:
    outcome = quick(*A_2, "--trace", "/dev/full")
    assert outcome.code == 2
    assert outcome.stderr.splitlines()[-1] == (
        "princeps: output '/dev/full' cannot be written: No space left on device. Choose another path."
    )


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


# -- traces and diagrams -------------------------------------------------------------------------------------------

EVENT_LINE = re.compile(r" *\d+  \d+ \(\S+\) +\w+ .* \| ")
TRACED: dict[str, tuple[object, ...]] = {
    "a_k": SEEDED,
    "b_k": ("run", "b_k", "--labels", "ABAAB", "--schedule", "random", "--seed", 7),
    "both ways": ("run", "franklin", "-n", 5, "--schedule", "adversarial", "--seed", 7),
    "numbers in messages": ("run", "hirschberg_sinclair", "-n", 5, "--seed", 7),
}


@pytest.mark.parametrize("words", TRACED.values(), ids=TRACED.keys())
def test_a_trace_prints_a_line_for_every_event(quick: Command, words: tuple[object, ...]) -> None:
    outcome = quick(*words, "--trace")
    result = quick(*words, "--json").object
    assert outcome.code == 0
    lines = outcome.stdout.splitlines()
    title = next(i for i, line in enumerate(lines) if line.endswith(", elected"))
    assert lines[0].split() == [
        *("time", "process", "action", "receives", "and", "sends", "|", "state", "of", "the", "process", "afterwards")
    ]
    assert len(lines[1:title]) == result["steps"]
    assert all(EVENT_LINE.match(line) for line in lines[1:title])
    assert sum(line.partition("|")[0].partition("-> ")[2].count(">") for line in lines[1:title]) == result["messages"]
    assert lines[-1].split()[0] == "repeat"


def test_a_trace_tells_what_happened(quick: Command) -> None:
    lines = quick(*SEEDED, "--trace").stdout.splitlines()
    assert lines[1].split() == ["0", "0", "(1)", "A1", "->", "<1>", "|", "INIT=0", "string=1"]
    assert lines[4].split() == ["1", "1", "(2)", "A2", "<1>", "->", "<1>", "|", "INIT=0", "string=21"]
    (election,) = (line for line in lines if " A3 " in line)
    assert election.split()[:3] == ["7", "0", "(1)"]
    assert election.endswith("string=12212212 isLeader done leader=1")
    assert lines[30].split()[:5] == ["10", "0", "(1)", "A6", "<FINISH>"]
    assert lines[30].endswith(" isLeader done halted leader=1")


@pytest.mark.parametrize("words", TRACED.values(), ids=TRACED.keys())
def test_a_trace_file_holds_an_object_for_every_event(
    quick: Command, tmp_path: Path, words: tuple[object, ...]
) -> None:
    path = tmp_path / "trace.jsonl"
    outcome = quick(*words, "--trace", path, "--json")
    result = outcome.object
    usual = quick(*words, "--json").object
    assert (outcome.code, outcome.stderr) == (0, "")
    assert {**without_times(result), "why": ""} == {**without_times(usual), "why": ""}
    events = [json.loads(line) for line in path.read_text().splitlines()]
    assert [event["step"] for event in events] == list(range(result["steps"]))
    assert sum(len(event["sent"]) for event in events) == result["messages"]
    assert sum(event["message"] is not None for event in events) == result["messages"]
    times = [event["time"] for event in events]
    assert times == sorted(times)
    assert times[-1] == result["time"]
    started = [event["process"] for event in events if event["message"] is None]
    assert sorted(started) == list(range(result["n"]))
    last = {event["process"]: event for event in events}
    assert all(event["halted"] and event["state"]["done"] == 1 for event in last.values())
    assert [process for process, event in last.items() if event["state"]["isLeader"] == 1] == [result["leader"]]
    assert {event["state"]["leader"] for event in last.values()} == {result["leader_label"]}
    assert all(event["state"]["leader"] is None for event in events[: result["n"]])


def test_a_traced_message_has_its_parts(quick: Command) -> None:
    *events, _ = quick("run", "hirschberg_sinclair", "--labels", "2,1", "--trace", "--json").objects
    probe = {"message": "<PROBE, 2, 1>", "kind": "PROBE", "values": [2, 1]}
    assert events[0]["sent"] == [{**probe, "to": "left"}, {**probe, "to": "right"}]
    arrived = [event for event in events if event["message"] == "<PROBE, 2, 1>"]
    assert [(e["process"], e["kind"], e["values"], e["from"]) for e in arrived[:2]] == [
        (1, "PROBE", [2, 1], "right"),
        (1, "PROBE", [2, 1], "left"),
    ]
    *events, _ = quick("run", "a_k", "--labels", "B,A", "--trace", "--json").objects
    assert events[0]["state"] == {"isLeader": 0, "leader": None, "done": 0, "INIT": 0, "string": ["B"]}


def test_what_is_sent_is_received_in_order(quick: Command, tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    quick("run", "b_k", "--labels", "1,3,2,2", "--schedule", "random", "--seed", 5, "--trace", path)
    events = [json.loads(line) for line in path.read_text().splitlines()]
    for process in range(4):
        sent = [content["message"] for event in events if event["process"] == process for content in event["sent"]]
        neighbour = [event["message"] for event in events if event["process"] == (process + 1) % 4]
        assert sent == [text for text in neighbour if text is not None]


def test_messages_to_the_left_are_marked(quick: Command) -> None:
    objects = quick("run", "franklin", "--labels", "1,3,2", "--trace", "--json").objects
    assert [(content["message"], content["to"]) for content in objects[0]["sent"]] == [
        ("<1>", "left"),
        ("<1>", "right"),
    ]
    assert " -> <-<1> <1> " in quick("run", "franklin", "--labels", "1,3,2", "--trace").stdout


def test_a_trace_may_come_as_json_before_the_result(quick: Command, tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    for words in ((*SEEDED, "--trace", "--json"), (*SEEDED, "--json", "--trace"), (*SEEDED, "--json", "--trace", "-")):
        *events, result = quick(*words).objects
        assert len(events) == result["steps"] == 30
        assert result["messages"] == 27
        quick(*SEEDED, "--trace", path)
        assert events == [json.loads(line) for line in path.read_text().splitlines()]


def test_a_trace_shows_as_much_as_happened(quick: Command) -> None:
    *events, result = quick(*SEEDED, "--max-steps", 5, "--trace", "--json").objects
    assert (len(events), result["limited"]) == (5, True)
    *events, result = quick("run", "b_k", "--labels", "1,2,2,2,3", "-p", "k=2", "--force", "--trace", "--json").objects
    assert sum(event["action"] is not None for event in events) == result["steps"]
    assert sum(len(event["sent"]) for event in events) == result["messages"]
    received = sum(event["message"] is not None and event["action"] is not None for event in events)
    assert f"{result['messages'] - received} messages are never received" in result["violations"][-1]["sentence"]


def test_a_trace_shows_a_deadlock_where_it_happens(quick: Command, tmp_path: Path) -> None:
    """Table 1 as printed: the leader sends a token on to a process that has halted."""
    words = ("run", "a_k", "--labels", "1,2,3", "-p", "k=1", "-p", "printed=1", "--seed", 1, "--trace")
    *events, result = quick(*words, "--json").objects
    stuck = [(place, event) for place, event in enumerate(events) if event["action"] is None]
    ((place, deadlock),) = stuck
    assert (deadlock["time"], deadlock["process"], deadlock["message"], deadlock["halted"]) == (9, 1, "<2>", True)
    assert {event["time"] for event in events[place:]} == {9}
    assert len(events) == result["steps"] + 1
    (line,) = (line for line in quick(*words).stdout.splitlines() if "no action is enabled:" in line)
    assert line.split()[:5] == ["9", "1", "(2)", "-", "<2>"]
    picture = tmp_path / "deadlock.svg"
    assert quick(*words[:-1], "--diagram", picture).code == 1
    assert picture.stat().st_size > 10_000


def test_one_trial_of_many_may_be_traced(quick: Command) -> None:
    *events, result = quick(*TRIALS, "--trials", 5, "--trial", 3, "--trace", "--json").objects
    assert (result["trial"], len(events)) == (3, result["steps"])


def test_a_diagram_is_drawn(quick: Command, tmp_path: Path) -> None:
    path, trace = tmp_path / "run.svg", tmp_path / "trace.jsonl"
    outcome = quick(*SEEDED, "--diagram", path, "--trace", trace, "--json")
    assert outcome.code == 0
    assert outcome.stderr == f"the diagram is in {path}\n"
    assert outcome.object["messages"] == 27
    assert ElementTree.parse(path).getroot().tag.endswith("svg")
    assert len(trace.read_text().splitlines()) == 30


def test_a_diagram_of_too_much_is_refused(quick: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("princeps.watched.MOST_DRAWN", 29)
    path = tmp_path / "run.svg"
    assert_refused(quick(*SEEDED, "--diagram", path), "more than 29 events", "--max-steps")
    assert not path.exists()
    path.write_text("kept")
    assert_refused(quick(*SEEDED, "--diagram", path), "more than 29 events", "--max-steps")
    assert path.read_text() == "kept"
    monkeypatch.setattr("princeps.watched.MOST_DRAWN", 30)
    monkeypatch.setattr("princeps.watched.MOST_ROWS", 10)
    assert_refused(quick(*SEEDED, "--diagram", path), "11 rows are too many", "--max-steps")


def test_traces_and_diagrams_from_python(tmp_path: Path) -> None:
    seen: list[Any] = []
    picture, lines = tmp_path / "run.svg", tmp_path / "trace.jsonl"
    result = library.run("a_k", labels=[1, 2, 2], k=2, seed=7, trace=seen.append, diagram=str(picture))
    again = library.run("a_k", labels="1,2,2", k=2, seed=7, trace=str(lines))
    assert (len(seen), result.messages, again.messages) == (result.steps, 27, 27)
    algorithm = registry.find_ring("a_k")(k=2)
    assert [json.loads(line) for line in lines.read_text().splitlines()] == [e.as_json(algorithm) for e in seen]
    assert picture.read_text().startswith("<?xml")


# -- ring ----------------------------------------------------------------------------------------------------------


def test_the_facts_of_a_ring(quick: Command) -> None:
    assert quick("ring", "1,3,2,2", "--json").object == {
        "labels": [1, 3, 2, 2],
        "n": 4,
        "distinct": 3,
        "label_bits": 2,
        "multiplicity": 2,
        "symmetric": False,
        "rotation": 4,
        "in_u_star": True,
        "unique_labels": 2,
        "leader": 0,
        "leader_label": 1,
        "lyndon_word": [1, 2, 2, 3],
        "smallest_k": {"a_k": 2, "b_k": 2},
    }
    outcome = quick("ring", "1,3,2,2")
    assert outcome.code == 0
    assert outcome.stdout.splitlines()[0] == "the ring 1,3,2,2"
    rows = rows_of(outcome)
    assert rows["processes"] == "4; different labels: 3, told apart by 2 bits"
    assert rows["multiplicity"] == "2: the ring is in K_k for k >= 2"
    assert rows["symmetric"].startswith("no rotation")
    assert rows["in U*"] == "yes, 2 labels are unique"
    assert rows["true leader"] == "process 0, whose label is 1"
    assert rows["Lyndon word"] == "1 2 2 3"
    assert rows["a_k"] == rows["b_k"] == "needs k >= 2"


def test_the_facts_of_a_symmetric_ring(quick: Command) -> None:
    facts = quick("ring", "ABAB", "--json").object
    assert (facts["symmetric"], facts["rotation"], facts["in_u_star"]) == (True, 2, False)
    assert (facts["leader"], facts["leader_label"], facts["lyndon_word"]) == (None, None, None)
    assert facts["smallest_k"] == {"a_k": None, "b_k": None}
    outcome = quick("ring", "ABAB")
    assert outcome.code == 0
    *table, last = outcome.stdout.splitlines()
    rows = rows_of(Outcome(0, "\n".join(table), ""))
    assert rows["symmetric"] == "yes, a rotation by 2 changes nothing"
    assert rows["in U*"] == "no, no label is unique"
    assert rows["a_k"] == "cannot elect one leader, whatever k"
    assert not {"true leader", "Lyndon word"} & set(rows)
    assert last == "no deterministic algorithm elects one leader on a symmetric ring."


def test_the_facts_of_a_drawn_ring_are_those_of_the_run(quick: Command) -> None:
    words = ("--random", "n=6,labels=4,max=2", "--seed", 9, "--json")
    facts, result = quick("ring", *words).object, quick("run", "a_k", *words).object
    assert facts["labels"] == result["labels"]
    assert (facts["leader"], facts["leader_label"]) == (result["leader"], result["leader_label"])
    assert facts["label_bits"] == result["label_bits"]


def test_the_facts_of_a_ring_in_a_file(quick: Command, tmp_path: Path) -> None:
    path = tmp_path / "ring.txt"
    path.write_text("B A # two\nB\n")
    assert quick("ring", "--ring", path, "--json").object == quick("ring", "BAB", "--json").object


def test_a_long_ring_is_shortened(quick: Command) -> None:
    outcome = quick("ring", "--random", "n=60")
    assert outcome.stdout.splitlines()[0].endswith(",... (60 labels)")
    assert rows_of(outcome)["Lyndon word"].endswith(" ...")
    assert rows_of(outcome)["processes"] == "60; different labels: 60, told apart by 6 bits"


# -- rings ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def in_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Surveys run in the reference engine: nothing need be compiled for a few small rings."""
    monkeypatch.setattr(ring_survey, "survey", partial(ring_survey.survey, engine="reference"))


@pytest.mark.usefixtures("in_plain_python")
def test_every_small_ring_is_run(quick: Command) -> None:
    outcome = quick("rings", "a_k", "-n", "2..3", "--max-k", 2, "--json")
    assert (outcome.code, outcome.stderr) == (0, "")
    found = outcome.objects
    assert [(item["n"], item["k"], item["rings"]) for item in found] == [(2, 1, 3), (2, 2, 3), (3, 1, 2), (3, 2, 8)]
    for item in found:
        n, k = item["n"], item["k"]
        bits = 1 if n == 2 else 2
        assert (item["protocol"], item["alphabet"]) == ("a_k", 3)
        assert item["runs"] == item["elected"] == item["rings"] * (3 + n)  # every link is slow once
        assert item["schedule_free"] is True
        assert item["failures"] == []
        assert item["configurations"] > 0
        # the worst case are distinct labels, whose costs are known exactly
        assert item["time"]["worst"] == (2 * k + 1) * n
        assert 2 * item["messages"]["worst"] == n * n * (4 * k + 1) + n
        assert item["max_bits"]["worst"] == ((2 * k + 1) * n - 1) * bits + 2 * bits + 3
        for what, bound in (("time", (2 * k + 2) * n), ("messages", n * n * (2 * k + 1))):
            cost = item[what]
            assert cost["mean"] <= cost["worst"] <= cost["bound"] == bound
            assert cost["tightest"] == pytest.approx(cost["worst"] / bound)
            assert len(set(cost["ring"].split(","))) == n


@pytest.mark.usefixtures("in_plain_python")
def test_every_small_ring_ends_with_tables(quick: Command) -> None:
    outcome = quick("rings", "a_k", "-n", "2,3", "--max-k", 2)
    assert outcome.code == 0
    first, *tables = outcome.stdout.split("\n\n")
    assert first == "a_k: every asymmetric ring over 3 labels, up to rotation"
    lines = [table.splitlines() for table in tables]
    titles = [table[0].strip() for table in lines]
    overview = "every schedule; configurations of all interleavings"
    assert titles == [overview, "time, in message delays", "messages", "bits of a process, at their peak"]
    assert [row.split()[:5] for row in lines[0][2:]] == [
        ["2", "1", "3", "15", "all"],
        ["2", "2", "3", "15", "all"],
        ["3", "1", "2", "12", "all"],
        ["3", "2", "8", "48", "all"],
    ]
    assert [row.split()[5:] for row in lines[0][2:]] == [["yes", "60"], ["yes", "96"], ["yes", "168"], ["yes", "822"]]
    assert lines[1][2].split() == ["2", "1", "6", "6.0", "8", "75%", "1,2"]
    assert lines[2][5].split() == ["3", "2", "42", "29.6", "45", "93%", "1,2,3"]


@pytest.mark.usefixtures("in_plain_python")
def test_a_survey_may_be_small(quick: Command) -> None:
    (item,) = quick("rings", "b_k", "-n", 3, "--alphabet", 2, "--max-k", 2, "--interleavings", 0, "--json").objects
    assert (item["k"], item["rings"], item["configurations"]) == (2, 2, None)
    assert "-" in quick("rings", "b_k", "-n", 3, "--alphabet", 2, "--max-k", 2, "--interleavings", 0).stdout
    (item,) = quick("rings", "lelann", "-n", 3, "--json").objects  # distinct labels only, and no k
    assert (item["k"], item["rings"], item["elected"]) == (None, 2, 12)


@pytest.mark.usefixtures("in_plain_python")
def test_no_ring_at_all_is_refused(quick: Command) -> None:
    outcome = quick("rings", "a_k", "-n", 3, "--alphabet", 1)
    assert_refused(outcome, "a_k is for none of these rings", "raise --alphabet or --max-k")


@pytest.mark.usefixtures("in_plain_python")
def test_coins_are_not_explored(quick: Command) -> None:
    (item,) = quick("rings", "itai_rodeh", "-n", 3, "--alphabet", 2, "--json").objects
    assert item["configurations"] is None


def test_labels_may_be_negative(quick: Command) -> None:
    assert quick("ring", "-1,2", "--json").object["labels"] == [-1, 2]
    assert quick("run", "a_k", "--labels", "-1,2", "--json").object["leader_label"] == -1


@pytest.mark.parametrize("words", [("rings", "lelann", "-n", "2..3"), ("run", "a_k", "--labels", "1,2", "--trace")])
def test_a_reader_that_leaves_is_no_failure(start: Start, words: tuple[str, ...]) -> None:
    process = start(*words)
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait(timeout=60) == 0


@pytest.mark.usefixtures("in_plain_python")
def test_an_interrupted_survey_shows_what_was_finished(quick: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Network.events

    def events(self: Network) -> Iterator[Event]:
        for event in real(self):
            yield event
            if self.algorithm.params["k"] == 2:
                raise KeyboardInterrupt

    monkeypatch.setattr(Network, "events", events)
    outcome = quick("rings", "a_k", "-n", 2, "--json")
    assert outcome.code == 130
    assert (outcome.object["k"], outcome.object["elected"]) == (1, 15)
    assert outcome.stderr == "princeps: interrupted after 1 tables.\n"


RASH = """
from princeps.model.ring_algorithm import RingAlgorithm, start


@start
def S(p, c):
    yield 1
    p.isLeader = 1
    p.leader = p.id
    p.done = 1
    p.halt()


class Rash(RingAlgorithm):
    actions = (S,)
"""


@pytest.fixture
def rash(tmp_path: Path) -> str:
    """An algorithm by which everybody leads at once and nobody sends anything."""
    path = tmp_path / "rash.py"
    path.write_text(RASH)
    return f"{path}:Rash"


@pytest.mark.usefixtures("in_plain_python")
def test_a_wrong_algorithm_is_caught_with_the_command_that_shows_it(quick: Command, rash: str) -> None:
    outcome = quick("rings", rash, "-n", 2, "--alphabet", 2, "--json")
    assert outcome.code == 1
    assert (outcome.object["runs"], outcome.object["elected"]) == (5, 0)
    for failure in outcome.object["failures"]:
        said, _, command = failure.partition(": princeps ")
        assert "a second process elects itself" in said
        assert quick(*shlex.split(command)).code == 1
    text = quick("rings", rash, "-n", 2, "--alphabet", 2)
    assert text.code == 1
    assert all(failure in text.stdout for failure in outcome.object["failures"])


def test_an_algorithm_of_ones_own_is_run_and_traced(quick: Command, rash: str) -> None:
    outcome = quick("run", rash, "--labels", "1,2", "--trace")
    assert outcome.code == 1
    assert [line.split()[:4] for line in outcome.stdout.splitlines()[1:3]] == [
        ["0", "0", "(1)", "S"],
        ["0", "1", "(2)", "S"],
    ]
    assert "a second process elects itself beside process 0" in outcome.stdout
    result = quick("run", rash, "--labels", "1,2", "--json").object
    assert (result["leaders"], result["messages"], result["bounds"]) == (2, 0, {})
    again = quick(*shlex.split(result["command"])[1:], "--json").object
    assert without_times(again) == without_times(result)


# -- impossible ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "k", "n"), [("a_k", 2, 3), ("a_k", 1, 2), ("a_k", 3, 4), ("b_k", 2, 2)])
def test_two_leaders_by_construction(quick: Command, name: str, k: int, n: int) -> None:
    found = quick("impossible", name, "-p", f"k={k}", "-n", n, "--json").object
    small = list(range(1, n + 1))
    assert (found["protocol"], found["params"]["k"], found["n"], found["labels"]) == (name, k, n, small)
    assert found["large_labels"] == small * found["copies"] + [n + 1]
    assert found["large_n"] == len(found["large_labels"]) == n * found["copies"] + 1
    assert found["steps"] <= (found["copies"] - 2) * n  # T <= (K-2)n
    assert found["first"] == (found["copies"] - 2) * n + found["leader"]
    assert found["second"] == found["first"] + n
    assert found["lower_bound"] == (1 + (k - 2) * n if k >= 2 else None)
    assert found["lower_bound"] is None or found["lower_bound"] <= found["steps"]
    assert max(found["elected_at"]) <= found["steps"]
    assert found["same_states"] > 0
    usual = quick("run", name, "--labels", ",".join(map(str, small)), "-p", f"k={k}", "--json").object
    assert (found["leader"], found["steps"]) == (usual["leader"], usual["time"] + 1)
    shown = quick(*shlex.split(found["command"])[1:], "--json")
    assert shown.code == 1
    assert shown.object["labels"] == found["large_labels"]
    assert shown.object["leaders"] >= 2
    assert "a second process elects itself" in [broken["rule"] for broken in shown.object["violations"]]


def test_the_construction_is_shown(quick: Command) -> None:
    outcome = quick("impossible", "a_k", "-p", "k=3")
    found = quick("impossible", "a_k", "-p", "k=3", "--json").object
    assert outcome.code == 0
    facts, execution = outcome.stdout.split("\n\n")
    assert facts.splitlines()[0] == "a_k, k = 3: two leaders on a ring with a unique label"
    rows = rows_of(Outcome(0, facts, ""))
    assert rows["small ring"] == "1,2,3: process 0 is elected"
    assert rows["takes"] == (
        "22 synchronous steps, the start included; an algorithm that is right for k = 3 needs at least 1 + (k-2)n = 4"
    )
    assert rows["large ring"].startswith(f"1,2,3 {found['copies']} times, then 4: {found['large_n']} processes")
    assert f"({found['same_states']:,} states compared)" in rows["the same"]
    both = f"processes {found['first']} and {found['second']} elect themselves, both in step {found['elected_at'][0]}"
    assert rows["two leaders"] == both
    for process in (found["first"], found["second"]):
        assert rows[f"process {process}"].startswith(f"time {found['elected_at'][0] - 1}, A3 on <1>: isLeader = 1")
    assert rows["watch it"] == f"{found['command']} --trace"
    doing = [row["small"] for row in found["execution"]]
    assert doing == ["A1", *["A2 <3>", "A2 <2>", "A2 <1>"] * 5, "A2 <3>", "A2 <2>", "A3 <1>"]
    assert all(row["small"] == row["first"] == row["second"] for row in found["execution"])
    assert [row["step"] for row in found["execution"]] == list(range(1, found["elected_at"][0] + 1))
    assert [line.split() for line in execution.splitlines()[-2:]] == [
        ["18", *["A2", "<2>", "A2", "<2>", "A2", "<2>"]],
        ["19", *["A3", "<1>", "A3", "<1>", "A3", "<1>"]],
    ]


def test_of_a_long_construction_the_end_is_shown(quick: Command) -> None:
    execution = quick("impossible", "b_k", "-p", "k=2").stdout.split("\n\n")[1].splitlines()
    assert (len(execution), execution[2].strip(), execution[-1].split()[0]) == (43, "...", "55")


def test_algorithms_without_k_are_fooled_too(quick: Command, rash: str) -> None:
    found = quick("impossible", "chang_roberts", "--json").object
    assert (found["params"], found["lower_bound"], found["leader"]) == ({}, None, 2)
    assert quick("impossible", "chang_roberts").stdout.startswith("chang_roberts: two leaders")
    assert quick("impossible", rash, "--json").object["steps"] == 1


# -- from Python ---------------------------------------------------------------------------------------------------


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


@pytest.mark.parametrize("arguments", RUNS.values(), ids=RUNS.keys())
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
    assert library.run("a_k", labels="1,2,2").seed != library.run("a_k", labels="1,2,2").seed


def test_a_class_may_be_run_as_well() -> None:
    from princeps.protocols.a_k import AK

    result = library.run(AK, labels="1,2,2", seed=7)
    assert result.command == library.run("a_k", labels="1,2,2", seed=7).command


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
