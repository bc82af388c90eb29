"""A sweep runs what its store does not hold, each trial with a seed of its own by which it can be repeated alone."""

from __future__ import annotations

import json
import os
import re
import shlex
import sqlite3
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import princeps as library
from princeps.campaign.point import make_point
from princeps.campaign.point_queue import INITIAL_TRIALS
from princeps.campaign.results import Results
from princeps.campaign.rows import Row
from princeps.campaign.tally import Tally
from princeps.campaign.tasks import Trials
from princeps.campaign.worker import answered
from princeps.campaign.worker_pool import Answer
from princeps.errors import PrincepsError, WorkerLost
from princeps.model import registry
from princeps.protocols.fratricide import Fratricide
from tests.conftest import Command, Outcome

REFERENCE = ("--engine", "reference", "--jobs", 1)
Rows = dict[tuple[str, int, int], dict[str, Any]]


def rows_of(store: str, *, seconds: bool = False) -> Rows:
    """Every trial by point, seed and number; with its seconds no two executions are ever equal."""
    columns = Results(store).columns("trials")
    found = {}
    for values in zip(*columns.values(), strict=True):
        row = {name: value for name, value in zip(columns, values, strict=True) if name in Row._fields}
        if not seconds:
            del row["seconds"]
        found[row["point"], row["seed"], row["trial"]] = row
    return found


@pytest.fixture
def store(tmp_path: Path) -> str:
    return str(tmp_path / "results.db")


class Count:
    """A watcher that counts."""

    def __init__(self) -> None:
        self.trials = self.points = self.calls = 0

    def __call__(self, sweep: Any) -> None:
        self.trials, self.points, self.calls = sweep.trials_run, sweep.points_done, self.calls + 1


def swept(name: Any, n: Any, store: str, **options: Any) -> tuple[Results, Count]:
    """The results, and how much was run for them."""
    count = Count()
    found = library.sweep(name, n, **{"store": store, "engine": "reference", "jobs": 1, "watch": count, **options})
    return found, count


class OnTheSpot:
    """Workers that are none: each trial is run when it is lent. Starting a process would take longer than most tests."""

    size, busy = 1, False

    def __init__(self, jobs: int) -> None:
        self.found: list[Answer] = []

    def has_room(self, ahead: int = 1) -> bool:
        return not self.found

    def assign(self, key: Any, what: Trials, trials: Sequence[int]) -> None:
        self.found += [Answer(key, *answer) for answer in answered(what, trials)]
        self.busy = True

    def answers(self, timeout: float) -> list[Answer]:
        found, self.found, self.busy = self.found, [], False
        return found

    def stop(self) -> list[Answer]:
        return self.answers(0)


@pytest.fixture
def on_the_spot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("princeps.campaign.worker_pool.WorkerPool", OnTheSpot)


# -- what is in the store is not run again ----------------------------------------------------------------------------


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


# -- any trial can be repeated alone ----------------------------------------------------------------------------------

OWN = """
from princeps.model import Bit, Param, PopulationProtocol, Range

def initial(a, i, n, p):
    a.leader = 1

class Mine(PopulationProtocol):
    k = Param(min=1, default=2)
    leader, x = Bit(), Range(lambda p: p.k + 1)
    starts = {"initial": initial}

    @staticmethod
    def interact(a, b, p):
        a.x = min(a.x + 1, p.k)
        if a.leader == 1 and b.leader == 1 and a.x == p.k:
            b.leader = 0
"""
REPEATED: dict[str, str] = {
    "plain": "fratricide -n 5",
    "parameters": "p_pl -n 4 -p N=2n -p virus_factor=2,3 -p emit_factor=1 --start all_leaders",
    "holding": "timer -n 4 -p t_max=6 --hold",
    "holding to a limit": "timer -n 4 -p t_max=20 --hold --max-steps 300",
    "faults": "p_rl -n 5 --fault 100:2 --fault 300:5",
    "faults for ever": "p_rl -n 4 --fault every:200:1 --max-steps 1000",
    "faults that may be final": "fratricide -n 3 --fault 50:3",
    "a drawn graph": "infection -n 8 --graph regular:3",
    "a graph": "infection -n 6 --graph star",
    "a graph that says the size": "infection --graph grid:2x3",
    "a graph by force": "fratricide -n 5 --graph ring --force --max-steps 100",
    "listed identifiers": "infection -n 4 --ids 9,2,7,4",
    "random identifiers": "numbered -n 5 --ids random:1000",
    "a verdict": "numbered -n 6 -p m=1",
    "listed states": "fratricide -n 3 --start states:1;0;1",
    "a limit": "fratricide -n 6 --max-steps 15",
    "another goal": "p_rl -n 4 --until leader --start no_leader",
    "a file of one's own": "{folder}/mine.py:Mine -n 5 -p k=1,3",
}
STORED = ("steps", "converged", "leaders", "leader", "events", "engine", "seed", "trial", "held", "held_steps")


