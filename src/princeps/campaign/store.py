"""The store of a campaign: one SQLite file with a row for each finished trial.

A trial is identified by (point, seed, trial): written twice it is still one row. The only row that is ever replaced is
a censored one of a simulation, by the same trial run further. Whatever happens to the process, the file holds exactly the transactions
that were committed. While a sweep runs, other processes can read, and other sweeps can write.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from os import PathLike
from typing import Any

from princeps.campaign.checksums import insert_into
from princeps.campaign.journal import Journal
from princeps.campaign.point import Point
from princeps.campaign.rows import OVER_NETWORK, Row
from princeps.campaign.shared_file import SharedFile
from princeps.campaign.store_check import remove_file_checksum, write_file_checksum
from princeps.campaign.store_file import errors_in_words, open_to_read, open_to_write
from princeps.campaign.store_place import StorePlace
from princeps.errors import LostStore, StoreError

FURTHER = "(length(excluded.total_steps), excluded.total_steps) > (length(total_steps), total_steps)"
REPLACE_CENSORED = (  # by the same trial, if that was run further; a network run is never the same
    "ON CONFLICT (point, seed, trial) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in (*Row._fields[3:], "checksum"))
    + f" WHERE censored AND engine <> '{OVER_NETWORK}' AND {FURTHER}"
)


class Store:
    """An open store. Points are known by their number in this file.

    A store that is written to has a journal of what is handed to it, and knows its place: if the file is removed or
    replaced meanwhile, transactions raise LostStore, and rescue.py makes a new file from what is left.
    """

    def __init__(self, path: str, connection: sqlite3.Connection, file: SharedFile, journal: Journal | None) -> None:
        self.path, self.connection, self.file, self.journal = path, connection, file, journal
        self.place = StorePlace(path, file)

    def close(self) -> None:
        if self.journal is not None:
            if not self.place.loss():
                write_file_checksum(self.path, self.connection, self.file)
            self.journal.close()
        self.connection.close()
        if self.journal is not None:
            self.place.remove_log()
        self.file.release()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing."""
        self.place.refuse_loss()
        with errors_in_words(self.path):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                remove_file_checksum(self.connection)
                yield self.connection
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    def select(self, query: str, values: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """Row by row, as they are asked for."""
        with errors_in_words(self.path):
            for row in self.connection.execute(query, values):  # noqa: UP028 `yield from` closes what is closed already
                yield row

    def one(self, query: str, values: Sequence[Any] = ()) -> tuple[Any, ...]:
        """The first row."""
        with errors_in_words(self.path):
            found: tuple[Any, ...] = self.connection.execute(query, values).fetchone()
            return found

    def number(self, points: Sequence[Point]) -> list[int]:
        """The points' numbers in this store; new ones are entered, and how each was asked for."""
        with self.transaction() as connection:
            known = dict(connection.execute("SELECT id, number FROM points").fetchall())
            unused = count(max(known.values(), default=0) + 1)
            for point in points:
                if point.id not in known:
                    known[point.id] = next(unused)
                    connection.execute(insert_into("points"), (known[point.id], *_entry(point)))
            connection.executemany(
                f"{insert_into('asked')} ON CONFLICT DO NOTHING",
                (
                    (known[point.id], json.dumps(typed, sort_keys=True))
                    for point in points
                    for typed in (point.typed, *point.also)
                ),
            )
        numbers = [known[point.id] for point in points]
        if self.journal is not None:
            self.journal.note_points(numbers, points)
        return numbers

    def add(self, rows: Sequence[Row]) -> None:
        """One transaction."""
        if self.journal is not None:
            self.journal.note_rows(rows)
        self.insert(f"{insert_into('trials')} {REPLACE_CENSORED}", rows)

    def insert(self, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
        """The statement for each row, in one transaction."""
        with self.transaction() as connection:
            connection.executemany(statement, rows)

    def refuse_missing(self, expected: Mapping[tuple[int, int], int]) -> None:
        """So many trials of each (point, seed) must be in the file that the path leads to: asked by another connection."""
        self.place.refuse_loss()
        try:
            with read_store(self.path, check=False) as there:
                query = "SELECT count(*) FROM trials WHERE point = ? AND seed = ?"
                sound = all(there.one(query, pair) >= (least,) for pair, least in expected.items())
        except StoreError:
            sound = False
        if not sound:
            raise LostStore(f"store {self.path!r} was overwritten while it was in use")

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
        *(point.id, point.rule, _utf8(point.protocol), point.n, json.dumps(point.params), json.dumps(point.constants)),
        *(_utf8(point.graph), _utf8(point.start), _utf8(point.until), json.dumps(point.stored)),
        json.dumps(point.content, sort_keys=True),
    )


def _utf8(text: str) -> str:
    """The path of a file may not be UTF-8, which is all that SQLite takes."""
    return text.encode("utf-8", "backslashreplace").decode()


def _text(path: str | PathLike[str]) -> str:
    if not isinstance(path, (str, PathLike)):
        raise StoreError(f"store {path!r} is no path: name a file, like 'results.db'.")
    return os.fsdecode(path)


def open_store(path: str | PathLike[str]) -> Store:
    """To write into; made if there is none."""
    path = _text(path)
    if not path or path == ":memory:" or "\0" in path:
        raise StoreError(f"store {path!r} is no file: name one, like results.db.")
    if not os.path.isdir(os.path.dirname(path) or "."):
        raise StoreError(f"store {path!r} cannot be made: its folder does not exist. Make it, or choose another path.")
    return Store(path, *open_to_write(path), Journal())


def read_store(path: str | PathLike[str], check: bool = True) -> Store:
    """To look into; nothing is changed, and a sweep may be writing at the same time. Checked unless it was before."""
    path = _text(path)
    return Store(path, *open_to_read(path, check), None)
