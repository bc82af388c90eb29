"""Certificates that are kept with the package, one readable file a protocol, and how they are checked again.

A certificate counts only for the very rule and lemma it was found for: its key is their content, so that a changed rule
has none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from princeps.model.protocol import PopulationProtocol
from princeps.model.registry import is_in_library
from princeps.proofs.certificate import Certificate, content_key
from princeps.proofs.clauses import recheck
from princeps.proofs.templates import Meetings, clauses_of
from princeps.proofs.verdicts import Statement, Verdict

FOLDER = Path(__file__).parent / "certificates"


def key_of(statement: Statement) -> str:
    return content_key(statement.cls, statement.what, statement.cls.hints.get(statement.id))


def file_of(cls: type[PopulationProtocol]) -> Path:
    return FOLDER / f"{cls.name}.json"


def kept_for(cls: type[PopulationProtocol], statements: list[Statement]) -> dict[str, Certificate]:
    """By lemma; those of another rule or lemma are not among them."""
    if not is_in_library(cls) or not file_of(cls).exists():
        return {}
    stored: Mapping[str, Any] = json.loads(file_of(cls).read_text())
    return {
        one.id: Certificate.of_json(stored[one.id]["certificate"])
        for one in statements
        if one.id in stored and stored[one.id]["key"] == key_of(one)
    }


def keep(cls: type[PopulationProtocol], verdicts: list[Verdict]) -> None:
    """Write the file of a protocol anew."""
    found = {
        one.statement.id: {
            "says": one.statement.says,
            "key": key_of(one.statement),
            "certificate": one.certificate.as_json(),
        }
        for one in verdicts
        if one.certificate is not None
    }
    FOLDER.mkdir(exist_ok=True)
    file_of(cls).write_text(json.dumps(found, indent=1) + "\n")


def failing_clauses(certificates: Mapping[str, Certificate], statements: list[Statement], library: Any) -> list[str]:
    """What this solver does not confirm, by lemma; it is given nothing of the first one's search.

    Lemmas with the same facts of agents share the meeting, and with it the clause that the facts are kept.
    """
    meetings = Meetings(statements[0].cls, library) if statements else None
    confirmed: dict[int, bool] = {}
    found = []
    for statement in statements:
        if statement.id not in certificates or meetings is None:
            continue
        certificate = certificates[statement.id]
        meeting = meetings.of(statement, certificate)
        for clause in clauses_of(statement, certificate, meeting):
            if id(clause) not in confirmed or clause is not meeting.closed:
                confirmed[id(clause)] = recheck(meeting.terms, clause)
            if not confirmed[id(clause)]:
                found.append(f"{statement.id}: {clause.says}")
    return found
