"""The tables of a store, its formats, and how an older one is turned into the present one.

Format 1 was written by princeps 0.1.0. Format 2 has a checksum in every row (checksums.py) and one of the whole file
(file_checksum.py). Both are read; a store that is opened to be written becomes format 2.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from princeps.campaign.rows import Row

APPLICATION = 0x7072696E  # "prin", in the file's header
FIRST, SCHEMA = 1, 2  # formats: without checksums, and with them
POINT = ("id", "rule", "protocol", "n", "params", "constants", "graph", "start", "until", "description", "content")
EVIDENCE_TABLE = """
CREATE TABLE IF NOT EXISTS evidence (
    id TEXT NOT NULL, part INTEGER NOT NULL, task TEXT NOT NULL, arguments TEXT NOT NULL, answer TEXT NOT NULL,
    version TEXT NOT NULL, seconds REAL NOT NULL, checksum INTEGER, PRIMARY KEY (id, part)
) STRICT, WITHOUT ROWID"""
FILE_CHECKSUM_TABLE = "CREATE TABLE file_checksum (value INTEGER NOT NULL) STRICT"
TABLES = (
    """
CREATE TABLE points (
    number INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, rule TEXT NOT NULL, protocol TEXT NOT NULL, n INTEGER NOT NULL,
    params TEXT NOT NULL, constants TEXT NOT NULL, graph TEXT NOT NULL, start TEXT NOT NULL, until TEXT NOT NULL,
    description TEXT NOT NULL, content TEXT NOT NULL, checksum INTEGER
) STRICT""",
    """
CREATE TABLE asked (
    point INTEGER NOT NULL REFERENCES points, typed TEXT NOT NULL, checksum INTEGER, PRIMARY KEY (point, typed)
) STRICT, WITHOUT ROWID""",
    """
CREATE TABLE trials (
    point INTEGER NOT NULL REFERENCES points, seed INTEGER NOT NULL, trial INTEGER NOT NULL, steps TEXT NOT NULL,
    converged INTEGER NOT NULL, censored INTEGER NOT NULL, silent INTEGER NOT NULL, leaders INTEGER NOT NULL,
    leader INTEGER, events TEXT, held INTEGER, held_steps TEXT, recovery_steps TEXT, total_steps TEXT NOT NULL,
    max_steps TEXT, more TEXT, engine TEXT NOT NULL, version TEXT NOT NULL, seconds REAL NOT NULL, checksum INTEGER,
    PRIMARY KEY (point, seed, trial)
) STRICT, WITHOUT ROWID""",
    FILE_CHECKSUM_TABLE,
)

# What a column holds: whole numbers, a number of agents, yes or no (1 or 0), digits (whole numbers of any size, as text), text, JSON, or
# seconds. A question mark: or nothing. Kinds are checked where there are no checksums, or where they do not agree.
WHOLE, SIZE, FLAG, DIGITS = "whole", "size", "flag", "digits"
TEXT, JSON, SECONDS = "text", "json", "seconds"
COLUMNS: Mapping[str, Mapping[str, str]] = {
    "points": {
        "number": WHOLE,
        **dict.fromkeys(POINT, TEXT),
        "n": SIZE,
        **dict.fromkeys(("params", "constants", "description", "content"), JSON),
    },
    "asked": {"point": WHOLE, "typed": JSON},
    "trials": {
        **dict.fromkeys(Row._fields, TEXT),
        **dict.fromkeys(("point", "seed", "trial", "leaders"), WHOLE),
        **dict.fromkeys(("converged", "censored", "silent"), FLAG),
        **dict.fromkeys(("steps", "total_steps"), DIGITS),
        **dict.fromkeys(("events", "held_steps", "recovery_steps", "max_steps"), f"{DIGITS}?"),
        "leader": f"{WHOLE}?",
        "held": f"{FLAG}?",
        "more": f"{JSON}?",
        "seconds": SECONDS,
    },
    "evidence": {
        "id": TEXT,
        "part": WHOLE,
        "task": TEXT,
        **dict.fromkeys(("arguments", "answer"), JSON),
        "version": TEXT,
        "seconds": SECONDS,
    },
}
KEYS = {
    "points": ("number",),
    "asked": ("point", "typed"),
    "trials": ("point", "seed", "trial"),
    "evidence": ("id", "part"),
}


def format_of(connection: sqlite3.Connection) -> int:
    (found,) = connection.execute("PRAGMA user_version").fetchone()
    return int(found)


def tables_of(connection: sqlite3.Connection) -> list[str]:
    """Those of COLUMNS that the store has: one that was only used for sweeps has no evidence."""
    there = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    return [name for name in COLUMNS if name in there or name != "evidence"]


def create(connection: sqlite3.Connection) -> None:
    """All tables, in an open transaction."""
    for statement in TABLES:
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {SCHEMA}")
