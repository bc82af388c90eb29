"""Scripts: what a session did, as data; replayed, refused where they are wrong or the protocol has changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.errors import PrincepsError, RunError, UnknownName
from princeps.model.description import read_command
from princeps.model.options import RunOptions
from princeps.model.reading_scripts import load_script, read_script
from princeps.model.script import ForcedPair, Script, SetStates, Steps
from tests.engines.test_session import attacked, seen, session

HEAD = '{"script": 1, "command": "princeps run p_rl -n 6 --seed 1 --engine agents"}'


@pytest.mark.parametrize("engine", ["reference", "agents", "events"])
def test_a_script_replays_to_the_last_state(engine: str, tmp_path: Path) -> None:
    one, points = attacked(engine)
    path = str(tmp_path / "one.script")
    one.save(path)
    again = princeps.replay(path)
    assert seen(again) == seen(one) == points[max(points)]
    assert again.script == one.script
    for step in points:
        assert seen(again.goto(step)) == points[step]
    one.goto(600).save(path)  # the script ends where the session stands
    assert seen(princeps.replay(path)) == seen(one)


def test_the_reference_reads_what_agents_wrote(tmp_path: Path) -> None:
    one, _ = attacked("agents")
    one.save(str(tmp_path / "one"))
    assert seen(princeps.replay(str(tmp_path / "one"), engine="reference")) == seen(one)


def test_a_script_of_counts_says_how_steps_were_asked_for(tmp_path: Path) -> None:
    one = session("p_ll", 400, seed=3, engine="counts").step(50).step(700).corrupt(9).set(3)
    assert one.run_until("leader")
    one.step(10)
    path = tmp_path / "counts.script"
    one.save(str(path))
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert rows[1:3] == [["steps", 50, {"until": None, "limit": 50}], ["steps", 700, {"until": None, "limit": 700}]]
    assert ["steps", 0] in rows  # between the two changes
    again = princeps.replay(str(path))
    assert seen(again) == seen(one)
    assert again.script == one.script


def test_the_file_is_as_documented(tmp_path: Path) -> None:
    one = session("p_rl", 6, seed=1, engine="agents").step(3).step(4).meet(0, 1).dead(2).cut(3, 4).heal(3, 4).alive(2)
    one.torn(4, 5, "initiator").step(0).set(1, leader=1)
    path = tmp_path / "s"
    one.save(str(path))
    head, *events = [json.loads(line) for line in path.read_text().splitlines()]
    assert head["script"] == 1
    assert head["command"] == "princeps run p_rl -n 6 -p N=6 --start random --until s_rl --seed 1 --engine agents"
    assert len(head["identity"]) == 20
    assert events[:-1] == [
        ["steps", 7],
        ["pair", 0, 1],
        ["dead", 2],
        ["cut", 3, 4],
        ["heal", 3, 4],
        ["alive", 2],
        ["torn", 4, 5, "initiator"],
    ]
    kind, agent, state = events[-1]
    assert (kind, agent, state) == ("set", 1, one.state(1))
    assert load_script(str(path)) == one.script
    assert repr(one.script).startswith("<script of 8 events: princeps run p_rl")


def test_given_pairs_are_in_the_command(tmp_path: Path) -> None:
    one = session("p_rl", 4, seed=1, pairs=[(0, 1), (1, 2), (2, 3)]).step(2)
    one.save(str(tmp_path / "s"))
    assert "--pairs list:0-1,1-2,2-3" in one.command
    again = princeps.replay(str(tmp_path / "s"))
    assert seen(again) == seen(one)
    assert again.step(5).steps == 3


def test_a_command_is_read_back() -> None:
    one = session("p_rl", 6, seed=1, engine="agents", graph="complete", force=True, trial=3, max_steps=99, N=9)
    found = read_command(one.command)
    assert (found.protocol, found.n, found.params) == ("p_rl", "6", {"N": "9"})
    expected = {"start": "random", "until": "s_rl", "seed": "1", "trial": "3", "engine": "agents", "graph": "complete"}
    assert found.options == RunOptions(**expected, max_steps="99", force=True)
    for wrong in ("princeps sweep p_rl", "princeps run", "princeps run 'p_rl", "princeps run p_rl --jobs 2"):
        with pytest.raises(RunError, match="the command"):
            read_command(wrong)


RULE = """
from princeps.model import *

def lead(a, i, n, p):
    a.leader = 1

class Mine(PopulationProtocol):
    name, topology = "mine", "complete"
    leader = Bit()
    starts = {{"initial": lead}}

    @staticmethod
    def is_leader(a, p):
        return a.leader

    @staticmethod
    def interact(l, r, p):
        {comment}
        if l.leader and r.leader:
            {loser}.leader = 0
