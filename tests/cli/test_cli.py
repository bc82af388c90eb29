"""One run from the command line: the contract's keys, tables, repetition, interruption."""

from __future__ import annotations

import json
import os
import pty
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import princeps as library
from tests.conftest import PATIENCE, Command, Outcome, Start, wait_for, without_times
from tests.tables import in_one_test

REFERENCE = ("--engine", "reference")
SMALL_P_PL = ("p_pl", "-n", 4, "-p", "virus_factor=1", "-p", "emit_factor=1", *REFERENCE)


CONTRACT = {"protocol", "params", "n", "start", "until", "seed", "trial", "engine"} | {
    *("steps", "parallel_time", "converged", "leaders", "leader", "seconds")
}


# -- one run ------------------------------------------------------------------------------------------------------


def test_a_run_has_the_keys_of_the_contract(quick: Command) -> None:
    outcome = quick("run", "p_rl", "-n", 10, "-p", "N=12", "--seed", 7, "--json")
    assert (outcome.code, outcome.stderr) == (0, "")
    result = outcome.object
    assert set(result) >= CONTRACT
    assert result["protocol"] == "p_rl"
    assert result["params"] == {"N": 12}
    assert (result["n"], result["start"], result["until"]) == (10, "random", "s_rl")
    assert (result["seed"], result["trial"], result["engine"]) == (7, 0, "agents")
    assert (result["converged"], result["leaders"]) == (True, 1)
    assert result["parallel_time"] == result["steps"] / 10
    assert 0 <= result["leader"] < 10
    assert not {"held", "held_steps", "faults", "record", "interrupted"} & set(result)


def test_a_run_ends_with_a_table(quick: Command) -> None:
    words = ("run", "infection", "-n", 6, "--ids", "30,10,60,20,50,40", "--seed", 7, *REFERENCE)
    outcome, result = quick(*words), quick(*words, "--json").object
    rows = dict(line.split("  ", 1) for line in outcome.stdout.splitlines()[1:])
    rows = {name.strip(): value.strip() for name, value in rows.items()}
    assert rows["steps"] == str(result["steps"])
    assert rows["parallel time"] == f"{result['parallel_time']:.2f}"
    assert rows["leaders"] == "1"
    assert rows["leader"] == "agent 2, whose id is 60"
    assert rows["seed"] == "7"
    assert rows["engine"] == "reference"
    assert float(rows["seconds"]) >= 0
    assert rows["repeat"] == result["command"]


def test_the_engines_agree_and_the_defaults_are_the_papers(quick: Command) -> None:
    for name, start_, goal in (
        ("p_rl", "random", "s_rl"),
        ("infection", "initial", "complete"),
        ("fratricide", "initial", "leader"),
        ("timer", "random", "leader"),
        ("epidemic", "initial", "complete"),
        ("majority", "initial", "consensus"),
        ("numbered", "initial", "declared"),
    ):
        result = quick("run", name, "-n", 6, "--seed", 1, "--json", *REFERENCE).object
        assert (result["start"], result["until"]) == (start_, goal)
    first = quick("run", "fratricide", "-n", 30, "--seed", 1, "--json").object
    second = quick("run", "fratricide", "-n", 30, "--seed", 1, "--json", *REFERENCE).object
    assert (first["steps"], first["leader"], first["events"]) == (second["steps"], second["leader"], second["events"])


def test_a_declaration_is_judged(quick: Command) -> None:
    result = quick("run", "numbered", "-n", 20, "-p", "m=20", "--seed", 1, "--json", *REFERENCE).object
    assert result["correct"] is True
    early = quick("run", "numbered", "-n", 20, "--max-steps", 1, "--json", *REFERENCE)
    assert early.object["correct"] is None


def test_a_limit_that_comes_first_is_code_1(quick: Command) -> None:
    outcome = quick("run", "fratricide", "-n", 30, "--seed", 1, "--max-steps", 5, "--json", *REFERENCE)
    assert outcome.code == 1
    assert (outcome.object["steps"], outcome.object["converged"], outcome.object["leader"]) == (5, False, None)
    assert "(limit)" in quick("run", "fratricide", "-n", 30, "--seed", 1, "--max-steps", 5, *REFERENCE).stdout


