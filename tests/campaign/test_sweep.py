"""A sweep runs what its store does not hold, and only that."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

import princeps as library
from tests.campaign.sweep_tools import assert_repeats, rows_of, swept
from tests.conftest import Command

# -- what is in the store is not run again ----------------------------------------------------------------------------


@pytest.mark.medium
def test_the_same_sweep_again_runs_nothing(store: str) -> None:
    _, first = swept("fratricide", [4, 6], store, trials=6)
    before = rows_of(store, seconds=True)
    assert (first.trials, first.points, len(before)) == (12, 2, 12)
    found, again = swept("fratricide", [4, 6], store, trials=6)
    assert (again.trials, again.points) == (0, 2)
    assert rows_of(store, seconds=True) == before
    assert [(one.n, one.trials) for one in found] == [(4, 6), (6, 6)]


def test_renamed_moved_or_otherwise_run_it_is_still_the_same_sweep(store: str, tmp_path: Path) -> None:
    text = Path(library.protocol("fratricide", n=4).file() or "").read_text()
    (tmp_path / "mine.py").write_text(text.replace("Fratricide", "Mine").replace('"fratricide"', '"mine"'))
    swept("fratricide", 4, store, trials=5)
    _, again = swept(
        f"{tmp_path}/mine.py:Mine", "4", store, trials=5, start="all_leaders", max_steps="1e9", engine="agents"
    )
    assert again.trials == 0


@pytest.mark.medium
def test_only_what_is_missing_is_run(store: str) -> None:
    swept("fratricide", 6, store, trials=8)
    before, timed = rows_of(store), rows_of(store, seconds=True)
    with sqlite3.connect(store) as connection:
        connection.execute("DELETE FROM trials WHERE trial IN (0, 3, 7)")
    connection.close()
    _, again = swept("fratricide", 6, store, trials=8)
    assert again.trials == 3
    assert rows_of(store) == before
    kept = {key: row for key, row in rows_of(store, seconds=True).items() if key[2] not in (0, 3, 7)}
    assert kept == {key: row for key, row in timed.items() if key in kept}


@pytest.mark.usefixtures("on_the_spot")
def test_more_trials_are_added(store: str) -> None:
    swept("fratricide", 6, store, trials=4)
    before = rows_of(store, seconds=True)
    found, more = swept("fratricide", 6, store, trials="7")
    assert (more.trials, next(iter(found)).trials) == (3, 7)
    after = rows_of(store, seconds=True)
    assert {key: row for key, row in after.items() if key[2] < 4} == before
    _, fewer = swept("fratricide", 6, store, trials=2)
    assert fewer.trials == 0
    assert len(rows_of(store)) == 7


@pytest.mark.usefixtures("on_the_spot")
def test_another_seed_adds_trials(store: str) -> None:
    swept("fratricide", 6, store, trials=5, seed=0)
    before = rows_of(store, seconds=True)
    found, other = swept("fratricide", 6, store, trials=5, seed=1)
    assert (other.trials, next(iter(found)).trials) == (5, 10)
    after = rows_of(store, seconds=True)
    assert {key: row for key, row in after.items() if key in before} == before
    seeds = {seed for _, seed, _ in after}
    assert len(seeds) == 2
    steps = [[row["steps"] for key, row in sorted(after.items()) if key[1] == seed] for seed in seeds]
    assert steps[0] != steps[1]


@pytest.mark.medium
def test_a_point_s_trials_do_not_depend_on_what_else_is_swept(store: str, tmp_path: Path) -> None:
    swept(["p_rl", "fratricide"], [5, 6, 7], store, trials=4, jobs=2)
    swept("fratricide", 6, str(tmp_path / "alone.db"), trials=4)
    alone, together = rows_of(str(tmp_path / "alone.db")), rows_of(store)
    assert len(together) == 24
    assert len(alone) == 4
    assert alone.items() <= together.items()


@pytest.mark.usefixtures("on_the_spot")
def test_a_sweep_returns_its_own_points_only(store: str) -> None:
    swept("fratricide", [4, 5], store, trials=2)
    found, _ = swept(["timer", "fratricide"], 5, store, trials=2)
    assert {(one.protocol, one.n) for one in found} == {("timer", 5), ("fratricide", 5)}
    assert {(one.protocol, one.n) for one in library.results(store)} == {
        ("fratricide", 4),
        ("fratricide", 5),
        ("timer", 5),
    }


# -- trials that were cut off -----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("on_the_spot")
def test_a_larger_limit_runs_the_censored_trials_again_and_only_them(store: str, tmp_path: Path) -> None:
    cut, first = swept("fratricide", 6, store, trials=40, max_steps=20)
    before = rows_of(store, seconds=True)
    censored = {key for key, row in before.items() if row["censored"]}
    assert first.trials == 40
    assert 5 < len(censored) == next(iter(cut)).censored < 35
    assert {row["max_steps"] for row in before.values()} == {20}
    assert {before[key]["total_steps"] for key in censored} == {20}

    _, again = swept("fratricide", 6, store, trials=40, max_steps=20)
    _, shorter = swept("fratricide", 6, store, trials=40, max_steps=7)
    assert again.trials == shorter.trials == 0
    assert rows_of(store, seconds=True) == before

    _, further = swept("fratricide", 6, store, trials=40, max_steps=30)
    middle = rows_of(store, seconds=True)
    assert further.trials == len(censored)
    left = {key for key, row in middle.items() if row["censored"]}
    assert left < censored
    assert {middle[key]["max_steps"] for key in censored} == {30}
    assert {middle[key]["total_steps"] for key in left} == {30}

    found, last = swept("fratricide", 6, store, trials=40)
    assert last.trials == len(left)
    assert next(iter(found)).censored == 0
    after = rows_of(store, seconds=True)
    assert len(after) == 40
    assert {key: row for key, row in after.items() if key not in censored} == {
        key: row for key, row in before.items() if key not in censored
    }
    swept("fratricide", 6, str(tmp_path / "fresh.db"), trials=40)
    fresh = rows_of(str(tmp_path / "fresh.db"))
    assert {key: row["steps"] for key, row in after.items()} == {key: row["steps"] for key, row in fresh.items()}
    _, nothing = swept("fratricide", 6, store, trials=40)
    assert nothing.trials == 0


@pytest.mark.usefixtures("on_the_spot")
def test_a_leader_that_was_still_held_is_watched_further(store: str) -> None:
    short, _ = swept("timer", 4, store, trials=30, hold=True, t_max=5, max_steps=150)
    held = next(one for one in short if one.measure == "held_steps")
    assert 0 < held.censored < 30
    long, again = swept("timer", 4, store, trials=30, hold=True, t_max=5)
    held_longer = next(one for one in long if one.measure == "held_steps")
    assert (held_longer.trials, held_longer.censored) == (30, 0)
    assert again.trials >= held.censored
    assert held.restricted_mean is not None
    assert held_longer.mean is not None
    assert held.restricted_mean < held_longer.mean


@pytest.mark.medium
def test_after_a_larger_limit_the_command_repeats_what_is_stored(quick: Command, store: str) -> None:
    swept("fratricide", 6, store, trials=6, max_steps=15)
    swept("fratricide", 6, store, trials=6, max_steps=10_000)
    assert_repeats(quick, quick("results", store, "--json"), store)


@pytest.mark.medium
def test_a_censored_trial_that_another_engine_finishes_is_finished(store: str) -> None:
    swept("fratricide", 8, store, trials=20, max_steps=40)
    found, _ = swept("fratricide", 8, store, trials=20, engine="counts")
    assert next(iter(found)).censored == 0
    _, again = swept("fratricide", 8, store, trials=20, engine="counts")
    assert again.trials == 0
