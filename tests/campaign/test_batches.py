"""How many trials are lent to a worker at once, and when what came back is committed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import princeps as library
from princeps.campaign import sweep as sweeping
from princeps.campaign import worker as workers
from princeps.campaign.plan import distinct, grid
from princeps.campaign.store import open_store
from princeps.campaign.sweep import Sweep
from princeps.campaign.worker_pool import (
    BATCH_SECONDS,
    LARGEST_BATCH,
    SHORT_TRIAL_SECONDS,
    Answer,
    BatchSizes,
    WorkerPool,
)
from princeps.errors import PrincepsError
from tests.campaign.campaign_tools import (
    REFERENCE,
    begun,
    count,
    duel_protocol,
    running,
    table,
)
from tests.campaign.supervisor_tools import described, gathered
from tests.conftest import wait_for

# -- how much is lent at once -------------------------------------------------------------------------------------


def test_batches_begin_with_one_trial_and_grow_with_what_is_known() -> None:
    batch_sizes = BatchSizes()
    assert batch_sizes.batch_size(left=1000, workers=2) == 1
    batch_sizes.note(0.001)
    assert batch_sizes.batch_size(left=1000, workers=2) == 8
    batch_sizes.note(0.001)
    assert batch_sizes.batch_size(left=1000, workers=2) == 16


def test_a_batch_takes_about_a_quarter_of_a_second() -> None:
    for seconds in (0.001, 0.01, 0.1):
        size = BatchSizes(trials=1000, seconds=1000 * seconds).batch_size(left=10**6, workers=2)
        assert size * seconds <= BATCH_SECONDS < (size + 1) * seconds + 1e-9
    assert BatchSizes(trials=1000, seconds=1000 * 60).batch_size(left=10**6, workers=2) == 1


def test_a_batch_has_its_limits_however_short_the_trials_are() -> None:
    assert BatchSizes(trials=10**6, seconds=0.0).batch_size(left=10**9, workers=2) == LARGEST_BATCH


def test_towards_the_end_batches_shrink_so_that_all_finish_together() -> None:
    batch_sizes = BatchSizes(trials=1000, seconds=0.1)
    sizes, left = [], 100
    while left:
        sizes.append(batch_sizes.batch_size(left, workers=2))
        left -= sizes[-1]
    assert sizes[0] == 25
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-2:] == [1, 1]


def test_only_short_trials_are_lent_ahead() -> None:
    assert BatchSizes().ahead == 2
    assert BatchSizes(trials=10, seconds=10 * SHORT_TRIAL_SECONDS / 2).ahead == 2
    assert BatchSizes(trials=10, seconds=10 * SHORT_TRIAL_SECONDS * 2).ahead == 1


def test_a_worker_is_lent_as_much_ahead_as_it_is_asked_for() -> None:
    pool = WorkerPool(1)
    try:
        assert pool.has_room()
        pool.assign("first", described("p_rl"), [0])
        assert (pool.has_room(), pool.has_room(ahead=2)) == (False, True)
        pool.assign("second", described("p_rl"), [1, 2])
        assert not pool.has_room(ahead=2)
        assert [(answer.key, answer.trial) for answer in gathered(pool)] == [("first", 0), ("second", 1), ("second", 2)]
        assert pool.has_room()
    finally:
        pool.stop()


@pytest.mark.medium
def test_workers_are_hired_only_when_they_are_needed() -> None:
    pool = WorkerPool(8)
    try:
        pool.assign(None, described("p_rl"), [0])
        gathered(pool)
        pool.assign(None, described("p_rl"), [1])
        assert len(pool.workers) == 1
        pool.assign(None, described("p_rl"), [2])
        assert len(pool.workers) == 2
        gathered(pool)
    finally:
        pool.stop()


# -- what is committed, and when ----------------------------------------------------------------------------------


class Told:
    """Workers without processes: every batch is answered at once, and time passes as the test says."""

    def __init__(self, clock: Clock, seconds: float, trouble: Callable[[int], bool] = lambda trial: False) -> None:
        self.clock, self.seconds, self.trouble = clock, seconds, trouble
        self.size = 2
        self.held: list[tuple[Any, Any, list[int]]] = []
        self.assigned: list[int] = []

    def has_room(self, ahead: int = 1) -> bool:
        return len(self.held) < ahead

    @property
    def busy(self) -> bool:
        return bool(self.held)

    def assign(self, key: Any, what: Any, trials: Sequence[int]) -> None:
        self.held.append((key, what, list(trials)))
        self.assigned += trials

    def answers(self, timeout: float) -> list[Answer]:
        """One trial a time."""
        if not self.held:
            return []
        key, what, trials = self.held[0]
        trial = trials.pop(0)
        if not trials:
            self.held.pop(0)
        self.clock.now += self.seconds
        result = replace(RESULT, seed=what.description.options.seed, trial=trial, seconds=self.seconds)
        return [Answer(key, trial, PrincepsError("no") if self.trouble(trial) else result)]

    def cancel(self, key: Any) -> int:
        """Nothing waits to be lent again."""
        return 0

    def stop(self) -> list[Answer]:
        return []


class Clock:
    """In the place of the module time."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now


