"""Whatever is wrong with a command is told in one sentence with the value and a remedy, and nothing is run."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import princeps as library
from tests.cli.refusals import assert_refused
from tests.conftest import Command
from tests.tables import in_one_test

REFERENCE = ("--engine", "reference")

# what is typed, what the sentence must quote, what it must advise
CASES = {
    "n below 2": ("run p_rl -n 1", "n = 1", "n >= 2"),
    "n negative": ("run p_rl -n -3", "n = -3", "n >= 2"),
    "n not a number": ("run p_rl -n many", "'many'", "like 1000 or 1e6"),
    "n not whole": ("run p_rl -n 10.5", "'10.5'", "like 1000 or 1e6"),
    "n infinite": ("run p_rl -n inf", "'inf'", "like 1000 or 1e6"),
    "n beyond all bounds": ("run p_rl -n 1e30", "1000000000000000000000000000000", "at most"),
    "n of a million digits": ("run p_rl -n 1e1000000", "'1e1000000'", "smaller"),
    "n missing": ("run p_rl", "-n", "like -n 1000"),
    "n beyond N for p_rl": ("run p_rl -n 10 -p N=9", "N = 9", "-p N=10"),
    "n beyond N for p_pl": ("run p_pl -n 10 -p N=9", "N = 9", "-p N=10"),
    "m below lg n": ("run p_ll -n 17 -p m=4", "m = 4", "-p m=5"),
    "m below lg n, symmetric": ("run p_ll_symmetric -n 17 -p m=4", "m = 4", "-p m=5"),
    "parameter not whole": ("run p_rl -n 3 -p N=3.5", "'3.5'", "like 1000 or 1e6"),
    "parameter not a number": ("run p_rl -n 3 -p N=abc", "'abc'", "like 1000 or 1e6"),
    "parameter out of range": ("run p_pl -n 3 -p c=0", "c = 0", ">= 1"),
    "parameter above its range": ("run p_ll -n 3 -p printed=2", "printed = 2", "0..1"),
    "parameter unknown": ("run p_rl -n 3 -p M=3", "'M'", "its parameters are N"),
    "parameter without value": ("run p_rl -n 3 -p N", "'N'", "-p N=8"),
    "protocol unknown": ("run p_r -n 3", "'p_r'", "did you mean p_rl"),
    "protocol unlike any": ("run zzz -n 3", "'zzz'", "known: a_k, aafj, b_k, chang_roberts, epidemic"),
    "protocol unknown to show": ("show infectoin", "'infectoin'", "did you mean infection"),
    "show with n below 2": ("show fratricide -n 1", "n = 1", "n >= 2"),
    "start unknown": ("run p_rl -n 3 --start rndom", "'rndom'", "did you mean random"),
    "goal unknown": ("run p_rl -n 3 --until safer", "'safer'", "did you mean safe"),
    "engine unknown": ("run p_rl -n 3 --engine agent", "'agent'", "did you mean agents"),
    "graph unknown": ("run infection -n 3 --graph rinf", "'rinf'", "did you mean ring"),
    "graph without its shape": ("run infection -n 4 --graph regular", "'regular'", "regular:D"),
    "verb unknown": ("rnu p_rl -n 3", "'rnu'", "did you mean run"),
    "option unknown": ("run p_rl -n 3 --sed 3", "--sed", "--seed"),
    "option without value": ("run p_rl -n 3 --seed", "--seed", "princeps run --help"),
    "argument missing": ("run -n 3", "name", "princeps run --help"),
    "argument too many": ("run p_rl p_ll -n 3", "p_ll", "princeps run --help"),
    "ids twice": ("run infection -n 3 --ids 1,7,7", "7", "must differ"),
    "ids too few": ("run infection -n 3 --ids 1,2", "2 ids", "one for each"),
    "ids not numbers": ("run infection -n 3 --ids 1,2,x", "'x'", "--ids 3,1,2"),
    "ids with two signs": ("run infection -n 3 --ids 1,2,--3", "'--3'", "--ids 3,1,2"),
    "ids negative": ("run infection -n 3 --ids 1,2,-3", "-3", "natural numbers"),
    "ids from too few": ("run infection -n 3 --ids random:2", "MAX = 2", "Raise MAX"),
    "ids from a fraction": ("run infection -n 3 --ids random:9.5", "'random:9.5'", "like random:1000000"),
    "ids for the anonymous": ("run p_rl -n 3 --ids 1,2,3", "'1,2,3'", "leave --ids out"),
    "ids beyond the known bound": ("run known_bound -n 3 --ids 1,2,9", "9", "-p bound=9"),
    "start that makes no sense": ("run p_ll -n 3 --start random", "not self-stabilizing", "only from initial"),
    "leaderless start of p_ll": ("run p_ll -n 3 --start no_leader", "'no_leader'", "only from initial"),
    "graph of another paper": ("run p_ll -n 3 --graph ring", "'ring'", "--force"),
    "graph undirected for p_rl": ("run p_rl -n 3 --graph undirected-ring", "'undirected-ring'", "--force"),
    "graph not connected": ("run infection -n 40 --graph er:0.01 --seed 1", "'er:0.01'", "raise P"),
    "graph in many parts": ("run infection -n 40 --graph regular:1", "'regular:1'", "D >= 3"),
    "graph impossible": ("run infection -n 5 --graph regular:3", "'regular:3'", "n * D even"),
    "graph with a strange digit": ("run infection -n 5 --graph regular:²", "'regular:²'", "n * D even"),
    "graph of no probability": ("run infection -n 5 --graph er:2", "'er:2'", "like er:0.01"),
    "grid without columns": ("run infection --graph grid:5", "'grid:5'", "like grid:20x50"),
    "torus without columns": ("run infection --graph torus", "'torus'", "like torus:20x50"),
    "grid of another size": ("run infection -n 7 --graph grid:2x3", "n = 7", "leave -n out"),
    "grid beyond memory": ("run infection --graph grid:1000000x1000000", "GiB", "smaller"),
    "random graph beyond memory": ("run infection -n 4e9 --graph er:0.5", "GiB", "smaller"),
    "ids beyond memory": ("run infection -n 1e12", "1000000000000", "Lower -n"),
    "agents beyond memory": ("run p_ll -n 1e12 --engine agents", "1000000000000", "or try --engine counts"),
    "fault larger than n": ("run p_rl -n 3 --fault 5:4", "'5:4'", "between 1 and 3"),
    "fault of nobody": ("run p_rl -n 3 --fault 5:0", "'5:0'", "between 1 and 3"),
    "fault before the start": ("run p_rl -n 3 --fault=-5:1", "'-5:1'", "step >= 0"),
    "fault not understood": ("run p_rl -n 3 --fault 5", "'5'", "STEP:K"),
    "faults for ever": ("run p_rl -n 3 --fault every:5:1", "'every:5:1'", "--max-steps"),
    "faults without pause": ("run p_rl -n 3 --max-steps 9 --fault every:0:1", "'every:0:1'", "at least 1"),
    "seed not whole": ("run p_rl -n 3 --seed 1.5", "'1.5'", "like 7"),
    "seed not a number": ("run p_rl -n 3 --seed lucky", "'lucky'", "like 7"),
    "seed of a tour": ("tour --seed lucky", "'lucky'", "like 7"),
    "trial negative": ("run p_rl -n 3 --trial -1", "trial = -1", "from 0"),
    "trials none": ("run p_rl -n 3 --trials 0", "trials = 0", "at least 1"),
    "jobs none": ("run p_rl -n 3 --trials 2 --jobs 0", "jobs = 0", "at least 1"),
    "limit negative": ("run p_rl -n 3 --max-steps -1", "max-steps = -1", "0 or more"),
    "hold what never falls": ("run p_rl -n 3 --hold", "p_rl", "loosely-stabilizing"),
    "hold without an end": ("run p_ll -n 3 --hold", "p_ll", "--max-steps"),
    "hold under fire": ("run p_pl -n 3 --hold --fault 5:1", "5:1", "one at a time"),
    "check by the wrong engine": ("run p_rl -n 3 --check --engine agents", "--engine agents", "leave out"),
    "output unwritable": ("run p_rl -n 3 -o /nowhere/at/all.json", "'/nowhere/at/all.json'", "another path"),
    "record of nothing known": ("run p_rl -n 3 --record leeders", "'leeders'", "did you mean leaders"),
    "record that is no expression": ("run p_rl -n 3 --record leader==", "'leader=='", "epoch == 2"),
    "record that divides": ("run p_rl -n 3 --record 1//leader", "1//leader", "comparisons"),
    "record of a fraction": ("run p_rl -n 3 --record leader/2", "leader/2", "comparisons"),
    "record by call": ("run p_rl -n 3 --record exit()", "exit()", "comparisons"),
    "record never": ("run p_rl -n 3 --record leaders --every 0", "'0'", "like 0.1"),
    "record once in eternity": ("run p_rl -n 3 --record leaders --every inf", "'inf'", "like 0.1"),
    "schedule not found": ("run p_rl -n 3 --pairs nowhere.txt", "'nowhere.txt'", "text file of pairs"),
    "state file not found": ("run p_rl -n 3 --start file:nowhere", "'nowhere'", "check the path"),
    "protocol file not found": ("run ./nowhere.py:Mine -n 3", "'./nowhere.py'", "./mine.py:Mine"),
}


@pytest.mark.medium
@in_one_test(("typed", "value", "remedy"), CASES.values(), ids=CASES.keys())
def test_one_sentence_says_what_is_wrong(quick: Command, typed: str, value: str, remedy: str) -> None:
    assert_refused(quick(*typed.split()), value, remedy)


@pytest.mark.medium
def test_the_sentence_is_all_a_real_process_prints(princeps: Command) -> None:
    assert_refused(princeps("run", "p_r", "-n", 10), "'p_r'", "did you mean p_rl")


def test_a_population_that_does_not_fit_is_refused_with_the_estimate(
    quick: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("princeps.engines.memory.available_bytes", lambda: 2**30)
    for words in ((), ("--dry-run",), ("--trials", 2)):
        outcome = quick("run", "p_ll", "-n", "4e9", "--engine", "agents", *words)
        assert_refused(
            outcome, "n = 4000000000 needs about", "but only 1 GiB are free. Lower -n, or try --engine counts."
        )
        assert re.search(r"about [\d.]+ GiB \([1-8] bytes an agent\)", outcome.stderr)


LEADER = {"leader": 1, "bullet": 0, "shield": 0, "signal": 0, "distL": 0}
STATE_FILES = {
    "a missing field": ([LEADER, {"leader": 0}, LEADER], "agent 1 lacks the field 'bullet'", "give all of leader"),
    "an unknown field": ([LEADER, LEADER, LEADER | {"x": 1}], "agent 2 has an unknown field 'x'", "the fields are"),
    "an illegal value": ([LEADER | {"bullet": 3}, LEADER, LEADER], "agent 0 has bullet = 3", "0..2"),
    "a negative value": ([LEADER | {"distL": -1}, LEADER, LEADER], "agent 0 has distL = -1", "0..3"),
    "a fraction": ([LEADER | {"bullet": 0.5}, LEADER, LEADER], "agent 0 has bullet = 0.5", "must be an integer"),
    "a number for a state": ([LEADER, 7, LEADER], "agent 1 7", "is not a mapping of fields: give leader"),
    "too few states": ([LEADER], "1 state for n = 3", "a state for each agent"),
    "no list": (LEADER, "no list", "a state for each agent"),
}


@in_one_test(("content", "value", "remedy"), STATE_FILES.values(), ids=STATE_FILES.keys())
@pytest.mark.parametrize("engine", ["reference", "agents"])
def test_a_state_file_is_checked(
    quick: Command, tmp_path: Path, engine: str, content: object, value: str, remedy: str
) -> None:
    path = tmp_path / "states.json"
    path.write_text(json.dumps(content))
    assert_refused(quick("run", "p_rl", "-n", 3, "--start", f"file:{path}", "--engine", engine), value, remedy)


@in_one_test("content", ["leader=1", "[" * 100_000, "9" * 5000], ids=["words", "brackets", "digits"])
def test_a_state_file_must_be_json(quick: Command, tmp_path: Path, content: str) -> None:
    path = tmp_path / "states.json"
    path.write_text(content)
    outcome = quick("run", "p_rl", "-n", 3, "--start", f"file:{path}", *REFERENCE)
    assert_refused(outcome, str(path), "give a list of states")


def test_a_state_outside_every_group_is_illegal(quick: Command, tmp_path: Path) -> None:
    names = library.protocol("p_ll", n=4).fields
    timer_that_leads = dict.fromkeys(names, 0) | {"leader": 1, "status": 2, "epoch": 1, "init": 1}
    path = tmp_path / "states.json"
    path.write_text(json.dumps([timer_that_leads] * 4))
    outcome = quick("run", "p_ll", "-n", 4, "--start", f"file:{path}", *REFERENCE)
    assert_refused(outcome, "agent 0", "groups of legal states")


SCHEDULES = {
    "three agents": ("0 1\n0 1 2\n", ":2: '0 1 2'", "like `0 1`"),
    "words": ("one two\n", ":1: 'one two'", "like `0 1`"),
    "a strange digit": ("0 ²\n", ":1: '0 ²'", "like `0 1`"),
    "a loop": ("# begins\n2 2\n", ":2: (2, 2)", "two different ones of 0..3"),
    "nobody": ("0 4\n", ":1: (0, 4)", "two different ones of 0..3"),
    "against the ring": ("0 1\n1 0\n", ":2: (1, 0)", "--force"),
}


@in_one_test(("content", "value", "remedy"), SCHEDULES.values(), ids=SCHEDULES.keys())
def test_a_schedule_is_checked(quick: Command, tmp_path: Path, content: str, value: str, remedy: str) -> None:
    path = tmp_path / "pairs.txt"
    path.write_text(content)
    assert_refused(quick("run", "p_rl", "-n", 4, "--pairs", path, *REFERENCE), f"{path}{value}", remedy)


GRAPHS = {
    "two parts": ("0 1\n2 3\n", "is not connected", "join the parts"),
    "a lonely giant": ("0 1\n1 4000000000\n", "is not connected", "join the parts"),
    "a loop": ("0 1\n1 1\n", ":2: agent 1 cannot meet itself", "remove the line"),
    "an edge twice": ("0 1\n1 0\n", ":2: the pair 1, 0 is listed twice", "remove one"),
    "a word": ("0 one\n", ":1: '0 one'", "write `u v` or `u > v`"),
    "three ends": ("0 1 2\n", ":1: '0 1 2'", "write `u v` or `u > v`"),
    "nothing": ("# empty\n", "has no edge", "like `0 1`"),
}


@in_one_test(("content", "value", "remedy"), GRAPHS.values(), ids=GRAPHS.keys())
def test_a_graph_file_is_checked(quick: Command, tmp_path: Path, content: str, value: str, remedy: str) -> None:
    path = tmp_path / "graph.txt"
    path.write_text(content)
    outcome = quick("run", "infection", "--graph", path, *REFERENCE)
    assert_refused(outcome, value, remedy)
    assert str(path) in outcome.stderr


def test_a_graph_file_with_more_agents_than_n_is_refused(quick: Command, tmp_path: Path) -> None:
    path = tmp_path / "graph.txt"
    path.write_text("0 1\n1 2\n")
    assert_refused(quick("run", "infection", "-n", 2, "--graph", path), "names agent 2", "leave -n out")
    assert_refused(quick("run", "infection", "-n", 4, "--graph", path), "not connected", "leave -n out")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_result_is_shown_even_if_it_cannot_be_kept(quick: Command) -> None:
    outcome = quick("run", "p_rl", "-n", 3, "--seed", 1, "--json", "-o", "/dev/full", *REFERENCE)
    assert outcome.code == 2
    assert outcome.object["converged"]
    assert outcome.stderr.splitlines() == [
        "princeps: output '/dev/full' cannot be written: No space left on device. Choose another path."
    ]
