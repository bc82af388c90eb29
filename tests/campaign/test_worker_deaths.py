"""Workers that die cost nothing; a trial that kills is given up by name."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import princeps as library
from princeps.campaign.plan import distinct, grid
from princeps.campaign.tasks import DescribedTrials
from princeps.campaign.trials import run_trials
from princeps.campaign.worker_pool import (
    WorkerPool,
)
from princeps.errors import WorkerLost
from tests.campaign.campaign_tools import (
    REFERENCE,
    assert_sound,
    begun,
    duel_protocol,
    on_linux,
    rare_protocol,
    running,
    table,
)
from tests.campaign.supervisor_tools import described, gathered, outcomes
from tests.conftest import Command, wait_for


def arguments(name: str, n: int = 4, **more: Any) -> dict[str, Any]:
    return {"name": name, "n": n, "seed": 4, "engine": "reference", **more}


@pytest.mark.medium
def test_what_a_dead_worker_held_is_lent_again_after_everything_else(tmp_path: Path) -> None:
    pool = WorkerPool(1)
    name = duel_protocol(tmp_path, "in_worker() and once('victim') and os._exit(9)")
    try:
        pool.assign("first", described(name), [0, 1, 2])
        pool.assign("second", described(name), [3, 4])
        wait_for(lambda: pool.answers(timeout=0.2) == [] and pool.returned)
        pool.assign("third", described(name), [5])
        found = gathered(pool)
    finally:
        pool.stop()
    assert [(answer.key, answer.trial) for answer in found] == [
        *(("third", 5), ("first", 0), ("first", 1), ("first", 2), ("second", 3), ("second", 4))
    ]
    alone = {trial: library.run(**arguments(name), trial=trial).steps for trial in range(6)}
    assert outcomes(found) == alone


@pytest.mark.slow
@pytest.mark.parametrize("code", [0, 1, 9])
def test_a_trial_that_ends_three_workers_is_given_up_by_name(tmp_path: Path, code: int) -> None:
    pool = WorkerPool(1)
    try:
        pool.assign("key", described(duel_protocol(tmp_path, f"os._exit({code})")), [7])
        (answer,) = gathered(pool)
    finally:
        pool.stop()
    assert (answer.key, answer.trial, begun(tmp_path)) == ("key", 7, 3)
    assert isinstance(answer.outcome, WorkerLost)
    assert str(answer.outcome) == "trial 7 killed 3 workers: run it alone with trial=7."


@pytest.mark.slow
def test_the_trials_that_ran_before_the_deadly_one_are_not_blamed(tmp_path: Path) -> None:
    """They were finished when the worker died, only not sent yet."""
    name = rare_protocol(tmp_path, marks=100)
    description = described(name, start="random")
    guilty = deadly_trials(description, range(60), tmp_path)
    last = next(trial for trial in guilty if trial >= 6 and not {*range(trial - 6, trial)} & {*guilty})
    pool = WorkerPool(1)
    try:
        pool.assign(None, description, range(last - 6, last + 1))
        found = outcomes(gathered(pool))
    finally:
        pool.stop()
    lost = [trial for trial, outcome in found.items() if isinstance(outcome, str)]
    assert lost == [last]


def deadly_trials(description: DescribedTrials, trials: Sequence[int], folder: Path) -> list[int]:
    """Those of `rare_protocol` that meet what is deadly to workers; to this process it is not."""
    found = []
    for trial in trials:
        (folder / "met").unlink(missing_ok=True)
        list(run_trials(description, [trial]))
        found += [trial] if (folder / "met").exists() else []
    return found


@pytest.mark.medium
def test_a_worker_killed_while_it_starts_is_hardly_held_against_its_trial(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever killed it, the trial had not begun: nine times, not three."""
    never_begins = tmp_path / "python"
    never_begins.write_text("#!/bin/sh\nexec sleep 600\n")
    never_begins.chmod(0o700)
    pool = WorkerPool(1)
    try:
        with monkeypatch.context() as patch:
            patch.setattr("sys.executable", str(never_begins))
            pool.assign(None, described("p_rl"), [3])
            for kill in range(8):
                (worker,) = pool.workers
                worker.process.kill()
                wait_for(lambda: pool.answers(timeout=0.1) == [] and pool.returned)
                if kill < 7:
                    assert pool.answers(timeout=0) == []  # which lends it again
        assert outcomes(gathered(pool)) == {3: library.run(**arguments("p_rl"), trial=3).steps}
    finally:
        pool.stop()


def test_a_worker_that_cannot_even_start_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    pool = WorkerPool(2)
    try:
        pool.assign(None, described("p_rl"), [0])
        (answer,) = gathered(pool)
    finally:
        pool.stop()
    assert "killed 3 workers" in str(answer.outcome)


