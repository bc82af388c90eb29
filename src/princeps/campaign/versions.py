"""Which points of one name are of one protocol: its file may have been edited between two sweeps into one store.

Two points contradict each other if what both say of the protocol differs: its rule; or its fields, a start, a goal that
both use. Points of one name that do not contradict each other are one version, so that a new goal in the file, or a
comment, makes no other one. What is compared is the content that every store keeps, those of princeps 0.1.0 included.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from princeps.campaign.store import Store
from princeps.model.stored_classes import HASH_DIGITS

RULE = ("interact", "leads", "derived", "of_inputs", "oracle", "verdicts", "algorithm")  # the last is that of a ring


@dataclass
class Version:
    """One content of a name. Its hash is that of the first text that the store keeps of it, or else of its rule."""

    protocol: str
    rule: str
    facts: dict[Any, str] = field(default_factory=dict)
    hashes: list[str] = field(default_factory=list)  # of the texts that are kept
    spellings: set[str] = field(default_factory=set)  # the name, and those of the classes

    def contradicts(self, facts: dict[Any, str]) -> bool:
        return any(self.facts.get(name, value) != value for name, value in facts.items())

    @property
    def label(self) -> str:
        return f"{self.protocol}@{next(iter(self.hashes), self.rule)[:HASH_DIGITS]}"

    def is_called(self, name: str) -> bool:
        """`mine@1f3a5c7e`, by as many digits as the user likes; `Mine`, as commands write the class, is the same."""
        protocol, _, digits = name.rpartition("@")
        known = self.hashes or [self.rule]
        return bool(digits) and protocol in self.spellings and any(one.startswith(digits) for one in known)


def versions_of(store: Store) -> dict[int, Version]:
    """The version of each point, by its number; the order of the points is that of the store."""
    parts = (*(f"$.{name}" for name in RULE), "$.fields", "$.legal", "$.constants", "$.start", "$.goal")
    asked = ", ".join(f"json_extract(content, '{part}')" for part in parts)
    rows = store.select(
        "SELECT number, protocol, n, start, until, json_extract(description, '$.gathered.class'),"
        f" json_extract(description, '$.gathered.hash'), {asked} FROM points ORDER BY number"
    )
    known: dict[str, list[Version]] = {}
    found = {}
    for number, protocol, n, start, until, class_name, text, *content in rows:
        rule = _hash(content[: len(RULE)])
        fields, legal, constants, start_rule, goal = content[len(RULE) :]
        facts: dict[Any, str] = {"rule": rule}
        if goal is not None:  # a ring has neither goals nor starts nor fields
            facts |= {("goal", until): _hash([goal]), ("fields", n, constants): _hash([fields, legal])}
            if not str(start_rule).startswith("states:"):
                facts["start", start] = _hash([start_rule])
        same = known.setdefault(protocol, [])
        one = next((version for version in same if not version.contradicts(facts)), None)
        if one is None:
            one = Version(protocol, rule)
            same.append(one)
        one.facts |= facts
        one.spellings |= {protocol, class_name or protocol}
        one.hashes += [text] if text is not None and text not in one.hashes else []
        found[number] = one
    return found


def ambiguous(versions: Iterable[Version]) -> set[str]:
    """The names of which there are two."""
    seen: dict[str, Version] = {}
    return {one.protocol for one in versions if seen.setdefault(one.protocol, one) is not one}


def _hash(parts: list[Any]) -> str:
    return hashlib.sha256(repr(parts).encode("utf-8", "backslashreplace")).hexdigest()[:16]
