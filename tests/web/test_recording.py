"""A recording replays to the session's own configurations, step by step, attacks included."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import princeps
from princeps.web import marks, recorded_frames
from princeps.web.encoding import decompressed
from princeps.web.recording import record
from princeps.web.watch import Watch
from tests.web.decoding import Replay


def states_of(session: Any) -> list[list[int]]:
    return [list(map(int, session.population.state(agent))) for agent in range(session.n)]


def check_replay(session: Any, recording: dict[str, Any], steps: list[int]) -> None:
    replay = Replay(recording)
    for step in steps:
        session.goto(step)
        assert replay.goto(step) == states_of(session), step
        assert replay.dead == session.dead_agents
        assert replay.cuts == session.cut_arcs
        if step > replay.first:
            assert replay.pair == session.last_pair, step


def test_with_attacks() -> None:
    session = princeps.session("p_rl", n=20, seed=4, engine="reference")
    session.step(100).corrupt(5).dead(3).cut(7, 8).step(60).meet(4, 5).torn(9, 10, "responder")
    session.alive(3).set(2, leader=1).heal(7, 8).step(150)
    recording = record(session)
    assert recording["kind"] == "meetings"
    assert recording["steps"] == session.steps == 312
    json.dumps(recording)
    faults = [text for _, kind, text in recording["marks"] if kind == "fault"]
    assert faults[:3] == ["5 agents set", "dead 3", "cut 7 8"]
    check_replay(session, recording, list(range(313)))


def test_when_the_goal_holds() -> None:
    """Of a closed goal that an attack ends, and of one that comes and goes by itself."""
    ring = princeps.session("p_rl", n=6, seed=1, start="no_leader", engine="reference").step(300)
    ring.set(5, leader=1).step(100)
    loose = princeps.session(
        "p_pl", n=10, seed=1, start="all_leaders", virus_factor=2, emit_factor=1, engine="reference"
    )
    loose.step(500)
    for session in (ring, loose):
        holds = record(session)["holds"]
        changes, told = dict(holds["changes"]), False
        assert len(changes) >= 3
        for step in range(session.steps + 1):
            told = changes.get(step, told)
            assert session.goto(step).holds() == told, (holds["goal"], step)


def test_leaving_a_session_as_it_was() -> None:
    session = princeps.session("p_rl", n=12, seed=4, engine="reference").step(50).corrupt(2).step(50)
    session.back(30)
    before, end = states_of(session), session.last_step
    recording = record(session)
    assert (states_of(session), session.steps, session.last_step) == (before, 70, end)
    assert recording["steps"] == 70  # what comes after the present is not recorded


@pytest.mark.parametrize("until", ["leader", "leaders >= 1"])
def test_marks_of_a_recording_are_those_of_the_run_that_was_watched(
    until: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Changes of who leads; all attacks, also after more changes than are looked for."""
    watch = Watch()
    watch.begin(princeps.session("timer", 6, seed=3, t_max=4, engine="reference", until=until))
    watch.step(200)
    watch.act("agent 2 set", lambda one: one.set(2, leader=1))
    watch.step(200)
    assert watch.branches is not None
    live = watch.branches.current.series.marks
    recording = record(watch.session)

    def of(marks: Any, kinds: tuple[str, ...]) -> list[tuple[Any, ...]]:
        return [tuple(mark) for mark in marks if mark[1] in kinds]

    assert watch.branches.current.series.is_complete
    assert of(recording["marks"], ("leaders", "fault")) == of(live, ("leaders", "fault"))
    changes = recording["holds"]["changes"]
    assert [mark[0] for mark in of(recording["marks"], ("goal",))] == [step for step, holds in changes if holds]
    assert [mark[0] for mark in of(recording["marks"], ("lost",))] == [step for step, holds in changes if not holds]
    monkeypatch.setattr(marks, "MAX_CHANGES", 1)
    assert of(record(watch.session)["marks"], ("fault",)) == of(live, ("fault",))


def test_last_steps() -> None:
    session = princeps.session("p_rl", n=20, seed=4, engine="reference").dead(1).step(400)
    recording = record(session, last=150)
    assert (recording["first"], recording["steps"]) == ("250", 150)
    check_replay(session, recording, [250, 251, 300, 400])


