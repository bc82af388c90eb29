"""JSON in a store, which may have been written by anybody: what is not of the right shape is damage."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from princeps.campaign.store_check import describe, remedy
from princeps.errors import DamagedStore


@contextmanager
def damage_in_words(path: str, table: str, key: tuple[Any, ...]) -> Iterator[None]:
    """Whatever cannot be read of this row is one sentence."""
    try:
        yield
    except (ValueError, TypeError, RecursionError) as error:
        raise DamagedStore(
            f"store {path!r} is damaged: {describe(table, key)} cannot be read ({error}). {remedy(path)}"
        ) from None


def read_object(text: str, of: type) -> dict[str, Any]:
    """A JSON object whose values are all of this type."""
    found = json.loads(text)
    if not isinstance(found, dict) or not all(type(value) is of for value in found.values()):
        raise ValueError("a table of values was expected")
    return found


def read_description(text: str) -> dict[str, Any]:
    """A point as it was described: its name, and options of which some are looked at."""
    found = json.loads(text)
    if not isinstance(found, dict) or not isinstance(found.get("name"), str):
        raise ValueError("the description of a run was expected")
    gathered = found.get("gathered", {"class": "", "hash": ""})
    if not isinstance(gathered, dict) or not all(isinstance(gathered.get(key), str) for key in ("class", "hash")):
        raise ValueError("the text of a class was expected")
    files = found.get("files", {})
    if not isinstance(files, dict) or not all(isinstance(digest, str) for digest in files.values()):
        raise ValueError("the digests of files were expected")
    where, network = found.get("where", "network"), found.get("network", {})
    if where != "network" or not isinstance(network, dict) or not all(type(one) is str for one in network.values()):
        raise ValueError("the description of a network was expected")
    faults = found.get("faults") or []
    if not isinstance(faults, list) or not all(isinstance(fault, str) for fault in faults):
        raise ValueError("a list of faults was expected")
    return found
