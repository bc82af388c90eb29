"""Two stores into one: every trial once, nothing lost, nothing invented, and a contradiction is never papered over."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import princeps as library
from princeps.campaign.merge import Merged
from princeps.campaign.results import Results
from princeps.campaign.rows import Row
from princeps.campaign.store import open_store
from princeps.errors import StoreError
from tests.campaign.stored_rows import a_cut, a_point, a_row, stored
from tests.cli.refusals import assert_refused
from tests.conftest import Command
from tests.tables import in_one_test

Rows = dict[tuple[str, int, int], dict[str, Any]]
Write = Callable[..., str]


def rows_of(path: str) -> Rows:
    columns = Results(path).columns("trials")
    lines = (dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True))
    return {(line["point"], line["seed"], line["trial"]): line for line in lines}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name: str, **sizes: Iterable[Row]) -> str:
    """A store in this folder; n6=[...] are the trials of fratricide at n = 6."""
    for size, rows in sizes.items():
        stored(name, rows, a_point(int(size.removeprefix("n"))))
    return name


def trials(numbers: Iterable[int], **parts: Any) -> list[Row]:
    return [a_row(k, 100 + k, **parts) for k in numbers]


# -- the union --------------------------------------------------------------------------------------------------------


def test_every_trial_is_there_once(here: Path) -> None:
    write("a.db", n6=trials(range(6)), n8=trials(range(3)))
    write("b.db", n9=trials(range(2)), n6=[*trials(range(4, 9)), *trials(range(3), seed=8)])
    found = library.merge("a.db", "b.db", output="c.db")
    assert found == Merged(points=3, trials=9 + 3 + 3 + 2, shared=2, differing=0)
    assert rows_of("c.db") == {**rows_of("a.db"), **rows_of("b.db")}
    assert {one.n: one.trials for one in library.results("c.db")} == {6: 12, 8: 3, 9: 2}
    assert sorted(os.listdir(here)) == ["a.db", "b.db", "c.db"]


def test_the_points_come_with_everything_that_is_known_of_them(here: Path) -> None:
    stored("a.db", trials(range(2)), a_point(4, "p_pl", {"N": "9"}, start="all_leaders", hold=True))
    stored("b.db", trials(range(2)), a_point(5, "p_rl", faults=["20:1"], engine="reference"))
    library.merge("a.db", "b.db", output="c.db")
    found = [one.as_json() for one in library.results("c.db")]
    assert found == [one.as_json() for path in ("a.db", "b.db") for one in library.results(path)]


def test_many_stores_are_merged_in_any_order(here: Path) -> None:
    write("a.db", n6=trials(range(5)), n8=[a_cut(0, 50), a_row(1, 7)])
    write("b.db", n8=[a_row(0, 80), a_cut(1, 5)], n7=trials(range(2)))
    write("c.db", n7=trials(range(1, 4)), n6=trials(range(3, 7)), n8=[a_cut(0, 60)])
    expected = None
    for k, order in enumerate(permutations(["a.db", "b.db", "c.db"])):
        found = library.merge(*order, output=f"out{k}.db")
        assert (found.points, found.trials, found.differing) == (3, 7 + 4 + 2, 0)
        rows = rows_of(f"out{k}.db")
        assert expected is None or rows == expected
        expected = rows
    assert expected is not None
    assert [row["steps"] for row in expected.values() if row["n"] == 8] == [80, 7]


def test_one_after_the_other_is_the_same_as_all_at_once(here: Path) -> None:
    for k, name in enumerate(("a.db", "b.db", "c.db")):
        write(name, n6=trials(range(2 * k, 2 * k + 3)), **{f"n{7 + k}": trials(range(2))})
    library.merge("a.db", "b.db", output="ab.db")
    library.merge("ab.db", "c.db", output="ab_c.db")
    library.merge("b.db", "c.db", output="bc.db")
    library.merge("a.db", "bc.db", output="a_bc.db")
    library.merge("a.db", "b.db", "c.db", output="abc.db")
    assert rows_of("ab_c.db") == rows_of("a_bc.db") == rows_of("abc.db")


def test_a_store_and_itself_are_the_store(here: Path) -> None:
    write("a.db", n6=[*trials(range(4)), a_cut(4, 50)], n8=trials(range(2)))
    before = Path("a.db").read_bytes()
    assert library.merge("a.db", "a.db", output="b.db") == Merged(points=2, trials=7, shared=7, differing=0)
    assert library.merge("a.db", output="c.db") == Merged(points=2, trials=7, shared=0, differing=0)
    assert rows_of("a.db") == rows_of("b.db") == rows_of("c.db")
    assert Path("a.db").read_bytes() == before


def test_an_empty_store_adds_nothing(here: Path) -> None:
    write("a.db", n6=trials(range(4)))
    open_store("empty.db").close()
    assert library.merge("a.db", "empty.db", output="b.db").trials == 4
    assert rows_of("b.db") == rows_of("a.db")


def test_numbers_of_points_are_those_of_the_new_store(here: Path) -> None:
    """In both stores the point number 1 is another one."""
    write("a.db", n6=trials(range(2)), n8=trials(range(3)))
    write("b.db", n8=trials(range(5)), n6=trials(range(7)))
    library.merge("a.db", "b.db", output="c.db")
    assert {one.n: one.trials for one in library.results("c.db")} == {6: 7, 8: 5}


# -- trials that were cut off -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", ["short", "long"])
@pytest.mark.parametrize(
    ("short", "long"),
    [
        (a_cut(0, 50), a_cut(0, 60)),
        (a_cut(0, 50), a_row(0, 60)),
        (a_cut(0, 9), a_cut(0, 10)),  # 10 is more than 9, also as text
        (a_cut(0, 10**30), a_row(0, 10**30 + 1)),
        (a_row(0, 5, held=1, held_steps="4", censored=1, total_steps="9"), a_row(0, 5, held=0, held_steps="7", total_steps="12")),
    ],
    ids=["further", "to the end", "by a digit", "by one of many", "held longer"],
)  # fmt: skip
def test_of_a_trial_that_was_cut_off_the_one_that_went_further_stays(
    here: Path, short: Row, long: Row, first: str
) -> None:
    write("short.db", n6=[short])
    write("long.db", n6=[long])
    order = ("short.db", "long.db") if first == "short" else ("long.db", "short.db")
    assert library.merge(*order, output="c.db") == Merged(points=1, trials=1, shared=1, differing=0)
    assert rows_of("c.db") == rows_of("long.db")


@pytest.mark.parametrize("order", ["ab", "ba"])
def test_a_trial_that_ended_is_never_replaced_by_one_that_did_not(here: Path, order: str) -> None:
    """By another engine it may go on for longer."""
    write("a.db", n6=[a_row(0, 30)])
    write("b.db", n6=[a_cut(0, 20, engine="counts")])
    library.merge(*(f"{name}.db" for name in order), output="c.db")
    assert rows_of("c.db") == rows_of("a.db")


@pytest.mark.parametrize("order", ["ab", "ba"])
def test_of_different_engines_a_shorter_trial_does_not_replace_one_that_was_cut_off(here: Path, order: str) -> None:
    """To replace only those that took long by new draws, however short, would bend the law."""
    write("a.db", n6=[a_row(0, 30, engine="counts")])
    write("b.db", n6=[a_cut(0, 50)])
    library.merge(*(f"{name}.db" for name in order), output="c.db")
    assert rows_of("c.db") == rows_of(f"{order[0]}.db")


# -- contradictions ---------------------------------------------------------------------------------------------------

CONTRADICTIONS = {
    "steps": ({}, {"steps": "777"}),
    "holding": ({"held": 0, "held_steps": "5"}, {"held": 0, "held_steps": "6"}),
    "holding or not": ({}, {"held": 0, "held_steps": "6"}),
    "a verdict": ({"more": '{"correct": true}'}, {"more": '{"correct": false}'}),
    "faults": ({"more": '{"faults": [[5, 1, 7]]}'}, {"more": '{"faults": [[5, 1, 8]]}'}),
}


@pytest.mark.medium
@pytest.mark.parametrize(("one", "other"), CONTRADICTIONS.values(), ids=CONTRADICTIONS.keys())
def test_two_results_of_one_trial_by_one_engine_are_refused(
    quick: Command, here: Path, one: dict[str, Any], other: dict[str, Any]
) -> None:
    write("a.db", n6=[a_row(k, 100)._replace(**one) for k in range(4)], n8=trials(range(3)))
    write("b.db", n6=[*(a_row(k, 100)._replace(**one) for k in range(2)), a_row(2, 100)._replace(**other)])
    before = {name: Path(name).read_bytes() for name in ("a.db", "b.db")}
    for order in (("a.db", "b.db"), ("b.db", "a.db")):
        assert_refused(quick("merge", *order, "-o", "c.db"), f"'{order[1]}' contradicts", "princeps run")
        with pytest.raises(StoreError, match="fratricide, n = 6, seed 7, trial 2 has another result"):
            library.merge(*order, output="c.db")
    assert {name: Path(name).read_bytes() for name in os.listdir(here)} == before


def test_the_third_store_may_be_the_one_that_contradicts(quick: Command, here: Path) -> None:
    write("a.db", n6=trials(range(2)))
    write("b.db", n6=trials(range(2, 4)))
    write("c.db", n6=[a_row(3, 5)])
    assert_refused(quick("merge", "a.db", "b.db", "c.db", "-o", "d.db"), "'c.db' contradicts", "princeps run")
    assert sorted(os.listdir(here)) == ["a.db", "b.db", "c.db"]


def test_a_trial_that_ended_before_it_was_cut_off_is_a_contradiction(quick: Command, here: Path) -> None:
    write("a.db", n6=[a_row(0, 30)])
    write("b.db", n6=[a_cut(0, 50)])  # the same engine says that after 50 steps it had not ended
    assert_refused(quick("merge", "a.db", "b.db", "-o", "c.db"), "contradicts", "princeps run")


@pytest.mark.parametrize("parts", [{"engine": "counts"}, {"version": "0.0.1"}], ids=str)
def test_of_different_engines_or_versions_the_first_is_kept_and_they_are_counted(
    quick: Command, here: Path, parts: dict[str, Any]
) -> None:
    write("a.db", n6=trials(range(4)))
    write("b.db", n6=[a_row(1, 101, **parts), a_row(2, 5, **parts), a_row(3, 6, **parts), a_row(4, 7, **parts)])
    assert library.merge("a.db", "b.db", output="c.db") == Merged(points=1, trials=5, shared=3, differing=2)
    assert rows_of("c.db").items() >= rows_of("a.db").items()
    assert library.merge("b.db", "a.db", output="d.db") == Merged(points=1, trials=5, shared=3, differing=2)
    assert rows_of("d.db").items() >= rows_of("b.db").items()
    outcome = quick("merge", "a.db", "b.db", "-o", "e.db")
    first, second = outcome.stdout.splitlines()
    assert first == "e.db: 5 trials of 1 point; 3 were in several stores."
    assert second.startswith("2 of them differ, by another engine or version")
    told = quick("merge", "a.db", "b.db", "-o", "f.db", "--json").object
    assert told == {"points": 1, "trials": 5, "shared": 3, "differing": 2, "damaged": 0}


def test_how_long_a_trial_took_is_no_contradiction(here: Path) -> None:
    write("a.db", n6=trials(range(3), seconds=1.0))
    write("b.db", n6=trials(range(3), seconds=2.0))
    assert library.merge("a.db", "b.db", output="c.db") == Merged(points=1, trials=3, shared=3, differing=0)
    assert rows_of("c.db") == rows_of("a.db")


# -- what is refused --------------------------------------------------------------------------------------------------


@pytest.fixture
def furnished(here: Path) -> Path:
    """A folder with stores, and with things that are none."""
    write("a.db", n6=trials(range(3)))
    write("b.db", n6=trials(range(5)))
    Path("notes.txt").write_text("no store, but quite a long text " * 50)
    Path("empty.txt").touch()
    Path("folder").mkdir()
    with sqlite3.connect("other.db") as connection:
        connection.execute("CREATE TABLE trials (y)")
    connection.close()
    write("later.db", n6=trials(range(3)))
    with sqlite3.connect("later.db") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    return here


REFUSED = {
    "the output is there": ("a.db b.db -o a.db", "'a.db' is there already", "a new file"),
    "the output is another file": ("a.db b.db -o notes.txt", "'notes.txt' is there already", "a new file"),
    "the output is a folder": ("a.db b.db -o folder", "'folder' is there already", "a new file"),
    "the output has no folder": ("a.db b.db -o no/c.db", "no/c.db", "another path"),
    "no output": ("a.db b.db", "-o", "princeps merge --help"),
    "no store": ("-o c.db", "STORE", "princeps merge --help"),
    "a store that is not there": ("a.db nowhere.db -o c.db", "'nowhere.db'", "princeps sweep"),
    "a text": ("a.db notes.txt -o c.db", "'notes.txt'", "another file"),
    "nothing": ("a.db empty.txt -o c.db", "'empty.txt'", "another file"),
    "a folder": ("a.db folder -o c.db", "'folder'", "princeps sweep"),
    "another database": ("a.db other.db -o c.db", "'other.db'", "another file"),
    "another format": ("a.db later.db -o c.db", "format 99", "the version that wrote it"),
}


@in_one_test(("words", "value", "remedy"), REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_be_merged_is_refused_and_nothing_is_left_behind(
    quick: Command, furnished: Path, words: str, value: str, remedy: str
) -> None:
    before = {path.name: path.is_file() and path.read_bytes() for path in furnished.iterdir()}
    assert_refused(quick("merge", *words.split()), value, remedy)
    assert {path.name: path.is_file() and path.read_bytes() for path in furnished.iterdir()} == before


def test_a_store_in_the_output_s_place_is_never_overwritten(furnished: Path) -> None:
    with pytest.raises(StoreError, match="is there already"):
        library.merge("a.db", output="b.db")
    assert len(rows_of("b.db")) == 5


# -- and then -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_merged_store_is_one_to_go_on_with(here: Path) -> None:
    """Two machines run two halves; on the union the whole sweep has nothing left to do, and more can be added."""

    def swept(n: Any, store: str, trials: int) -> int:
        ran: list[int] = []
        library.sweep(
            *("fratricide", n),
            store=store,
            trials=trials,
            engine="reference",
            jobs=1,
            watch=lambda sweep: ran.append(sweep.trials_run),
        )
        return ran[-1]

    assert swept([4, 5], "a.db", 6) == 12
    assert swept([5, 6], "b.db", 4) == 8
    assert library.merge("a.db", "b.db", output="c.db") == Merged(points=3, trials=16, shared=4, differing=0)
    assert swept([4, 5], "c.db", 6) == swept([5, 6], "c.db", 4) == 0
    assert swept([4, 5, 6], "c.db", 7) == 1 + 1 + 3
    assert swept([4, 5, 6], "whole.db", 7) == 21
    whole, merged = rows_of("whole.db"), rows_of("c.db")
    for row in (*whole.values(), *merged.values()):
        del row["seconds"]
    assert merged == whole


@pytest.mark.medium
def test_sweeps_on_the_same_graph_listed_in_another_order_can_be_merged(here: Path) -> None:
    Path("one.txt").write_text("0 1\n1 2\n2 3\n3 0\n0 2\n")
    Path("two.txt").write_text("2 0\n3 0\n2 3\n1 2\n0 1\n")
    for name in ("one", "two"):
        library.sweep("infection", graph=f"{name}.txt", trials=5, engine="reference", jobs=1, store=f"{name}.db")
    assert library.merge("one.db", "two.db", output="c.db") == Merged(points=1, trials=5, shared=5, differing=0)
