"""Executions on rings, event by event and as pictures."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import princeps as library
from princeps.model import registry
from tests.cli.refusals import assert_refused
from tests.conftest import Command, without_times
from tests.ring_tools import (
    SEEDED,
    TRIALS,
)

EVENT_LINE = re.compile(r" *\d+  \d+ \(\S+\) +\w+ .* \| ")
TRACED: dict[str, tuple[object, ...]] = {
    "a_k": SEEDED,
    "b_k": ("run", "b_k", "--labels", "ABAAB", "--schedule", "random", "--seed", 7),
    "both ways": ("run", "franklin", "-n", 5, "--schedule", "adversarial", "--seed", 7),
    "numbers in messages": ("run", "hirschberg_sinclair", "-n", 5, "--seed", 7),
}


@pytest.mark.parametrize("words", TRACED.values(), ids=TRACED.keys())
def test_a_trace_prints_a_line_for_every_event(quick: Command, words: tuple[object, ...]) -> None:
    outcome = quick(*words, "--trace")
    result = quick(*words, "--json").object
    assert outcome.code == 0
    lines = outcome.stdout.splitlines()
    title = next(i for i, line in enumerate(lines) if line.endswith(", elected"))
    assert lines[0].split() == [
        *("time", "process", "action", "receives", "and", "sends", "|", "state", "of", "the", "process", "afterwards")
    ]
    assert len(lines[1:title]) == result["steps"]
    assert all(EVENT_LINE.match(line) for line in lines[1:title])
    assert sum(line.partition("|")[0].partition("-> ")[2].count(">") for line in lines[1:title]) == result["messages"]
    assert lines[-1].split()[0] == "repeat"


def test_a_trace_tells_what_happened(quick: Command) -> None:
    lines = quick(*SEEDED, "--trace").stdout.splitlines()
    assert lines[1].split() == ["0", "0", "(1)", "A1", "->", "<1>", "|", "INIT=0", "string=1"]
    assert lines[4].split() == ["1", "1", "(2)", "A2", "<1>", "->", "<1>", "|", "INIT=0", "string=21"]
    (election,) = (line for line in lines if " A3 " in line)
    assert election.split()[:3] == ["7", "0", "(1)"]
    assert election.endswith("string=12212212 isLeader done leader=1")
    assert lines[30].split()[:5] == ["10", "0", "(1)", "A6", "<FINISH>"]
    assert lines[30].endswith(" isLeader done halted leader=1")


@pytest.mark.parametrize("words", TRACED.values(), ids=TRACED.keys())
def test_a_trace_file_holds_an_object_for_every_event(
    quick: Command, tmp_path: Path, words: tuple[object, ...]
) -> None:
    path = tmp_path / "trace.jsonl"
    outcome = quick(*words, "--trace", path, "--json")
    result = outcome.object
    usual = quick(*words, "--json").object
    assert (outcome.code, outcome.stderr) == (0, "")
    assert {**without_times(result), "why": ""} == {**without_times(usual), "why": ""}
    events = [json.loads(line) for line in path.read_text().splitlines()]
    assert [event["step"] for event in events] == list(range(result["steps"]))
    assert sum(len(event["sent"]) for event in events) == result["messages"]
    assert sum(event["message"] is not None for event in events) == result["messages"]
    times = [event["time"] for event in events]
    assert times == sorted(times)
    assert times[-1] == result["time"]
    started = [event["process"] for event in events if event["message"] is None]
    assert sorted(started) == list(range(result["n"]))
    last = {event["process"]: event for event in events}
    assert all(event["halted"] and event["state"]["done"] == 1 for event in last.values())
    assert [process for process, event in last.items() if event["state"]["isLeader"] == 1] == [result["leader"]]
    assert {event["state"]["leader"] for event in last.values()} == {result["leader_label"]}
    assert all(event["state"]["leader"] is None for event in events[: result["n"]])


def test_a_traced_message_has_its_parts(quick: Command) -> None:
    *events, _ = quick("run", "hirschberg_sinclair", "--labels", "2,1", "--trace", "--json").objects
    probe = {"message": "<PROBE, 2, 1>", "kind": "PROBE", "values": [2, 1]}
    assert events[0]["sent"] == [{**probe, "to": "left"}, {**probe, "to": "right"}]
    arrived = [event for event in events if event["message"] == "<PROBE, 2, 1>"]
    assert [(e["process"], e["kind"], e["values"], e["from"]) for e in arrived[:2]] == [
        (1, "PROBE", [2, 1], "right"),
        (1, "PROBE", [2, 1], "left"),
    ]
    *events, _ = quick("run", "a_k", "--labels", "B,A", "--trace", "--json").objects
    assert events[0]["state"] == {"isLeader": 0, "leader": None, "done": 0, "INIT": 0, "string": ["B"]}


def test_what_is_sent_is_received_in_order(quick: Command, tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    quick("run", "b_k", "--labels", "1,3,2,2", "--schedule", "random", "--seed", 5, "--trace", path)
    events = [json.loads(line) for line in path.read_text().splitlines()]
    for process in range(4):
        sent = [content["message"] for event in events if event["process"] == process for content in event["sent"]]
        neighbour = [event["message"] for event in events if event["process"] == (process + 1) % 4]
        assert sent == [text for text in neighbour if text is not None]


def test_messages_to_the_left_are_marked(quick: Command) -> None:
    objects = quick("run", "franklin", "--labels", "1,3,2", "--trace", "--json").objects
    assert [(content["message"], content["to"]) for content in objects[0]["sent"]] == [
        ("<1>", "left"),
        ("<1>", "right"),
    ]
    assert " -> <-<1> <1> " in quick("run", "franklin", "--labels", "1,3,2", "--trace").stdout


def test_a_trace_may_come_as_json_before_the_result(quick: Command, tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    for words in ((*SEEDED, "--trace", "--json"), (*SEEDED, "--json", "--trace"), (*SEEDED, "--json", "--trace", "-")):
        *events, result = quick(*words).objects
        assert len(events) == result["steps"] == 30
        assert result["messages"] == 27
        quick(*SEEDED, "--trace", path)
        assert events == [json.loads(line) for line in path.read_text().splitlines()]


def test_a_trace_shows_as_much_as_happened(quick: Command) -> None:
    *events, result = quick(*SEEDED, "--max-steps", 5, "--trace", "--json").objects
    assert (len(events), result["limited"]) == (5, True)
    *events, result = quick("run", "b_k", "--labels", "1,2,2,2,3", "-p", "k=2", "--force", "--trace", "--json").objects
    assert sum(event["action"] is not None for event in events) == result["steps"]
    assert sum(len(event["sent"]) for event in events) == result["messages"]
    received = sum(event["message"] is not None and event["action"] is not None for event in events)
    assert f"{result['messages'] - received} messages are never received" in result["violations"][-1]["sentence"]


@pytest.mark.medium
def test_a_trace_shows_a_deadlock_where_it_happens(quick: Command, tmp_path: Path) -> None:
    """Table 1 as printed: the leader sends a token on to a process that has halted."""
    words = ("run", "a_k", "--labels", "1,2,3", "-p", "k=1", "-p", "printed=1", "--seed", 1, "--trace")
    *events, result = quick(*words, "--json").objects
    stuck = [(place, event) for place, event in enumerate(events) if event["action"] is None]
    ((place, deadlock),) = stuck
    assert (deadlock["time"], deadlock["process"], deadlock["message"], deadlock["halted"]) == (9, 1, "<2>", True)
    assert {event["time"] for event in events[place:]} == {9}
    assert len(events) == result["steps"] + 1
    (line,) = (line for line in quick(*words).stdout.splitlines() if "no action is enabled:" in line)
    assert line.split()[:5] == ["9", "1", "(2)", "-", "<2>"]
    picture = tmp_path / "deadlock.svg"
    assert quick(*words[:-1], "--diagram", picture).code == 1
    assert picture.stat().st_size > 10_000


def test_one_trial_of_many_may_be_traced(quick: Command) -> None:
    *events, result = quick(*TRIALS, "--trials", 5, "--trial", 3, "--trace", "--json").objects
    assert (result["trial"], len(events)) == (3, result["steps"])


@pytest.mark.medium
def test_a_diagram_is_drawn(quick: Command, tmp_path: Path) -> None:
    path, trace = tmp_path / "run.svg", tmp_path / "trace.jsonl"
    outcome = quick(*SEEDED, "--diagram", path, "--trace", trace, "--json")
    assert outcome.code == 0
    assert outcome.stderr == f"the diagram is in {path}\n"
    assert outcome.object["messages"] == 27
    assert ElementTree.parse(path).getroot().tag.endswith("svg")
    assert len(trace.read_text().splitlines()) == 30


def test_a_diagram_of_too_much_is_refused(quick: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("princeps.api.trace.MAX_DRAWN_EVENTS", 29)
    path = tmp_path / "run.svg"
    assert_refused(quick(*SEEDED, "--diagram", path), "more than 29 events", "--max-steps")
    assert not path.exists()
    path.write_text("kept")
    assert_refused(quick(*SEEDED, "--diagram", path, "--force"), "more than 29 events", "--max-steps")
    assert path.read_text() == "kept"
    monkeypatch.setattr("princeps.api.trace.MAX_DRAWN_EVENTS", 30)
    monkeypatch.setattr("princeps.api.trace.MAX_DIAGRAM_ROWS", 10)
    assert_refused(quick(*SEEDED, "--diagram", path, "--force"), "11 rows are too many", "--max-steps")


@pytest.mark.medium
def test_traces_and_diagrams_from_python(tmp_path: Path) -> None:
    seen: list[Any] = []
    picture, lines = tmp_path / "run.svg", tmp_path / "trace.jsonl"
    result = library.run("a_k", labels=[1, 2, 2], k=2, seed=7, trace=seen.append, diagram=str(picture))
    again = library.run("a_k", labels="1,2,2", k=2, seed=7, trace=str(lines))
    assert (len(seen), result.messages, again.messages) == (result.steps, 27, 27)
    algorithm = registry.find_ring("a_k")(k=2)
    assert [json.loads(line) for line in lines.read_text().splitlines()] == [e.as_json(algorithm) for e in seen]
    assert picture.read_text().startswith("<?xml")
