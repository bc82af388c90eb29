"""The SQLite file of a store: its tables, how it is opened and checked, and what its errors mean.

A store is in WAL mode: while one process writes, others can read, and wait their turn to write.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from princeps.errors import StoreError

APPLICATION = 0x7072696E  # "prin", in the file's header
SCHEMA = 1
LOCK_SECONDS = 10.0  # that another writer may take
TABLES = f"""
CREATE TABLE points (
    number INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, rule TEXT NOT NULL, protocol TEXT NOT NULL, n INTEGER NOT NULL,
    params TEXT NOT NULL, constants TEXT NOT NULL, graph TEXT NOT NULL, start TEXT NOT NULL, until TEXT NOT NULL,
    description TEXT NOT NULL, content TEXT NOT NULL
) STRICT;
CREATE TABLE asked (
    point INTEGER NOT NULL REFERENCES points, typed TEXT NOT NULL, PRIMARY KEY (point, typed)
) STRICT, WITHOUT ROWID;
CREATE TABLE trials (
    point INTEGER NOT NULL REFERENCES points, seed INTEGER NOT NULL, trial INTEGER NOT NULL, steps TEXT NOT NULL,
    converged INTEGER NOT NULL, censored INTEGER NOT NULL, silent INTEGER NOT NULL, leaders INTEGER NOT NULL,
    leader INTEGER, events TEXT, held INTEGER, held_steps TEXT, recovery_steps TEXT, total_steps TEXT NOT NULL,
    max_steps TEXT, more TEXT, engine TEXT NOT NULL, version TEXT NOT NULL, seconds REAL NOT NULL,
    PRIMARY KEY (point, seed, trial)
) STRICT, WITHOUT ROWID;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {SCHEMA};
"""


def connect_to_write(path: str) -> sqlite3.Connection:
    """The file is made if there is none."""
    with errors_in_words(path):
        address = "file:" + quote(str(Path(path).absolute()))  # so that others may be attached by theirs
        connection = sqlite3.connect(address, uri=True, timeout=LOCK_SECONDS, isolation_level=None)
        try:
            _create(path, connection)
            _use_wal(connection)
            connection.execute("PRAGMA synchronous = FULL")  # a commit survives a power cut; there are two a second
            connection.execute("PRAGMA foreign_keys = ON")
        except BaseException:
            connection.close()
            raise
    return connection


def connect_to_read(path: str) -> sqlite3.Connection:
    with errors_in_words(path):
        connection = sqlite3.connect(readable_address(path), uri=True, timeout=LOCK_SECONDS, isolation_level=None)
        connection.execute("PRAGMA query_only = ON")
    return connection


def readable_address(path: str) -> str:
    """The URI by which SQLite opens a store that is only read."""
    if not os.path.isfile(path):
        raise StoreError(f"there is no store {path!r}: make one with princeps sweep ... --store {path or 'FILE'}.")
    plain = "file:" + quote(str(Path(path).absolute()))
    with errors_in_words(path):
        try:
            return _checked(path, f"{plain}?mode=rw")  # removes the shared-memory file when it is closed
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise
        log = f"{path}-wal"
        if os.path.isfile(log) and os.path.getsize(log):  # it would not be read with an immutable file
            raise StoreError(
                f"store {path!r} needs {log!r}, and nothing may be written beside it: copy both elsewhere."
            )
        return _checked(path, f"{plain}?immutable=1")


def _checked(path: str, address: str) -> str:
    connection = sqlite3.connect(address, uri=True, timeout=LOCK_SECONDS, isolation_level=None)
    try:
        _refuse_other_databases(path, connection)
    finally:
        connection.close()
    return address


def _refuse_other_databases(path: str, connection: sqlite3.Connection) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (schema,) = connection.execute("PRAGMA user_version").fetchone()
    connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION:
        raise StoreError(f"{path!r} is a database, but not a store of princeps: choose another file.")
    if schema != SCHEMA:
        raise StoreError(
            f"store {path!r} has format {schema}, but this version of princeps reads format {SCHEMA}: "
            f"use the version that wrote it."
        )


def _create(path: str, connection: sqlite3.Connection) -> None:
    """Two sweeps may begin at the same time: only one of them makes the tables."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if tables == 0:
            for statement in TABLES.strip().split(";\n"):
                connection.execute(statement.rstrip(";"))
        _refuse_other_databases(path, connection)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switch to WAL mode; SQLite does not wait here while another connection is switching, so we do."""
    deadline = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)


@contextmanager
def errors_in_words(path: str) -> Iterator[None]:
    """An error of SQLite as a StoreError in one sentence. What was committed before is safe in any case."""
    try:
        yield
    except sqlite3.Error as error:
        text = str(error)
        if "locked" in text or "busy" in text:
            raise StoreError(
                f"store {path!r} has been locked by another program for {LOCK_SECONDS:.0f} s: close it, then run the same "
                f"command again; what was committed is kept."
            ) from None
        if "full" in text or "I/O" in text:
            raise StoreError(
                f"store {path!r} cannot be written ({text}): make room on the disk, then run the same command again; "
                f"what was committed is kept."
            ) from None
        if "not a database" in text or "malformed" in text:
            raise StoreError(f"{path!r} is not a store of princeps ({text}): choose another file.") from None
        raise StoreError(f"store {path!r} cannot be used ({text}): check the path and its permissions.") from None
