"""Stores that are damaged on purpose, and everything that can be read from one."""

from __future__ import annotations

import json
import random
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import princeps as library
from princeps.campaign import evidence
from princeps.campaign.store import open_store, read_store
from tests.campaign.stored_rows import a_point, a_row


def write_various(path: Path, is_closed: bool = True) -> None:
    """Points, trials of every kind and evidence; not closed, the file has no checksum of its own, as after a kill."""
    points = [
        a_point(6),
        a_point(8, typed={}),
        a_point(12, "timer", {"t_max": "4"}, hold=True),
        a_point(9, faults=["5:2"]),
    ]
    with open_store(str(path)) as store:
        for number, point in zip(store.number(points), points, strict=True):
            rows = []
            for trial in range(40):
                parts: dict[str, Any] = {"point": number, "seconds": 1e-3 * (trial + 1) / 7}
                if point.n == 12:
                    parts |= {"held": trial % 2, "held_steps": str(10**trial), "censored": trial % 2}
                if point.n == 9:
                    faults = [[5, 2, 17 + trial]] * (1 + 3 * trial)  # the longest do not fit on a page
                    parts |= {"recovery_steps": str(17 + trial), "more": json.dumps({"faults": faults})}
                rows.append(a_row(trial, 10 ** (trial % 30) + trial, **parts))
            store.add(rows)
        evidence.create_table(store)
        for part in range(5):
            evidence.save_part(store, "measure", part, "mine.py:walk", {"n": 5}, {"value": part / 3}, 0.1 / (part + 1))
    if not is_closed:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("DELETE FROM file_checksum")


def everything(path: Path) -> list[Any]:
    """All that is shown of a store, by any verb; as text, in which 1 and 1.0 differ."""
    found = library.results(str(path))
    shown = [repr(summary.as_json()) for summary in found]
    for rows in ("points", "trials"):
        shown += [repr(item) for item in found.columns(rows).items()]
    shown += [repr(one.as_json()) for one in library.results(str(path), measure="seconds")]
    with read_store(str(path)) as store:
        shown.append(repr(evidence.saved_parts(store, "measure", 5)))
    return shown


def flipped(content: bytes, count: int, seed: int) -> Iterator[tuple[int, bytes]]:
    """The content with one bit changed, each time another one, and which."""
    draw = random.Random(seed)
    for bit in draw.sample(range(8 * len(content)), count):
        changed = bytearray(content)
        changed[bit // 8] ^= 1 << bit % 8
        yield bit, bytes(changed)


def spoiled(path: Path, table: str, column: str, value: Any, where: str = "true") -> bool:
    """Any value in any column, as no program could write it; False if the column is a key that must stay unique."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        tables = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall()
        loose = [(name, re.sub(r" (TEXT|NOT NULL)|INTEGER(?! PRIMARY)|STRICT,? ?", "", sql)) for name, sql in tables]
        _declare(connection, loose)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        try:
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (value,))
            done = True
        except sqlite3.Error:
            done = False
        _declare(connection, tables)
    return done


def _declare(connection: sqlite3.Connection, tables: list[tuple[str, str]]) -> None:
    (version,) = connection.execute("PRAGMA schema_version").fetchone()
    connection.execute("PRAGMA writable_schema = ON")
    for name, sql in tables:
        connection.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (sql, name))
    connection.execute(f"PRAGMA schema_version = {version + 1}")
