"""The supervisor of local workers: who dies is replaced, what kills is given up, Ctrl-C and mistakes cost nothing else."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import princeps as library
from princeps.campaign import sweep as sweeping
from princeps.campaign import worker as workers
from princeps.campaign import worker_pool
from princeps.campaign.plan import distinct, grid
from princeps.campaign.store import Store, open_store
from princeps.campaign.sweep import Sweep
from princeps.campaign.tasks import DescribedTrials
from princeps.campaign.trials import run_trials
from princeps.campaign.worker_pool import (
    BATCH_SECONDS,
    LARGEST_BATCH,
    SHORT_TRIAL_SECONDS,
    Answer,
    BatchSizes,
    WorkerPool,
)
from princeps.errors import PrincepsError, WorkerLost
from princeps.model.description import describe
from tests.campaign.campaign_tools import (
    REFERENCE,
    alive,
    assert_sound,
    begun,
    busy_seconds,
    children,
    count,
    duel_protocol,
    on_linux,
    patiently,
    rare_protocol,
    running,
    slow_protocol,
    table,
)
from tests.conftest import Command, wait_for


def arguments(name: str, n: int = 4, **more: Any) -> dict[str, Any]:
    return {"name": name, "n": n, "seed": 4, "engine": "reference", **more}


def described(name: str, n: int = 4, **more: Any) -> DescribedTrials:
    return DescribedTrials(describe(name, n, seed=4, engine="reference", **more))


def gathered(pool: WorkerPool) -> list[Answer]:
    """Everything until nobody is busy; what takes for ever is a failure."""
    deadline, found = time.monotonic() + 120, []
    while pool.busy:
        assert time.monotonic() < deadline, "the pool never finishes"
        found += pool.answers(timeout=0.2)
    return found


def outcomes(answers: Sequence[Answer]) -> dict[int, Any]:
    """By trial: how many steps it took, or the sentence of what went wrong. No trial is answered twice."""
    found = {
        answer.trial: str(answer.outcome) if isinstance(answer.outcome, PrincepsError) else answer.outcome.steps
        for answer in answers
    }
    assert len(found) == len(answers)
    return found


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


# -- workers that die ---------------------------------------------------------------------------------------------


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
    assert str(answer.outcome) == "trial 7 killed 3 workers: run it alone with --trial 7."


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


def test_a_worker_killed_while_it_starts_is_hardly_held_against_its_trial() -> None:
    """Whoever killed it, the trial had not begun: nine times, not three."""
    pool = WorkerPool(1)
    try:
        pool.assign(None, described("p_rl"), [3])
        for _ in range(8):
            (worker,) = pool.workers
            worker.process.kill()
            wait_for(lambda: pool.answers(timeout=0.1) == [] and pool.returned)
            assert pool.answers(timeout=0) == []  # which lends it again
        assert outcomes(gathered(pool)) == {3: library.run(**arguments("p_rl"), trial=3).steps}
    finally:
        pool.stop()


def test_a_worker_that_cannot_even_start_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool.sys, "executable", "/bin/false")
    pool = WorkerPool(2)
    try:
        pool.assign(None, described("p_rl"), [0])
        (answer,) = gathered(pool)
    finally:
        pool.stop()
    assert "killed 3 workers" in str(answer.outcome)


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


def test_a_point_all_of_whose_trials_kill_is_soon_abandoned(tmp_path: Path) -> None:
    """Not only after each of its trials has been tried: there may be a million of them."""
    name = duel_protocol(tmp_path, "in_worker() and os._exit(9)")
    with pytest.raises(WorkerLost, match="killed 3 workers"):
        library.sweep(name, 4, trials=25, jobs=2, engine="reference", store=str(tmp_path / "store.db"))
    assert begun(tmp_path) < 25


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


def test_what_a_file_prints_does_no_harm(princeps: Command, tmp_path: Path) -> None:
    name = duel_protocol(tmp_path, "print('hello', flush=True)")
    words = ("--trials", 10, "--jobs", 2, "--json", *REFERENCE, "--store", tmp_path / "store.db")
    outcome = princeps("sweep", name, "-n", 4, *words)
    assert outcome.code == 0
    assert outcome.object["trials"] == 10
    assert "hello" in outcome.stderr


# -- the supervisor dies ------------------------------------------------------------------------------------------


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
    assert (f"points, {len(held)} trials" in out) == bool(held)
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


def test_who_is_dismissed_has_not_answered_in_vain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answers are in the pipe already, although nobody has read them yet."""
    heard = worker_pool.receive

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
