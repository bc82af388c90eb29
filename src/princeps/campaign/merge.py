"""Several stores merged into one: trials that several have count once."""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from princeps.campaign import evidence
from princeps.campaign.checksums import checksum_of
from princeps.campaign.rows import OVER_NETWORK, Row
from princeps.campaign.salvage import copy_sound
from princeps.campaign.store import REPLACE_CENSORED, Store, open_store, read_store
from princeps.campaign.store_file import errors_in_words, readable_address
from princeps.campaign.store_schema import COLUMNS, POINT
from princeps.errors import DamagedStore, StoreError

OWN = ("p.number", *(f"t.{name}" for name in Row._fields[1:]))


@dataclass(frozen=True)
class Merged:
    """Numbers of the merged store; `differing` trials were run by different engines or versions, or over a network, which
    no seed repeats: the first is kept."""

    points: int
    trials: int
    shared: int
    differing: int
    damaged: int = 0  # rows that were left out


def merge(paths: Sequence[str], output: str, sound: bool = False) -> Merged:
    """The output is new, and appears only when it is complete. With `sound`, damaged stores give their sound rows."""
    if os.path.lexists(output):
        raise StoreError(f"output {output!r} is there already: choose a new file.")
    shared = differing = damaged = 0
    with _drafts(output) as new_draft:
        sources = []
        for path in paths:
            try:
                read_store(path).close()
                sources.append(path)
            except DamagedStore:
                if not sound:
                    raise
                sources.append(new_draft())
                damaged += _copy_sound(path, sources[-1])
        draft = new_draft()
        with open_store(draft) as store:
            for path, source in zip(paths, sources, strict=True):
                both, different = _merge_one(store, path, readable_address(source))
                shared, differing = shared + both, differing + different
            (points,) = store.one("SELECT count(*) FROM points")
            (trials,) = store.one("SELECT count(*) FROM trials")
        os.replace(draft, output)
    return Merged(points, trials, shared, differing, damaged)


@contextmanager
def _drafts(output: str) -> Iterator[Callable[[], str]]:
    """New files beside the output, none of which is left behind."""
    made: list[str] = []

    def new() -> str:
        made.append(f"{output}.{secrets.token_hex(4)}.part")
        return made[-1]

    try:
        yield new
    finally:
        for draft in made:
            for leftover in (draft, f"{draft}-wal", f"{draft}-shm"):
                if os.path.lexists(leftover):
                    os.remove(leftover)


def _copy_sound(path: str, draft: str) -> int:
    try:
        with open_store(draft) as store, read_store(path, check=False) as source, errors_in_words(path):
            return copy_sound(source.connection, store)
    except DamagedStore:
        raise StoreError(f"store {path!r} is damaged so that nothing of it can be read: take a copy of it.") from None


def _merge_one(store: Store, path: str, address: str) -> tuple[int, int]:
    """The number of trials that were there already, and of those that came out differently."""
    with errors_in_words(path):
        store.connection.execute("ATTACH DATABASE ? AS other", (address,))
    try:
        with errors_in_words(path), store.transaction() as connection:
            entry = ", ".join(POINT)
            connection.execute(
                f"INSERT INTO points (number, {entry}, checksum) SELECT *, {checksum_of('points')} FROM ("
                "SELECT (SELECT ifnull(max(number), 0) FROM main.points) + row_number() OVER (ORDER BY o.number) AS number,"
                f" {entry} FROM other.points o WHERE o.id NOT IN (SELECT id FROM main.points))"
            )
            connection.execute(
                "INSERT INTO asked (point, typed, checksum)"
                f" SELECT p.number, a.typed, {checksum_of('asked', ('p.number', 'a.typed'))}"
                " FROM other.asked a JOIN other.points o ON o.number = a.point"
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
                connection,
                path,
                f"{pairs} WHERE {unlike} AND (t.engine, t.version) = (m.engine, m.version) AND t.engine <> '{OVER_NETWORK}'",
            )
            (both,) = connection.execute(f"SELECT count(*) {pairs}").fetchone()
            (different,) = connection.execute(f"SELECT count(*) {pairs} WHERE {unlike}").fetchone()
            connection.execute(
                f"INSERT INTO trials ({', '.join(COLUMNS['trials'])}, checksum)"
                f" SELECT {', '.join(OWN)}, {checksum_of('trials', OWN)} FROM other.trials t"
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
