"""Finds tables by what a user types: 000.1, or a paper's number for all of its tables."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from princeps.errors import UnknownName
from princeps.papers.tables.declarations import Comparison

TABLES = {
    "000.1": "princeps.papers.tables.directed_rings",
    "001.1": "princeps.papers.tables.labeled_rings",
    "002.1": "princeps.papers.tables.numbered_agents",
    "003.1": "princeps.papers.tables.uniform_start",
    "003.2": "princeps.papers.tables.lower_bounds",
    "004.1": "princeps.papers.tables.stabilizing",
}


def find_tables(words: Sequence[str]) -> list[Comparison]:
    """In the order asked for, none of them twice; without any word all of them."""
    ids: list[str] = []
    for word in words or TABLES:
        found = [id for id in TABLES if word in (id, id.partition(".")[0])]
        if not found:
            raise UnknownName("table", word, list(TABLES))
        ids += [id for id in found if id not in ids]
    return [_table(id) for id in ids]


def _table(id: str) -> Comparison:
    table: Comparison = import_module(TABLES[id]).TABLE
    return table
