"""The command on the page repeats precisely what is shown, attacks included."""

from __future__ import annotations

import json
import shlex
from typing import Any

import pytest

import princeps
from princeps.errors import TooLarge
from princeps.model import script_codes
from princeps.model.description import describe
from princeps.model.script_codes import code_of
from princeps.web import actions
from princeps.web.actions import Actions
from princeps.web.messages import MAX_CODE, MAX_ID, read_message
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
    watch.goto(3)  # before the first attack, and before the goal is met
    assert watch.status()["command"] == f"{watch.session.command} --max-steps 3"
    watch.goto(478)
    assert watch.status()["command"] == shown
    watch.goto(470)
    assert watch.status()["command"] != shown


def test_an_unattacked_run_is_repeated_up_to_the_step_that_is_shown(quick: Command) -> None:
    """At the start, before the goal, where it is met, and after it."""
    watch = Watch()
    watch.open(describe("fratricide", 12, seed=4, engine="agents"))
    assert watch.status()["command"] == watch.session.command
    Actions(watch).perform("step", {"count": 300})
    hit = int(watch.status()["hit"])
    for step in (hit - 1, hit, 300, 5):
        watch.goto(step)
        session: Any = watch.session
        done = quick(*shlex.split(watch.status()["command"])[1:], "--json")
        assert done.code in (0, 1), done.stderr
        said = json.loads(done.stdout)
        assert (said["steps"], said["leaders"], said["events"]) == (step, session.leaders, session.events)


def test_before_an_attack_a_goal_that_was_met_then_ends_the_run() -> None:
    watch = Watch()
    watch.open(describe("fratricide", 12, seed=4, engine="agents"))
    act = Actions(watch).perform
    act("step", {"count": 500})
    first = int(watch.status()["hit"])
    act("attack", {"kind": "start", "name": "initial"})
    act("step", {"count": 500})
    watch.goto(first - 1)
    assert watch.status()["command"].endswith(f" --max-steps {first - 1}")
    watch.goto(400)
    assert first < 400
    assert "--script" in watch.status()["command"]


def test_a_command_says_that_attacks_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(script_codes, "MAX_BYTES", 200)
    assert (
        attacked("p_rl", 12)
        .status()["command"]
        .endswith("# without its attacks, which no command line can hold: save the page instead")
    )


@pytest.mark.parametrize("moves", ["play", "seek"])
def test_a_script_is_not_packed_for_every_status_of_a_moving_run(moves: str, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = []
    monkeypatch.setattr("princeps.web.shown_command.code_of", lambda script: packed.append(0) or code_of(script))
    watch = attacked("p_rl", 12)
    if moves == "play":
        watch.set_speed(None)
        watch.play()
    else:
        watch.step(10**7)
    for _ in range(5):
        watch.tick()
        watch.status()
    assert len(packed) == 1


def test_a_link_that_no_page_can_open_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = attacked("p_rl", 12)
    code = Actions(watch).perform("link", {})["code"]
    text = json.dumps({"id": MAX_ID, "do": "open", "code": "x" * MAX_CODE})
    assert read_message(text).arguments["code"] == "x" * MAX_CODE
    monkeypatch.setattr(actions, "MAX_CODE", len(code) - 1)
    with pytest.raises(TooLarge, match="a page opens at most"):
        Actions(watch).perform("link", {})
