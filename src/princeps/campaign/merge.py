"""Several stores merged into one: trials that several have count once."""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from princeps.campaign import evidence
from princeps.campaign.rows import Row
from princeps.campaign.store import COLUMNS, POINT, REPLACE_CENSORED, Store, open_store
from princeps.campaign.store_file import errors_in_words, readable_address
from princeps.errors import StoreError

OWN = ", ".join(f"t.{name}" for name in Row._fields[1:])


@dataclass(frozen=True)
class Merged:
    """Numbers of the merged store; `differing` trials were run by different engines or versions: the first is kept."""

    points: int
    trials: int
    shared: int
    differing: int


def merge(paths: Sequence[str], output: str) -> Merged:
    """The output is new, and appears only when it is complete."""
    if os.path.lexists(output):
        raise StoreError(f"output {output!r} is there already: choose a new file.")
    addresses = [readable_address(path) for path in paths]
    draft = f"{output}.{secrets.token_hex(4)}.part"
    shared = differing = 0
    try:
        with open_store(draft) as store:
            for path, address in zip(paths, addresses, strict=True):
                both, different = _merge_one(store, path, address)
                shared, differing = shared + both, differing + different
            (points,) = store.one("SELECT count(*) FROM points")
            (trials,) = store.one("SELECT count(*) FROM trials")
        os.replace(draft, output)
    finally:
        for leftover in (draft, f"{draft}-wal", f"{draft}-shm"):
            if os.path.lexists(leftover):
                os.remove(leftover)
    return Merged(points, trials, shared, differing)


def _merge_one(store: Store, path: str, address: str) -> tuple[int, int]:
    """The number of trials that were there already, and of those that came out differently."""
    with errors_in_words(path):
        store.connection.execute("ATTACH DATABASE ? AS other", (address,))
    try:
        with errors_in_words(path), store.transaction() as connection:
            entry = ", ".join(POINT)
            connection.execute(
                f"INSERT INTO points ({entry}) SELECT {entry} FROM other.points WHERE true ON CONFLICT (id) DO NOTHING"
            )
            connection.execute(
                "INSERT INTO asked SELECT p.number, a.typed FROM other.asked a JOIN other.points o ON o.number = a.point"
                " JOIN main.points p ON p.id = o.id WHERE true ON CONFLICT DO NOTHING"
            )
            pairs = (
                "FROM other.trials t JOIN other.points o ON o.number = t.point JOIN main.points p ON p.id = o.id"
                " JOIN main.trials m ON m.point = p.number AND m.seed = t.seed AND m.trial = t.trial"
            )
            unlike = "NOT t.censored AND NOT m.censored AND (t.steps, t.held_steps, t.more) IS NOT (m.steps, m.held_steps, m.more)"
            shorter = "(length({0}.total_steps), {0}.total_steps) < (length({1}.total_steps), {1}.total_steps)"
            ended_before = f"t.censored < m.censored AND {shorter.format('t', 'm')}"
            ended_later = f"m.censored < t.censored AND {shorter.format('m', 't')}"
            unlike = f"({unlike} OR {ended_before} OR {ended_later})"
            _refuse_contradiction(
                connection, path, f"{pairs} WHERE {unlike} AND (t.engine, t.version) = (m.engine, m.version)"
            )
            (both,) = connection.execute(f"SELECT count(*) {pairs}").fetchone()
            (different,) = connection.execute(f"SELECT count(*) {pairs} WHERE {unlike}").fetchone()
            connection.execute(
                f"INSERT INTO trials ({COLUMNS}) SELECT p.number, {OWN} FROM other.trials t"
                f" JOIN other.points o ON o.number = t.point JOIN main.points p ON p.id = o.id WHERE true {REPLACE_CENSORED}"
            )
            evidence.copy_from_attached(connection)
    finally:
        store.connection.execute("DETACH DATABASE other")
    return both, different


def _refuse_contradiction(connection: sqlite3.Connection, path: str, source: str) -> None:
    """The same engine of the same version gives the same trial: one of the stores was altered, or there is a bug."""
    found = connection.execute(f"SELECT p.protocol, p.n, t.seed, t.trial {source} LIMIT 1").fetchone()
    if found is not None:
        protocol, n, seed, trial = found
        raise StoreError(
            f"store {path!r} contradicts the others: {protocol}, n = {n}, seed {seed}, trial {trial} has another result "
            f"there, by the same engine. Find out which is right with princeps run before merging."
        )
