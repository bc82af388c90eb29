"""What results look like at a prompt and in a notebook: as on the command line, and short whatever they hold."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.model.report import MAX_ROWS, Report, Table, short
from tests.conftest import Command

LONG = 5_000  # characters that nobody scrolls through
PLAIN: dict[str, Any] = {"engine": "reference", "seed": 3}


def lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("seconds")]


def test_an_interruption_is_said_also_after_the_goal() -> None:
    """Ctrl-C while the goal is held, or while a fault is recovered from, ends with code 130: somebody must say why."""
    result = princeps.run("fratricide", 20, **PLAIN)
    assert "interrupted" not in repr(result)
    assert ", then interrupted\n" in repr(dataclasses.replace(result, interrupted=True))
    assert " (interrupted)\n" in repr(dataclasses.replace(result, interrupted=True, converged=False))


def test_a_result_is_what_the_command_line_prints(quick: Command) -> None:
    shown = quick("run", "fratricide", "-n", 20, "--seed", 3, "--engine", "reference", "--record", "leaders").stdout
    result = princeps.run("fratricide", 20, record=["leaders"], **PLAIN)
    assert lines(repr(result)) == [line.rstrip().replace("(see --json)", "(see .record)") for line in lines(shown)]
    page = result._repr_html_()
    assert page.startswith("<table ")
    assert "<svg" in page
    assert "leaders over parallel time: 20 to 1" in page
    assert "<svg" not in princeps.run("fratricide", 20, **PLAIN)._repr_html_()
    assert len(page) < LONG


def test_of_a_ring(quick: Command) -> None:
    shown = quick("run", "a_k", "--labels", "1,2,2", "-p", "k=2", "--seed", 7, "--engine", "reference").stdout
    result = princeps.run("a_k", labels="1,2,2", k=2, seed=7, engine="reference")
    assert lines(repr(result)) == [line.rstrip().replace("(see --json)", "(see .record)") for line in lines(shown)]
    assert "<table " in result._repr_html_()


@pytest.mark.medium
def test_of_labeled_rings(quick: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    facts = princeps.ring("1,2,2")
    assert lines(repr(facts)) == [line.rstrip() for line in quick("ring", "1,2,2").stdout.splitlines()]
    assert "true leader" in facts._repr_html_()
    symmetric = quick("ring", "1,2,1,2").stdout.splitlines()
    assert lines(repr(princeps.ring("1,2,1,2"))) == [line.rstrip() for line in symmetric[:-1]]
    assert symmetric[-1] == "no deterministic algorithm elects one leader on a symmetric ring."
    construction = princeps.impossible("a_k", k=2)
    shown = [line.rstrip() for line in quick("impossible", "a_k", "-p", "k=2").stdout.splitlines()]
    assert lines(repr(construction)) == shown[: shown.index("")]
    assert "two leaders" in construction._repr_html_()
    assert len(repr(construction)) < LONG
    (survey,) = princeps.rings("a_k", [3], max_k=1, interleavings=0)
    assert repr(survey) == "a_k, n = 3, k = 1: 2 rings, 12 runs, all elected; worst time 9, messages 24, bits 23"


def test_of_an_exact_analysis(quick: Command) -> None:
    shown = quick("exact", "fratricide", "-n", 3, "--rational").stdout
    found = princeps.exact("fratricide", 3, rational=True)
    assert lines(repr(found)) == [line.rstrip().replace("(see --json)", "(see .record)") for line in lines(shown)]
    assert lines(str(found)) == lines(repr(found))
    assert "worst exactly" in found._repr_html_()


def test_of_trials_and_stores(quick: Command, tmp_path: Path) -> None:
    trials = princeps.trials("fratricide", 20, trials=4, **PLAIN)
    shown = quick("run", "fratricide", "-n", 20, "--seed", 3, "--engine", "reference", "--trials", 4).stdout
    assert [line.split() for line in repr(trials).splitlines()] == [line.split() for line in shown.splitlines()[:-1]]
    assert [one.trial for one in trials] == [0, 1, 2, 3]
    assert "<table>" in trials._repr_html_()
    store = str(tmp_path / "s.db")
    found = princeps.sweep("fratricide", n=[8, 12, 16], trials=3, jobs=1, engine="reference", store=store)
    shown = quick("results", store).stdout
    assert [line.split() for line in repr(found).splitlines()] == [line.split() for line in shown.splitlines()]
    assert "<table>" in found._repr_html_()
    assert repr(princeps.fit(found)[0]).startswith("fratricide, steps against n: ")


@pytest.mark.medium
def test_nothing_fills_the_screen(tmp_path: Path) -> None:
    n = 30_000
    many = princeps.run("epidemic", n, start=[1] + [0] * (n - 1), max_steps=5, engine="reference", seed=1)
    edges = [(k, k + 1) for k in range(4_000)]
    far = princeps.run("epidemic", graph=edges, max_steps=5, engine="reference", seed=1)
    ring = princeps.run("chang_roberts", labels=list(range(3_000)), seed=1, max_steps=10, engine="reference")
    assert len(many.start) > 50_000
    for result in (many, far, ring):
        assert len(repr(result)) < LONG
        assert len(result._repr_html_()) < LONG
    store = tmp_path / "s.db"
    princeps.sweep("epidemic", graph=edges[:900], n=901, trials=1, max_steps=5, jobs=1, engine="reference", store=store)
    assert len(repr(princeps.results(store))) < LONG
    with pytest.raises(princeps.Interrupted) as caught:
        raise princeps.Interrupted("interrupted.", many)
    assert len(repr(caught.value)) < LONG


def test_long_tables_are_cut() -> None:
    report = Report("title", [("row", str(k)) for k in range(1000)])
    assert len(report.text().splitlines()) == MAX_ROWS + 2
    table = Table("title", ("", "x"), [("a", str(k)) for k in range(1000)])
    assert "... and 940 more rows" in table.text()
    assert "... and 940 more rows" in table.html()
    assert short("x" * 500).count("x") == 400
    assert all(len(short("x" * size, 40)) <= size for size in range(100))


def test_rows_that_differ_look_different() -> None:
    states = [f"{'a=1, ' * 20}b={k}, {'c=1, ' * 20}" for k in range(5)]
    table = Table("title", ("state", "agents"), [(state, "1") for state in states], left=("state",))
    for k in range(5):
        assert f"b={k}, " in table.text()
        assert f"b={k}, " in table.html()
    alike = Table("title", ("state", "agents"), [(states[0], "1"), (states[0], "2")], left=("state",))
    assert "more characters" in alike.text()


def test_markup_is_shown_as_it_is() -> None:
    assert "&lt;b&gt;" in Report("<b>", []).html()


def test_one_change_is_singular() -> None:
    result = princeps.run("fratricide", n=5, seed=1, engine="reference", max_steps=1)
    assert "1 interaction changed a state" in repr(result)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("states:1;1;1", "start has 3 states for n = 5: give a state for each agent"),
        ([{"leader": 1}], "start has 1 state for n = 5: give a JSON list"),
        ([1, 1, 2, 1, 0], "start: agent 2 has leader = 2, outside its domain"),
    ],
)
def test_a_list_of_states_is_called_start(given: Any, says: str) -> None:
    """Not `start="states": has 3 states`."""
    with pytest.raises(princeps.errors.PrincepsError) as refusal:
        princeps.run("fratricide", n=5, seed=1, engine="reference", start=given)
    assert str(refusal.value).startswith(says)
