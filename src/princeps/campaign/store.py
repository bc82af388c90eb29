"""The store: one SQLite file in WAL mode, a row for each finished trial.

A trial is one row, known by (point, seed, trial): written twice it is still one. The only row that is ever replaced
is a censored one, by the same trial run further. Whatever happens to the process, the file holds exactly the
transactions that were committed. While a sweep runs, others can read, and other sweeps can write.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from princeps.campaign.point import Point
from princeps.campaign.rows import Row
from princeps.errors import StoreError

APPLICATION = 0x7072696E  # "prin", in the file's header
SCHEMA = 1
PATIENCE = 10.0  # seconds that another writer may take
COLUMNS = ", ".join(Row._fields)
POINT = ("id", "rule", "protocol", "n", "params", "constants", "graph", "start", "until", "description", "content")
FURTHER = "(length(excluded.total_steps), excluded.total_steps) > (length(total_steps), total_steps)"
KEEP = (  # the same trial again: the one that was cut off gives way to the one that went further
    "ON CONFLICT (point, seed, trial) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in Row._fields[3:])
    + f" WHERE censored AND {FURTHER}"
)
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


class Store:
    """An open store. Points are known by their number in this file."""

    def __init__(self, path: str, connection: sqlite3.Connection) -> None:
        self.path, self.connection = path, connection

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing."""
        with told(self.path):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    def select(self, query: str, values: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """Row by row, as they are asked for."""
        with told(self.path):
            yield from self.connection.execute(query, values)

    def one(self, query: str, values: Sequence[Any] = ()) -> tuple[Any, ...]:
        """The first row."""
        with told(self.path):
            found: tuple[Any, ...] = self.connection.execute(query, values).fetchone()
            return found

    def number(self, points: Sequence[Point]) -> list[int]:
        """The points' numbers in this store; new ones are entered, and how each was asked for."""
        with self.transaction() as connection:
            places = ", ".join("?" * len(POINT))
            connection.executemany(
                f"INSERT INTO points ({', '.join(POINT)}) VALUES ({places}) ON CONFLICT (id) DO NOTHING",
                map(_entry, points),
            )
            known = dict(connection.execute("SELECT id, number FROM points").fetchall())
            connection.executemany(
                "INSERT INTO asked VALUES (?, ?) ON CONFLICT DO NOTHING",
                (
                    (known[point.id], json.dumps(typed, sort_keys=True))
                    for point in points
                    for typed in (point.typed, *point.also)
                ),
            )
        return [known[point.id] for point in points]

    def add(self, rows: Sequence[Row]) -> None:
        """One transaction."""
        with self.transaction() as connection:
            places = ", ".join("?" * len(Row._fields))
            connection.executemany(f"INSERT INTO trials ({COLUMNS}) VALUES ({places}) {KEEP}", rows)

    def standing(self, number: int, seed: int, first: int, end: int, limit: int | None) -> dict[int, str | None]:
        """Which of the trials first..end-1 need not be run (None), and which were cut off before this limit.

        Those are to be run again by the engine that is given, the same as before: by another one they would be other
        trials, and replacing only those that took long would bend the law.
        """
        rows = self.select(
            "SELECT trial, censored, max_steps, engine FROM trials"
            " WHERE point = ? AND seed = ? AND trial >= ? AND trial < ?",
            (number, seed, first, end),
        )
        return {trial: None if not censored or reaches(cut, limit) else engine for trial, censored, cut, engine in rows}


def reaches(cut: str | None, limit: int | None) -> bool:
    """A trial that was cut off after `cut` steps has gone as far as this limit."""
    return cut is None or (limit is not None and int(cut) >= limit)


def _entry(point: Point) -> tuple[Any, ...]:
    return (
        *(point.id, point.rule, point.protocol, point.n, json.dumps(point.params), json.dumps(point.constants)),
        *(point.graph, point.start, point.until, json.dumps(point.stored)),
        json.dumps(point.content, sort_keys=True),
    )


# -- opening ----------------------------------------------------------------------------------------------------------


def open_store(path: str) -> Store:
    """To write into; made if there is none."""
    if not path or path == ":memory:":
        raise StoreError(f"store {path!r} is no file: name one, like results.db.")
    if not os.path.isdir(os.path.dirname(path) or "."):
        raise StoreError(f"store {path!r} cannot be made: its folder does not exist. Make it, or choose another path.")
    with told(path):
        address = "file:" + quote(str(Path(path).absolute()))  # so that others may be attached by theirs
        connection = sqlite3.connect(address, uri=True, timeout=PATIENCE, isolation_level=None)
        try:
            _create(path, connection)
            _log_ahead(connection)
            connection.execute("PRAGMA synchronous = FULL")  # a commit survives a power cut; there are two a second
            connection.execute("PRAGMA foreign_keys = ON")
        except BaseException:
            connection.close()
            raise
    return Store(path, connection)


def read_store(path: str) -> Store:
    """To look into; nothing is changed, and a sweep may be writing at the same time."""
    with told(path):
        connection = sqlite3.connect(readable_address(path), uri=True, timeout=PATIENCE, isolation_level=None)
        connection.execute("PRAGMA query_only = ON")
    return Store(path, connection)


def readable_address(path: str) -> str:
    """How SQLite is to open a store that is only read."""
    if not os.path.isfile(path):
        raise StoreError(f"there is no store {path!r}: make one with princeps sweep ... --store {path or 'FILE'}.")
    plain = "file:" + quote(str(Path(path).absolute()))
    with told(path):
        try:
            return _checked(path, f"{plain}?mode=rw")  # tidies up what readers agree by, on leaving
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise
        log = f"{path}-wal"
        if os.path.isfile(log) and os.path.getsize(log):  # which an immutable file would be read without
            raise StoreError(
                f"store {path!r} needs {log!r}, and nothing may be written beside it: copy both elsewhere."
            )
        return _checked(path, f"{plain}?immutable=1")


def _checked(path: str, address: str) -> str:
    connection = sqlite3.connect(address, uri=True, timeout=PATIENCE, isolation_level=None)
    try:
        _refuse_strangers(path, connection)
    finally:
        connection.close()
    return address


def _refuse_strangers(path: str, connection: sqlite3.Connection) -> None:
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
        _refuse_strangers(path, connection)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _log_ahead(connection: sqlite3.Connection) -> None:
    """WAL mode, for which SQLite does not wait while another connection is at it."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def discard_if_empty(path: str) -> None:
    """A store that was made for trials of which none came: nothing is left of it."""
    with suppress(StoreError, OSError):
        with read_store(path) as store:
            (some,) = store.one("SELECT EXISTS (SELECT 1 FROM trials)")
        if not some:
            os.remove(path)


@contextmanager
def told(path: str) -> Iterator[None]:
    """What SQLite says against it becomes one sentence. What was committed before is safe in any case."""
    try:
        yield
    except sqlite3.Error as error:
        text = str(error)
        if "locked" in text or "busy" in text:
            raise StoreError(
                f"store {path!r} has been locked by another program for {PATIENCE:.0f} s: close it, then run the same "
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
