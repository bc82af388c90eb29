"""The store of a campaign: one SQLite file with a row for each finished trial.

A trial is identified by (point, seed, trial): written twice it is still one row. The only row that is ever replaced is
a censored one, by the same trial run further. Whatever happens to the process, the file holds exactly the transactions
that were committed. While a sweep runs, other processes can read, and other sweeps can write.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from princeps.campaign.point import Point
from princeps.campaign.rows import Row
from princeps.campaign.store_file import connect_to_read, connect_to_write, errors_in_words
from princeps.errors import StoreError

COLUMNS = ", ".join(Row._fields)
POINT = ("id", "rule", "protocol", "n", "params", "constants", "graph", "start", "until", "description", "content")
FURTHER = "(length(excluded.total_steps), excluded.total_steps) > (length(total_steps), total_steps)"
REPLACE_CENSORED = (  # by the same trial, if that was run further
    "ON CONFLICT (point, seed, trial) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in Row._fields[3:])
    + f" WHERE censored AND {FURTHER}"
)


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
        with errors_in_words(self.path):
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
        with errors_in_words(self.path):
            yield from self.connection.execute(query, values)

    def one(self, query: str, values: Sequence[Any] = ()) -> tuple[Any, ...]:
        """The first row."""
        with errors_in_words(self.path):
            found: tuple[Any, ...] = self.connection.execute(query, values).fetchone()
            return found

    def number(self, points: Sequence[Point]) -> list[int]:
        """The points' numbers in this store; new ones are entered, and how each was asked for."""
        with self.transaction() as connection:
            placeholders = ", ".join("?" * len(POINT))
            connection.executemany(
                f"INSERT INTO points ({', '.join(POINT)}) VALUES ({placeholders}) ON CONFLICT (id) DO NOTHING",
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
            placeholders = ", ".join("?" * len(Row._fields))
            connection.executemany(f"INSERT INTO trials ({COLUMNS}) VALUES ({placeholders}) {REPLACE_CENSORED}", rows)

    def stored_trials(self, number: int, seed: int, first: int, end: int, limit: int | None) -> dict[int, str | None]:
        """Those of the trials first..end-1 that are stored: None, or the engine if it was censored below this limit.

        Such a trial must be run again by the same engine: with another one it would be another trial, and replacing
        only the trials that take long would bias the sample.
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


def open_store(path: str) -> Store:
    """To write into; made if there is none."""
    if not path or path == ":memory:":
        raise StoreError(f"store {path!r} is no file: name one, like results.db.")
    if not os.path.isdir(os.path.dirname(path) or "."):
        raise StoreError(f"store {path!r} cannot be made: its folder does not exist. Make it, or choose another path.")
    return Store(path, connect_to_write(path))


def read_store(path: str) -> Store:
    """To look into; nothing is changed, and a sweep may be writing at the same time."""
    return Store(path, connect_to_read(path))
