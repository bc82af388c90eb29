"""The SQLite file of a store: how it is made, opened and checked, and what its errors mean.

A store is in WAL mode: while one process writes, others can read, and wait their turn to write.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from princeps.campaign.checksums import add_functions, checksum_of
from princeps.campaign.shared_file import SharedFile, share
from princeps.campaign.store_check import check_rows, check_store, log_of, remedy
from princeps.campaign.store_schema import APPLICATION, FILE_CHECKSUM_TABLE, FIRST, SCHEMA, create, format_of, tables_of
from princeps.errors import DamagedStore, StoreError

LOCK_SECONDS = 10.0  # that another writer may take
OF_DAMAGE = ("malformed", "no such", "Could not decode", "unsupported file format", "out of memory", "too big")
Opened = tuple[sqlite3.Connection, SharedFile]


def open_to_write(path: str) -> Opened:
    """The file is made if there is none; one of format 1 becomes format 2."""
    return _opened(path, lambda: _connect_to_write(path))


def open_to_read(path: str, check: bool = True) -> Opened:
    return _opened(path, lambda: _connect_to_read(path), check)


def _opened(path: str, connect: Callable[[], sqlite3.Connection], check: bool = True) -> Opened:
    with errors_in_words(path):
        connection = connect()
        file = None
        try:
            file = share(path)
            if check:
                check_store(path, connection, file)
        except BaseException as error:
            connection.close()
            if file is not None:
                file.release()
            if isinstance(error, OSError):
                raise StoreError(f"store {path!r} cannot be read ({error.strerror}): check the path.") from None
            raise
    return connection, file


def address_of(path: str) -> str:
    """A path is a path, whatever it looks like: SQLite gets it as a URI in which everything is quoted."""
    return "file:" + quote(os.fsencode(Path(path).absolute()))


def _connect(address: str) -> sqlite3.Connection:
    connection = sqlite3.connect(address, uri=True, timeout=LOCK_SECONDS, isolation_level=None)
    add_functions(connection)
    return connection


def _connect_to_write(path: str) -> sqlite3.Connection:
    connection = _connect(address_of(path))
    try:
        _create(path, connection)
        _use_wal(connection)
        connection.execute("PRAGMA synchronous = FULL")  # a commit survives a power cut; there are two a second
        connection.execute("PRAGMA foreign_keys = ON")
    except BaseException:
        connection.close()
        raise
    return connection


def _connect_to_read(path: str) -> sqlite3.Connection:
    connection = _connect(readable_address(path))
    connection.execute("PRAGMA query_only = ON")
    return connection


def readable_address(path: str) -> str:
    """The URI by which SQLite opens a store that is only read."""
    if not os.path.isfile(path):
        raise StoreError(f"there is no store {path!r}: make one with princeps sweep ... --store {path or 'FILE'}.")
    plain = address_of(path)
    try:
        return _checked(path, f"{plain}?mode=rw")  # removes the shared-memory file when it is closed
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise
    log = log_of(path)
    if os.path.isfile(log) and os.path.getsize(log):  # it would not be read with an immutable file
        raise StoreError(f"store {path!r} needs {log!r}, and nothing may be written beside it: copy both elsewhere.")
    return _checked(path, f"{plain}?immutable=1")


def _checked(path: str, address: str) -> str:
    connection = _connect(address)
    try:
        _refuse_other_databases(path, connection)
    finally:
        connection.close()
    return address


def _refuse_other_databases(path: str, connection: sqlite3.Connection) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION:
        raise StoreError(f"{path!r} is a database, but not a store of princeps: choose another file.")
    if not FIRST <= format_of(connection) <= SCHEMA:
        raise StoreError(
            f"store {path!r} has format {format_of(connection)}, but this version of princeps reads formats {FIRST} to "
            f"{SCHEMA}: use the version that wrote it."
        )


def _create(path: str, connection: sqlite3.Connection) -> None:
    """Two sweeps may begin at the same time: only one of them makes the tables."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if tables == 0:
            create(connection)
        _refuse_other_databases(path, connection)
        if format_of(connection) == FIRST:
            _add_checksums(path, connection)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _add_checksums(path: str, connection: sqlite3.Connection) -> None:
    """From format 1 to format 2; what is damaged already gets none."""
    check_rows(path, connection)
    for table in tables_of(connection):
        connection.execute(f"ALTER TABLE {table} ADD COLUMN checksum INTEGER")
        connection.execute(f"UPDATE {table} SET checksum = {checksum_of(table)}")
    connection.execute(FILE_CHECKSUM_TABLE)
    connection.execute(f"PRAGMA user_version = {SCHEMA}")


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
        text = " ".join(str(error).split())  # SQLite quotes statements of several lines
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
        if "not a database" in text:
            raise StoreError(f"{path!r} is not a store of princeps ({text}): choose another file.") from None
        if any(words in text for words in OF_DAMAGE):
            raise DamagedStore(f"store {path!r} is damaged ({text}). {remedy(path)}") from None
        raise StoreError(f"store {path!r} cannot be used ({text}): check the path and its permissions.") from None
    except UnicodeDecodeError:  # SQLite's own sentence quotes the damage
        raise DamagedStore(f"store {path!r} is damaged (its tables cannot be read). {remedy(path)}") from None
