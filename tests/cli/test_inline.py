"""States and schedules on the command line itself: what their files do, in a command that can be pasted."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import princeps as library
from princeps import errors
from princeps.model.reading import make_run
from princeps.model.starts import starting_states
from tests.conftest import PATIENCE, Command, Outcome, without_times
from tests.tables import in_one_test

REFERENCE = ("--engine", "reference")
RING = "states:1,0,0,0,0;0,2,0,0,1;0,0,0,1,2;1,1,1,0,0"  # p_rl: leader, bullet, shield, signal, distL
NAMES = ("leader", "bullet", "shield", "signal", "distL")
ROWS = [dict(zip(NAMES, map(int, agent.split(",")), strict=True)) for agent in RING.removeprefix("states:").split(";")]
NAMED = "states:10,10,1;30,30,1;20,20,1"  # infection: aid, leader, isLeader


def outcome_of(result: dict[str, Any]) -> dict[str, Any]:
    """All but the words by which the run was described."""
    return {key: value for key, value in without_times(result).items() if key not in ("start", "command")}


@pytest.fixture
def state_file(tmp_path: Path) -> str:
    path = tmp_path / "states.json"
    path.write_text(json.dumps(ROWS))
    return f"file:{path}"


# -- the same as a file -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "inline",
    [RING, "json:" + json.dumps(ROWS), RING.replace(";", " ; ").replace(",", ", ")],
    ids=["states", "json", "spaced"],
)
def test_inline_states_are_those_of_a_file(state_file: str, inline: str) -> None:
    assert tuple(library.protocol("p_rl", n=4).fields) == NAMES
    assert starting_states(make_run("p_rl", 4, start=inline)) == starting_states(make_run("p_rl", 4, start=state_file))


@pytest.mark.parametrize("engine", ["reference", "agents", "events"])
def test_a_run_from_inline_states_is_that_from_a_file(quick: Command, state_file: str, engine: str) -> None:
    found = []
    for start in (state_file, RING, "json:" + json.dumps(ROWS)):
        words = ("run", "p_rl", "-n", 4, "--start", start, "--seed", 3, "--engine", engine, "--json")
        outcome = quick(*words)
        assert (outcome.code, outcome.object["start"]) == (0, start)
        found.append(outcome_of(outcome.object))
    assert found[0]["steps"] > 0
    assert found[1] == found[2] == found[0]


def test_the_counts_engine_takes_inline_states_too(tmp_path: Path) -> None:
    path = tmp_path / "states.json"
    path.write_text(json.dumps([{"leader": bit} for bit in (1, 1, 0, 1, 0)]))
    starts = (f"file:{path}", "states:1;1;0;1;0")
    one, other = (library.run("fratricide", n=5, start=start, engine="counts", seed=1).as_json() for start in starts)
    assert outcome_of(one) == outcome_of(other)
    assert one["leaders"] == 1


@pytest.mark.parametrize("engine", ["reference", "agents"])
def test_an_inline_schedule_is_that_of_a_file(quick: Command, tmp_path: Path, engine: str) -> None:
    path = tmp_path / "pairs.txt"
    for content, inline in (
        ("3 1\n3,0\n2 1\n3 2\n0 1\n", "3-1,3-0,2-1,3-2,0-1"),
        ("3 1\n2 0\n", " 3-1, 2-0"),
        ("", ""),
    ):
        path.write_text(content)
        words = ("run", "fratricide", "-n", 4, "--engine", engine, "--seed", 1, "--json", "--pairs")
        one, other = quick(*words, path), quick(*words, f"list:{inline}")
        assert one.code == other.code == (0 if inline.startswith("3-1,3") else 1)
        assert outcome_of(one.object) == outcome_of(other.object)
    assert (other.object["steps"], other.object["leaders"]) == (0, 4)


def test_trials_and_workers_begin_in_inline_states(quick: Command, state_file: str) -> None:
    words = ("run", "p_rl", "-n", 4, "--seed", 1, "--trials", 3, "--json", *REFERENCE, "--start")
    found = [quick(*words, start) for start in (state_file, RING)] + [quick(*words, RING, "--jobs", 2)]
    first, *others = [[outcome_of(result) for result in outcome.objects] for outcome in found]
    assert len(first) == 3
    assert others == [first, first]


def test_a_schedule_off_the_graph_can_be_forced() -> None:
    assert library.run("p_rl", n=3, start="no_leader", pairs="list:0-1,1-0,0-2", force=True, seed=1).steps == 3


def test_the_speed_of_a_run_from_inline_states_can_be_estimated(quick: Command) -> None:
    assert quick("run", "p_rl", "-n", 4, "--start", RING, *REFERENCE, "--dry-run", "--json").code == 0


@pytest.mark.parametrize("engine", ["reference", "agents"])
def test_inline_states_and_the_ids_must_agree(quick: Command, engine: str) -> None:
    words = ("run", "infection", "-n", 3, "--start", NAMED, "--engine", engine, "--seed", 1, "--json")
    assert quick(*words, "--ids", "10,30,20").object["leader"] == 1
    refused(quick(*words), "--start states: agent 0 has aid = 10, but its id is", "with --ids.")


# -- what is wrong with them --------------------------------------------------------------------------------------


def refused(outcome: Outcome, value: str, remedy: str) -> None:
    assert (outcome.code, outcome.stdout) == (2, "")
    (line,) = outcome.stderr.splitlines()
    assert line.startswith(f"princeps: {value}")
    assert remedy in line


AGENT = "states: agent 1"
STARTS = {
    "too few agents": ("states:1,0,0,0,0;0,2,0,0,1", "states: has 2 states for n = 3", "a state for each agent"),
    "no quotes": ("states:1,0,0,0,0", "states: has 1 state for n = 3", "in quotes"),
    "nobody": ("states:", "states: has 0 states for n = 3", "a state for each agent"),
    "an end too many": ("states:1,0,0,0,0;0,0,0,0,0;0,0,0,0,0;", "states: has 4 states", "a state for each agent"),
    "few values": (
        "states:0,0,0,0,0;1,0,0;0,0,0,0,0",
        f"{AGENT} has '1,0,0', not one value a field",
        "give leader,bullet,",
    ),
    "many values": (
        "states:0,0,0,0,0;1,0,0,0,0,7;0,0,0,0,0",
        f"{AGENT} has '1,0,0,0,0,7', not one value",
        "give leader,",
    ),
    "no values": ("states:0,0,0,0,0;;0,0,0,0,0", f"{AGENT} has '', not one value a field", "give leader,bullet,"),
    "a word": ("states:0,0,0,0,0;0,x,0,0,0;0,0,0,0,0", f"{AGENT} has bullet = 'x'", "must be an integer"),
    "a fraction": ("states:0,0,0,0,0;0,0.5,0,0,0;0,0,0,0,0", f"{AGENT} has bullet = '0.5'", "must be an integer"),
    "a gap": ("states:0,0,0,0,0;0,,0,0,0;0,0,0,0,0", f"{AGENT} has bullet = ''", "must be an integer"),
    "a strange digit": ("states:0,0,0,0,0;0,²,0,0,0;0,0,0,0,0", f"{AGENT} has bullet = '²'", "must be an integer"),
    "too large": ("states:0,0,0,0,0;0,3,0,0,0;0,0,0,0,0", f"{AGENT} has bullet = 3", "domain 0..2"),
    "negative": ("states:0,0,0,0,0;0,-1,0,0,0;0,0,0,0,0", f"{AGENT} has bullet = -1", "domain 0..2"),
    "no JSON": ("json:[{leader:1}]", "json: '[{leader:1}]' is not JSON", "a list of states, all in single quotes"),
    "much that is no JSON": ("json:" + "[" * 100_000, f"json: '{'[' * 60}...' is not JSON", "give a list of states"),
    "no list": ('json:{"leader":1}', "json: has no list for n = 3", "a JSON list with a state for each agent"),
    "a short list": ('json:[{"leader":1}]', "json: has 1 state for n = 3", "a JSON list with a state for each agent"),
    "a missing field": ('json:[{"leader":1},0,0]', "json: agent 0 lacks the field 'bullet'", "give all of leader"),
    "a bare number": ("json:[7,7,7]", "json: agent 0 7 is not a mapping of fields", "give leader"),
}


@in_one_test(("start", "value", "remedy"), STARTS.values(), ids=STARTS.keys())
def test_inline_states_are_checked(quick: Command, start: str, value: str, remedy: str) -> None:
    refused(quick("run", "p_rl", "-n", 3, "--start", start, *REFERENCE), f"--start {value}", remedy)


@pytest.mark.parametrize("engine", ["agents", "events"])
def test_every_engine_says_the_same(quick: Command, engine: str) -> None:
    for case in ("too few agents", "few values", "a word", "no JSON"):
        start, value, remedy = STARTS[case]
        refused(quick("run", "p_rl", "-n", 3, "--start", start, "--engine", engine), f"--start {value}", remedy)


SCHEDULES = {
    "one agent": ("0-1,2", "pair 2: '2' is not an ordered pair", "like 0-1"),
    "three agents": ("0-1-2", "pair 1: '0-1-2' is not an ordered pair", "like 0-1"),
    "words": ("0-1,one-two", "pair 2: 'one-two' is not an ordered pair", "like 0-1"),
    "half a pair": ("0-1,1-", "pair 2: '1-' is not an ordered pair", "like 0-1"),
    "a negative agent": ("0--1", "pair 1: '0--1' is not an ordered pair", "like 0-1"),
    "no comma": ("0-1 1-2", "pair 1: '0-1 1-2' is not an ordered pair", "a comma between two"),
    "a comma too many": ("0-1,", "pair 2: '' is not an ordered pair", "a comma between two"),
    "a loop": ("0-1,2-2", "pair 2: (2, 2) is no pair of agents", "two different ones of 0..3"),
    "nobody": ("0-4", "pair 1: (0, 4) is no pair of agents", "two different ones of 0..3"),
    "against the ring": ("0-1,1-0", "pair 2: (1, 0) is no arc of 'ring'", "--force"),
}


@in_one_test(("listed", "value", "remedy"), SCHEDULES.values(), ids=SCHEDULES.keys())
def test_an_inline_schedule_is_checked(quick: Command, listed: str, value: str, remedy: str) -> None:
    outcome = quick("run", "p_rl", "-n", 4, "--pairs", f"list:{listed}", *REFERENCE)
    refused(outcome, f"--pairs list: {value}", remedy)


def test_from_python_the_errors_are_those_of_a_file() -> None:
    cases: list[tuple[dict[str, Any], type[Exception]]] = [
        ({"start": "states:1;1"}, errors.RunError),
        ({"start": "json:{"}, errors.RunError),
        ({"start": "states:1;1;1,1"}, errors.StateError),
        ({"start": "states:1;1;2"}, errors.StateError),
        ({"pairs": "list:0-3"}, errors.RunError),
        ({"pairs": "list:0"}, errors.RunError),
    ]
    for options, kind in cases:
        with pytest.raises(kind):
            library.run("fratricide", n=3, engine="reference", **options)


# -- the command that repeats the run -----------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["reference", "agents"])
@pytest.mark.parametrize("start", [RING, "json:" + json.dumps(ROWS)], ids=["states", "json"])
def test_the_command_repeats_the_run(quick: Command, start: str, engine: str) -> None:
    for pairs in (None, "list:0-1,1-2,2-3,3-0", "list:"):
        result = library.run("p_rl", n=4, start=start, pairs=pairs, seed=5, engine=engine)
        words = shlex.split(result.command)
        assert words[words.index("--start") + 1] == start
        assert pairs is None or words[words.index("--pairs") + 1] == pairs
        again = quick(*words[1:], "--json").object
        assert without_times(again) == without_times(result.as_json())


def test_the_command_keeps_the_ids(quick: Command) -> None:
    result = library.run("infection", n=3, ids=[10, 30, 20], start=NAMED, pairs="list:1-0,1-2", engine="reference")
    assert (result.steps, result.converged, result.leader) == (2, True, 1)
    again = quick(*shlex.split(result.command)[1:], "--json").object
    assert without_times(again) == without_times(result.as_json())


@pytest.mark.medium
def test_the_command_survives_a_shell() -> None:
    result = library.run("fratricide", n=3, start="states:1;0;1", pairs="list:1-2,2-0", engine="reference")
    assert "--start 'states:1;0;1'" in result.command
    assert "--pairs list:1-2,2-0" in result.command
    line = result.command.replace("princeps", f"{shlex.quote(sys.executable)} -m princeps", 1) + " --json"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert without_times(json.loads(done.stdout)) == without_times(result.as_json())
