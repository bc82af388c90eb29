"""The sound rows of a damaged store, copied into a new one.

A row is sound if its columns hold what they should, it has its checksum, and its point is sound, too. Where a page
cannot be read, rows before and after it still can: what lies between is halved until only unreadable rows are left.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from princeps.campaign import evidence
from princeps.campaign.checksums import insert_into
from princeps.campaign.store import REPLACE_CENSORED, Store
from princeps.campaign.store_check import is_sound
from princeps.campaign.store_schema import COLUMNS, KEYS, tables_of

Line = tuple[Any, ...]
BATCH = 1000
MAX_FAILURES = 100_000  # unreadable ranges of one point


def copy_sound(source: sqlite3.Connection, store: Store) -> int:
    """Returns how many rows were seen and left out; how many could not even be seen nobody knows."""
    source.text_factory = lambda text: text.decode("utf-8", "replace")  # its row is not sound
    left_out = 0
    numbers: dict[int, int] = {}

    def copied(table: str, entered: Callable[[Line], Line | None]) -> None:
        nonlocal left_out
        rows: list[Line] = []
        names = ", ".join(COLUMNS[table])
        upon_conflict = REPLACE_CENSORED if table == "trials" else "ON CONFLICT DO NOTHING"
        for *row, sound in _readable(source, table, f"{names}, {is_sound(source, table)}"):
            new = entered(tuple(row)) if sound else None
            left_out += new is None
            rows += [] if new is None else [new]
            if len(rows) >= BATCH:
                store.insert(f"{insert_into(table)} {upon_conflict}", rows)
                rows.clear()
        store.insert(f"{insert_into(table)} {upon_conflict}", rows)

    def new_point(row: Line) -> Line:
        return (numbers.setdefault(row[0], len(numbers) + 1), *row[1:])

    def of_a_point(row: Line) -> Line | None:
        return (numbers[row[0]], *row[1:]) if row[0] in numbers else None

    copied("points", new_point)
    copied("asked", of_a_point)
    copied("trials", of_a_point)
    if "evidence" in tables_of(source):
        evidence.create_table(store)
        copied("evidence", lambda row: row)
    return left_out


def _readable(source: sqlite3.Connection, table: str, what: str) -> Iterator[Line]:
    """Every row that can be read: from the beginning, from the end, and what is between. `what` ends with its soundness."""
    keys = KEYS[table]
    ends: list[Line] = []  # the last keys that were read, from either side
    pairs: set[Line] = set()
    last_trial = -1
    for order in ("", " DESC"):
        ordered = ", ".join(f"{key}{order}" for key in keys)
        end: Line = ()
        with suppress(sqlite3.Error):
            for row in source.execute(f"SELECT {', '.join(keys)}, {what} FROM {table} ORDER BY {ordered}"):
                if not row[-1]:  # its key may be damaged, too
                    yield row[len(keys) :]
                    continue
                if order and row[: len(keys)] <= ends[0]:
                    return
                end = row[: len(keys)]
                if table == "trials":
                    pairs.add(end[:2])
                    last_trial = max(last_trial, end[2])
                yield row[len(keys) :]
            if not order:
                return
        ends.append(end)
    if table == "trials":
        for pair in sorted(pairs | _pairs_between(source, *ends)):
            first = ends[0][2] + 1 if pair == ends[0][:2] else 0
            past = ends[1][2] if pair == ends[1][:2] else last_trial + 1
            if ends[0][:2] <= pair and (not ends[1] or pair <= ends[1][:2]):
                yield from _halved(source, what, pair, first, past)


def _pairs_between(source: sqlite3.Connection, low: Line, high: Line) -> set[Line]:
    """Points and seeds of which nothing was read yet."""
    found: set[Line] = set()
    place = low[:2] or (0, -1)
    with suppress(sqlite3.Error):
        while True:
            query = (
                "SELECT point, seed FROM trials WHERE (point, seed) > (?, ?) AND typeof(point) = 'integer'"
                " AND typeof(seed) = 'integer' ORDER BY point, seed LIMIT 1"
            )
            (place,) = source.execute(query, place).fetchall() or [()]
            if not place or (high and place > high[:2]):
                break
            found.add(place)
    return found


def _halved(source: sqlite3.Connection, what: str, pair: Line, first: int, past: int) -> Iterator[Line]:
    ranges, failures = [(first, past)], 0
    while ranges and failures < MAX_FAILURES:
        low, high = ranges.pop()
        query = f"SELECT {what} FROM trials WHERE point = ? AND seed = ? AND trial >= ? AND trial < ?"
        try:
            yield from source.execute(query, (*pair, low, high)).fetchall()
        except sqlite3.Error:
            failures += 1
            middle = (low + high) // 2
            ranges += [(low, middle), (middle, high)] if high - low > 1 else []
