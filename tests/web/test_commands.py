"""The command on the page repeats precisely what is shown, attacks included."""

from __future__ import annotations

import json
import shlex
from typing import Any

import pytest

import princeps
from princeps.model.description import describe
from princeps.web.actions import Actions
from princeps.web.watch import Watch
from tests.conftest import Command


def attacked(name: str, n: int, **given: Any) -> Watch:
    watch = Watch()
    watch.open(describe(name, n, seed=4, engine="agents", **given))
    act = Actions(watch, describe(name, n)).perform
    act("step", {"count": 300})
    act("attack", {"kind": "corrupt", "count": 3})
    act("attack", {"kind": "dead", "agent": 2})
    act("step", {"count": 200})
    act("goto", {"step": 400})
    act("attack", {"kind": "meet", "i": 4, "j": 5})  # in the past: a branch
    act("step", {"count": 77})
    return watch


@pytest.mark.medium
@pytest.mark.parametrize("name", ["p_rl", "examples/zombies.py"])
def test_an_attacked_run_is_repeated_to_the_state_that_is_shown(name: str, quick: Command) -> None:
    watch = attacked(name, 12)
    session: Any = watch.session
    command = watch.status()["command"]
    words = shlex.split(command)
    assert words[:2] == ["princeps", "run"]
    done = quick(*words[1:], "--json")
    assert done.code in (0, 1), done.stderr
    said = json.loads(done.stdout)
    assert (said["steps"], said["leaders"], said["events"]) == (478, session.leaders, session.events)
    code = words[words.index("--script") + 1]
    again: Any = princeps.replay(code, protocol=None if name == "p_rl" else name)
    fields = {field: values.tolist() for field, values in session.configuration.items()}
    assert {field: values.tolist() for field, values in again.configuration.items()} == fields
    assert again.dead_agents == frozenset({2})


def test_the_command_is_that_of_the_step_that_is_shown() -> None:
    watch = attacked("p_rl", 12)
    shown = watch.status()["command"]
    watch.goto(200)  # before the first attack
    assert watch.status()["command"] == watch.session.command
    watch.goto(478)
    assert watch.status()["command"] == shown
    watch.goto(470)
    assert watch.status()["command"] != shown
