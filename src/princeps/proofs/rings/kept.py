"""The invariants that searches found for the library's lemmas, kept in files.

A file has two parts: "lemmas", each with the content of rule and lemma that it was found for (its key) and the questions
that it asks; and "invariants", by question, as conditions, one a line. Lemmas share questions, hence the two parts.
A lemma whose key is another one by now has no invariants, even if they happen to be proofs of the changed rule as well.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from princeps.proofs.certificate import content_key
from princeps.proofs.verdicts import Statement

FOLDER = Path(__file__).parent / "certificates"
Invariants = Mapping[str, list[str]]


def key_of(statement: Statement) -> str:
    """On rings the sizes matter that the protocol accepts."""
    return content_key(statement.cls, statement.what, more=("demands", "topology"))


def file_of(protocol: str) -> Path:
    return FOLDER / f"{protocol}.json"


def stored(protocol: str) -> dict[str, Any]:
    path = file_of(protocol)
    found: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {"lemmas": {}, "invariants": {}}
    return found


def kept_invariants(protocol: str) -> Invariants:
    """All of a file, whatever the rule is by now: proposals, each of which has to be checked."""
    found: dict[str, list[str]] = stored(protocol)["invariants"]
    return found


def kept_for(statement: Statement) -> Invariants:
    """Those of the statement, if they were found for this rule and this lemma; none of them is trusted, either."""
    found = stored(statement.cls.name)
    entry = found["lemmas"].get(statement.id)
    if entry is None or entry["key"] != key_of(statement):
        return {}
    return {name: found["invariants"][name] for name in entry["questions"]}


def keep(protocol: str, proved: Sequence[tuple[Statement, Invariants]]) -> None:
    """Write the file of a protocol anew."""
    lemmas = {
        statement.id: {"says": statement.says, "key": key_of(statement), "questions": sorted(invariants)}
        for statement, invariants in proved
    }
    every = {name: lines for _, invariants in proved for name, lines in invariants.items()}
    FOLDER.mkdir(exist_ok=True)
    content = {"lemmas": lemmas, "invariants": dict(sorted(every.items()))}
    file_of(protocol).write_text(json.dumps(content, indent=1) + "\n")
