"""What a store holds comes out whole: as a table, as CSV and Parquet, as a frame of pandas or polars."""

from __future__ import annotations

import csv
import json
import statistics
import sys
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

import princeps as library
from princeps.campaign.point import Point
from princeps.campaign.results import Results
from princeps.campaign.rows import Row
from princeps.campaign.store import open_store
from princeps.errors import RunError, StoreError, UnknownName
from tests.campaign.stored_rows import HUGE, a_cut, a_point, a_row, stored, summary
from tests.cli.refusals import assert_refused
from tests.conftest import Command
from tests.tables import in_one_test

# -- tables, files, frames --------------------------------------------------------------------------------------------


def test_the_table_shows_what_json_says(quick: Command, tmp_path: Path) -> None:
    path = stored(tmp_path / "x.db", [a_row(k, value) for k, value in enumerate([1000, 2000, 3000])])
    stored(path, [a_cut(k, 50 + k) for k in range(2)], a_point(9))
    outcome = quick("results", path)
    assert outcome.code == 0
    row, cut = (line.split() for line in outcome.stdout.splitlines() if line.split()[0] in ("6", "9"))
    assert row[:3] == ["6", "3", "2,000"]
    assert float(row[3].replace(",", "")) == pytest.approx(1000 * stats.t.ppf(0.975, 2) / sqrt(3), rel=2e-3)
    assert row[4:] == ["1,000", "2,000", "1,100", "2,900"]
    assert cut == ["9", "2", ">=", "51", *"-----", "2"]
    assert "Kaplan and Meier's" in outcome.stdout