RESULT = library.run("p_rl", n=4, seed=0, engine="reference")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(sweeping, "time", found)
    return found


@pytest.mark.parametrize("seconds", [0.001, 0.03, 0.3, 0.7, 5.0])
def test_a_trial_is_committed_at_most_a_second_after_it_was_finished(
    tmp_path: Path, clock: Clock, seconds: float
) -> None:
    """At every moment, whatever had come back a second ago is in the store."""
    came: list[float] = []  # when

    def watch(sweep: Sweep) -> None:
        came.extend([clock.now] * (sweep.trials_run - len(came)))
        due = sum(moment <= clock.now - 0.9 for moment in came)  # and what a worker keeps before it answers
        assert count(tmp_path / "store.db") >= due

    with open_store(str(tmp_path / "store.db")) as store:
        points = distinct(grid(["p_rl"], {}, n=4, engine="reference"))
        sweep = Sweep(points, store, trials=200, watch=watch)
        sweep.run(Told(clock, seconds))
    assert len(came) == 200 == count(tmp_path / "store.db")
    assert workers.SEND_SECONDS <= 0.1


@pytest.mark.medium
def test_a_finished_trial_does_not_wait_for_a_long_one_of_the_same_batch(tmp_path: Path) -> None:
    """Of one batch: all are finished but the last, which stays."""
    store = tmp_path / "store.db"
    name = duel_protocol(tmp_path, "in_worker() and begun() > 12 and stay()")
    words = ("sweep", name, "-n", 3, "--trials", 1000, "--jobs", 1, "--store", store, *REFERENCE)
    with running(*words) as process:
        wait_for(lambda: begun(tmp_path) == 13)
        wait_for(lambda: count(store) == 12)
        assert process.poll() is None
        assert begun(tmp_path) == 13
        assert [row[2] for row in table(store)] == list(range(12))


def test_every_trial_is_lent_once_and_those_of_the_store_never(tmp_path: Path, clock: Clock) -> None:
    points = distinct(grid(["p_rl"], {}, n=4, engine="reference"))
    with open_store(str(tmp_path / "store.db")) as store:
        first, second, third = (Told(clock, 0.01) for _ in range(3))
        Sweep(points, store, trials=30).run(first)
        Sweep(points, store, trials=50).run(second)
        Sweep(points, store, trials=50).run(third)
    assert sorted(first.assigned) == list(range(30))
    assert sorted(second.assigned) == list(range(30, 50))
    assert third.assigned == []


def test_three_troubles_are_a_point_s_end_and_two_are_not(tmp_path: Path, clock: Clock) -> None:
    points = distinct(grid(["p_rl"], {}, n="4,5", engine="reference"))
    with open_store(str(tmp_path / "store.db")) as store:
        patient = Told(clock, 0.2, trouble=lambda trial: trial in (3, 8))
        sweep = Sweep(points, store, trials=20)
        sweep.run(patient)
        assert len(sweep.failures) == 4
        assert count(tmp_path / "store.db") == 36
        assert sweep.points_done == 2
        again = Told(clock, 0.2, trouble=lambda trial: trial in (3, 8))
        Sweep(points, store, trials=20).run(again)
        assert sorted(again.assigned) == [3, 3, 8, 8]
        hopeless = Told(clock, 0.2, trouble=lambda trial: trial >= 20)
        sweep = Sweep(points, store, trials=2000)
        sweep.run(hopeless)
        assert sweep.points_done == 2
        assert len(hopeless.assigned) < 50
