"""Of many facts of agents, the few that a proof needs: those are added that rule out what breaks a clause."""

from __future__ import annotations

from dataclasses import replace

from princeps.proofs.certificate import Certificate
from princeps.proofs.clauses import FAILS, Answer, first_failing
from princeps.proofs.meeting import Meeting, facts_of_agents
from princeps.proofs.templates import clauses_of, counting_for, meeting_for
from princeps.proofs.verdicts import Statement

AGENTS_IN_CLAUSES = ("a", "b", "w")


def with_needed_facts(statement: Statement, certificate: Certificate, counted: bool = True) -> Certificate | None:
    """The certificate with some of its facts, of which all clauses hold; None if even all of them do not suffice."""
    pool, needed = list(certificate.agents), tuple[str, ...]()
    while True:
        tried = replace(certificate, agents=needed)
        meeting = meeting_for(statement, tried)
        if counted:
            tried = replace(tried, cells=counting_for(statement, tried, meeting, search=True).cells)
        failing = first_failing(meeting.terms, clauses_of(statement, tried, meeting))
        if failing is None:
            return tried
        if failing[1].outcome != FAILS:
            return None
        ruled_out = _first_violated(meeting, pool, failing[1])
        if ruled_out is None:
            return None
        pool.remove(ruled_out)
        needed = (*needed, ruled_out)


def _first_violated(meeting: Meeting, pool: list[str], answer: Answer) -> str | None:
    """A fact that is not true of the agents with which a clause fails; those that are not in it have no value."""
    known = {str(name) for name in answer.model.decls()}
    agents = [
        meeting.symbols.agent(name) for name in AGENTS_IN_CLAUSES if any(one.startswith(f"{name}.") for one in known)
    ]
    for text, rule in zip(pool, facts_of_agents(meeting.cls, pool), strict=True):
        if not all(answer.value(meeting.terms, meeting.predicate(rule, agent)) for agent in agents):
            return text
    return None
