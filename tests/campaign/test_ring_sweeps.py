"""Sweeps of ring algorithms: the same trials as single runs, in the same stores as population protocols."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.api.templates import RING_FILE
from princeps.campaign.plan import grid, read_plan
from princeps.campaign.point import Point
from princeps.campaign.store_schema import COLUMNS
from princeps.errors import ParameterError, RingError, RunError, StoreError
from tests.cli.refusals import assert_refused
from tests.conftest import Command
from tests.golden.calls import STORE
from tests.notebook_tools import Notebook

REFERENCE: dict[str, Any] = {"engine": "reference", "jobs": 1}
SIZES = [4, 6, 9]
pytestmark = pytest.mark.medium


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Two ring algorithms and a population protocol in one store."""
    store = str(tmp_path_factory.mktemp("rings") / "rings.db")
    princeps.sweep("chang_roberts", n=SIZES, trials=4, scheduler="random", store=store, **REFERENCE)
    random = "labels=ceil(n/2),max=2"
    princeps.sweep("b_k", n=SIZES[1:], k=[2, 3], random=random, trials=2, schedule="random", store=store, **REFERENCE)
    princeps.sweep("fratricide", n=[4, 5], trials=3, store=store, **REFERENCE)
    return store


def points(*names: Any, **given: Any) -> list[Point]:
    return list(grid(names, given.pop("params", {}), **given))


def test_a_trial_is_that_of_a_single_run(swept: str) -> None:
    columns = princeps.results(swept, protocol="chang_roberts").columns("trials")
    rows = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    assert [(row["n"], row["trial"]) for row in rows] == [(n, trial) for n in SIZES for trial in range(4)]
    for row in rows:
        seed, trial = row["seed"], row["trial"]
        alone = princeps.run("chang_roberts", row["n"], scheduler="random", engine="reference", seed=seed, trial=trial)
        assert (alone.time, alone.messages, alone.max_bits) == (row["time"], row["messages"], row["bits"])
        assert (alone.leader, alone.steps, row["converged"]) == (row["leader"], row["steps"], 1)
    assert len({row["messages"] for row in rows if row["n"] == 9}) > 1


def test_the_command_of_a_summary_repeats_a_trial(swept: str, quick: Command) -> None:
    last = [one for one in princeps.results(swept, measure="messages") if one.protocol == "b_k"][-1]
    assert (last.n, last.params, last.start) == (9, {"k": 3}, "random:labels=ceil(n/2),max=2")
    seen = [quick(*last.command.replace(" i", f" {k}").split()[1:], "--json").object["messages"] for k in range(2)]
    assert sum(seen) / 2 == last.mean
    assert "--random n=9,labels=5,max=2" in last.command


def test_each_kind_of_point_has_its_measures(swept: str, quick: Command) -> None:
    found = princeps.results(swept)
    assert {one.measure for one in found if one.protocol == "b_k"} == {"time", "messages", "bits"}
    assert {one.measure for one in found if one.protocol == "fratricide"} == {"steps"}
    assert repr(found).startswith(f"{swept}: 9 points, 26 trials")
    assert {one.protocol for one in princeps.results(swept, measure="bits")} == {"chang_roberts", "b_k"}
    assert {one.protocol for one in princeps.results(swept, measure="parallel_time")} == {"fratricide"}
    with pytest.raises(StoreError, match="ring algorithms, and parallel_time is of population"):
        princeps.results(swept, measure="parallel_time", protocol="b_k")
    assert_refused(quick("fit", swept, "--protocol", "fratricide", "--measure", "bits"), "bits", "choose steps")
    shown = quick("results", swept, "--measure", "messages", "--json").objects
    assert [one["n"] for one in shown] == [*SIZES, 6, 6, 9, 9]


def test_costs_are_fitted_and_drawn(swept: str, tmp_path: Path) -> None:
    fits = [princeps.fit(swept, protocol="chang_roberts", measure=one)[0] for one in ("time", "messages", "bits")]
    assert [one.measure for one in fits] == ["time", "messages", "bits"]
    assert all(one.sizes == SIZES for one in fits)
    picture = tmp_path / "messages.svg"
    princeps.plot(swept, str(picture), protocol="chang_roberts", measure="messages")
    assert "messages" in picture.read_text()
    rings = princeps.results(swept, measure="messages")
    assert princeps.plot(rings, kind="compare").axes[0].get_ylabel().endswith("messages")
    alone: Any = princeps.plot(swept, kind="compare", protocol="chang_roberts").axes[0]
    highest = max(one.mean or 0 for one in princeps.results(swept, protocol="chang_roberts", measure="time"))
    assert max(max(line.get_ydata()) for line in alone.get_lines()) >= highest  # not divided by n, as steps are
    with pytest.raises(StoreError, match="choose protocol, or a measure"):
        princeps.plot(swept)


def test_a_store_of_0_1_0_takes_them_and_keeps_its_rows(tmp_path: Path) -> None:
    store = str(shutil.copy(STORE, tmp_path / "old.db"))
    asked = f"SELECT {', '.join(COLUMNS['trials'])} FROM trials ORDER BY point, seed, trial"
    with closing(sqlite3.connect(store)) as connection:
        before = connection.execute(asked).fetchall()
    for trials in (2, 3):  # the second goes on where the first stopped
        princeps.sweep("chang_roberts", n=5, trials=trials, store=store, **REFERENCE)
    with closing(sqlite3.connect(store)) as connection:
        after = connection.execute(asked).fetchall()
    assert after[: len(before)] == before
    assert len(after) == len(before) + 3
    seconds = COLUMNS["trials"]
    assert len({row[list(seconds).index("seconds")] for row in after[-3:]}) == 3


