"""A protocol that a campaign's store keeps: `results.db:Mine`.

A sweep of a protocol that is not in the library writes the text of its module into every point (keeping.py). Beside it
only the names of the points are looked at here.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from princeps.errors import ProtocolError, StoreError
from princeps.model.carried import Carried, read_carried
from princeps.model.class_content import class_identity

HEADER = b"SQLite format 3\0"
MAX_NAMES = 5  # in a sentence
HASH_DIGITS = 8  # that tell apart two classes of one name: results.db:Mine@1f3a5c7e


def stored_class(name: str) -> Carried | None:
    """The class that this name means in a store; None where it names no store."""
    path, class_name = _parts(name)
    if path is None:
        return None
    descriptions = _descriptions(path)
    kept = {one.hash: one for one in _kept(path, descriptions)}
    if not kept:
        raise _without_text(path, descriptions)
    wanted, _, digits = class_name.partition("@")
    asked = [one for one in kept.values() if one.hash.startswith(digits)]
    found = [one for one in asked if wanted in ("", one.class_name)]
    found = found or [one for one in asked if wanted == one.class_name.lower()]  # as tables and figures call it
    if not found:
        known = ", ".join(sorted({one.class_name for one in kept.values()}))
        raise ProtocolError(f"store {path!r} keeps no protocol {class_name!r}: it keeps {known}.")
    if len(found) > 1 and len({(one.class_name, class_identity(one.load())) for one in found}) > 1:
        choices = ", ".join(f"{path}:{one.class_name}@{one.hash[:HASH_DIGITS]}" for one in found)
        raise ProtocolError(f"{name!r} may mean several protocols: name one of them ({choices}).")
    one = found[0]
    return Carried(one.class_name, one.text, spec=f"{path}:{class_name or one.class_name}")


def _parts(name: str) -> tuple[str | None, str]:
    """The path of a store, if it is one, and the class."""
    if _is_store(name):
        return name, ""
    path, colon, class_name = name.rpartition(":")
    if colon and ".py" not in name and _is_store(path):
        return path, class_name
    if colon and path.endswith(".db") and not os.path.exists(os.path.expanduser(path)):
        raise ProtocolError(f"there is no store {path!r}: check the path.")
    return None, ""


def _is_store(path: str) -> bool:
    try:
        with open(os.path.expanduser(path), "rb") as file:
            return file.read(len(HEADER)) == HEADER
    except (OSError, ValueError):
        return False


def _descriptions(path: str) -> list[dict[str, Any]]:
    """Of all points, in the order in which they were entered."""
    import sqlite3  # not needed by anybody who names no store

    address = f"file:{quote(os.fsencode(Path(path).expanduser().resolve()))}?mode=ro"
    try:
        connection = sqlite3.connect(address, uri=True)
        try:
            rows = connection.execute("SELECT description FROM points ORDER BY number").fetchall()
        finally:
            connection.close()
        found = [json.loads(text) for (text,) in rows]
        if not all(isinstance(one, dict) for one in found):
            raise ValueError("the description of a run was expected")
    except (sqlite3.Error, ValueError, TypeError) as error:
        raise _unreadable(path, error) from None
    return found


def _kept(path: str, descriptions: Iterable[dict[str, Any]]) -> Iterator[Carried]:
    """The modules of all points, each as often as it stands there."""
    for described in descriptions:
        gathered = described.get("gathered")
        if gathered is None:
            continue
        try:
            yield read_carried(gathered)
        except ValueError as error:
            raise _unreadable(path, error) from None


def _unreadable(path: str, error: Exception) -> StoreError:
    return StoreError(f"the protocols of store {path!r} cannot be read ({error}): check the path.")


def _without_text(path: str, descriptions: Iterable[dict[str, Any]]) -> ProtocolError:
    """Of protocols of the library a store keeps only the names; so did princeps 0.1.0 of those of files."""
    names = sorted({str(one.get("name")) for one in descriptions})
    if not names:
        return ProtocolError(f"store {path!r} is empty, so that no protocol can be taken from it: run a sweep into it.")
    shown = ", ".join(names[:MAX_NAMES]) + (", ..." if len(names) > MAX_NAMES else "")
    return ProtocolError(
        f"no protocol can be taken from store {path!r}: it keeps only the names of those that were swept into it, which "
        f"are {shown}. Run one by its name, like princeps run {names[0]}."
    )
