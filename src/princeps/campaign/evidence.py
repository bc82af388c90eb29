"""Measurements that are not trials of a protocol, kept in the same store: each part of a measurement is a row.

The table is made when it is first needed: a store that was only used for sweeps has none.
"""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import suppress
from typing import Any

from princeps import __version__
from princeps.campaign.checksums import checksum_of, insert_into
from princeps.campaign.store import Store, read_store
from princeps.campaign.store_schema import COLUMNS, EVIDENCE_TABLE
from princeps.errors import StoreError

INSERT = f"{insert_into('evidence')} ON CONFLICT DO NOTHING"


def create_table(store: Store) -> None:
    with store.transaction() as connection:
        connection.execute(EVIDENCE_TABLE)


def save_part(store: Store, id: str, part: int, task: str, arguments: Any, answer: Any, seconds: float) -> None:
    row = (id, part, task, json.dumps(arguments, default=str), json.dumps(answer, default=_plain), __version__, seconds)
    if store.journal is not None:
        store.journal.note_evidence(row)
    store.insert(INSERT, [row])


def saved_parts(store: Store, id: str, parts: int) -> dict[int, Any]:
    """The answers that are stored, by the number of their part."""
    rows = store.select("SELECT part, answer FROM evidence WHERE id = ? AND part < ?", (id, parts))
    return {part: json.loads(answer) for part, answer in rows}


def copy_from_attached(connection: sqlite3.Connection) -> None:
    """All evidence of the store that is attached as `other`."""
    (there,) = connection.execute("SELECT count(*) FROM other.sqlite_master WHERE name = 'evidence'").fetchone()
    if there:
        connection.execute(EVIDENCE_TABLE)
        names = ", ".join(COLUMNS["evidence"])
        connection.execute(
            f"INSERT INTO evidence ({names}, checksum) SELECT {names}, {checksum_of('evidence')} FROM other.evidence"
            f" WHERE true ON CONFLICT DO NOTHING"
        )


def discard_if_empty(path: str) -> None:
    """Remove a store that holds neither trials nor evidence."""
    with suppress(StoreError, OSError):
        with read_store(path) as store:
            (some,) = store.one("SELECT EXISTS (SELECT 1 FROM trials)")
            (table,) = store.one("SELECT count(*) FROM sqlite_master WHERE name = 'evidence'")
            measured = bool(table) and store.one("SELECT EXISTS (SELECT 1 FROM evidence)") == (1,)
        if not some and not measured:
            os.remove(path)


def _plain(value: Any) -> Any:
    """Numbers and arrays of numpy."""
    return value.tolist()
