"""Is a store what was written? Asked whenever one is opened.

A store that nobody is writing to carries a checksum of its bytes, which is compared in a twentieth of a second for a
million rows. Whoever writes removes it first, and the last to close the store makes it anew. Without it (a sweep is
running, or was killed), or where it does not agree, every row is compared with its own checksum and SQLite examines
its pages: some three seconds for a million rows. So a row that was altered is found in any case, while rows that were removed by a
statement of SQL are only missing. A store of format 1 has no checksums: there every column must hold what it should.
"""

from __future__ import annotations

import os
import shlex
import sqlite3
from contextlib import suppress
from typing import Any

from princeps.campaign.checksums import checksum_of, is_well_formed
from princeps.campaign.shared_file import SharedFile
from princeps.campaign.store_schema import FIRST, KEYS, format_of, tables_of
from princeps.errors import DamagedStore

PATIENCE = 100  # milliseconds that others may keep a store from getting its checksum when it is closed
TRIES = 3  # another process may finish writing between two looks


def check_store(path: str, connection: sqlite3.Connection, file: SharedFile) -> None:
    """Raises DamagedStore, or an error of SQLite."""
    if format_of(connection) == FIRST or not _has_its_checksum(path, connection, file):
        check_rows(path, connection)


def _has_its_checksum(path: str, connection: sqlite3.Connection, file: SharedFile) -> bool:
    for _ in range(TRIES):
        if not log_is_empty(path):
            return False
        found = file.checksum(without=_page_of_checksum(connection))
        written = connection.execute("SELECT value FROM file_checksum").fetchall()
        if len(written) != 1:
            return False
        if written == [(found,)]:
            return True
    return False


def check_rows(path: str, connection: sqlite3.Connection) -> None:
    """Every row of every table, and SQLite's own structure."""
    for table in tables_of(connection):
        keys = ", ".join(KEYS[table])
        sound = _has_its_row_checksum(connection, table)
        if "point" in KEYS[table]:
            sound += " AND point IN (SELECT number FROM points)"
        row = connection.execute(f"SELECT {keys} FROM {table} WHERE NOT ({sound}) LIMIT 1").fetchone()
        if row is not None:
            raise DamagedStore(
                f"store {path!r} is damaged: {describe(table, row)} is not what was written. {remedy(path)}"
            )
    (sentence,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if sentence != "ok":
        raise DamagedStore(f"store {path!r} is damaged ({sentence.splitlines()[-1]}). {remedy(path)}")


def _has_its_row_checksum(connection: sqlite3.Connection, table: str) -> str:
    """The SQL condition that a row is what was written; the types of its columns are examined with the pages."""
    if format_of(connection) == FIRST:
        return is_sound(connection, table)
    return f"checksum IS {checksum_of(table)}"


def is_sound(connection: sqlite3.Connection, table: str) -> str:
    """The SQL condition: every column holds what it should, and the row has its checksum."""
    if format_of(connection) == FIRST:
        return f"ifnull({is_well_formed(table)}, 0)"
    return f"ifnull({is_well_formed(table)} AND checksum IS {checksum_of(table)}, 0)"


def describe(table: str, key: tuple[Any, ...]) -> str:
    """A row by its key."""
    words = ", ".join(f"{name} {_short(repr(value))}" for name, value in zip(KEYS[table], key, strict=True))
    return f"the row of table {table} with {words}"


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."


def remedy(path: str) -> str:
    command = shlex.join(["princeps", "merge", "--sound", path, "-o", "NEW.db"])
    return f"Copy what is sound with `{command}`, then run the sweep again with --store NEW.db."


# -- the checksum of the file ------------------------------------------------------------------------------------------


def remove_file_checksum(connection: sqlite3.Connection) -> None:
    """In the transaction of whoever writes."""
    connection.execute("DELETE FROM file_checksum")


def write_file_checksum(path: str, connection: sqlite3.Connection, file: SharedFile) -> None:
    """If nobody else is using the store; else that one will do it."""
    with suppress(sqlite3.Error, OSError):
        connection.execute(f"PRAGMA busy_timeout = {PATIENCE}")
        if connection.execute("SELECT EXISTS (SELECT 1 FROM file_checksum)").fetchone() == (1,):
            return
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("BEGIN IMMEDIATE")
        try:
            if log_is_empty(path) and file.is_at(path):
                value = file.checksum(without=_page_of_checksum(connection))
                connection.execute("INSERT INTO file_checksum VALUES (?)", (value,))
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")


def _page_of_checksum(connection: sqlite3.Connection) -> int:
    (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'file_checksum'").fetchone()
    return int(page)


def log_of(path: str) -> str:
    """SQLite's write-ahead log, beside the file itself where the path is a link."""
    return f"{os.path.realpath(path)}-wal"


def log_is_empty(path: str) -> bool:
    """Everything that was committed is in the file."""
    try:
        return os.path.getsize(log_of(path)) == 0
    except OSError:
        return True
