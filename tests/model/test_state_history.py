"""What a record of states and a snapshot look like, without any frame, and how steps are read."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import princeps
from princeps.errors import ParameterError, RunError
from princeps.model.fields import Field
from princeps.model.snapshots import Snapshot, Snapshots, read_snapshots
from princeps.model.state_history import MAX_WIDE, StateHistory
from princeps.model.state_names import StateNames, names_of
from princeps.model.states import Space

NAMES = StateNames(("role", "count"), (("LEADER", "FOLLOWER"), ()))


def history() -> StateHistory:
    made = StateHistory(NAMES, 10)
    made.add(0, [((0, 0), 10)])
    made.add(5, [((1, 3), 4), ((0, 0), 6)])
    return made


def test_columns_are_wide_or_long() -> None:
    made = history()
    assert made.columns() == {
        "steps": [0, 5],
        "parallel_time": [0.0, 0.5],
        "role=LEADER, count=0": [10, 6],
        "role=FOLLOWER, count=3": [0, 4],
    }
    assert made["role=FOLLOWER, count=3"] == [0, 4]
    assert made.columns(long=True) == {
        "steps": [0, 5, 5],
        "parallel_time": [0.0, 0.5, 0.5],
        "state": ["role=LEADER, count=0", "role=LEADER, count=0", "role=FOLLOWER, count=3"],
        "role": ["LEADER", "LEADER", "FOLLOWER"],
        "count_": [0, 0, 3],
        "count": [10, 6, 4],
    }
    assert made.at(4) == {"role=LEADER, count=0": 10}
    assert made.as_json()[1] == {
        "steps": 5,
        "parallel_time": 0.5,
        "counts": {"role=LEADER, count=0": 6, "role=FOLLOWER, count=3": 4},
    }
    assert pickle.loads(pickle.dumps(made)).columns() == made.columns()
    with pytest.raises(RunError, match="no agent was ever in a state 'role=1'"):
        made["role=1"]


def test_nothing_prints_a_page_and_too_many_columns_are_refused() -> None:
    made = StateHistory(NAMES, 10**6)
    for step in range(100):
        made.add(step, [((0, k), 1) for k in range(MAX_WIDE + 1)])
    assert len(repr(made)) < 4000
    assert len(made._repr_html_()) < 8000
    assert "... and 1,981 more states" in repr(made)
    with pytest.raises(RunError, match="2,001 states would be as many columns, more than 2,000: give long=True"):
        made.columns()
    snapshot = Snapshot(7, 10**6, NAMES, tuple(((0, k), 1) for k in range(5000)), None)
    assert len(repr(snapshot)) < 4000
    assert "more states" in repr(snapshot)


def test_a_snapshot_without_numbers_says_so() -> None:
    snapshot = Snapshot(5, 10, NAMES, (((0, 0), 6), ((1, 3), 4)), None)
    assert snapshot.columns() == {"role": ["LEADER", "FOLLOWER"], "count_": [0, 3], "count": [6, 4]}
    with pytest.raises(RunError, match='engine="counts" has no agents with numbers'):
        snapshot["role"]
    kept = Snapshots([snapshot], [10**6])
    assert repr(kept) == "1 whole configuration, of step 5; 1,000,000 was not reached"
    assert pickle.loads(pickle.dumps(kept)).missed == (10**6,)
    with pytest.raises(RunError, match="no snapshot of step 1000000: the run ended before it"):
        kept[10**6]


def test_names_of_values_are_those_of_the_field() -> None:
    space = Space(("x",), (Field(2, names=("A", "B")),), (2,), ((range(2),),), ((range(2),),), ())
    assert names_of(space).name((1,)) == "x=B"


@pytest.mark.parametrize(
    ("given", "steps"),
    [("0,100,1e6", (0, 100, 10**6)), ([5, 1], (1, 5)), (range(3), (0, 1, 2)), (7, (7,)), (None, ()), ([1.0], (1,))],
)
def test_steps_of_snapshots(given: Any, steps: tuple[int, ...]) -> None:
    assert read_snapshots(given) == steps


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("5,5", "snapshots has 5 twice: name each step once"),
        ("-1,5", "snapshots has -1, which is negative"),
        ("soon", "snapshots = 'soon' is not an integer"),
        ([None], "snapshots has None, which is no step"),
        (0.5, "snapshots = 0.5 is not an integer"),
        ([True], "snapshots has True, which is no step"),
        (range(10**12), "snapshots has more than 1,000,000 steps: take fewer"),
    ],
)
def test_steps_that_are_none_are_refused(given: Any, sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        read_snapshots(given)


def test_a_protocol_that_has_something_called_states_keeps_it() -> None:
    result = princeps.run("fratricide", 5, seed=1, record={"everything": "states", "leading": "leaders"}, every=1)
    assert set(result.record) == {"steps", "parallel_time", "leading"}
    assert result.states.names == ["leader=0", "leader=1"]
    assert "--record states --record leaders" in result.command
    assert result.as_json()["states"][0]["counts"] == {"leader=1": 5}


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_the_history_as_a_frame(library: str) -> None:
    frames = pytest.importorskip(library)
    history = princeps.run("fratricide", n=20, seed=1, record="states", every=1, engine="reference").states
    assert history is not None
    frame = history.to_pandas() if library == "pandas" else history.to_polars()
    assert isinstance(frame, frames.DataFrame)
    assert {name: list(frame[name]) for name in frame.columns} == history.columns()
    assert len(frame) > 1