def assert_repeats(quick: Command, outcome: Outcome, store: str) -> None:
    """Each stored trial is what the command of its summary gives."""
    stored = rows_of(store)
    commands = {one["point"]: one["command"] for one in outcome.objects}
    assert commands
    for (point, seed, trial), row in stored.items():
        words = shlex.split(commands[point])
        assert words[-1] == "i"
        assert words[words.index("--seed") + 1] == str(seed)
        again = quick(*words[1:-1], trial, "--json").object
        told = {name: value for name, value in row.items() if name in STORED and name in again}
        assert told == {name: again[name] for name in told}
        more = json.loads(row["more"] or "{}")
        assert [list(fault.values()) for fault in again.get("faults", [])] == more.pop("faults", [])
        assert {name: again[name] for name in more} == more
        assert row["max_steps"] is None or int(row["total_steps"]) <= int(row["max_steps"])


@pytest.mark.usefixtures("on_the_spot")
@pytest.mark.parametrize("typed", REPEATED.values(), ids=REPEATED.keys())
def test_the_command_of_a_summary_repeats_any_trial(quick: Command, store: str, tmp_path: Path, typed: str) -> None:
    (tmp_path / "mine.py").write_text(OWN)
    words = typed.replace("{folder}", str(tmp_path)).split()
    outcome = quick("sweep", *words, *REFERENCE, "--trials", 3, "--store", store, "--seed", 5, "--json")
    assert outcome.code in (0, 1), outcome.stderr
    assert_repeats(quick, outcome, store)


def test_the_command_repeats_a_trial_of_the_engine_that_was_chosen(quick: Command, store: str) -> None:
    outcome = quick("sweep", "fratricide", "-n", "20,600", "--trials", 2, "--jobs", 1, "--store", store, "--json")
    assert {row["engine"] for row in rows_of(store).values()} == {"agents", "counts"}
    assert_repeats(quick, outcome, store)


def test_from_python_the_command_repeats_a_trial_too(quick: Command, store: str) -> None:
    swept("p_rl", 4, store, trials=2, faults=["10:1"], N=[5])
    assert_repeats(quick, quick("results", store, "--json"), store)


@pytest.mark.usefixtures("on_the_spot")
@pytest.mark.parametrize(("name", "options"), [("p_rl", {"faults": "10:1"}), ("infection", {"ids": [4, 3, 2, 1]})])
def test_whatever_sweep_accepts_the_command_says(
    quick: Command, store: str, name: str, options: dict[str, Any]
) -> None:
    found, _ = swept(name, 4, store, trials=1, **options)
    words = shlex.split(next(iter(found)).command)
    assert quick(*words[1:-1], 0, "--json").code == 0


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


def test_after_a_larger_limit_the_command_repeats_what_is_stored(quick: Command, store: str) -> None:
    swept("fratricide", 6, store, trials=6, max_steps=15)
    swept("fratricide", 6, store, trials=6, max_steps=10_000)
    assert_repeats(quick, quick("results", store, "--json"), store)


def test_a_censored_trial_that_another_engine_finishes_is_finished(store: str) -> None:
    swept("fratricide", 8, store, trials=20, max_steps=40)
    found, _ = swept("fratricide", 8, store, trials=20, engine="counts")
    assert next(iter(found)).censored == 0
    _, again = swept("fratricide", 8, store, trials=20, engine="counts")
    assert again.trials == 0


# -- precision --------------------------------------------------------------------------------------------------------