"""


def test_a_changed_protocol_is_refused(tmp_path: Path) -> None:
    first, other, same = (tmp_path / name for name in ("first.py", "other.py", "same.py"))
    first.write_text(RULE.format(comment="# the responder gives up", loser="r"))
    same.write_text(RULE.format(comment="'a docstring'", loser="r"))
    other.write_text(RULE.format(comment="pass", loser="l"))
    one = session(f"{first}:Mine", 5, seed=1).step(20)
    one.save(str(tmp_path / "script"))
    text = (tmp_path / "script").read_text()
    (tmp_path / "same").write_text(text.replace("first.py", "same.py"))
    assert princeps.replay(str(tmp_path / "same")).counts == one.counts
    (tmp_path / "other").write_text(text.replace("first.py", "other.py"))
    with pytest.raises(RunError, match=r"has changed since .* strict=False\) replays it all the same"):
        princeps.replay(str(tmp_path / "other"))
    with pytest.warns(UserWarning, match="the protocol has changed"):
        assert princeps.replay(str(tmp_path / "other"), strict=False).steps == 20
    (tmp_path / "nobody").write_text(text.replace("first.py:Mine", "nobody.py:Mine"))
    with pytest.raises(PrincepsError, match=r"nobody\.py"):
        princeps.replay(str(tmp_path / "nobody"))


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([], "is empty"),
        (["{"], "s:1: '{' is not JSON"),
        (["[]"], "s:1: this is not the head of a script"),
        (['{"script": "1", "command": "x"}'], "this is not the head"),
        (['{"script": 2, "command": "x"}'], "is a script of version 2, and this princeps reads up to 1"),
        (['{"script": 1, "command": "x", "identity": 5}'], '"identity" is not a text'),
        ([HEAD, "[["], "s:2: '\\[\\[' is not JSON"),
        ([HEAD, "[]"], "s:2: '\\[\\]' is no event of a script: the events are steps, set, pair"),
        ([HEAD, '["steps"]'], "is no event"),
        ([HEAD, '["steps", -1]'], "is no event"),
        ([HEAD, '["steps", true]'], "is no event"),
        ([HEAD, '["steps", 1.5]'], "is no event"),
        ([HEAD, '["steps", 1, {"until": 5}]'], "is no event"),
        ([HEAD, '["pair", 1]'], "is no event"),
        ([HEAD, '["pair", 1, 2, [0.5]]'], "is no event"),
        ([HEAD, '["torn", 1, 2, "left"]'], "is no event"),
        ([HEAD, '["set", 1, [0]]'], "is no event"),
        ([HEAD, '["explode", 1]'], "is no event"),
        ([HEAD, '{"steps": 1}'], "is no event"),
        ([HEAD, '[["steps"], 1]'], "is no event"),
    ],
)
def test_a_bad_file_is_refused_in_a_sentence(rows: list[str], sentence: str) -> None:
    with pytest.raises(RunError, match=sentence):
        read_script(rows, "s")


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ('["pair", 0, 9]', "9 is no agent"),
        ('["pair", 0, 3]', "is no arc"),
        ('["set", 9, {}]', "9 is no agent"),
        ('["set", 1, {"leader": 1}]', "agent 1 lacks the field"),
        ('["set", 1, {"leader": 5, "bullet": 0, "shield": 0, "signal": 0, "distL": 0}]', "agent 1 has leader = 5"),
        ('["deliver", 1, "left"]', "'deliver' is for ring algorithms, not for p_rl"),
    ],
)
def test_an_event_that_cannot_be_done_is_refused(row: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "s").write_text(f"{HEAD}\n{row}\n")
    with pytest.raises(PrincepsError, match=sentence):
        princeps.replay(str(tmp_path / "s"))


def test_files_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="cannot be read"):
        princeps.replay(str(tmp_path / "nothing"))
    with pytest.raises(RunError, match="cannot be written"):
        session("p_rl", 4, seed=1).save(str(tmp_path / "no" / "where"))
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RunError, match="cannot be read"):
        princeps.replay(str(tmp_path / "bytes"))
    (tmp_path / "unknown").write_text('{"script": 1, "command": "princeps run p_xl -n 6"}\n')
    with pytest.raises(UnknownName, match="unknown protocol 'p_xl'"):
        princeps.replay(str(tmp_path / "unknown"))


def test_a_script_is_plain_data() -> None:
    events: tuple[Any, ...] = (
        Steps(3),
        SetStates(((0, {"leader": 1}),)),
        SetStates(((1, {"leader": 0}),)),
        ForcedPair(0, 1),
    )
    script = Script("princeps run p_rl -n 6", None, events)
    assert read_script(script.text().splitlines()) == script
    assert script.text().splitlines()[1:] == [
        '["steps", 3]',
        '["set", 0, {"leader": 1}]',
        '["steps", 0]',
        '["set", 1, {"leader": 0}]',
        '["pair", 0, 1]',
    ]
