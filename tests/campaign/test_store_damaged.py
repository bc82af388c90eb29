"""A store whose bytes have changed is refused in a sentence, or says exactly what it said; and what is sound can be had."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import princeps as library
from princeps.campaign.merge import Merged
from princeps.campaign.shared_file import share
from princeps.campaign.store import open_store, read_store
from princeps.campaign.store_schema import COLUMNS
from princeps.errors import DamagedStore, StoreError
from tests.campaign.campaign_tools import ask
from tests.campaign.damage_tools import everything, flipped, spoiled, write_various
from tests.campaign.store_tools import refused
from tests.campaign.stored_rows import a_point, a_row, stored
from tests.campaign.sweep_tools import rows_of, swept
from tests.conftest import Command
from tests.golden.calls import STORE

VALUES: tuple[Any, ...] = (
    *(None, b"\xff\xfe", "abc", 1.5, "", -1, 2**62, "9" * 400, "[]", "{}", "[1,2", "x\0y", 0, "1e5", "true", "-3"),
    *("\u0661\u0662", '{"name": 7}', '{"name": "p_rl", "faults": 5}', "[" * 5000),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


def assert_told_or_the_same(path: Path, count: int, is_closed: bool = True) -> None:
    write_various(path, is_closed)
    content, truth = path.read_bytes(), everything(path)
    refused_flips = 0
    for bit, changed in flipped(content, count, seed=1):
        for leftover in path.parent.glob("store.db*"):
            leftover.unlink()
        path.write_bytes(changed)
        try:
            found, sentence = everything(path), ""
        except StoreError as error:
            found, sentence = truth, str(error)
            refused_flips += 1
        assert found == truth, f"bit {bit}"
        assert not sentence or (str(path) in sentence and "\n" not in sentence)
    assert count / 4 < refused_flips < count  # most of the file is content; some of it is not used


@pytest.mark.medium
def test_a_flipped_bit_is_told_or_changes_nothing(path: Path) -> None:
    assert_told_or_the_same(path, 40)


@pytest.mark.slow
@pytest.mark.parametrize("is_closed", [True, False], ids=["closed", "left by a kill"])
def test_many_flipped_bits_are_told_or_change_nothing(path: Path, is_closed: bool) -> None:
    assert_told_or_the_same(path, 1500, is_closed)


def test_every_column_is_under_the_checksum_of_its_row(path: Path) -> None:
    """Also without the checksum of the file, which SQL's own statements do not touch."""
    write_various(path)
    for table, columns in COLUMNS.items():
        for column in columns:
            copy = path.with_name(f"{table}.{column}.db")
            shutil.copy(path, copy)
            with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
                (kind,) = connection.execute(f"SELECT typeof({column}) FROM {table} LIMIT 1").fetchone()
                other = {"integer": f"{column} + 100", "real": f"{column} * (1 + 1e-15)"}.get(kind, f"{column} || '1'")
                other = "1" if kind == "null" else "'{}'" if "json" in columns[column] else other
                connection.execute(f"UPDATE {table} SET {column} = {other}")
            with pytest.raises(DamagedStore, match=f"table {table} "):
                read_store(str(copy))


def test_the_sentence_names_the_row_and_what_to_do(quick: Command, path: Path) -> None:
    stored(path, [a_row(trial, 100) for trial in range(9)])
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE trials SET steps = '7' WHERE trial = 5")
    for words in (("results", path), ("fit", path), ("plot", path, "-o", "p.svg"), ("merge", path, "-o", "new.db")):
        assert refused(quick(*words)) == (
            f"princeps: store '{path}' is damaged: the row of table trials with point 1, seed 7, trial 5 is not what was "
            f"written. Copy what is sound with `princeps merge --sound {path} -o NEW.db`, then run the sweep again with "
            f"--store NEW.db."
        )
    assert refused(quick("sweep", "fratricide", "-n", 6, "--store", path)).count("trial 5 is not what was written")