def test_lines_of_the_meetings() -> None:
    session = princeps.session("p_rl", n=8, seed=4, engine="reference").step(200)
    recording = record(session)
    replay, texts = Replay(recording), {line["number"]: line["text"] for line in recording["about"]["rule"]["lines"]}
    fired = 0
    for step in range(1, 201):
        before = list(replay.ids)
        replay.goto(step)
        i, j = replay.pair
        key = f"{before[i]} {before[j]} {replay.ids[i]} {replay.ids[j]}"
        lines = recording["lines"]["sets"][recording["lines"]["of"][key]]
        shown = "\n".join(texts[line] for line in lines)
        states = recording["states"]
        fires = states[before[i]]["f"][0] == 1 and states[before[i]]["f"][3] == 1  # leader and signal: lines 6 and 7
        assert ("# 7" in shown) == fires
        fired += fires
    assert fired > 0


def test_a_meeting_over_a_cut_arc_executes_no_lines() -> None:
    session = princeps.session("p_rl", n=3, seed=4, engine="reference")
    for i in range(3):
        session.cut(i, (i + 1) % 3)
    assert record(session.step(30))["lines"]["of"] == {}
    assert record(session.heal(0, 1).step(30))["lines"]["of"] != {}


@pytest.mark.slow
@pytest.mark.medium
def test_size_of_1000_agents_and_100000_steps() -> None:
    session = princeps.session("p_ll", n=1000, seed=1)
    session.step(100_000)
    recording = record(session)
    assert recording["kind"] == "meetings"
    assert len(json.dumps(recording)) < 2_000_000  # the page's own files come to it: 5 MB in all
    check_replay(session, recording, [0, 1, 777, 50_000, 100_000])


def test_ring_algorithm() -> None:
    session = princeps.session("b_k", labels="1,2,2,3", seed=1)
    session.step(20)
    session.deliver(session.under_way[0][0]).step(5)
    session.run_until()
    recording = record(session)
    frames = json.loads(decompressed(recording["data"]))
    assert recording["kind"] == "messages"
    assert [frame["step"] for frame in frames] == [str(step) for step in range(session.steps + 1)]
    for step in (0, 7, 20, 21, session.steps):
        session.goto(step)
        frame = frames[step]
        assert [(m["to"], m["side"], m["text"]) for m in frame["messages"]] == session.under_way
        assert [process["halted"] for process in frame["processes"]] == [one["halted"] for one in session.configuration]
    assert sum(process["crown"] for process in frames[-1]["processes"]) == 1
    assert recording["marks"][-1][1] == "goal"


@pytest.mark.medium
def test_when_the_goal_of_a_ring_algorithm_holds() -> None:
    """A page that a server shows says it; a saved one said nothing of goals."""
    session = princeps.session("chang_roberts", 6, seed=1)
    session.run_until()
    ended = session.steps
    assert record(session)["holds"] == {"goal": "leader", "changes": [(ended, True)]}
    session.reset(2)
    lost = session.steps
    assert not session.over
    session.step(1)
    assert record(session)["holds"]["changes"] == [(ended, True), (lost, False)]
    assert record(session.goto(ended - 1))["holds"]["changes"] == []


def test_a_large_population_keeps_states_that_can_be_coloured_by_anything() -> None:
    session = princeps.session("majority", n=10_001, seed=1, engine="agents").step(30_000)
    recording = record(session)
    assert recording["kind"] == "frames"
    frames = recording["frames"]
    assert (frames[0]["step"], frames[-1]["step"]) == ("0", "30000")
    assert {(frame["kind"], frame["ids"]) for frame in frames} == {("agents", "u8")}
    last = frames[-1]
    numbers = np.frombuffer(decompressed(last["data"]), np.uint8)
    opinions = np.array([state["f"][0] for state in recording["states"]])[numbers]
    assert (opinions == session.configuration["opinion"]).all()
    assert sum(int(count) for _, count in last["bars"]) + int(last["others"]) == session.n
    assert len(json.dumps(recording)) < 2_000_000


@pytest.mark.medium
def test_states_that_do_not_fit_are_kept_as_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded_frames, "MAX_BYTES", 60_000)
    session = princeps.session("p_rl", n=10_001, seed=1, start="random", engine="agents").step(30_000)
    recording = record(session)
    frames = recording["frames"]
    assert {frame["kind"] for frame in frames} == {"pixels"}
    last = frames[-1]
    pairs = np.frombuffer(decompressed(last["data"]), np.uint8)
    classes = np.stack([pairs & 15, pairs >> 4], axis=1).reshape(-1)[: session.n]
    labels = [one["label"] for one in last["classes"]]
    assert int((classes == labels.index("leaders")).sum()) == session.leaders == int(last["leaders"])
    assert len(recording["states"]) < 64 * len(frames)  # those of the bars only
    assert len(json.dumps(recording)) < 400_000
