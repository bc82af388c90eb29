"""The papers' comparison tables: what they declare can be run, and a row's verdict can fail."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import princeps
from princeps.analysis.analysis import prepare
from princeps.campaign.plan import grid
from princeps.errors import UnknownName
from princeps.model.registry import find_any
from princeps.papers.tables import catalogue
from princeps.papers.tables.catalogue import TABLES, find_tables
from princeps.papers.tables.declarations import CITED, MEASURED, RECONSTRUCTION, Comparison, Effort, Growth, Row
from princeps.papers.tables.exhibits import figure, label_of
from princeps.papers.tables.measuring import parameters_text
from princeps.reports.table_pages import page as page_of
from tests.conftest import Command
from tests.tables import in_one_test

ROWS = [(table, row) for table in find_tables([]) for row in table.rows]
MEASURED_ROWS = [(table, row) for table, row in ROWS if row.status != CITED]

EFFORT = Effort((16, 64, 256, 1024, 4096), 40)
SMALL = Comparison(
    "009.1",
    "A table of two rows",
    "nobody's",
    "steps",
    (
        Row(
            "fratricide",
            "none",
            "Theta(n^2)",
            "O(1)",
            MEASURED,
            "fratricide",
            Growth(2, lower=True),
            EFFORT,
            EFFORT,
            exact=((3, {}), (4, {})),
            exact_start="initial",
        ),
        Row("fratricide, as if fast", "none", "O(n)", "O(1)", RECONSTRUCTION, "fratricide", Growth(1), EFFORT, EFFORT),
        Row(
            *("fratricide, of all", "none", "Omega(n)", "O(1)", MEASURED, "fratricide"),
            *(Growth(1, upper=False, lower=True), EFFORT, EFFORT),
            of_all=True,
        ),
        Row("a row without rules", "none", "O(1)", "O(1)", CITED, remark="nobody wrote them down"),
    ),
)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(catalogue.TABLES, SMALL.id, __name__)


TABLE = SMALL  # as the catalogue finds it


def test_tables_are_found_by_their_number_and_by_their_paper() -> None:
    assert [table.id for table in find_tables([])] == list(TABLES)
    assert [table.id for table in find_tables(["003", "003.1", "000.1"])] == ["003.1", "003.2", "000.1"]
    with pytest.raises(UnknownName, match="unknown table '00'"):
        find_tables(["00"])


@pytest.mark.parametrize(("table", "row"), MEASURED_ROWS, ids=[f"{table.id} {row.row}" for table, row in MEASURED_ROWS])
def test_every_row_can_be_run(table: Comparison, row: Row) -> None:
    """Its parameters, starts and sizes are legal: the points are made, and refused otherwise; nothing is run."""
    for effort in (row.quick, row.full):
        assert effort is not None
        assert len(effort.sizes) >= 4
        assert effort.trials >= 20
        starts = [start for start in row.starts if start is not None] or None
        options = {"n": list(effort.sizes), "start": starts, "until": row.until, **row.options}
        points = list(grid([row.protocol], row.params, **{key: value for key, value in options.items() if value}))
        assert len(points) == len(effort.sizes) * len(row.starts)
    assert row.claim is not None
    assert table.measure in ("steps", "parallel_time", "time")


@in_one_test(("table", "row"), MEASURED_ROWS, ids=[f"{table.id} {row.row}" for table, row in MEASURED_ROWS])
def test_every_exact_size_is_legal(table: Comparison, row: Row) -> None:
    for n, params in row.exact:
        assert prepare(row.protocol, n, start=row.exact_start, params=params)[0].n == n


@pytest.mark.parametrize(("table", "row"), ROWS, ids=[f"{table.id} {row.row}" for table, row in ROWS])
def test_a_reconstruction_says_so(table: Comparison, row: Row) -> None:
    if row.status == CITED:
        assert not row.protocol
    else:
        module = __import__(find_any(row.protocol).__module__, fromlist=["_"])
        assert ("econstruct" in (module.__doc__ or "")) == (row.status == RECONSTRUCTION)


def test_rows_of_a_table(small: None, tmp_path: Path) -> None:
    fratricide, fast, all_of_them, cited = princeps.table("009.1", store=str(tmp_path / "t.db"), jobs=1, progress=False)
    assert (fratricide.law, fratricide.agreement) == ("n^2", "supported")
    assert fratricide.start == "initial"
    assert fratricide.interval is not None
    assert fratricide.interval[0] < 1 < fratricide.interval[1]
    assert fratricide.states == dict.fromkeys(EFFORT.sizes, 2)
    assert fratricide.worst_exact == pytest.approx({3: 4, 4: 9})  # (n - 1)^2
    for point in fratricide.points:
        assert (
            point.low - 10 * (point.high - point.low) < (point.n - 1) ** 2 < point.high + 10 * (point.high - point.low)
        )
    assert fast.agreement == "violated"  # a verdict can fail
    assert all_of_them.agreement == "demonstrated"  # a statement about all protocols, shown on one
    assert "not of all algorithms" in all_of_them.reasons[0]
    assert (cited.status, cited.law, cited.points, cited.agreement) == ("cited", None, [], None)


def test_the_command_its_json_and_its_page(small: None, tmp_path: Path, quick: Command) -> None:
    line = ("table", "009.1", "--jobs", 1, "--store", tmp_path / "t.db")
    first = quick(*line, "--json", "--html", tmp_path / "out.html")
    assert first.code == 0, first.stderr
    keys = {"row", "paper", "status", "claimed_time", "claimed_states", "states", "law", "interval", "worst_exact"}
    assert all(keys <= set(one) for one in first.objects)
    assert [one["status"] for one in first.objects] == ["measured", "reconstruction", "measured", "cited"]
    assert quick(*line, "--json").stdout == first.stdout  # from the store
    assert json.loads(first.stdout.splitlines()[0])["worst_exact"] == pytest.approx({"3": 4, "4": 9})
    page = (tmp_path / "out.html").read_text()
    assert "reconstruction measured" in page
    assert "nobody wrote them down" in page
    assert "<svg" in page
    assert "http" not in page.replace("http://www.w3.org", "")
    shown = quick(*line)
    assert "cited only" in shown.stdout
    assert "the claim: violated" in shown.stdout


@pytest.mark.medium
def test_a_row_that_cannot_be_measured_is_reported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, quick: Command
) -> None:
    broken = replace(SMALL, rows=(replace(SMALL.rows[0], protocol="p_ll", exact=((3, {"m": 1}),)),))
    monkeypatch.setitem(catalogue.TABLES, SMALL.id, __name__)
    monkeypatch.setattr(f"{__name__}.TABLE", broken)
    outcome = quick("table", "009.1", "--jobs", 1, "--store", tmp_path / "t.db")
    assert outcome.code == 2, outcome.stderr
    assert "could not be measured: m = 1 is smaller than lg n" in outcome.stderr


def test_rows_of_ring_algorithms(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, quick: Command) -> None:
    """Their times, messages and bits are not among the columns of a store."""
    effort = Effort((4, 8, 12, 16), 20)
    row = Row("LeLann", "labels", "O(n)", "O(b) bits", MEASURED, "lelann", Growth(1), effort, effort)
    rings = replace(SMALL, measure="time", rows=(row,))
    monkeypatch.setitem(catalogue.TABLES, SMALL.id, __name__)
    monkeypatch.setattr(f"{__name__}.TABLE", rings)
    line = ("table", "009.1", "--jobs", 1, "--store", tmp_path / "t.db", "--html", tmp_path / "out.html")
    outcome = quick(*line, "--json")
    assert outcome.code == 0, outcome.stderr
    (found,) = outcome.objects
    assert [point["mean"] for point in found["points"]] == [
        2 * n for n in effort.sizes
    ]  # round the ring, and round again
    assert found["messages_law"].endswith(" n^2")
    assert found["start"] == "numbered"  # the row names none: that of the protocol
    assert found["bits"]["16"] > found["bits"]["4"] > 0
    assert "messages" in (tmp_path / "out.html").read_text()


def test_pages_of_single_tables_share_an_index(small: None, tmp_path: Path, quick: Command) -> None:
    """A page that an earlier command has written stays, and stays in the index."""
    folder = tmp_path / "pages"
    line = ("table", "009.1", "--jobs", 1, "--store", tmp_path / "t.db", "--html", folder)
    assert quick(*line).code == 0
    page = (folder / "009.1.html").read_text()
    (folder / "000.1.html").write_text(page.replace("009.1", "000.1"))
    (folder / "003.1.html").write_text(page.partition("<!-- summary:")[0])  # of an older version
    assert quick(*line).code == 0
    for name in ("index.html", "README.md"):
        text = (folder / name).read_text()
        assert text.index("000.1.html") < text.index("009.1.html")
        assert "003.1" not in text
    assert "| fratricide | measured | none | Theta(n²) | O(1) | " in (folder / "README.md").read_text()
    assert "9 at n = 4" in (folder / "README.md").read_text()
    refused = quick("table", "009.1", "--html", _with_another_readme(folder))
    assert refused.code == 2
    assert "README.md" in refused.stderr


def _with_another_readme(folder: Path) -> Path:
    (folder / "README.md").write_text("# My notes\n")
    return folder


def test_the_figure_has_every_measured_row_once(small: None, tmp_path: Path) -> None:
    """With its law in words, and as a dashed line where only other rows were measured."""
    rows = princeps.table("009.1", store=str(tmp_path / "t.db"), jobs=1, progress=False)
    short = replace(rows[1], points=rows[1].points[1:3], row="of two sizes")
    chart = figure(SMALL, [rows[0], short, rows[3]])
    joined = [line for line in chart.lines if line.style == "joined"]
    assert [line.label for line in joined] == [label_of(rows[0]), label_of(short)]
    assert label_of(short).startswith("of two sizes: ")
    assert label_of(short).endswith(" n^2")
    below, above = (line for line in chart.lines if line.style == "dashed")
    assert {below.of, above.of} == {label_of(short)}
    assert (below.x[0], round(below.x[-1]), above.x[0], round(above.x[-1])) == (16, 64, 256, 4096)
    assert above.y[-1] == pytest.approx(short.coefficient * 4096**2)
    svg = page_of(SMALL, [rows[0], short, rows[3]], False, 0)
    assert svg.count("of two sizes: ") == 1


def test_parameters_of_an_exact_analysis_in_words() -> None:
    assert parameters_text(()) == ""
    assert parameters_text(((3, {"m": 2, "c": 1}), (4, {"m": 2, "c": 1}))) == "m = 2, c = 1"
    assert parameters_text(((3, {"N": 3}), (4, {"N": 4}))) == "N = n"
    assert parameters_text(((3, {"k": 2}), (4, {"k": 3}))) == "k = 2 at n = 3, k = 3 at n = 4"


def test_mistakes(quick: Command, tmp_path: Path) -> None:
    refused = {
        ("table", "00"): "unknown table '00'",
        ("table", "000.1", "--quick", "--full"): "--quick and --full",
        ("table", "--html", tmp_path / "one.html"): "is one file, and there are 6 tables",
        ("table", "000.1", "--html", tmp_path / "no" / "out"): "is no folder",
    }
    for line, sentence in refused.items():
        outcome = quick(*line)
        assert outcome.code == 2, outcome.stderr
        assert sentence in outcome.stderr
    with pytest.raises(princeps.PrincepsError, match="no text"):
        princeps.table(3)
