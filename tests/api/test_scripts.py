"""A script that defines a protocol and runs it at its top level is executed once, by nobody but itself."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import princeps
from tests.conftest import Command
from tests.pages import ROOT, blocks

SCRIPT = """
import os
from pathlib import Path

import princeps
from princeps.model import Agent, Bit, Params, PopulationProtocol

with open(Path(__file__).with_suffix(".log"), "a") as file:
    file.write(f"{os.getpid()}\\n")


def initial(a: Agent, i: int, n: int, p: Params) -> None:
    a.leader = 1


class Mine(PopulationProtocol):
    leader = Bit()
    starts = {"initial": initial}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.leader and b.leader:
            b.leader = 0


CALL
"""
SWEEP = "princeps.sweep(Mine, n=[4, 5], trials=4, jobs=2, store='s.db', engine='reference')"
TRIALS = "princeps.trials(Mine, n=4, trials=4, jobs=2, seed=1, engine='reference')"
CALLS = {
    "trials": TRIALS,
    "a sweep by name": "princeps.sweep(f'{__file__}:Mine', n=4, trials=4, jobs=2, store='s.db', engine='reference')",
    "trials by name": "princeps.trials(f'{__file__}:Mine', n=4, trials=4, jobs=2, seed=1, engine='reference')",
    "a simulation beside the exact analysis": "princeps.exact(Mine, 3, start='initial', against_simulation=4, jobs=2)",
}
HERE = {
    "a run by name": "princeps.run(f'{__file__}:Mine', n=4, seed=1, engine='reference').steps",
    "a protocol by name": "princeps.protocol(f'{__file__}:Mine', n=4).state_count",
    "a replay": "princeps.replay('script.jsonl').steps",
}
EVERY_PROCESS = """
import os
with open(os.environ["STARTED"], "a") as file:
    file.write(f"{os.getpid()}\\n")
"""


def script(folder: Path, call: str) -> Path:
    path = folder / "mine.py"
    path.write_text(SCRIPT.replace("CALL", call))
    return path


def executions(folder: Path) -> list[str]:
    return (folder / "mine.log").read_text().split()


def executed(folder: Path, call: str) -> tuple[str, int]:
    """What a script with this call prints, and how many processes of Python were started for it."""
    path, site = script(folder, call), folder / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(EVERY_PROCESS)
    environment = {**os.environ, "PYTHONPATH": str(site), "STARTED": str(folder / "started")}
    line = [sys.executable, str(path)]
    done = subprocess.run(line, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(executions(folder)) == 1
    return done.stdout.strip(), len(set((folder / "started").read_text().split()))


@pytest.mark.medium
def test_a_script_may_sweep_at_its_top_level(quick: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No process but the script and its two workers; and the store holds what repeats each trial."""
    printed, processes = executed(tmp_path, f"print([one.command for one in {SWEEP}][0])")
    assert processes == 3
    monkeypatch.chdir(tmp_path)
    command = princeps.results("s.db").summaries[0].command
    assert command == printed
    assert shlex.split(command)[:3] == ["princeps", "run", "s.db:Mine"]
    (row,) = [row for row in trials_of("s.db") if (row["n"], row["trial"]) == (4, 2)]
    again = quick(*shlex.split(command)[1:-1], 2, "--json").object
    assert (again["steps"], again["leader"], again["protocol"]) == (row["steps"], row["leader"], "mine")
    assert again["command"].startswith("princeps run s.db:Mine ")
    assert len(executions(tmp_path)) == 1


def trials_of(store: str) -> list[dict[str, Any]]:
    columns = princeps.results(store).columns("trials")
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


@pytest.mark.slow
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_no_worker_executes_the_script(tmp_path: Path, call: str) -> None:
    assert executed(tmp_path, call)[1] == 3


@pytest.mark.slow
@pytest.mark.parametrize("call", HERE.values(), ids=HERE)
def test_a_script_that_names_itself_is_not_loaded(tmp_path: Path, call: str) -> None:
    head = {"script": 1, "command": f"princeps run {tmp_path}/mine.py:Mine -n 4 --seed 1", "identity": None}
    (tmp_path / "script.jsonl").write_text(json.dumps(head) + '\n["steps", 2]\n')
    printed, processes = executed(tmp_path, f"print({call})")
    assert int(printed) >= 2
    assert processes == 1


@pytest.mark.slow
def test_a_name_that_the_script_has_not_defined_yet_is_refused(tmp_path: Path) -> None:
    path = script(tmp_path, "princeps.run(f'{__file__}:Other', n=4)")
    done = subprocess.run([sys.executable, str(path)], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert "no protocol class 'Other' here; found: Mine" in done.stderr.splitlines()[-1]
    assert len(executions(tmp_path)) == 1


@pytest.mark.parametrize("words", [["run"], ["sweep", "--trials", 2, "--jobs", 1, "--store", "x.db"], ["exact"]])
@pytest.mark.parametrize("call", [SWEEP, TRIALS, "princeps.run(Mine, n=4, seed=1)"])
def test_a_file_named_on_the_command_line_may_not_run_when_it_is_loaded(
    quick: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, words: list[object]
) -> None:
    monkeypatch.chdir(tmp_path)
    path = script(tmp_path, call)
    outcome = quick(words[0], f"{path}:Mine", "-n", 4, *words[1:])
    assert outcome.code == 2
    assert "is called while this file is being loaded" in outcome.stderr
    assert 'put the call under `if __name__ == "__main__":`' in outcome.stderr
    assert len(outcome.stderr.splitlines()) == 1
    assert len(executions(tmp_path)) == 1


NEIGHBOURS = """
from princeps.model import Bit, Blocks, PopulationProtocol
from helper_of_a_test import ONE


class Mine(PopulationProtocol):
    leader = Bit()
    starts = {"initial": Blocks(lambda n, p: [(n, {"leader": ONE})])}

    def interact(a, b, p):
        if a.leader and b.leader:
            b.leader = 0
"""


@pytest.mark.medium
def test_files_named_like_modules_of_python_do_not_disturb_workers(tmp_path: Path) -> None:
    for name in ("token", "enum", "queue"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('this is not the module of Python')\n")
    line = [Path(sys.executable).parent / "princeps", "run", "fratricide", "-n", "5", "--seed", "1", "--json"]
    line += ["--trials", "2", "--jobs", "2", "--engine", "reference"]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr, len(done.stdout.splitlines())) == (0, "", 2)


@pytest.mark.slow
def test_a_file_may_import_its_neighbour(princeps: Command, tmp_path: Path) -> None:
    (tmp_path / "helper_of_a_test.py").write_text("ONE = 1\n")
    (tmp_path / "mine.py").write_text(NEIGHBOURS)
    (tmp_path / "token.py").write_text("raise SystemExit('this is not the module of Python')\n")
    words = ("run", "mine.py", "-n", 5, "--trials", 2, "--jobs", 2, "--engine", "reference", "--json")
    outcome = princeps(*words, cwd=tmp_path)
    assert (outcome.code, outcome.stderr, len(outcome.objects)) == (0, "", 2)


@pytest.mark.slow
def test_the_script_of_the_page_runs(tmp_path: Path) -> None:
    (block,) = [block for block in blocks(ROOT / "docs" / "scripts-and-notebooks.md") if block.file == "contest.py"]
    (tmp_path / "contest.py").write_text(block.text)
    done = subprocess.run([sys.executable, "contest.py"], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    means, command = done.stdout.splitlines()
    assert len(means.split(", ")) == 3
    assert command.startswith("princeps run contest.db:Contest -n 10 ")
