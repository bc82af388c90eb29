"""What the protocol of a stored point is called: in tables and figures, by whoever asks for it, and in its command.

A name with two contents in what is shown is NAME@HASH (versions.py). A command names the protocol as the sweep did. Where
that would repeat something else, because the file has been edited since or there never was one, it names the text that
the store keeps (`results.db:Mine`), or says that there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from princeps.campaign.store import Store
from princeps.campaign.versions import ambiguous, versions_of
from princeps.errors import StoreError
from princeps.model.carried import carry
from princeps.model.keeping import edited_since
from princeps.model.naming import Name, NameOfClass
from princeps.model.stored_classes import HASH_DIGITS

NEVER_KEPT = "the store keeps the text of no protocol called {}, of which it holds trials of several ({})"


class PointNames:
    """Of the points of one store, by their numbers."""

    def __init__(self, store: Store) -> None:
        self.path = store.path
        self.versions = versions_of(store)
        self.ambiguous = ambiguous(self.versions.values())
        self.texts: dict[str, set[str]] = {}  # hashes by the names of the classes
        gathered = "json_extract(description, '$.gathered.class'), json_extract(description, '$.gathered.hash')"
        for name, digits in store.select(f"SELECT DISTINCT {gathered} FROM points"):
            self.texts.setdefault(name, set()).add(digits)

    def labels(self, numbers: Iterable[int]) -> dict[int, str]:
        """NAME, or NAME@HASH where these points have two contents of one name."""
        shown = {number: self.versions[number] for number in numbers}
        twice = ambiguous(shown.values())
        return {number: one.label if one.protocol in twice else one.protocol for number, one in shown.items()}

    def is_called(self, number: int, name: str) -> bool:
        """By its name alone, or by NAME@HASH."""
        one = self.versions[number]
        return name == one.protocol or one.is_called(name)

    def hash_of(self, protocol: str, numbers: Iterable[int]) -> str | None:
        """The text by which a class that was given chooses among several contents of its name; else None."""
        found = {one.label: one for one in (self.versions[number] for number in numbers)}
        if len(found) < 2 or not isinstance(protocol, NameOfClass):
            return None
        digits = carry(protocol.cls).hash
        if not any(digits in one.hashes for one in found.values()):
            raise StoreError(
                f"store {self.path!r} holds {' and '.join(found)}, and neither is {protocol.cls.__name__} as it is now: "
                f"give one of these names, like protocol={next(iter(found))!r}."
            )
        return digits

    def in_command(self, number: int, description: Mapping[str, Any]) -> Name:
        """How a command names the protocol, and why none can where none can."""
        name, gathered, files = str(description["name"]), description.get("gathered"), description.get("files")
        edited = "" if files is None else edited_since(name, files)
        if gathered is not None and (files is None or edited):
            several = len(self.texts[gathered["class"]]) > 1
            digits = f"@{gathered['hash'][:HASH_DIGITS]}" if several else ""
            return Name(f"{self.path}:{gathered['class']}{digits}")
        if edited:
            return Name(
                name, f"{edited}, and its text could not be kept ({str(description['not_gathered']).rstrip('.')})"
            )
        protocol = self.versions[number].protocol
        if files is None and gathered is None and protocol in self.ambiguous:
            others = sorted({one.label for one in self.versions.values() if one.protocol == protocol})
            return Name(name, NEVER_KEPT.format(protocol, ", ".join(others)))
        return Name(name)
