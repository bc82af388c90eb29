"""A lemma by the certificate that is kept for it, and by nothing else: no search, so that no time limit decides.

A certificate is no more than a proposal. Every clause is stated anew from the rule as it is now, so that an altered rule is
judged by itself: its lemma is proved if the same proof still holds, else a few agents refute it, or nothing is said.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from princeps.errors import ProtocolError
from princeps.lowering.symbolic_terms import cvc5_library, z3_library
from princeps.model.protocol import PopulationProtocol
from princeps.model.step_facts import WithGhosts
from princeps.proofs.certificate import Certificate
from princeps.proofs.clauses import recheck
from princeps.proofs.kept import file_of
from princeps.proofs.meeting import CannotState
from princeps.proofs.prove import HOW, assumptions
from princeps.proofs.refuting import counterexample
from princeps.proofs.rings.assumptions import assumptions_of
from princeps.proofs.rings.kept import Invariants, kept_invariants
from princeps.proofs.rings.proving import Limits, Rechecking, is_about_rings, prove
from princeps.proofs.templates import clauses_of, meeting_for
from princeps.proofs.verdicts import NOT_PROVED, PROVED, REFUTED, Counterexample, Statement, Verdict

LIBRARIES: dict[str, Callable[[], Any]] = {"cvc5": cvc5_library, "z3": z3_library}  # the one that did not search first
NO_SEARCH = Limits(seeds=(), largest=5)
Kept = Mapping[str, Any]  # what kept_of returns


def installed_solver() -> str:
    """The name of a solver that can be loaded; empty if there is none."""
    for name, load in LIBRARIES.items():
        with suppress(ImportError):
            load()
            return name
    return ""


def kept_of(cls: type[PopulationProtocol]) -> dict[str, Any]:
    """All that is kept for a protocol of this name, as plain data: certificates by lemma, invariants of rings by question."""
    path = file_of(cls)
    stored: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    return {
        "certificates": {lemma: one["certificate"] for lemma, one in stored.items()},
        "invariants": dict(kept_invariants(cls.name)),
    }


def confirmed(statement: Statement, kept: Kept, solver: str) -> Verdict:
    """PROVED if the solver confirms every clause; REFUTED by agents that the plain rule has led there; else NOT_PROVED."""
    library = LIBRARIES[solver]()
    try:
        if is_about_rings(statement):
            found = _by_invariants(statement, kept["invariants"], library)
        else:
            found = _by_certificate(statement, kept["certificates"].get(statement.id), library)
    except CannotState as error:
        found = Verdict(statement, NOT_PROVED, str(error))
    except ProtocolError as error:
        found = Verdict(statement, NOT_PROVED, f"the rule, or the lemma, has no formula: {error}")
    if found.verdict == PROVED:
        return found
    example = _example(statement, kept)
    return found if example is None else replace(found, verdict=REFUTED, counterexample=example)


def _by_invariants(statement: Statement, invariants: Invariants, library: Any) -> Verdict:
    failing = Rechecking(statement.cls, invariants, library).failing(statement)
    if failing is not None:
        return Verdict(statement, NOT_PROVED, f"not confirmed: {failing.removeprefix('not shown: ')}")
    ghosts = isinstance(statement.what, WithGhosts)
    how = (
        "every meeting of two agents keeps it" if ghosts else "by invariants of the part of the ring that does not meet"
    )
    return Verdict(statement, PROVED, how, assumptions_of(statement.cls))


def _by_certificate(statement: Statement, stored: Mapping[str, Any] | None, library: Any) -> Verdict:
    if stored is None:
        return Verdict(statement, NOT_PROVED, "no certificate is kept for it")
    certificate = Certificate.of_json(stored)
    meeting = meeting_for(statement, certificate, library)
    for clause in clauses_of(statement, certificate, meeting):
        if not recheck(meeting.terms, clause):
            return Verdict(statement, NOT_PROVED, f"not confirmed: {clause.says}")
    assumed = assumptions(statement, meeting, certificate)
    return Verdict(statement, PROVED, HOW[certificate.template], assumed, certificate)


def _example(statement: Statement, kept: Kept) -> Counterexample | None:
    """Agents that break it, if z3 is there to propose them."""
    try:
        z3_library()
    except ImportError:
        return None
    if not is_about_rings(statement):
        return counterexample(statement)
    return prove(statement, kept["invariants"], NO_SEARCH).counterexample
