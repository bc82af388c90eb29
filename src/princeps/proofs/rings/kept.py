"""The invariants that searches found for the library's lemmas, kept in files: question -> conditions, one a line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

FOLDER = Path(__file__).parent / "certificates"
Invariants = Mapping[str, list[str]]


def file_of(protocol: str) -> Path:
    return FOLDER / f"{protocol}.json"


def kept_invariants(protocol: str) -> Invariants:
    """None of them is trusted: each is checked against the rule as it is now."""
    path = file_of(protocol)
    found: dict[str, list[str]] = json.loads(path.read_text()) if path.exists() else {}
    return found


def keep(protocol: str, found: Invariants) -> None:
    FOLDER.mkdir(exist_ok=True)
    file_of(protocol).write_text(json.dumps(dict(sorted(found.items())), indent=1) + "\n")