def test_a_point_is_its_content(tmp_path: Path) -> None:
    file, other = tmp_path / "one.py", tmp_path / "other.py"
    text = RING_FILE.format(name="One", title="One", path="one.py")
    file.write_text(text)
    other.write_text(text.replace("One", "Another").replace("swallow", "drop"))
    (first,) = points(f"{file}:One", n=6)
    (renamed,) = points(f"{other}:Another", n=6)
    assert renamed.rule == first.rule
    assert (renamed.id, first.measure, first.start) == (first.id, "time", "numbered")
    other.write_text(text.replace("yield x > p.id", "yield x >= p.id"))
    (changed,) = points(f"{other}:One", n=6)
    (scheduled,) = points(f"{file}:One", n=6, schedule="random")
    (listed,) = points(f"{file}:One", labels=[3, 1, 2, 6, 5, 4])
    (drawn,) = points(f"{file}:One", random="n=6")
    assert len({one.id for one in (first, changed, scheduled, listed)}) == 4
    assert drawn.id == first.id  # the same law
    large, small = points("a_k", n=[9, 6], random="labels=n/3,max=3")
    assert large.rule == small.rule
    assert (large.params, large.description.options.random) == ({}, "n=9,labels=3,max=3")  # k is that of each ring


REFUSED: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"start": "random"}, RunError, "start is for population protocols"),
    ({"labels": "1,2,3"}, RingError, "n and labels are given"),
    ({"random": "labels=n/4,max=2"}, ParameterError, "not an integer"),
    ({"params": {"k": "3"}}, ParameterError, "no parameter 'k'"),
]


def test_what_makes_no_sense_is_refused() -> None:
    for given, error, sentence in REFUSED:
        with pytest.raises(error, match=sentence):
            points("chang_roberts", n=6, **given)


def test_a_plan_names_rings(tmp_path: Path) -> None:
    (tmp_path / "labels.txt").write_text("3 1 2")
    plan = tmp_path / "plan.toml"
    plan.write_text(
        '[[sweep]]\nprotocol = ["a_k", "b_k"]\nn = [4, 8]\nrandom = "labels=n/2,max=2"\nparams = { k = 2 }\n'
        '[[sweep]]\nprotocol = "lelann"\nring = "labels.txt"\nschedule = "random"\n'
    )
    found = read_plan(str(plan)).points
    assert [(one.protocol, one.n) for one in found] == [("a_k", 4), ("a_k", 8), ("b_k", 4), ("b_k", 8), ("lelann", 3)]
    assert (found[-1].start, found[-1].options["scheduler"]) == ("labels:3,1,2", "random")


def test_what_was_finished_before_ctrl_c_is_kept(tmp_path: Path) -> None:
    given: dict[str, Any] = {"n": [4, 5], "trials": 2, "store": str(tmp_path / "s.db"), **REFERENCE}

    def interrupt(sweep: Any) -> None:
        if sweep.trials_run:
            raise KeyboardInterrupt

    with pytest.raises(princeps.Interrupted) as ended:
        princeps.sweep("lelann", watch=interrupt, **given)
    assert 1 <= sum(one.trials for one in ended.value.partial if one.measure == "time") <= 4
    assert [one.trials for one in princeps.sweep("lelann", **given) if one.measure == "time"] == [2, 2]


def test_wrong_elections_and_limits_are_told(tmp_path: Path, quick: Command) -> None:
    store = str(tmp_path / "wrong.db")
    words = ["sweep", "a_k", "--store", store, "--trials", "2", "--jobs", "1", "--engine", "reference"]
    wrong = quick(*words, "--labels", "1,2,2,1,2,2,2", "-p", "k=2", "--force", "--json")
    assert (wrong.code, {one["never"] for one in wrong.objects}) == (1, {2})
    cut = quick(*words, "-n", "6", "--max-steps", "10", "--json")
    assert (cut.code, {one["censored"] for one in cut.objects}) == (1, {2})
    further = quick(*words, "-n", "6", "--max-steps", "1e4", "--json")
    assert (further.code, {one["censored"] for one in further.objects}) == (0, {0})


def test_a_class_of_a_notebook_is_swept_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quick: Command
) -> None:
    monkeypatch.chdir(tmp_path)
    notebook = Notebook(monkeypatch)
    notebook.cell(RING_FILE.format(name="Mine", title="Mine", path="mine.py"))
    found = princeps.sweep(notebook["Mine"], n=[4, 5], trials=2, store="own.db", **REFERENCE)
    command = next(iter(found)).command
    assert command.startswith("princeps run own.db:Mine -n 4 ")
    alone = quick(*command.replace(" i", " 1").split()[1:], "--json").object
    assert alone["converged"]
    assert alone["messages"] in found.columns("trials")["messages"]
    assert "a sweep keeps it in its store" in princeps.run(notebook["Mine"], 4, engine="reference").command
