"""Ctrl-C in a script: KeyboardInterrupt is raised, with what was finished on it. A loop of runs does not go on."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.campaign import tasks, worker_pool
from princeps.model.result import Result

RUN: dict[str, Any] = {"name": "fratricide", "n": 60, "seed": 3, "engine": "reference"}


def press(_: object) -> None:
    signal.raise_signal(signal.SIGINT)


def test_ctrl_c_in_a_loop_of_runs_ends_the_loop() -> None:
    begun = 0

    def loop() -> None:
        nonlocal begun
        for _ in range(3):
            begun += 1
            princeps.run(**RUN, record=["leaders"], observer=press)

    with pytest.raises(KeyboardInterrupt) as caught:
        loop()
    assert begun == 1
    error = caught.value
    assert isinstance(error, princeps.Interrupted)
    assert isinstance(error.partial, Result)
    assert error.partial.interrupted
    assert not error.partial.converged
    assert error.partial.record is not None
    assert "interrupted" in str(error)


def test_ctrl_c_on_a_ring() -> None:
    with pytest.raises(princeps.Interrupted) as caught:
        princeps.run("a_k", labels="1,2,2", k=2, trace=press)
    assert (caught.value.partial.protocol, caught.value.partial.interrupted) == ("a_k", True)


def test_trials_hand_over_what_was_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = princeps.trials(**RUN, trials=4)
    finish, done = tasks._finished, 0

    def interrupting(result: Any) -> Any:
        nonlocal done
        done += 1
        if done == 3:
            press(None)
        return finish(result)

    monkeypatch.setattr(tasks, "_finished", interrupting)
    with pytest.raises(princeps.Interrupted, match="2 of 4 trials") as caught:
        princeps.trials(**RUN, trials=4)
    partial = caught.value.partial
    assert [found.steps for found in partial] == [found.steps for found in whole[:2]]
    assert "2 of 4 trials of seed 3" in repr(partial)
    assert repr(type(partial)([], 4)) == "none of 4 trials"


@pytest.mark.medium
def test_answers_that_workers_had_sent_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C comes while all answers wait in the queue."""
    whole = princeps.trials(**RUN, trials=3)
    answers, calls = worker_pool.WorkerPool.answers, 0

    def interrupted(pool: Any, timeout: float) -> Any:
        nonlocal calls
        calls += 1
        if calls == 1:
            return answers(pool, 60)
        while pool.messages.empty() and pool.busy:
            pass
        press(None)
        return []

    monkeypatch.setattr(worker_pool.WorkerPool, "answers", interrupted)
    with pytest.raises(princeps.Interrupted) as caught:
        princeps.trials(**RUN, trials=3, jobs=2)
    found = caught.value.partial
    assert len(found) >= 2
    assert all(one.steps == whole[one.trial].steps for one in found)


def test_a_sweep_hands_over_its_store(tmp_path: Path) -> None:
    def watch(sweep: Any) -> None:
        if sweep.trials_run >= 5:
            press(None)

    asked: dict[str, Any] = {"n": [20, 30], "engine": "reference", "jobs": 1, "store": tmp_path / "s.db"}
    with pytest.raises(princeps.Interrupted, match=r"s\.db") as caught:
        princeps.sweep("fratricide", trials=200, watch=watch, **asked)
    kept = sum(summary.trials for summary in caught.value.partial)
    assert kept >= 5
    assert sum(summary.trials for summary in princeps.results(tmp_path / "s.db")) == kept


def test_nothing_finished_is_an_empty_result(tmp_path: Path) -> None:
    with pytest.raises(princeps.Interrupted) as caught:
        # large enough that none ends before the first word about the sweep
        princeps.sweep("fratricide", 4000, trials=9, engine="reference", jobs=1, store=tmp_path / "s.db", watch=press)
    nothing = caught.value.partial
    assert (len(nothing), list(nothing), nothing.columns("trials")["steps"]) == (0, [], [])
    assert "no trials" in repr(nothing)
    assert not tmp_path.joinpath("s.db").exists()


def test_exact_and_sessions() -> None:
    with pytest.raises(princeps.Interrupted, match=r"^interrupted while") as caught:
        princeps.exact("fratricide", 6, observer=lambda phase, done, total: press(None))
    assert caught.value.partial is None


@pytest.mark.parametrize("asked", [{"name": "fratricide", "n": 60}, {"name": "a_k", "labels": "1,2,2", "k": 2}])
def test_a_session_stands_where_it_was_interrupted(asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    session: Any = princeps.session(**asked, seed=1, engine="reference")

    def interrupted(*_: Any) -> None:
        press(None)

    monkeypatch.setattr(type(session), "_advance" if "n" in asked else "_happen", interrupted)
    with pytest.raises(princeps.Interrupted, match=r"^interrupted at step 0: the session") as caught:
        session.run_until("leader")
    assert caught.value.partial is session