def wanted(steps: list[int], precision: float, most: int) -> int:
    """How many trials it takes, from the rule in words: look at 32, then at up to twice as many as the error demands."""
    count = min(most, INITIAL_TRIALS)
    while count < most and (now := Tally.of(steps[:count]).precision) > precision:
        needed = count * (now / precision) ** 2
        count = min(most, max(-int(-1.1 * count // 1), -int(-min(2 * count, needed) // 1)))
    return count


@pytest.mark.usefixtures("on_the_spot")
def test_a_sweep_goes_on_until_the_mean_is_that_precise(tmp_path: Path) -> None:
    sizes, everything = [4, 5, 6], str(tmp_path / "all.db")
    swept("fratricide", sizes, everything, trials=300)
    steps: dict[str, list[int]] = {}
    for (point, _, _), row in sorted(rows_of(everything).items()):
        steps.setdefault(point, []).append(row["steps"])
    counts = []
    for precision in (0.4, 0.15, 0.12, 0.1, 0.09, 0.08):
        store = str(tmp_path / f"{precision}.db")
        found, _ = swept("fratricide", sizes, store, trials=5000, precision=f"{100 * precision:g}%")
        for one in found:
            assert one.interval is not None
            assert one.mean is not None
            assert (one.interval[1] - one.interval[0]) / 2 <= precision * one.mean
            assert one.trials == wanted(steps[one.point], precision, 5000) < 300
            counts.append(one.trials)
        assert rows_of(store).items() <= rows_of(everything).items()
    assert min(counts) == INITIAL_TRIALS
    assert len(set(counts)) > 6


@pytest.mark.slow
def test_how_many_trials_a_precision_takes_is_the_same_however_they_are_run(store: str, tmp_path: Path) -> None:
    found, _ = swept("fratricide", [6, 8], store, trials=5000, precision=0.1)
    expected = rows_of(store)
    _, again = swept("fratricide", [6, 8], store, trials=5000, precision=0.1)
    assert again.trials == 0

    two = str(tmp_path / "two.db")
    swept("fratricide", [8, 6], two, trials=5000, precision=0.1, jobs=2)
    assert rows_of(two) == expected

    def stop(sweep: Any) -> None:
        if sweep.trials_run > 15:
            raise KeyboardInterrupt

    torn = str(tmp_path / "torn.db")
    with pytest.raises(KeyboardInterrupt):
        swept("fratricide", [6, 8], torn, trials=5000, precision=0.1, watch=stop)
    assert 0 < len(rows_of(torn)) < len(expected)
    with suppress(KeyboardInterrupt):
        swept("fratricide", [6, 8], torn, trials=5000, precision=0.1, watch=stop)
    swept("fratricide", [6, 8], torn, trials=5000, precision=0.1)
    assert rows_of(torn) == expected

    more = str(tmp_path / "more.db")  # trials beyond those that the precision takes do not count
    swept("fratricide", [6, 8], more, trials=3)
    swept("fratricide", [6, 8], more, trials=5000, precision=0.1)
    assert rows_of(more) == expected
    assert sum(one.trials for one in found) == len(expected)


@pytest.mark.usefixtures("on_the_spot")
def test_no_precision_takes_more_than_the_trials_allowed(store: str) -> None:
    found, _ = swept("fratricide", 6, store, trials=40, precision="0.1%")
    assert next(iter(found)).trials == 40
    found, more = swept("fratricide", 6, store, trials=50, precision="0.1%")
    assert more.trials == 10
    found, _ = swept("fratricide", 5, store, trials=3, precision="0.1%")
    assert next(iter(found)).trials == 3


@pytest.mark.usefixtures("on_the_spot")
def test_where_trials_are_cut_off_no_precision_is_reached(store: str) -> None:
    found, _ = swept("fratricide", 6, store, trials=70, precision="50%", max_steps=20)
    assert next(iter(found)).trials == 70


@pytest.mark.usefixtures("on_the_spot")
def test_what_never_varies_is_precise_at_once(store: str) -> None:
    found, _ = swept("fratricide", 2, store, trials=1000, precision="1%")
    (one,) = found
    assert (one.trials, one.mean, one.sd) == (INITIAL_TRIALS, 1.0, 0.0)


# -- from Python ------------------------------------------------------------------------------------------------------


def test_a_watcher_sees_how_far_it_has_come(store: str) -> None:
    seen = []

    def watch(sweep: Any) -> None:
        seen.append((sweep.trials_run, sweep.points_done, [queue.point.n for queue in sweep.finished]))

    swept("fratricide", [4, 5, 6], store, trials=3, watch=watch)
    assert [one[:2] for one in seen] == sorted(one[:2] for one in seen)
    assert seen[-1][:2] == (9, 3)
    assert sorted(n for _, _, finished in seen for n in finished) == [4, 5, 6]


def test_a_watcher_may_end_it_and_nothing_is_lost(store: str) -> None:
    class Enough(Exception):
        pass

    def watch(sweep: Any) -> None:
        if sweep.trials_run >= 2:
            raise Enough

    with pytest.raises(Enough):
        swept("fratricide", 6, store, trials=3000, watch=watch)
    held = len(rows_of(store))
    assert 2 <= held < 3000
    _, rest = swept("fratricide", 6, store, trials=held + 5)
    assert rest.trials == 5


def test_a_class_may_be_given_for_its_name(store: str) -> None:
    found, first = swept(Fratricide, 4, store, trials=3)
    assert first.trials == 3
    assert next(iter(found)).command.startswith("princeps run fratricide -n 4 ")
    _, again = swept("fratricide", 4, store, trials=3)
    assert again.trials == 0


def test_a_class_of_one_s_own_file_may_be_given(quick: Command, store: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(OWN)
    _, first = swept(registry.find(f"{tmp_path}/mine.py"), 4, store, trials=3)
    assert first.trials == 3
    assert_repeats(quick, quick("results", store, "--json"), store)


def test_a_mistake_that_only_a_trial_shows_is_told_and_the_others_are_kept(
    quick: Command, store: str, tmp_path: Path
) -> None:
    (tmp_path / "mine.py").write_text(OWN.replace("min(a.x + 1, p.k)", "a.x + (p.k > 2)"))
    words = (f"{tmp_path}/mine.py", "-n", 4, "-p", "k=1,3", *REFERENCE, "--trials", 9, "--store", store, "--json")
    outcome = quick("sweep", *words, "--max-steps", 200)
    assert outcome.code == 2
    assert [(one["given"], one["trials"]) for one in outcome.objects] == [({"k": "1"}, 9)]
    *lines, last = outcome.stderr.splitlines()
    assert "outside its domain 0..3" in last
    assert re.search(r"\b[3-9] trials were given up", last)
    assert not any("Traceback" in line for line in lines)
    alone = quick(*shlex.split(last.partition("princeps run ")[2].join(["run ", ""])))
    assert alone.code == 2
    assert "outside its domain 0..3" in alone.stderr
    with pytest.raises(WorkerLost, match=r"mine\.py:14.*outside its domain"):
        swept(f"{tmp_path}/mine.py", 4, store, trials=9, k=[1, 3], max_steps=200)


@pytest.mark.parametrize("words", ["p_ll -n 1e12 --engine agents", "infection -n 1e8 --engine counts"])
def test_a_sweep_of_which_nothing_can_be_run_leaves_no_store(quick: Command, store: str, words: str) -> None:
    assert quick("sweep", *words.split(), "--jobs", 1, "--trials", 3, "--store", store).code == 2
    assert not os.path.exists(store)


def test_a_protocol_that_changes_under_way_is_not_mixed_with_itself(store: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(OWN)

    def change(sweep: Any) -> None:
        if sweep.points_done and path.read_text() == OWN:
            path.write_text(OWN.replace("min(a.x + 1, p.k)", "max(a.x, p.k - 1)"))
            os.utime(path, ns=(time.time_ns() + 10**9,) * 2)

    sizes = [3, 4, 5, 6, 7, 8]
    points = {n: make_point(str(path), n, {}, {"hold": False}, {}).id for n in sizes}
    with pytest.raises(PrincepsError, match="run the same command again"):
        swept(str(path), sizes, store, trials=40, watch=change, max_steps=10_000)
    torn = rows_of(store)
    assert {point for point, _, _ in torn} <= set(points.values())
    path.write_text(OWN)
    swept(str(path), sizes, str(tmp_path / "whole.db"), trials=40, max_steps=10_000)
    assert torn.items() <= rows_of(str(tmp_path / "whole.db")).items()


# -- from the command line --------------------------------------------------------------------------------------------


def test_a_line_tells_what_became_of_each_point(princeps: Command, tmp_path: Path) -> None:
    words = ("sweep", "fratricide", "-n", "2,4", *REFERENCE, "--trials", 3)
    for _ in range(2):  # the second time nothing is run, and the same is told
        outcome = princeps(*words, cwd=tmp_path)
        assert outcome.code == 0
        first, second = sorted(outcome.stderr.splitlines())
        assert first == "fratricide, n = 2: 3 of 3 trials, 1 +- 0 steps"
        assert second.startswith("fratricide, n = 4: 3 of 3 trials, ")
        assert second.endswith(" steps")
        assert "\x1b" not in outcome.stderr
        assert outcome.stdout.startswith("results.db: 2 points, 6 trials\n")


@pytest.mark.usefixtures("on_the_spot")
def test_lines_tell_of_precision_parameters_and_cut_off_trials(quick: Command, store: str) -> None:
    words = (*REFERENCE, "--store", store)
    outcome = quick("sweep", "fratricide", "-n", 2, "--precision", "5%", "--trials", 500, *words)
    assert outcome.stderr == "fratricide, n = 2: 32 of 32 (at most 500) trials, 1 +- 0 steps\n"
    outcome = quick("sweep", "p_rl", "-n", 4, "-p", "N=n,2n", "--trials", 2, "--max-steps", 1, *words)
    first, second = sorted(outcome.stderr.splitlines())
    assert first.startswith("p_rl, n = 4, N=2n: 2 of 2 trials, at least 1 steps (2 c")
    assert second.startswith("p_rl, n = 4: 2 of 2 trials, at least 1 steps (2 c")


@pytest.mark.usefixtures("on_the_spot")
def test_a_reader_of_json_finds_nothing_else_on_stdout(quick: Command, store: str) -> None:
    words = ("sweep", "timer", "fratricide", "-n", "4,5", *REFERENCE, "--trials", 3, "--store", store)
    outcome = quick(*words, "--json")
    assert [(one["protocol"], one["n"], one["trials"]) for one in outcome.objects] == [
        (name, n, 3) for name in ("timer", "fratricide") for n in (4, 5)
    ]
    assert outcome.stdout == quick("results", store, "--json").stdout
    found = {one.point: one for one in library.results(store)}
    for one in outcome.objects:
        expected = found[one["point"]].as_json()
        assert one == json.loads(json.dumps(expected))
        assert {"mean", "interval", "sd", "median", "q05", "q95", "censored", "never", "command", "given"} <= one.keys()
        assert one["interval"][0] < one["mean"] < one["interval"][1]


@pytest.mark.usefixtures("on_the_spot")
@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("fratricide -n 4", 0),
        ("fratricide -n 6 --max-steps 10", 1),
        ("timer -n 4 -p t_max=20 --hold --max-steps 200", 0),
        ("timer -n 8 --hold --max-steps 2", 1),
        ("p_rl -n 4 --fault every:50:1 --max-steps 200", 0),
        ("fratricid -n 4", 2),
        ("fratricide -n 2 --fault 9:2", 1),
    ],
)  # fmt: skip
def test_the_exit_code_says_whether_the_goal_was_always_reached(
    quick: Command, store: str, words: str, code: int
) -> None:
    found = quick("sweep", *words.split(), *REFERENCE, "--trials", 12, "--store", store)
    assert found.code == code
    if code != 2:
        runs = quick("run", *words.split(), "--engine", "reference", "--trials", 12, "--seed", 1)
        assert runs.code == code  # the same words mean the same


@pytest.mark.usefixtures("on_the_spot")
def test_censored_trials_of_another_point_do_not_matter(quick: Command, store: str) -> None:
    words = (*REFERENCE, "--trials", 9, "--store", store)
    assert quick("sweep", "fratricide", "-n", 6, "--max-steps", 10, *words).code == 1
    assert quick("sweep", "fratricide", "-n", 2, "--max-steps", 10, *words).code == 0


def test_every_error_is_one_of_princeps(store: str) -> None:
    with pytest.raises(PrincepsError, match="did you mean fratricide"):
        swept("fratricid", 4, store)
    assert not os.path.exists(store)
