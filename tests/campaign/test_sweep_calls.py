"""Sweeps from Python and from the command line: watchers, mistakes, lines, exit codes."""

from __future__ import annotations

import json
import os
import re
import shlex
import time
from pathlib import Path
from typing import Any

import pytest

import princeps as library
from princeps.campaign.point import make_point
from princeps.errors import PrincepsError, WorkerLost
from princeps.model import registry
from princeps.protocols.fratricide import Fratricide
from tests.campaign.sweep_tools import OWN, REFERENCE, assert_repeats, rows_of, swept
from tests.conftest import Command

# -- from Python ------------------------------------------------------------------------------------------------------


def test_a_watcher_sees_how_far_it_has_come(store: str) -> None:
    seen = []

    def watch(sweep: Any) -> None:
        seen.append((sweep.trials_run, sweep.points_done, [queue.point.n for queue in sweep.finished]))

    swept("fratricide", [4, 5, 6], store, trials=3, watch=watch)
    assert [one[:2] for one in seen] == sorted(one[:2] for one in seen)
    assert seen[-1][:2] == (9, 3)
    assert sorted(n for _, _, finished in seen for n in finished) == [4, 5, 6]


@pytest.mark.medium
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


@pytest.mark.medium
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
    assert re.search(r"Given up: [3-9] trials; not tried: \d+ more", last)
    assert not any("Traceback" in line for line in lines)
    alone = quick(*shlex.split(last.partition("princeps run ")[2].join(["run ", ""])))
    assert alone.code == 2
    assert "outside its domain 0..3" in alone.stderr
    with pytest.raises(WorkerLost, match=r"mine\.py:14.*outside its domain"):
        swept(f"{tmp_path}/mine.py", 4, store, trials=9, k=[1, 3], max_steps=200)


@pytest.mark.medium
@pytest.mark.parametrize("words", ["p_ll -n 1e12 --engine agents", "infection -n 1e8 --engine counts"])
def test_a_sweep_of_which_nothing_can_be_run_leaves_no_store(quick: Command, store: str, words: str) -> None:
    assert quick("sweep", *words.split(), "--jobs", 1, "--trials", 3, "--store", store).code == 2
    assert not os.path.exists(store)


@pytest.mark.medium
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


@pytest.mark.slow
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
    assert first.startswith("p_rl, n = 4, N=2n: 2 of 2 trials, at least 1 step (2 c")
    assert second.startswith("p_rl, n = 4: 2 of 2 trials, at least 1 step (2 c")


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


@pytest.mark.medium
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


@pytest.mark.medium
def test_a_condition_is_a_goal_of_a_sweep(store: str) -> None:
    """By content: however it is spelt; workers read the text again."""
    half = "2*count(leader==0)>=n"
    found, first = swept("fratricide", [6, 8], store, until=f"leaders==2,{half}", trials=3)
    assert first.trials == 12
    names = ["leaders == 2", "2 * count(leader == 0) >= n"]
    assert sorted({one.until for one in found}) == sorted(names)
    assert all(f"--until '{one.until}'" in one.command for one in found)
    _, again = swept("fratricide", 6, store, until=[" leaders  ==  2", "count(leader == 0) * 2 >= n"], trials=3)
    assert again.trials == 3  # the second is another condition, though it is never met at another step
    assert names[0] in repr(library.results(store))


def test_a_condition_is_refused_before_anything_is_run(store: str) -> None:
    with pytest.raises(PrincepsError, match="did you mean leaders"):
        swept("fratricide", [6, 8], store, until="leader,leadrs == 2", trials=3)
    assert not os.path.exists(store)