def test_a_narrow_terminal_cuts_no_number_off(quick: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    path = stored(tmp_path / "x.db", [a_row(0, 123456), a_row(1, 123456)])
    assert quick("results", path).stdout.count("123,456") == 4


def test_parameters_and_what_varies_have_columns_of_their_own(
    quick: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for n in (6, 8):
        for typed in ({}, {"N": "20"}):
            stored("x.db", [a_row(0, 5)], a_point(n, "p_rl", typed, start="random"))
    title, head, *_ = quick("results", "x.db").stdout.splitlines()
    assert title == "x.db: 4 points, 4 trials"
    assert head.split()[:4] == ["n", "N", "trials", "mean"]
    stored("x.db", [a_row(0, 5)], a_point(6, "p_rl", start="all_leaders"))
    stored("x.db", [a_row(0, 5)], a_point(6))
    _, head, *_ = quick("results", "x.db").stdout.splitlines()
    assert head.split()[:5] == ["protocol", "n", "start", "N", "trials"]
    assert [one.protocol for one in library.results("x.db", protocol="fratricide")] == ["fratricide"]


@pytest.mark.parametrize(
    ("engines", "named"),
    [
        (["counts", "agents", "reference", "reference"], "reference"),
        (["reference", "agents", "counts", "agents"], "agents"),
        (["reference", "counts", "reference", "counts"], "counts"),  # the first of those that are equally frequent
        (["events"], "events"),
    ],
)
def test_the_command_names_the_engine_of_most_trials(engines: list[str], named: str, tmp_path: Path) -> None:
    path = stored(tmp_path / "x.db", [a_row(k, 5, engine=engine) for k, engine in enumerate(engines)])
    assert f" --engine {named} " in summary(path).command


def test_the_title_is_one_line_however_long_the_path(quick: Command, tmp_path: Path) -> None:
    path = stored(tmp_path / f"{'long' * 25}.db", [a_row(0, 5)])
    assert quick("results", path).stdout.splitlines()[0] == f"{path}: 1 point, 1 trial"


MIXED = [
    a_row(0, 17, events="12", more=json.dumps({"correct": True})),
    a_row(1, 2**53 + 1, max_steps=str(10**17 + 1), leader=4),
    a_cut(2, 10**17 + 3),
    a_row(0, 21, seed=2**47, held=1, held_steps="3", recovery_steps="8"),
]
PLAIN = {
    "seed",
    "trial",
    "converged",
    "censored",
    "silent",
    "leaders",
    "leader",
    "held",
    "more",
    "engine",
    "version",
    "seconds",
}


def expected_columns(rows: Sequence[Row], point: Point) -> dict[str, list[Any]]:
    """What every format must hold: texts of digits are numbers."""
    ordered = sorted(rows, key=lambda row: (row.seed, row.trial))
    found: dict[str, list[Any]] = {
        "point": [point.id],
        "protocol": [point.protocol],
        "n": [point.n],
        "graph": [point.graph],
        "start": [point.start],
        "until": [point.until],
    }
    found = {name: values * len(rows) for name, values in found.items()}
    for name in Row._fields[1:]:
        values = [getattr(row, name) for row in ordered]
        found[name] = values if name in PLAIN else [None if value is None else int(value) for value in values]
    return found


def assert_same(found: dict[str, list[Any]], expected: dict[str, list[Any]]) -> None:
    assert list(found) == list(expected)
    for name, values in expected.items():
        assert [_plain(value) for value in found[name]] == values, name


def _plain(value: Any) -> Any:
    """No number and not-a-number are the same nothing."""
    return None if value is None or str(value) in ("<NA>", "nan", "") else value


@pytest.fixture
def mixed(tmp_path: Path) -> str:
    return stored(tmp_path / "mixed.db", MIXED)


def hide(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """As if they were not installed."""
    for name in names:
        monkeypatch.setitem(sys.modules, name, None)


def test_plain_columns_hold_every_row(mixed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch, "pandas", "polars")
    found = library.results(mixed).frame("trials")
    assert isinstance(found, dict)
    assert_same(found, expected_columns(MIXED, a_point()))


def test_pandas_holds_every_row(mixed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pandas = pytest.importorskip("pandas")
    hide(monkeypatch, "polars")
    frame = library.results(mixed).frame("trials")
    assert isinstance(frame, pandas.DataFrame)
    assert_same({name: frame[name].tolist() for name in frame}, expected_columns(MIXED, a_point()))


def test_pandas_holds_every_row_of_ordinary_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pandas = pytest.importorskip("pandas")
    hide(monkeypatch, "polars")
    rows = [MIXED[0], MIXED[3], a_cut(2, 2**53 - 1)]
    frame = library.results(stored(tmp_path / "x.db", rows)).frame("trials")
    assert isinstance(frame, pandas.DataFrame)
    assert_same({name: frame[name].tolist() for name in frame}, expected_columns(rows, a_point()))


def test_polars_holds_every_row(mixed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    polars = pytest.importorskip("polars")
    hide(monkeypatch, "pandas")
    frame = library.results(mixed).frame("trials")
    assert isinstance(frame, polars.DataFrame)
    assert_same({name: frame[name].to_list() for name in frame.columns}, expected_columns(MIXED, a_point()))


def test_csv_holds_every_row(quick: Command, mixed: str, tmp_path: Path) -> None:
    outcome = quick("results", mixed, "--csv", tmp_path / "x.csv")
    assert (outcome.code, outcome.stdout) == (0, "")
    assert f"4 trials written to {tmp_path}/x.csv" in outcome.stderr
    with open(tmp_path / "x.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    expected = expected_columns(MIXED, a_point())
    assert_same(
        {name: [row[name] for row in rows] for name in rows[0]},
        {name: [None if value is None else str(value) for value in values] for name, values in expected.items()},
    )


def test_parquet_holds_every_row(quick: Command, mixed: str, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    outcome = quick("results", mixed, "--parquet", tmp_path / "x.parquet")
    assert (outcome.code, outcome.stdout) == (0, "")
    assert_same(parquet.read_table(tmp_path / "x.parquet").to_pydict(), expected_columns(MIXED, a_point()))


@pytest.mark.parametrize("rows", ["points", "trials"])
def test_all_formats_hold_the_same(mixed: str, tmp_path: Path, rows: str) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    stored(mixed, [a_row(0, 5)], a_point(8, "p_rl", {"N": "9"}))
    found = library.results(mixed)
    columns = found.columns(rows)
    assert {"point", "protocol", "n", "start", "N"} <= columns.keys()
    lines = len(columns["n"])
    assert lines == (2 if rows == "points" else 5)
    assert (
        found.write_csv(str(tmp_path / "x.csv"), rows)
        == found.write_parquet(str(tmp_path / "x.parquet"), rows)
        == lines
    )
    assert parquet.read_table(tmp_path / "x.parquet").to_pydict() == columns
    with open(tmp_path / "x.csv", newline="") as file:
        head, *body = csv.reader(file)
    assert head == list(columns)
    assert body == [
        ["" if value is None else str(value) for value in line] for line in zip(*columns.values(), strict=True)
    ]


def test_a_frame_of_points_has_a_line_for_each_summary(mixed: str) -> None:
    stored(mixed, [a_row(0, 5), a_row(1, 7)], a_point(8, "p_rl", {"N": "9"}))
    found = library.results(mixed)
    columns = found.columns()
    for k, one in enumerate(found):
        assert {name: columns[name][k] for name in ("point", "n", "trials", "mean", "median", "seconds")} == {
            name: getattr(one, name) for name in ("point", "n", "trials", "mean", "median", "seconds")
        }
    assert columns["N"] == [None, 9]
    assert (columns["interval_low"][0], columns["interval_low"][1]) == (None, next(reversed(list(found))).interval[0])


def test_a_parameter_named_like_a_column_does_not_hide_it(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from princeps.model import *\nclass Mine(PopulationProtocol):\n    steps = Param(default=3)\n    leader = Bit()\n"
        "    starts = {'random': Uniform()}\n    @staticmethod\n    def interact(a, b, p):\n        b.leader = 0\n"
    )
    path = stored(tmp_path / "x.db", [a_row(0, 17)], a_point(name=f"{tmp_path}/mine.py"))
    columns = library.results(path).columns("trials")
    assert (columns["steps"], columns["param_steps"]) == ([17], [3])


# -- numbers beyond all machine words ---------------------------------------------------------------------------------


@pytest.fixture
def huge(tmp_path: Path) -> str:
    return stored(tmp_path / "huge.db", [a_row(0, HUGE), a_row(1, 3 * HUGE), a_row(2, 5)])


def test_huge_numbers_of_steps_are_summarised(quick: Command, huge: str) -> None:
    one = summary(huge)
    assert one.mean == pytest.approx((4 * HUGE + 5) / 3, rel=1e-15)
    assert (one.minimum, one.median, one.maximum) == (
        5,
        pytest.approx(HUGE, rel=1e-15),
        pytest.approx(3 * HUGE, rel=1e-15),
    )
    assert one.sd == pytest.approx(statistics.stdev([HUGE, 3 * HUGE, 5]), rel=1e-12)
    told = quick("results", huge, "--json").object
    assert told["mean"] == one.mean
    assert "1.33333e+30" in quick("results", huge).stdout


def test_huge_numbers_of_steps_are_kept_to_the_last_digit(
    huge: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    expected = [str(HUGE), str(3 * HUGE), "5"]
    found = library.results(huge)
    assert found.columns("trials")["steps"] == expected
    found.write_csv(str(tmp_path / "x.csv"))
    with open(tmp_path / "x.csv", newline="") as file:
        assert [row["steps"] for row in csv.DictReader(file)] == expected
    found.write_parquet(str(tmp_path / "x.parquet"))
    assert parquet.read_table(tmp_path / "x.parquet")["steps"].to_pylist() == expected
    assert list(found.frame("trials")["steps"]) == expected
    hide(monkeypatch, "pandas")
    assert list(found.frame("trials")["steps"]) == expected


def test_huge_parameters_can_be_written(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = stored(tmp_path / "x.db", [a_row(0, 5)], a_point(name="p_pl", typed={"N": str(10**24)}))
    library.results(path).write_parquet(str(tmp_path / "x.parquet"))
    assert str(parquet.read_table(tmp_path / "x.parquet")["N"][0]) == str(10**24)


# -- what is refused --------------------------------------------------------------------------------------------------


def test_parquet_without_pyarrow_names_the_extra(
    quick: Command, mixed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hide(monkeypatch, "pyarrow")
    assert_refused(
        quick("results", mixed, "--parquet", tmp_path / "x.parquet"), "pyarrow", "pip install 'princeps[data]'"
    )
    assert not (tmp_path / "x.parquet").exists()
    with pytest.raises(RunError, match="pyarrow"):
        library.results(mixed).write_parquet(str(tmp_path / "x.parquet"))


@in_one_test(
    ("words", "value", "remedy"),
    [
        ("nowhere.db", "'nowhere.db'", "princeps sweep"),
        ("{store} --measure stepps", "'stepps'", "did you mean steps"),
        ("{store} --protocol fratricid", "'fratricid'", "fratricide"),
        ("{store} --csv {folder}/no/x.csv", "no/x.csv", "another path"),
        ("{store} --parquet {folder}/no/x.parquet", "no/x.parquet", "another path"),
        ("{store} --csv {folder}/x.csv --rows runs", "'runs'", "points, trials"),
        ("{folder}/notes.txt", "notes.txt", "another file"),
        ("{folder}/other.db", "other.db", "another file"),
        ("{folder}/empty.db", "empty.db", "run a sweep into it"),
        ("{folder}", "'{folder}'", "princeps sweep"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_a_sentence(
    quick: Command, mixed: str, tmp_path: Path, words: str, value: str, remedy: str
) -> None:
    import sqlite3

    (tmp_path / "notes.txt").write_text("no store, but quite a long text " * 50)
    with sqlite3.connect(tmp_path / "other.db") as connection:
        connection.execute("CREATE TABLE x (y)")
    connection.close()
    open_store(str(tmp_path / "empty.db")).close()
    before = sorted(path.name for path in tmp_path.iterdir())
    typed = words.format(store=mixed, folder=tmp_path).split()
    assert_refused(quick("results", *typed), value.format(folder=tmp_path), remedy)
    assert sorted(path.name for path in tmp_path.iterdir()) == before


@pytest.mark.parametrize("option", ["--csv", "--parquet"])
def test_a_table_is_never_written_over_its_store(quick: Command, mixed: str, option: str) -> None:
    before = Path(mixed).read_bytes()
    quick("results", mixed, option, mixed)
    assert Path(mixed).read_bytes() == before


def test_from_python_a_wrong_name_is_an_error(mixed: str) -> None:
    with pytest.raises(UnknownName, match="did you mean steps"):
        library.results(mixed, measure="stepps")
    with pytest.raises(UnknownName, match="points, trials"):
        library.results(mixed).frame("runs")
    with pytest.raises(StoreError, match="it has fratricide"):
        library.results(mixed, protocol="p_rl")
    assert isinstance(library.results(mixed), Results)
