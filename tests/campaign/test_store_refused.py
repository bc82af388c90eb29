"""What is no store of ours, or may not be read or written, is refused in a sentence and left alone."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from princeps.campaign.checksums import add_functions, checksum_of
from princeps.campaign.store import open_store
from princeps.campaign.store_schema import APPLICATION, COLUMNS, FIRST, SCHEMA
from tests.campaign.campaign_tools import (
    MAIN,
    ask,
    on_linux,
    running,
    table,
)
from tests.campaign.store_tools import WORDS, refused, swept
from tests.conftest import Command, Outcome


def as_anybody(code: str = MAIN) -> str:
    """Without the right to write everywhere, which the superuser has."""
    drop = "for right in (1, 2): ctypes.CDLL(None).prctl(24, right, 0, 0, 0)"
    again = f"os.execv(sys.executable, [sys.executable, '-c', {code!r}, *sys.argv[1:]])"
    return f"import ctypes, os, sys\nif sys.platform == 'linux':\n    {drop}\n{again}"


# -- it is no store, or not for us --------------------------------------------------------------------------------


def not_sqlite(path: Path) -> None:
    path.write_text("steps,seconds\n" * 1000)


def of_others(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('mine');")


def of_others_with_our_tables(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("CREATE TABLE trials (point, seed, trial); CREATE TABLE points (number);")


def newer(path: Path) -> None:
    open_store(str(path)).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA + 1}")


def a_folder(path: Path) -> None:
    path.mkdir()


def in_no_folder(path: Path) -> None:
    path.parent.rmdir()


OBSTACLES: dict[Callable[[Path], None], str] = {
    not_sqlite: "is not a store of princeps",
    of_others: "is a database, but not a store of princeps: choose another file.",
    of_others_with_our_tables: "is a database, but not a store of princeps: choose another file.",
    newer: f"has format {SCHEMA + 1}, but this version of princeps reads formats {FIRST} to {SCHEMA}: use the version that wrote it.",
    a_folder: "",
    in_no_folder: "",
}


@pytest.mark.parametrize("obstacle", OBSTACLES, ids=lambda obstacle: obstacle.__name__)
def test_what_is_no_store_of_ours_is_refused_and_left_alone(
    quick: Command, tmp_path: Path, obstacle: Callable[[Path], None]
) -> None:
    store = tmp_path / "folder" / "store.db"
    store.parent.mkdir()
    obstacle(store)
    before = store.read_bytes() if store.is_file() else None
    for words in (WORDS, ("results",), ("fit",)):
        outcome = quick(*words, *(("--store", store) if words is WORDS else (store,)))
        sentence = refused(outcome)
        assert outcome.stdout == ""
        assert OBSTACLES[obstacle] in sentence
        assert str(store) in sentence
        assert (store.read_bytes() if store.is_file() else None) == before
    assert [path.name for path in store.parent.glob("*")] == ([store.name] if store.exists() else [])


@pytest.mark.slow
def test_what_was_in_the_way_may_go_away(quick: Command, calm: Path, tmp_path: Path) -> None:
    store = tmp_path / "folder" / "store.db"
    assert "its folder does not exist" in refused(quick(*WORDS, "--store", store))
    store.parent.mkdir()
    assert quick(*WORDS, "--store", store).code == 0
    assert table(store) == table(calm)


@pytest.mark.slow
def test_an_empty_file_is_a_store_that_nobody_has_used(quick: Command, calm: Path, tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    store.touch()
    assert quick(*WORDS, "--store", store).code == 0
    assert table(store) == table(calm)
    assert ask(store, "PRAGMA application_id") == [(APPLICATION,)]


@pytest.mark.medium
@pytest.mark.parametrize("words", [("results",), WORDS], ids=["results", "sweep"])
def test_a_damaged_store_is_told(calm: Path, tmp_path: Path, words: tuple[object, ...]) -> None:
    """Pages in its middle are gone; what it says of itself is right."""
    store = tmp_path / "store.db"
    content = bytearray(calm.read_bytes())
    assert len(content) > 16 * 4096
    content[6 * 4096 : -4096] = b"\xff" * (len(content) - 7 * 4096)
    store.write_bytes(content)
    with running(*words, *(("--store", store) if words is WORDS else (store,))) as process:
        out, err = process.communicate(timeout=120)
    assert str(store) in refused(Outcome(process.returncode, out, err))


# -- it may not be written ----------------------------------------------------------------------------------------


@pytest.mark.slow
@on_linux
def test_a_store_that_may_only_be_read_is_read_but_not_written(calm: Path, tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    assert swept(store, *WORDS[:5], 20, *WORDS[6:]).code == 0
    before = table(store)
    store.chmod(0o444)
    sentence = refused(swept(store, code=as_anybody()))
    assert sentence.startswith(f"princeps: store {str(store)!r} cannot be ")
    with running("results", store, "--json", code=as_anybody()) as process:
        out, err = process.communicate(timeout=120)
    assert [summary["trials"] for summary in Outcome(process.returncode, out, err).objects] == [20, 20]
    store.chmod(0o644)
    assert table(store) == before
    assert swept(store).code == 0
    assert table(store) == table(calm)


@pytest.fixture
def sealed(tmp_path: Path) -> Iterator[Callable[[], Path]]:
    """A folder into which nothing can be written any more."""
    folder = tmp_path / "sealed"
    folder.mkdir()

    def seal() -> Path:
        for path in folder.iterdir():
            path.chmod(0o444)
        folder.chmod(0o555)
        return folder

    yield seal
    folder.chmod(0o755)


@pytest.mark.slow
@on_linux
def test_a_store_in_a_folder_that_may_only_be_read_can_be_read(
    calm: Path, tmp_path: Path, sealed: Callable[[], Path]
) -> None:
    shutil.copy(calm, tmp_path / "sealed" / "store.db")
    store = sealed() / "store.db"
    with running("results", store, "--json", code=as_anybody()) as process:
        out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, "")
    assert [summary["trials"] for summary in Outcome(0, out, err).objects] == [200, 200]
    assert [path.name for path in store.parent.iterdir()] == ["store.db"]
    assert str(store) in refused(swept(store, code=as_anybody()))
    assert str(store.parent) in refused(swept(store.with_name("new.db"), code=as_anybody()))


@pytest.mark.medium
@on_linux
def test_a_store_that_cannot_be_read_as_a_whole_is_not_read_in_part(
    calm: Path, tmp_path: Path, sealed: Callable[[], Path]
) -> None:
    """Its last transactions are beside it, as a killed sweep leaves them, where nothing can be written."""
    store = tmp_path / "store.db"
    shutil.copy(calm, store)
    with closing(sqlite3.connect(store, isolation_level=None)) as connection:
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        add_functions(connection)
        later = ["trial + 1000" if name == "trial" else name for name in COLUMNS["trials"]]
        connection.execute(
            f"INSERT INTO trials SELECT {', '.join(later)}, {checksum_of('trials', later)} FROM trials WHERE trial < 50"
        )
        for path in (store, Path(f"{store}-wal")):
            shutil.copy(path, tmp_path / "sealed")
    with running("results", sealed() / "store.db", "--json", code=as_anybody()) as process:
        out, err = process.communicate(timeout=120)
    outcome = Outcome(process.returncode, out, err)
    if outcome.code:
        refused(outcome)
    else:
        assert [summary["trials"] for summary in outcome.objects] == [250, 250]
