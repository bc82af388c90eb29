"""Trials of one description: what they have in common is worked out once."""

from __future__ import annotations

import shlex

import pytest

from princeps.model import run as model_run
from princeps.model.description import describe, reader_of_trials
from princeps.model.run import Run


def test_the_command_of_all_trials_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It took an eighth of a short trial."""
    make = reader_of_trials(describe("fratricide", 20, seed=4, max_steps=900))
    joined: list[int] = []

    def noted(words: list[str]) -> str:
        joined.append(len(words))
        return shlex.join(words)

    class Noted:
        join = staticmethod(noted)

    monkeypatch.setattr(model_run, "shlex", Noted)
    commands = []
    for trial in range(3):
        run = make(trial)
        assert isinstance(run, Run)
        commands.append(run.command())
    assert joined == []
    end = "--max-steps 900"
    begin = "princeps run fratricide -n 20 --start initial --until leader --seed 4"
    assert commands == [f"{begin} {end}", f"{begin} --trial 1 {end}", f"{begin} --trial 2 {end}"]
