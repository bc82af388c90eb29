"""A script that defines a protocol and runs it at its top level is never executed again and again."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Command

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
CALLS = {
    "sweep": "princeps.sweep(Mine, n=[4, 5], trials=4, jobs=2, store='s.db')",
    "trials": "princeps.trials(Mine, n=4, trials=4, jobs=2, seed=1)",
    "a sweep by name": "princeps.sweep(f'{__file__}:Mine', n=4, trials=4, jobs=2, store='s.db')",
    "trials by name": "princeps.trials(f'{__file__}:Mine', n=4, trials=4, jobs=2, seed=1)",
    "a run by name": "princeps.run(f'{__file__}:Mine', n=4, seed=1)",
    "exact by name": "princeps.exact(f'{__file__}:Mine', 4)",
}
ASKING = {
    "a protocol": "princeps.protocol(f'{__file__}:Mine', n=4)",
    "a replay": "princeps.replay('script.jsonl')",
}


def script(folder: Path, call: str) -> Path:
    path = folder / "mine.py"
    path.write_text(SCRIPT.replace("CALL", call))
    return path


def executions(folder: Path) -> list[str]:
    return (folder / "mine.log").read_text().split()


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_script_that_would_be_executed_again_is_refused_at_once(tmp_path: Path, call: str) -> None:
    """In one sentence, by no process but the script itself and the workers it asked for."""
    path = script(tmp_path, call)
    done = subprocess.run([sys.executable, str(path)], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert done.stderr.count("is called while this file is being loaded") == 1
    assert 'put the call under `if __name__ == "__main__":`' in done.stderr
    assert str(path) in done.stderr.splitlines()[-1]
    assert len(set(executions(tmp_path))) <= 3  # the script, and two workers
    assert not (tmp_path / "s.db").exists()


@pytest.mark.parametrize("call", ASKING.values(), ids=ASKING)
def test_a_script_that_looks_for_itself_is_refused_at_once(tmp_path: Path, call: str) -> None:
    path = script(tmp_path, call)
    head = {"script": 1, "command": f"princeps run {path}:Mine -n 4 --seed 1", "identity": None}
    (tmp_path / "script.jsonl").write_text(json.dumps(head) + '\n["steps", 2]\n')
    done = subprocess.run([sys.executable, str(path)], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "asks for itself while it is being loaded" in done.stderr.splitlines()[-1]
    assert len(executions(tmp_path)) == 2  # the script, and once as a module


@pytest.mark.parametrize("words", [["run"], ["sweep", "--trials", 2, "--jobs", 1, "--store", "x.db"], ["exact"]])
@pytest.mark.parametrize("call", [CALLS["sweep"], CALLS["trials"], "princeps.run(Mine, n=4, seed=1)"])
def test_a_file_named_on_the_command_line_may_not_run_when_it_is_loaded(
    quick: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, words: list[object]
) -> None:
    monkeypatch.chdir(tmp_path)
    path = script(tmp_path, call)
    outcome = quick(words[0], f"{path}:Mine", "-n", 4, *words[1:])
    assert outcome.code == 2
    assert "is called while this file is being loaded" in outcome.stderr
    assert len(outcome.stderr.splitlines()) == 1
    assert len(executions(tmp_path)) == 1


@pytest.mark.slow
@pytest.mark.parametrize("call", [CALLS["sweep"], CALLS["trials"]])
def test_under_the_usual_condition_it_runs(tmp_path: Path, call: str) -> None:
    path = script(tmp_path, f"if __name__ == '__main__':\n    print(len({call}))")
    done = subprocess.run([sys.executable, str(path)], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (done.stdout.strip(), done.stderr) == ("2" if "sweep" in call else "4", "")
    assert len(set(executions(tmp_path))) <= 3  # this process and two workers