def test_without_a_seed_one_is_chosen_and_shown(quick: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PRINCEPS_SEED")
    words = ("run", "fratricide", "-n", 12, "--json", *REFERENCE)
    first, second = quick(*words).object, quick(*words).object
    assert first["seed"] != second["seed"]
    assert f"--seed {first['seed']}" in first["command"]


def test_the_environment_may_give_the_seed(quick: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("run", "fratricide", "-n", 12, "--json", *REFERENCE)
    monkeypatch.setenv("PRINCEPS_SEED", "77")
    assert [quick(*words, *more).object["seed"] for more in ((), ("--seed", 3))] == [77, 3]
    monkeypatch.setenv("PRINCEPS_SEED", "lucky")
    refused = quick(*words)
    assert refused.code == 2
    assert "PRINCEPS_SEED = 'lucky' is not an integer" in refused.stderr


def test_numbers_may_be_written_as_people_write_them(quick: Command) -> None:
    for text in ("100", "1e2", "10^2", "1_00"):
        assert quick("run", "fratricide", "-n", text, "--max-steps", "1e0", "--json", *REFERENCE).object["n"] == 100


REPEATED: dict[str, tuple[object, ...]] = {
    "plain": ("p_rl", "-n", 8),
    "parameters": ("p_rl", "-n", 5, "-p", "N=9", "--until", "safe", "--start", "two_leaders"),
    "trial": ("fratricide", "-n", 9, "--trial", 4),
    "faults": ("p_rl", "-n", 5, "--fault", "300:2", "--fault", "500:5"),
    "steady faults": ("p_rl", "-n", 5, "--fault", "every:200:2", "--max-steps", 900),
    "hold": (*SMALL_P_PL[:7], "--hold"),
    "random graph": ("infection", "-n", 12, "--graph", "er:0.5", "--seed", 2),  # another one may be disconnected
    "regular graph": ("infection", "-n", 12, "--graph", "regular:3"),
    "forced graph": ("fratricide", "-n", 4, "--graph", "star", "--force", "--max-steps", 40),
    "ids": ("infection", "-n", 5, "--ids", "9,7,5,3,1"),
    "random ids": ("infection", "-n", 5, "--ids", "random:1e9"),
    "record": ("p_rl", "-n", 5, "--record", "distL >= 2", "--record", "leaders", "--every", "0.3"),
    "negative seed": ("p_rl", "-n", 5, "--seed", -3),
    "check": ("p_ll", "-n", 5, "--check"),
}


@in_one_test("words", REPEATED.values(), ids=REPEATED.keys())
def test_the_printed_command_repeats_the_run(quick: Command, words: tuple[object, ...]) -> None:
    engine = () if "--check" in words else REFERENCE
    first = quick("run", *words, *engine, "--json").object
    again = quick(*shlex.split(first["command"])[1:], "--json").object
    assert without_times(again) == without_times(first)
    assert first["steps"] > 0


def test_the_command_of_a_python_run_repeats_it_too(quick: Command, tmp_path: Path) -> None:
    result = library.run("p_rl", n=5, seed=3, engine="reference", record={"far": "distL >= 2"}, every=0.4)
    again = quick(*shlex.split(result.command)[1:], "--json").object
    assert result.record is not None
    assert again["steps"] == result.steps
    assert again["record"]["distL >= 2"] == result.record["far"]


# -- what goes wrong on the way ------------------------------------------------------------------------------------


def test_output_is_appended_to_a_file(quick: Command, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    words = ("run", "fratricide", "-n", 5, "--seed", 1, "-o", path, *REFERENCE)
    shown = quick(*words, "--json").object
    quick(*words, "--trials", 2)
    kept = [json.loads(line) for line in path.read_text().splitlines()]
    assert [item["trial"] for item in kept] == [0, 0, 1]
    assert kept[0] == shown
    assert without_times(kept[1]) == without_times(shown)


@pytest.mark.medium
def test_a_reader_that_leaves_early_is_no_error(start: Start) -> None:
    process = start("run", "fratricide", "-n", 5, "--trials", 5000, "--json", *REFERENCE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(timeout=PATIENCE) == 0
    assert process.stderr.read() == ""


def interrupted(process: subprocess.Popen[str]) -> tuple[list[dict[str, Any]], str]:
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    return Outcome(130, out, err).objects, err


@pytest.mark.medium
def test_an_interrupted_run_shows_how_far_it_came(start: Start, duel: Callable[[str], str], tmp_path: Path) -> None:
    name = duel("next(meetings) == 1000 and once('running'); return")
    process = start("run", name, "-n", 8, "--seed", 1, "--json", *REFERENCE)
    wait_for((tmp_path / "running").exists)
    (result,), err = interrupted(process)
    assert (result["interrupted"], result["converged"], result["leaders"]) == (True, False, 8)
    assert result["steps"] >= 1000
    assert err.count("\n") <= 1  # that it takes long, on a machine that is busy
    assert "interrupted" not in err


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_interrupted_trials_show_what_was_finished(
    start: Start, duel: Callable[[str], str], tmp_path: Path, jobs: int
) -> None:
    name = duel("len((HERE / 'begun').read_text().split()) < 9 or stay()")
    process = start("run", name, "-n", 3, "--seed", 1, "--trials", 50, "--jobs", jobs, "--json", *REFERENCE)
    begun = tmp_path / "begun"
    wait_for(lambda: begun.exists() and len(begun.read_text().split()) >= 9)
    results, err = interrupted(process)
    trials = [result["trial"] for result in results]
    assert trials == list(range(8)) if jobs == 1 else 1 <= len(trials) <= 9
    assert trials == sorted(set(trials))
    assert err == f"princeps: interrupted after {len(trials)} of 50 trials.\n"


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["agents", "counts"])
def test_compiled_engines_hear_the_interrupt_and_report_progress(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Progress is for terminals, so that this is one."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("TERM", "xterm")
    terminal, stderr = pty.openpty()
    n = "1e7" if engine == "agents" else "1e15"
    line = [sys.executable, "-m", "princeps", "run", "fratricide", "-n", n, "--seed", "1", "--engine", engine]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=stderr, text=True) as process:
        os.close(stderr)
        seen: list[str] = []
        reader = threading.Thread(target=read_terminal, args=(terminal, seen), daemon=True)
        reader.start()
        try:
            wait_for(lambda: all(word in "".join(seen) for word in ("parallel time", "leaders", "steps/s")))
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
        reader.join(timeout=PATIENCE)
        os.close(terminal)
    assert process.returncode == 130
    assert "(interrupted)" in out
    assert "electing" in "".join(seen)
    assert "Traceback" not in "".join(seen)


def read_terminal(terminal: int, seen: list[str]) -> None:
    """Everything that is written to it, until nobody has it open any more."""
    with suppress(OSError):
        while found := os.read(terminal, 4096):
            seen.append(found.decode(errors="replace"))
