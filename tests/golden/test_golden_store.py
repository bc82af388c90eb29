"""The store that 0.1.0 wrote opens, says what it said, is gone on with, and is drawn. Each test has its own copy."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.campaign.store_schema import COLUMNS
from tests.golden.announced import fit_as_announced
from tests.golden.calls import STORE, STORE_TABLE, differences, read_table, trial_rows
from tests.golden.store import CLAIMS, CUT, FEW, FINISHED, PLAN, examined, shown, swept

STATISTICS = 1e-9  # relative: sums and fits may be done in another order
LINES = read_table(STORE_TABLE)


@pytest.fixture
def store(tmp_path: Path) -> str:
    return str(shutil.copy(STORE, tmp_path / "copy.db"))


def rows(store: str, table: str, order: str) -> list[tuple[Any, ...]]:
    """A table of the store with all the columns that 0.1.0 wrote, seconds and version among them."""
    with closing(sqlite3.connect(store)) as connection:
        return connection.execute(f"SELECT {', '.join(COLUMNS[table])} FROM {table} ORDER BY {order}").fetchall()


def trials(store: str) -> set[tuple[Any, ...]]:
    return set(rows(store, "trials", "point, seed, trial"))


def by_trial(store: str) -> dict[tuple[str, str, str], dict[str, str]]:
    """Point, seed and number of every trial, with what happened in it."""
    return {(point, row["seed"], row["trial"]): row for point, own in trial_rows(store).items() for row in own}


def test_it_says_what_it_said(store: str) -> None:
    found = [
        f"{line['verb']} {line['options']}{difference}"
        for line in LINES
        if line["verb"] != "paper"
        for result in [shown(store, line["verb"], tuple(line["options"]))]
        for difference in differences(
            fit_as_announced(line["result"], result) if line["verb"] == "fit" else line["result"],
            result,
            tolerance=STATISTICS,
        )
    ]
    assert not found, "\n".join(found)
    assert any(item["censored"] for item in LINES[0]["result"]["objects"])
    assert any(item["censored"] == 0 for item in LINES[0]["result"]["objects"])


def test_the_same_sweeps_again_run_nothing(store: str) -> None:
    before, points = trials(store), rows(store, "points", "number")
    swept(store, PLAN, trials=FEW)
    for name, options in FINISHED:
        swept(store, name, **options)
    assert trials(store) == before
    assert rows(store, "points", "number") == points


@pytest.mark.medium
def test_it_is_gone_on_with(store: str, tmp_path: Path) -> None:
    """More trials: the old rows stay as they are, and the new ones are those of a sweep that begins now."""
    fresh = str(tmp_path / "fresh.db")
    before, known = trials(store), by_trial(store)
    for path in (store, fresh):
        swept(path, PLAN, trials=14)
    now, anew = by_trial(store), by_trial(fresh)
    assert before < trials(store)
    assert set(now) - set(known) == set(anew) - set(known)
    assert len(now) > len(known) + 100
    assert [key for key, row in anew.items() if now[key] != row] == []


@pytest.mark.slow
def test_trials_that_were_cut_off_go_further(store: str, tmp_path: Path) -> None:
    fresh = str(tmp_path / "fresh.db")
    before = by_trial(store)
    cut = [key for key, row in before.items() if row["censored"] == "1"]
    for name, options in CUT:
        swept(store, name, **options, max_steps=5000)
        swept(fresh, name, **options, max_steps=5000)
    now, anew = by_trial(store), by_trial(fresh)
    assert len(cut) > 5
    assert [key for key in cut if now[key] != anew[key]] == []
    assert all(int(now[key]["total_steps"]) > int(before[key]["total_steps"]) for key in cut)
    assert [key for key, row in before.items() if key not in cut and now[key] != row] == []


@pytest.mark.medium
@pytest.mark.parametrize("claim", CLAIMS)
def test_evidence_is_not_gathered_again(store: str, claim: str) -> None:
    """The verdict comes from the rows that are there; none is added, and none is written again."""
    (recorded,) = (line["result"] for line in LINES if line["verb"] == "paper")
    prefix = "mine." if claim.endswith(".py") else claim
    before, known = rows(store, "evidence", "id, part"), trials(store)
    found = examined(store, claim)
    assert differences([one for one in recorded if one["id"].startswith(prefix)], found, tolerance=STATISTICS) == []
    after = rows(store, "evidence", "id, part")
    if claim in ("000.fig3", "000.T1c"):  # files that measure them have been edited since: anew, beside what was there
        assert set(before) < set(after)
        return
    assert after == before
    assert trials(store) == known


@pytest.mark.medium
@pytest.mark.parametrize(
    ("kind", "protocol"), [("growth", "fratricide"), ("distribution", "p_ll"), ("survival", "timer")]
)
def test_it_is_drawn(store: str, tmp_path: Path, kind: str, protocol: str) -> None:
    before = trials(store)
    picture = tmp_path / "picture.svg"
    princeps.plot(store, str(picture), kind=kind, protocol=protocol)
    assert "<svg" in picture.read_text(encoding="utf-8")
    assert trials(store) == before
