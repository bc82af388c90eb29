"""What the screen says where a run ended before its goal, and that the JSON is the same as ever."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import Command

GREEDY = """
class Once:
    def next_pair(self, configuration, step, draw):
        return (0, 1) if step == 0 else None
"""
RUN = ("run", "fratricide", "-n", 5, "--seed", 1, "--engine", "reference")


def test_the_scheduler_or_its_list_ends_a_run(quick: Command, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(GREEDY)
    outcome = quick(*RUN, "--scheduler", f"{tmp_path}/mine.py:Once")
    assert outcome.code == 1
    assert "1 (the scheduler ended the run)" in outcome.stdout
    outcome = quick(*RUN, "--pairs", "list:0-1,1-2")
    assert outcome.code == 1
    assert "2 (the list of pairs ended)" in outcome.stdout
    assert "3 (limit)" in quick(*RUN, "--max-steps", 3).stdout
    found = quick(*RUN, "--scheduler", f"{tmp_path}/mine.py:Once", "--json").object
    assert "stopped" not in found
    assert (found["converged"], found["steps"]) == (False, 1)


def test_a_script_ends_a_run(quick: Command, tmp_path: Path) -> None:
    path = tmp_path / "s"
    path.write_text(
        '{"script": 1, "command": "princeps run fratricide -n 5 --seed 1 --engine reference"}\n["pair", 0, 1]\n'
    )
    outcome = quick("run", "--script", path)
    assert outcome.code == 1
    assert "1 (the script ended)" in outcome.stdout
    path.write_text('{"script": 1, "command": "princeps run peterson --labels 3,1,2"}\n["steps", 4]\n')
    outcome = quick("run", "--script", path)
    assert outcome.code == 1
    assert "after 4 actions (the script ended)" in outcome.stdout


def test_a_bad_script_is_refused_with_its_line(quick: Command, tmp_path: Path) -> None:
    path = tmp_path / "s"
    for head, row, sentence in (
        ("fratricide -n 5 --fault 3:1", '["steps", 1]', f"{path}:1: faults is for a whole run"),
        ("fratricide -n 5 --engine reference", '["pair", 0, 5]', f"{path}:2: 5 is no agent: there are 0..4."),
    ):
        path.write_text(f'{{"script": 1, "command": "princeps run {head}"}}\n{row}\n')
        outcome = quick("run", "--script", path)
        assert outcome.code == 2
        assert sentence in outcome.stderr
        assert len(outcome.stderr.splitlines()) == 1
