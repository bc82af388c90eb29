"""A checksum for every row of a store, over all its columns, computed by SQLite where the row is written or checked.

The row is written as one text, on which zlib's crc32 is taken. The text must be the same on every machine and by every
version of SQLite: whole numbers and texts are, numbers with a point are not, so that seconds are written as two whole
numbers which tell every bit of them (from a nanosecond to 250 years).
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Sequence

from princeps.campaign.store_schema import COLUMNS, DIGITS, FLAG, JSON, SECONDS, SIZE, TEXT, WHOLE

CONDITIONS = {
    WHOLE: "typeof({0}) = 'integer'",
    SIZE: "typeof({0}) = 'integer' AND {0} > 0",
    FLAG: "({0} IS 0 OR {0} IS 1) AND typeof({0}) = 'integer'",
    DIGITS: "typeof({0}) = 'text' AND {0} <> '' AND {0} NOT GLOB '*[^0-9]*'",
    TEXT: "typeof({0}) = 'text'",
    JSON: "typeof({0}) = 'text' AND json_valid({0})",
    SECONDS: "typeof({0}) = 'real' AND {0} >= 0 AND {0} < 1e300",
}


def add_functions(connection: sqlite3.Connection) -> None:
    """What the expressions below call."""
    connection.create_function("crc32", 1, zlib.crc32, deterministic=True)


def checksum_of(table: str, columns: Sequence[str] = ()) -> str:
    """The SQL expression; `columns` are other expressions that stand for the table's columns, in their order."""
    forms, values = [], []
    for (_, kind), value in zip(COLUMNS[table].items(), columns or COLUMNS[table], strict=True):
        if kind == SECONDS:
            whole = f"CAST({value} * 1073741824.0 AS INTEGER)"
            forms += ["%d", "%d"]
            values += [whole, f"CAST(({value} * 1073741824.0 - {whole}) * 4503599627370496.0 AS INTEGER)"]
        else:
            forms.append("%Q")  # in quotation marks, and NULL without them
            values.append(value)
    return f"crc32(CAST(printf('{' '.join(forms)}', {', '.join(values)}) AS BLOB))"


def is_well_formed(table: str) -> str:
    """The SQL condition that every column holds what it should."""
    parts = []
    for column, kind in COLUMNS[table].items():
        condition = CONDITIONS[kind.removesuffix("?")].format(column)
        parts.append(f"({column} IS NULL OR {condition})" if kind.endswith("?") else condition)
    return f"({' AND '.join(parts)})"


def insert_into(table: str) -> str:
    """The beginning of a statement that inserts one row, given as its columns, with its checksum."""
    names = ", ".join(COLUMNS[table])
    given = ", ".join(f"? AS {name}" for name in COLUMNS[table])
    return (
        f"INSERT INTO {table} ({names}, checksum) SELECT {names}, {checksum_of(table)} FROM (SELECT {given}) WHERE true"
    )
