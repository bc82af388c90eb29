"""A supervisor that dies or hears Ctrl-C leaves no workers, and the same command goes on."""

from __future__ import annotations

import os
import re
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from princeps.campaign import pipes, worker_pool
from princeps.campaign import sweep as sweeping
from princeps.campaign.plan import distinct, grid
from princeps.campaign.store import Store, open_store
from princeps.campaign.sweep import Sweep
from princeps.campaign.worker_pool import (
    WorkerPool,
)
from tests.campaign.campaign_tools import (
    REFERENCE,
    alive,
    begun,
    busy_seconds,
    children,
    count,
    duel_protocol,
    on_linux,
    patiently,
    running,
    slow_protocol,
    table,
)
from tests.campaign.supervisor_tools import described, outcomes
from tests.conftest import Command, wait_for

# -- the supervisor dies ------------------------------------------------------------------------------------------


@pytest.mark.slow
@on_linux
@pytest.mark.parametrize(
    "meeting", ["in_worker() and time.sleep(1000)", "while in_worker(): pass"], ids=["asleep", "awake"]
)
def test_workers_end_by_themselves_in_the_middle_of_a_trial(tmp_path: Path, meeting: str) -> None:
    words = ("sweep", duel_protocol(tmp_path, meeting), "-n", 4, "--trials", 4, "--jobs", 2, *REFERENCE)
    with running(*words, "--store", tmp_path / "store.db") as process:
        wait_for(lambda: begun(tmp_path) >= 2)
        left = children(process.pid)
        assert len(left) == 2
        process.kill()
        patiently(lambda: not any(map(alive, left)), 30)


@pytest.mark.slow
@on_linux
def test_workers_end_by_themselves_in_the_middle_of_compiled_code(tmp_path: Path) -> None:
    words = ("sweep", "fratricide", "-n", "1e6", "--trials", 4, "--jobs", 2, "--engine", "agents")
    with running(*words, "--store", tmp_path / "store.db") as process:
        patiently(lambda: len(left := children(process.pid)) == 2 and min(map(busy_seconds, left)) > 2)
        left = children(process.pid)
        process.kill()
        patiently(lambda: not any(map(alive, left)), 30)
    assert count(tmp_path / "store.db") == 0


# -- Ctrl-C -------------------------------------------------------------------------------------------------------


@pytest.mark.medium
@on_linux
@pytest.mark.parametrize("rows", [1, *(pytest.param(rows, marks=pytest.mark.slow) for rows in (0, 60))])
def test_after_ctrl_c_the_same_command_goes_on(princeps: Command, tmp_path: Path, rows: int) -> None:
    """As soon as there are workers, or this many rows. The whole group hears it, as from a terminal."""
    store, calm = tmp_path / "store.db", tmp_path / "calm.db"
    words = ("sweep", slow_protocol(tmp_path), "-n", "3,4", "--trials", 100, "--jobs", 2, *REFERENCE)
    with running(*words, "--store", store, nap=0.02, start_new_session=True) as process:
        patiently(lambda: count(store) >= rows and children(process.pid))
        left = children(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=120)
        assert process.returncode == 130, err
        patiently(lambda: not any(map(alive, left)), 30)
    assert err.splitlines()[-1] == (
        f"princeps: interrupted; the store {str(store)!r} holds what was finished, the same command goes on."
    )
    assert "Traceback" not in err
    held = table(store)
    assert rows <= len(held) < 200
    assert bool(re.search(rf"points?, {len(held)} trials?\b", out)) == bool(held)
    assert princeps(*words, "--store", calm).code == 0
    assert set(held) <= set(table(calm))
    assert princeps(*words, "--store", store).code == 0
    assert table(store) == table(calm)


def test_ctrl_c_before_there_is_a_store_is_only_an_interruption(
    quick: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(path: str) -> Store:
        raise KeyboardInterrupt

    monkeypatch.setattr("princeps.campaign.campaign.open_store", interrupted)
    outcome = quick("sweep", "p_rl", "-n", 4, "--store", tmp_path / "store.db", *REFERENCE)
    assert outcome.code == 130
    assert "interrupted" in outcome.stderr


def test_ctrl_c_commits_everything_that_had_come_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Although it was not yet due."""
    monkeypatch.setattr(sweeping, "COMMIT_SECONDS", 1000)

    def watch(sweep: Sweep) -> None:
        if sweep.trials_run >= 5:
            assert count(tmp_path / "store.db") == 0
            raise KeyboardInterrupt

    points = distinct(grid(["p_rl"], {}, n=5, engine="reference"))
    with open_store(str(tmp_path / "store.db")) as store:
        sweep, pool = Sweep(points, store, trials=10_000, watch=watch), WorkerPool(2)
        with pytest.raises(KeyboardInterrupt):
            sweep.run(pool)
        assert pool.workers == []
        assert 5 <= count(tmp_path / "store.db") == sweep.trials_run < 10_000


@pytest.mark.medium
def test_who_is_dismissed_has_not_answered_in_vain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answers are in the pipe already, although nobody has read them yet."""
    heard = pipes.receive

    def late(pipe: Any) -> Any:
        found = heard(pipe)
        time.sleep(1)
        return found

    name = duel_protocol(tmp_path, "in_worker() and begun() > 5 and stay()")
    pool = WorkerPool(1)
    monkeypatch.setattr(worker_pool, "receive", late)
    try:
        pool.assign(None, described(name), range(5))
        pool.assign(None, described(name), [5])
        wait_for(lambda: begun(tmp_path) == 6)  # so that the first batch has been answered
    finally:
        found = pool.stop()
    assert sorted(outcomes(found)) == [0, 1, 2, 3, 4]