def test_rows_that_were_deleted_by_hand_are_only_missing(path: Path) -> None:
    stored(path, [a_row(trial, 100) for trial in range(9)])
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DELETE FROM trials WHERE trial = 5")
        connection.execute("VACUUM")
    assert len(rows_of(str(path))) == 8


# -- the checksum of the file -----------------------------------------------------------------------------------------


def test_a_closed_store_has_a_checksum_and_one_that_is_written_to_has_none(path: Path) -> None:
    stored(path, [a_row(0, 100)])
    assert len(ask(path, "SELECT value FROM file_checksum")) == 1
    with open_store(str(path)) as store:
        assert len(list(store.select("SELECT value FROM file_checksum"))) == 1
        store.number([a_point()])
        assert list(store.select("SELECT value FROM file_checksum")) == []
        assert len(rows_of(str(path))) == 1  # row by row
        with open_store(str(path)) as other:
            other.number([a_point(8)])
    assert len(ask(path, "SELECT value FROM file_checksum")) == 1
    read_store(str(path)).close()


def test_a_reader_compares_the_file_and_not_every_row(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored(path, [a_row(0, 100)])

    def row_by_row(*_: Any) -> None:
        raise AssertionError

    monkeypatch.setattr("princeps.campaign.store_check.check_rows", row_by_row)
    assert len(library.results(str(path))) == 1


def test_all_stores_of_a_process_share_one_descriptor(path: Path) -> None:
    """Closing another one would give up SQLite's locks."""
    stored(path, [a_row(0, 100)])
    with read_store(str(path)) as first, read_store(str(path)) as second:
        assert first.file is second.file
        descriptor = first.file.descriptor
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(descriptor)
    file = share(str(path))
    assert file.is_at(str(path))
    file.release()


# -- what is sound ----------------------------------------------------------------------------------------------------


def test_what_is_sound_is_copied_and_the_sweep_goes_on(
    quick: Command, tmp_path: Path, path: Path, on_the_spot: None
) -> None:
    swept("fratricide", [5, 6], str(path), trials=12)
    truth = rows_of(str(path))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE trials SET steps = '7' WHERE trial = 5")
        connection.execute("UPDATE trials SET engine = 'other' WHERE trial = 7 AND point = 1")
    new = tmp_path / "new.db"
    outcome = quick("merge", "--sound", path, "-o", new)
    assert outcome.stdout.splitlines() == [
        f"{new}: 21 trials of 2 points; 0 were in several stores.",
        f"damaged rows left out: 3, beside what cannot be read; sweeps into {new} run them again.",
    ]
    assert rows_of(str(new)).items() < truth.items()
    _, again = swept("fratricide", [5, 6], str(new), trials=12)
    assert again.trials == 3
    assert rows_of(str(new)) == truth


@pytest.mark.medium
@pytest.mark.parametrize("first_page", [8, 10, 17], ids=str)
def test_rows_on_both_sides_of_unreadable_pages_are_copied(tmp_path: Path, path: Path, first_page: int) -> None:
    stored(path, [a_row(trial, 100 + trial) for trial in range(3000)])
    truth = rows_of(str(path))
    content = bytearray(path.read_bytes())
    for page in (first_page, first_page + 6):
        content[page * 4096 : page * 4096 + 4096] = b"\xff" * 4096
    path.write_bytes(content)
    with pytest.raises(DamagedStore):
        library.results(str(path))
    library.merge(str(path), output=str(tmp_path / "new.db"), sound=True)
    kept = rows_of(str(tmp_path / "new.db"))
    assert kept.items() <= truth.items()
    assert len(kept) > 2700


def test_sound_rows_of_a_damaged_store_are_merged_with_a_sound_one(tmp_path: Path, path: Path) -> None:
    write_various(path)
    copy = tmp_path / "copy.db"
    shutil.copy(path, copy)
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        connection.execute("UPDATE trials SET steps = '7' WHERE trial < 10")
        connection.execute("UPDATE evidence SET answer = '7' WHERE part = 2")
    new = tmp_path / "new.db"
    found = library.merge(str(copy), str(path), output=str(new), sound=True)
    assert found == Merged(points=4, trials=160, shared=120, differing=0, damaged=41)
    assert everything(new) == everything(path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["copy.db", "new.db", "store.db"]


@pytest.mark.slow
def test_whatever_is_copied_was_written(tmp_path: Path, path: Path) -> None:
    """Of stores with flipped bits, and with torn pages."""
    write_various(path)
    content, draw = path.read_bytes(), random.Random(1)
    truth = {key: {name: str(value) for name, value in row.items()} for key, row in rows_of(str(path)).items()}
    new, kept = tmp_path / "new.db", []
    for number, (_, changed) in enumerate(flipped(content, 200, seed=2)):
        if number % 2:
            first = draw.randrange(100, len(content))
            size = draw.choice([8, 100, 4096, 12000])
            changed = (content[:first] + draw.randbytes(size) + content[first + size :])[: len(content)]
        path.write_bytes(changed)
        try:
            library.merge(str(path), output=str(new), sound=True)
        except StoreError:
            continue
        found = rows_of(str(new))
        for key, row in found.items():  # a column is of numbers only if all of them are small
            assert {name: str(value) for name, value in row.items()} == truth[key]
        kept.append(len(found))
        new.unlink()
    assert len(kept) > 150
    assert sum(kept) > 0.8 * len(truth) * len(kept)


def test_of_sound_stores_all_is_merged(tmp_path: Path, path: Path) -> None:
    write_various(path)
    library.merge(str(path), output=str(tmp_path / "new.db"), sound=True)
    assert everything(tmp_path / "new.db") == everything(path)


# -- format 1, which has no checksums ----------------------------------------------------------------------------------


def assert_told_or_shown(path: Path, table: str, column: str, value: Any, draw: bool = False) -> None:
    shutil.copy(STORE, path)
    if not spoiled(path, table, column, value, {"trials": "trial = 1"}.get(table, "true")):
        return
    sentence = ""
    try:
        everything(path)
        if draw:
            library.plot(str(path), f"{path}.svg", kind="distribution", protocol="p_ll")
        open_store(str(path)).close()
    except StoreError as error:
        sentence = str(error)
    assert "\n" not in sentence
    assert len(sentence) < 2000


@pytest.mark.medium
@pytest.mark.parametrize(("table", "column"), [("points", "params"), ("points", "description"), ("trials", "steps")])
def test_damaged_columns_are_told(path: Path, table: str, column: str) -> None:
    for value in VALUES[:10]:
        assert_told_or_shown(path, table, column, value)


@pytest.mark.slow
@pytest.mark.parametrize(("table", "column"), [(table, column) for table, own in COLUMNS.items() for column in own])
def test_all_damaged_columns_are_told(path: Path, table: str, column: str) -> None:
    for value in VALUES:
        assert_told_or_shown(path, table, column, value, draw=True)


def test_a_store_of_format_1_is_read_as_it_is_and_becomes_format_2_when_it_is_written(path: Path) -> None:
    shutil.copy(STORE, path)
    before = everything(path)
    assert ask(path, "PRAGMA user_version") == [(1,)]
    assert path.read_bytes() == STORE.read_bytes()
    open_store(str(path)).close()
    assert ask(path, "PRAGMA user_version") == [(2,)]
    assert everything(path) == before
    for table in COLUMNS:
        assert ask(path, f"SELECT count(*) FROM {table} WHERE checksum IS NULL") == [(0,)]
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE trials SET steps = '7' WHERE trial = 1")
    with pytest.raises(DamagedStore):
        read_store(str(path))


def test_a_damaged_store_of_format_1_gets_no_checksums(path: Path) -> None:
    shutil.copy(STORE, path)
    assert spoiled(path, "trials", "steps", "many", "trial = 1")
    with pytest.raises(DamagedStore):
        open_store(str(path))
    assert ask(path, "PRAGMA user_version") == [(1,)]
    library.merge(str(path), output=f"{path}.new", sound=True)
    assert ask(f"{path}.new", "PRAGMA user_version") == [(2,)]
    assert 0 < len(rows_of(f"{path}.new")) < ask(path, "SELECT count(*) FROM trials")[0][0]