@pytest.mark.slow
@on_linux
def test_a_killed_worker_costs_a_sweep_nothing(princeps: Command, tmp_path: Path) -> None:
    name = duel_protocol(tmp_path, "in_worker() and once('victim') and stay()")
    words = ("sweep", name, "-n", "3,5", "--trials", 20, "--seed", 4, "--jobs", 2, "--json", *REFERENCE)
    with running(*words, "--store", tmp_path / "storm.db") as process:
        victim = tmp_path / "victim"
        wait_for(lambda: victim.exists() and victim.read_text())
        os.kill(int(victim.read_text()), signal.SIGKILL)
        out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert "killed" not in err
    assert begun(tmp_path) > 40  # some were begun twice
    assert princeps(*words, "--store", tmp_path / "calm.db").code == 0
    assert table(tmp_path / "storm.db") == table(tmp_path / "calm.db")
    assert len(table(tmp_path / "storm.db")) == 40
    assert out.count('"trials": 20') == 2


@pytest.mark.slow
def test_a_sweep_gives_up_what_kills_and_finishes_everything_else(princeps: Command, tmp_path: Path) -> None:
    """The first trial of one point is deadly; running again tries again, and succeeds when the reason is gone."""
    name = rare_protocol(tmp_path, marks=40)
    calm, store = tmp_path / "calm.db", tmp_path / "store.db"
    point, other = distinct(grid([name], {}, n="4,6", start="random", engine="reference"))
    seed = next(
        seed
        for seed in range(1000)
        if deadly_trials(point.trials(seed), range(6), tmp_path) == [0]
        and not deadly_trials(other.trials(seed), range(6), tmp_path)
    )
    words = ("sweep", name, "-n", "4,6", "--trials", 6, "--seed", seed, "--jobs", 2, "--json", *REFERENCE)
    for _ in range(2):
        outcome = princeps(*words, "--store", store)
        assert outcome.code == 2
        assert [summary["trials"] for summary in outcome.objects] == [5, 6]
        sentence = outcome.stderr.splitlines()[-1]
        assert sentence.startswith("princeps: rare, n = 4: trial 0 killed 3 workers: run it alone with --trial 0.")
        assert_sound(store)
    (tmp_path / "deadly").unlink()
    assert princeps(*words, "--store", calm).code == 0
    assert [row for row in table(calm) if row not in table(store)] == [
        row for row in table(calm) if row[:3] == (point.id, point.seed(seed), 0)
    ]
    assert princeps(*words, "--store", store).code == 0
    assert table(store) == table(calm)


@pytest.mark.slow
def test_a_point_all_of_whose_trials_kill_does_not_stop_the_others(princeps: Command, tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    words = (
        "sweep",
        duel_protocol(tmp_path, "in_worker() and os._exit(9)"),
        "p_rl",
        "-n",
        4,
        "--trials",
        3,
        "--jobs",
        2,
        *REFERENCE,
    )
    outcome = princeps(*words, "--store", store)
    assert outcome.code == 2
    assert outcome.stderr.splitlines()[-1].startswith("princeps: duel, n = 4: trial ")
    assert "killed 3 workers" in outcome.stderr
    assert begun(tmp_path) == 9
    assert [row[2] for row in table(store)] == [0, 1, 2]
    assert "p_rl" in outcome.stdout


@pytest.mark.slow
def test_a_point_all_of_whose_trials_kill_is_soon_abandoned(tmp_path: Path) -> None:
    """Not only after each of its trials has been tried: there may be a million of them."""
    name = duel_protocol(tmp_path, "in_worker() and os._exit(9)")
    with pytest.raises(WorkerLost, match="killed 3 workers"):
        library.sweep(name, 4, trials=25, jobs=2, engine="reference", store=str(tmp_path / "store.db"))
    assert begun(tmp_path) < 25


@pytest.mark.slow
def test_a_mistake_in_a_rule_abandons_its_point_and_finishes_the_others(princeps: Command, tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    words = (
        "sweep",
        duel_protocol(tmp_path, "1 // (1 - in_worker())"),
        "p_rl",
        "-n",
        4,
        "--trials",
        50,
        "--jobs",
        2,
        *REFERENCE,
    )
    outcome = princeps(*words, "--store", store)
    assert outcome.code == 2
    sentence = outcome.stderr.splitlines()[-1]
    assert sentence.startswith(f"princeps: duel, n = 4: {tmp_path}/duel.py:")
    assert "division" in sentence
    assert "Traceback" not in outcome.stderr
    assert 3 <= begun(tmp_path) < 50
    assert len(table(store)) == 50
    with pytest.raises(WorkerLost, match="division"):
        library.sweep(words[1], 4, trials=50, jobs=1, engine="reference", store=str(store))


@pytest.mark.slow
def test_what_a_file_prints_does_no_harm(princeps: Command, tmp_path: Path) -> None:
    name = duel_protocol(tmp_path, "print('hello', flush=True)")
    words = ("--trials", 10, "--jobs", 2, "--json", *REFERENCE, "--store", tmp_path / "store.db")
    outcome = princeps("sweep", name, "-n", 4, *words)
    assert outcome.code == 0
    assert outcome.object["trials"] == 10
    assert "hello" in outcome.stderr
