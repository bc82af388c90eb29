"""A protocol that a campaign's store keeps: `results.db:Mine`.

A sweep of a class that no name leads to writes the text of its module into every point (campaign/point.py). Nothing else
of a store is looked at here.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from princeps.errors import ProtocolError, StoreError
from princeps.model.carried import Carried
from princeps.model.class_content import class_identity

HEADER = b"SQLite format 3\0"
HASH_DIGITS = 8  # that tell apart two classes of one name: results.db:Mine@1f3a5c7e


def stored_class(name: str) -> Carried | None:
    """The class that this name means in a store; None where it names no store."""
    path, class_name = _parts(name)
    if path is None:
        return None
    kept = {one.hash: one for one in _kept(path)}
    if not kept:
        raise ProtocolError(
            f"store {path!r} keeps no protocol: those of its sweeps have names of their own (princeps results {path})."
        )
    wanted, _, digits = class_name.partition("@")
    found = [one for one in kept.values() if wanted in ("", one.class_name) and one.hash.startswith(digits)]
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


def _kept(path: str) -> Iterator[Carried]:
    """The modules of all points, each as often as it stands there."""
    import sqlite3  # not needed by anybody who names no store

    address = f"file:{quote(os.fsencode(Path(path).expanduser().resolve()))}?mode=ro"
    try:
        connection = sqlite3.connect(address, uri=True)
        try:
            rows = connection.execute("SELECT description FROM points ORDER BY number").fetchall()
        finally:
            connection.close()
        for (text,) in rows:
            gathered = json.loads(text).get("gathered")
            if gathered is not None:
                one = Carried(str(gathered["class"]), str(gathered["text"]))
                if one.hash != gathered["hash"]:
                    raise ValueError(f"the text of {one.class_name} is not what was written")
                yield one
    except (sqlite3.Error, ValueError, TypeError, KeyError, AttributeError) as error:
        raise StoreError(f"the protocols of store {path!r} cannot be read ({error}): check the path.") from None
