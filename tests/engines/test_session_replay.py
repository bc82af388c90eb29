"""A replayed session is the session that was saved: its scheduler, its later attacks; what cannot be replayed is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.engines.session import Session
from princeps.errors import PrincepsError, RunError
from princeps.model.randomness import Stream
from tests.engines.test_session import seen, session

WEIGHTS = {(0, 1): 3, (1, 0): 2, (2, 3): 7, (3, 0): 1, (1, 3): 4, (2, 1): 5}


def replayed(one: Session, path: Path, **options: Any) -> Session:
    one.save(str(path))
    again = princeps.replay(str(path), **options)
    assert isinstance(again, Session)
    return again


@pytest.mark.parametrize("engine", ["reference", "agents", "counts"])
def test_after_a_replay_the_same_agents_are_corrupted(engine: str, tmp_path: Path) -> None:
    name = "fratricide" if engine == "counts" else "p_rl"
    one = session(name, 20, seed=3, engine=engine).step(50).corrupt(3).step(20).corrupt(2).set(4).corrupt(1)
    again = replayed(one, tmp_path / "s")
    assert again.script == one.script
    for same in (one, again):
        same.corrupt(4).step(30).corrupt(1)
    assert seen(again) == seen(one)
    for same in (one, again):  # also from a point in the past: after the first attack
        same.goto(50).corrupt(2)
    assert seen(again) == seen(one)


def test_a_script_says_how_much_was_drawn(tmp_path: Path) -> None:
    one = session("p_rl", 20, seed=3, engine="reference").corrupt(3).set(0, leader=1)
    one.save(str(tmp_path / "s"))
    rows = [json.loads(line) for line in (tmp_path / "s").read_text().splitlines()[1:]]
    assert [len(row) for row in rows] == [4, 3, 3, 2, 3]  # the first of three changes; ["steps", 0] divides
    stream = one.run.stream("faults")
    stream.skip(rows[0][3]["draws"])
    assert stream.words == one._attacks.words


def test_words_are_counted() -> None:
    stream, later = Stream.of(1, 0, "x"), Stream.of(1, 0, "x")
    assert stream.words_to(later.words) == 0
    for _ in range(7):
        later.next64()
    assert stream.words_to(later.words) == 7
    assert stream.words == Stream.of(1, 0, "x").words


@pytest.mark.parametrize("engine", ["reference", "agents"])
def test_weights_from_python_are_in_the_script(engine: str, tmp_path: Path) -> None:
    one = session("fratricide", 4, seed=2, scheduler=WEIGHTS, engine=engine).step(5)
    assert "--scheduler weighted:list:0-1=3,1-0=2,1-3=4,2-1=5,2-3=7,3-0=1" in one.command
    again = replayed(one, tmp_path / "s")
    assert seen(again) == seen(one)
    pairs = [[same.step().last_pair for _ in range(40)] for same in (one, again)]
    assert pairs[0] == pairs[1]
    assert set(pairs[0]) <= set(WEIGHTS)


class Stubborn:
    def next_pair(self, configuration: object, step: int, draw: object) -> tuple[int, int]:
        return 0, 1


def test_a_session_of_an_object_has_no_script(tmp_path: Path) -> None:
    one = session("fratricide", 4, seed=2, scheduler=Stubborn).step(5)
    for ask in (lambda: one.save(str(tmp_path / "s")), lambda: one.script):
        with pytest.raises(RunError, match=r"has no script, because its scheduler .* put it into a file"):
            ask()
    assert not (tmp_path / "s").exists()


HEAD = '{"script": 1, "command": "princeps run p_rl -n 6 --seed 1 --engine reference"}'
STATE = '{"leader": 0, "bullet": 0, "shield": 0, "signal": 0, "distL": 0}'
NUMBERED = HEAD.replace("p_rl", "infection")
PERSON = '{"aid": 99, "leader": 1, "isLeader": 0}'


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([HEAD, '["steps", 3]', "", '["pair", 0, 9]'], ":4: 9 is no agent"),
        ([HEAD, '["steps", 3]', '["dead", 7]'], ":3: 7 is no agent"),
        ([HEAD, f'["set", 1, {STATE}]', f'["set", 6, {STATE}]'], ":3: 6 is no agent"),
        ([HEAD, f'["set", 1, {STATE}]', '["set", 2, {"crown": 1}]'], ":3: agent 2 "),
        ([HEAD, '["set", 1, {}, {"draws": -1}]'], ':2: .* is no event of a script: write \\["set", i'),
        ([HEAD, '["set", 1, {}, {"drawn": 1}]'], ":2: .* is no event of a script"),
        ([HEAD, '["steps", -1]'], ':2: .* is no event of a script: write \\["steps", k\\] with a number of 0 or more'),
        ([HEAD, '["torn", 1, 2]'], ':2: .* is no event of a script: write \\["torn", i, j, "initiator"\\]'),
        ([HEAD, '["reset", 1]'], ":2: 'reset' is for ring algorithms"),
        ([HEAD.replace("--seed 1", "--seed 1 --fault 5:2")], ":1: faults is for a whole run"),
        ([HEAD.replace("--seed 1", "--seed 1 --hold")], ":1: hold is for a whole run"),
        ([HEAD.replace("--seed 1", "--seed 1 --record leaders")], ":1: record is for a whole run"),
        ([HEAD.replace("-n 6", "-n six")], ":1: n = 'six' is not an integer"),
        ([HEAD.replace("p_rl", "p_xl")], ":1: unknown protocol 'p_xl'"),
        ([NUMBERED, f'["set", 1, {PERSON}]'], ":2: aid is an input of agent 1: nothing overwrites it"),
    ],
)
def test_a_script_is_refused_with_its_line(rows: list[str], sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "s"
    path.write_text("\n".join(rows) + "\n")
    with pytest.raises(PrincepsError, match=f"^{path}{sentence}"):
        princeps.replay(str(path))


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (lambda s: s.holds(3), "unknown goal 3: known: c_ni, c_pb, leader"),
        (lambda s: s.run_until([]), r"unknown goal \[\]: known: c_ni, c_pb, leader"),
        (lambda s: s.save(None), "None is no path of a script"),
        (lambda s: s.save(3), "3 is no path of a script"),
        (lambda s: princeps.replay(None), "path None is not understood: give the path of a file"),
        (lambda s: princeps.session(3), "protocol 3 is not understood: give a name"),
        (lambda s: princeps.session(int, n=3), "protocol <class 'int'> is not understood"),
        (lambda s: s.step("x"), "step: 'x' is not an integer: give 0 or more"),
        (lambda s: s.step(True), "step: True is not an integer"),
        (lambda s: s.step(-1), "step: -1 is too small: give 0 or more"),
        (lambda s: s.goto(1.5), "goto: 1.5 is not an integer"),
        (lambda s: s.back(None), "back: None is not an integer"),
        (lambda s: s.set(99, leader=1), r"99 is no agent: there are 0\.\.5"),
        (lambda s: s.state("0"), "'0' is no agent"),
        (lambda s: s.deliver(1, "left"), r"deliver\(1, 'left'\) is not for this kind of protocol: .* use meet"),
        (lambda s: s.drop(1), r"drop\(1\) is not for this kind of protocol"),
        (lambda s: s.reset(1), r"reset\(1\) is not for this kind of protocol: .* set\(agent"),
    ],
)
def test_wrong_types_and_kinds_are_refused_in_a_sentence(act: Any, sentence: str) -> None:
    one = session("p_rl", 6, seed=1, engine="reference")
    with pytest.raises(PrincepsError, match=sentence):
        act(one)
    assert one.steps == 0
