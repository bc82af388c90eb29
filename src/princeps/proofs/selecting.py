"""Of many facts of agents, the few that a proof needs: those are added that rule out what breaks a clause."""

from __future__ import annotations

from dataclasses import replace

from princeps.proofs.certificate import Certificate
from princeps.proofs.clauses import FAILS, Answer
from princeps.proofs.meeting import Meeting
from princeps.proofs.templates import Meetings, clauses_of, counting_for
from princeps.proofs.verdicts import Statement

AGENTS_IN_CLAUSES = ("a", "b", "w")


def with_needed_facts(
    statement: Statement, certificate: Certificate, meetings: Meetings, counted: bool = True
) -> Certificate | None:
    """The certificate with some of its facts, of which all clauses hold; None if even all of them do not suffice."""
    pool, needed = list(certificate.agents), tuple[str, ...]()
    if not _suffices(statement, certificate, meetings, counted):
        return None
    while True:
        tried, meeting = _with_cells(statement, replace(certificate, agents=needed), meetings, counted)
        failing = meeting.first_failing(clauses_of(statement, tried, meeting))
        if failing is None:
            return tried
        if failing[1].outcome != FAILS:
            return None
        ruled_out = _first_violated(meeting, pool, failing[1])
        if ruled_out is None:
            return None
        pool.remove(ruled_out)
        needed = (*needed, ruled_out)


def _with_cells(
    statement: Statement, certificate: Certificate, meetings: Meetings, counted: bool
) -> tuple[Certificate, Meeting]:
    meeting = meetings.of(statement, certificate)
    if not counted:
        return certificate, meeting
    return replace(certificate, cells=counting_for(statement, certificate, meeting, search=True).cells), meeting


def _suffices(statement: Statement, certificate: Certificate, meetings: Meetings, counted: bool) -> bool:
    """Do all facts together prove it? A clause that fails then fails with any of them: one question for many rounds.

    That all facts are kept is known, except where the lemma is one of them.
    """
    tried, meeting = _with_cells(statement, certificate, meetings, counted)
    clauses = clauses_of(statement, tried, meeting)
    return meeting.first_failing([one for one in clauses if one is not meeting.closed or not counted]) is None


def _first_violated(meeting: Meeting, pool: list[str], answer: Answer) -> str | None:
    """A fact that is not true of the agents with which a clause fails; those that are not in it have no value."""
    known = {str(name) for name in answer.model.decls()}
    agents = [
        meeting.symbols.agent(name) for name in AGENTS_IN_CLAUSES if any(one.startswith(f"{name}.") for one in known)
    ]
    for text, rule in zip(pool, meeting.facts_as_predicates(pool), strict=True):
        if not all(answer.value(meeting.terms, meeting.predicate(rule, agent)) for agent in agents):
            return text
    return None
