"""Interactions of a population one by one, on the screen, in a file, in Python, and as a picture."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.figures.meetings_layout import arrange
from princeps.model.meeting import Happening, Meeting, Strike
from tests.cli.refusals import assert_refused
from tests.conftest import Command

RUN = ("run", "p_rl", "-n", 6, "-p", "N=6", "--seed", 5)


def test_a_trace_prints_a_line_for_every_interaction(quick: Command) -> None:
    outcome = quick(*RUN, "--trace")
    lines = outcome.stdout.splitlines()
    title = next(i for i, line in enumerate(lines) if line.startswith("p_rl, n = 6"))
    assert outcome.code == 0
    assert lines[0].split()[:4] == ["step", "pair", "before", "after"]
    assert lines[0].endswith("changes (states are leader,bullet,shield,signal,distL)")
    assert [int(line.split()[0]) for line in lines[1:title]] == list(range(1, title))
    assert f"steps          {title - 1}" in outcome.stdout
    assert "repeat         princeps run p_rl -n 6 -p N=6 --start random --until s_rl --seed 5" in outcome.stdout


def test_traced_interactions_are_those_of_the_run(tmp_path: Path, quick: Command) -> None:
    """Replayed by the rule from the start they lead to the configuration of the snapshot, and changes are what differs."""
    path = tmp_path / "trace.jsonl"
    result = quick(*RUN, "--trace", path, "--snapshots", "0,15", "--json").object
    protocol = princeps.protocol("p_rl", N=6)
    first, last = (snapshot["agents"] for snapshot in result["snapshots"])
    states = [{field: values[agent] for field, values in first.items()} for agent in range(6)]
    told = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(told) == result["steps"]
    for event in told[:15]:
        i, j = event["pair"]
        assert j == (i + 1) % 6
        assert event["before"] == [states[i], states[j]]
        states[i], states[j] = protocol.delta(states[i], states[j])
        assert event["after"] == [states[i], states[j]]
        assert bool(event["changes"]) == (event["before"] != event["after"])
    assert states == [{field: values[agent] for field, values in last.items()} for agent in range(6)]


def test_a_window_shows_a_part_and_the_result_is_that_of_the_whole_run() -> None:
    whole: list[Happening] = []
    part: list[Happening] = []
    options: dict[str, Any] = {"N": 6, "seed": 5, "engine": "reference"}
    full = princeps.run("p_rl", 6, trace=whole.append, **options)
    result = princeps.run("p_rl", 6, trace=part.append, window=(10, 20), **options)
    assert part == [told for told in whole if 10 <= told.step <= 20]
    assert (result.steps, result.events, result.command) == (full.steps, full.events, full.command)


def test_faults_are_told_and_a_stuck_run_is_not_followed_for_ever() -> None:
    told: list[Happening] = []
    princeps.run("p_rl", 6, N=6, seed=5, fault="20:2", trace=told.append, engine="reference")
    assert {strike.step for strike in told if isinstance(strike, Strike)} == {20}
    told.clear()
    stuck = princeps.run(
        *("fratricide", 6), graph="ring", force=True, start="states:1;1;0;0;1;0", seed=5, trace=told.append
    )
    assert stuck.stuck
    assert len(told) == stuck.steps == 6
    assert isinstance(told[-1], Meeting)
    assert told[-1].changed


def test_a_large_population_is_traced_on_an_engine_that_its_command_names() -> None:
    """`auto` would choose one that draws no pairs, and its run would be another one."""
    told: list[Happening] = []
    result = princeps.run("fratricide", 600, seed=1, max_steps=50, trace=told.append)
    assert len(told) == 50
    assert "--engine agents" in result.command


@pytest.mark.medium
def test_a_diagram_has_an_arrow_for_every_interaction(quick: Command, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "run.svg"
    told: list[Meeting] = []
    options: dict[str, Any] = {"N": 6, "seed": 5, "engine": "reference", "fault": "20:2"}
    princeps.run("p_rl", 6, trace=told.append, diagram=path, **options)
    svg = path.read_text()
    meetings = [one for one in told if isinstance(one, Meeting)]
    drawn = sorted(map(int, re.findall(r'id="(?:meeting|null)-(\d+)"', svg)))
    assert drawn == [meeting.step for meeting in meetings]
    assert sorted(map(int, re.findall(r'id="meeting-(\d+)"', svg))) == [one.step for one in meetings if one.changed]
    crossing = [one.step for one in meetings if (one.initiator, one.responder) == (5, 0)]
    assert sorted(map(int, re.findall(r'id="leaving-(\d+)"', svg))) == crossing
    assert len(re.findall(r'id="fault-\d+-20"', svg)) == 2
    leads = [(agent, one.step) for one in meetings for agent, a, b in one.agents if not a[0] and b[0]]
    assert sorted(re.findall(r'id="leads-(\d+)-(\d+)"', svg)) == sorted((str(a), str(s)) for a, s in leads)
    again = tmp_path / "again.svg"
    princeps.run("p_rl", 6, diagram=again, **options)
    assert again.read_bytes() == path.read_bytes()


def test_rows_are_shared_by_interactions_apart_and_headings_have_rows_of_their_own() -> None:
    nothing = (((0,), (0,)), ((0,), (0,)))
    pairs = [(0, 1), (2, 3), (5, 0), (4, 1), (2, 3)]
    meetings = [Meeting(step, *pair, *nothing) for step, pair in enumerate(pairs, 1)]
    assert arrange(meetings, 6, is_ring=True).rows == [0, 0, 1, 1, 2]
    assert arrange(meetings[:3], 6, is_ring=False).rows == [0, 0, 1]
    assert arrange(meetings[1:4], 6, is_ring=True).rows == [0, 0, 1]  # across the cut, only both edges
    long = arrange([Meeting(step, 0, 1, *nothing) for step in range(1, 101)], 6, is_ring=True)
    assert long.headings == (30, 61, 92)
    assert len(set(long.rows)) == 100
    assert not set(long.rows) & set(long.headings)
    assert long.steps[31] == 31


def test_a_diagram_of_a_window_begins_with_the_states_of_its_first_step(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "part.svg"
    options: dict[str, Any] = {"seed": 3, "engine": "reference"}
    result = princeps.run("fratricide", 8, diagram=path, window="20..40", snapshots=[19], **options)
    svg = path.read_text()
    assert {int(step) for step in re.findall(r'id="(?:meeting|null)-(\d+)"', svg)} == set(range(20, 41))
    leading = {int(agent) for agent in re.findall(r'id="leader-(\d+)--0.7"', svg)}
    assert leading == {agent for agent, leads in enumerate(result.snapshots[19]["leader"]) if leads}
    assert "heading-" not in svg


@pytest.mark.parametrize(
    ("words", "value", "remedy"),
    [
        ("fratricide -n 6 --trace --max-steps 1e9", "1,000,000,000 steps", "--max-steps"),
        ("p_rl -n 1e5 --trace x.jsonl", "plain Python", "--window"),
        ("fratricide -n 1e6 --diagram x.svg", "n = 1,000,000 is more than 64", "lower -n"),
        ("fratricide -n 60 --diagram x.svg", "more than 3,000 interactions", "--window"),
        ("fratricide -n 6 --trace --engine counts", "--engine counts", "leave it out"),
        ("fratricide -n 6 --trace --trials 3", "one execution", "--trial"),
        ("fratricide -n 6 --diagram x.svg --window 900..", "window 900..", "earlier"),
        ("fratricide -n 6 --trace --window 9..3", "'9..3'", "100..200"),
        ("fratricide -n 6 --snapshots 4,4", "4 twice", "once"),
        ("fratricide -n 6 --snapshots=-4", "-4", "0,100,1e6"),
    ],
)
def test_what_cannot_be_shown_is_refused(
    quick: Command, words: str, value: str, remedy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert_refused(quick("run", *words.split(), "--seed", 1), value, remedy)
    assert not list(tmp_path.iterdir())


def test_records_on_the_command_line(quick: Command) -> None:
    words = ("run", "epidemic", "-n", "1e9", "--seed", 3, "--max-steps", "3e9", "--record", "states", "--every", 1)
    outcome = quick(*words, "--snapshots", "0,1e9,1e12", "--json")
    result = outcome.object
    assert [sum(moment["counts"].values()) for moment in result["states"]] == [10**9] * 4
    assert [snapshot["step"] for snapshot in result["snapshots"]] == [0, 10**9]
    assert result["snapshots"][1]["counts"] == result["states"][1]["counts"]
    assert result["snapshots_missed"] == [10**12]
    assert "--snapshots 0,1000000000,1000000000000" in result["command"]
    shown = quick(*words, "--snapshots", "0,1e9,1e12").stdout
    assert "2 whole configurations, of steps 0, 1,000,000,000; 1,000,000,000,000 was not reached" in " ".join(
        shown.split()
    )
