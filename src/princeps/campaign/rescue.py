"""A store whose file was removed, replaced or cut short while it was in use: what is left goes to a new file.

SQLite still holds the old file open, so that all of a removed or replaced store can be copied. Of one that was cut
short, or overwritten in place, the rows that are still sound are copied. What was handed to the store since it was
opened is in its journal in any case.
"""

from __future__ import annotations

import os
import shlex
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from princeps.campaign import evidence
from princeps.campaign.journal import TRIALS
from princeps.campaign.rows import Row
from princeps.campaign.salvage import copy_sound
from princeps.campaign.store import Store, open_store
from princeps.errors import DamagedStore, LostStore, StoreError
from princeps.model.formatting import counted


@contextmanager
def rescued_if_lost(store: Store) -> Iterator[None]:
    """Whatever is done with the store within this block, a lost file ends it with a sentence that names the new one."""
    try:
        yield
    except StoreError as error:
        happened = store.place.loss() or ("overwritten" if isinstance(error, (LostStore, DamagedStore)) else "")
        if not happened:
            raise
        raise LostStore(f"store {store.path!r} was {happened} while it was in use: {_rescue(store)}") from None


def _rescue(store: Store) -> str:
    """What was kept, in words."""
    folders = (os.path.dirname(store.place.path), os.getcwd(), tempfile.gettempdir())
    for folder in dict.fromkeys(folders):
        with suppress(OSError, StoreError, sqlite3.Error):
            path = _reserved(folder, store.path)
            try:
                trials, parts = _fill(path, store)
            except BaseException:
                _remove(path)
                raise
            if not trials and not parts:
                _remove(path)
                return "nothing had been finished; run the same command again."
            what = counted(trials, "trials") + (f" and {counted(parts, 'measurements')}" if parts else "")
            shown = path if folder != os.path.dirname(store.place.path) else beside(store.path, path)
            return f"what could be kept, {what}, is in {shown!r}; go on with --store {shlex.quote(shown)}."
    return "nothing could be kept, because no file can be written beside it, here, or among the temporary files."


def beside(path: str, new: str) -> str:
    """The new path, as the user wrote the old one."""
    return os.path.join(os.path.dirname(path), os.path.basename(new))


def _reserved(folder: str, path: str) -> str:
    """results.rescued.db, or results.rescued-2.db, ...: an empty file that was not there before."""
    stem, suffix = os.path.splitext(os.path.basename(path))
    number = 1
    while True:
        new = os.path.join(folder, f"{stem}.rescued{f'-{number}' if number > 1 else ''}{suffix}")
        try:
            os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
            return new
        except FileExistsError:
            number += 1


def _fill(path: str, store: Store) -> tuple[int, int]:
    """The numbers of trials and of pieces of evidence that it holds then."""
    if not _copied_whole(path, store):
        with open_store(path) as new, suppress(sqlite3.Error, StoreError):
            copy_sound(store.connection, new)
    with open_store(path) as new:
        _add_journal(store, new)
        (trials,) = new.one("SELECT count(*) FROM trials")
        (there,) = new.one("SELECT count(*) FROM sqlite_master WHERE name = 'evidence'")
        (parts,) = new.one("SELECT count(*) FROM evidence") if there else (0,)
    return trials, parts


def _copied_whole(path: str, store: Store) -> bool:
    """Page by page; False, and an empty file, if the result is no sound store."""
    copy = sqlite3.connect(path, isolation_level=None)
    try:
        store.connection.backup(copy)
    except sqlite3.Error:
        return _emptied(path, copy)
    copy.close()
    try:
        open_store(path).close()  # which checks every row
    except StoreError:
        return _emptied(path, None)
    return True


def _emptied(path: str, connection: sqlite3.Connection | None) -> bool:
    if connection is not None:
        connection.close()
    _remove(path)
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    return False


def _add_journal(store: Store, new: Store) -> None:
    journal = store.journal
    if journal is None:
        return
    new_numbers = dict(zip(journal.points, new.number(list(journal.points.values())), strict=True))
    for table, rows in journal.entries():
        if table == TRIALS:
            new.add([Row(*row)._replace(point=new_numbers[row[0]]) for row in rows])
        else:
            evidence.create_table(new)
            new.insert(evidence.INSERT, rows)


def _remove(path: str) -> None:
    for name in (path, f"{path}-wal", f"{path}-shm"):
        with suppress(OSError):
            os.remove(name)
