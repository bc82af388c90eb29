"""Find the proofs of the library's lemmas anew and keep their certificates: python verification/certificates.py [NAME ...]

Facts of agents that a proof does not need are left out, half of them at a time, then fewer, so that a certificate can be
read. The tests check what is kept with the second solver and search for nothing.
"""

from __future__ import annotations

import sys
from dataclasses import replace

from princeps.model import registry
from princeps.proofs.certificate import Certificate
from princeps.proofs.clauses import first_failing
from princeps.proofs.kept import keep
from princeps.proofs.prove import Context, prove_one, statements_of
from princeps.proofs.templates import clauses_of, counting_for, meeting_for
from princeps.proofs.verdicts import PROVED, Statement, Verdict


def main(names: list[str]) -> None:
    for name in names or registry.names("population"):
        cls = registry.find(name)
        context, found = Context(cls), list[Verdict]()
        for statement in statements_of(cls):
            verdict = prove_one(statement, context)
            if verdict.certificate is not None and verdict.verdict == PROVED:
                verdict = replace(verdict, certificate=shortened(statement, verdict.certificate))
            print(
                f"{name} {statement.id}: {verdict.verdict} ({verdict.seconds:.1f} s) {verdict.certificate}", flush=True
            )
            found.append(verdict)
        keep(cls, found)


def shortened(statement: Statement, certificate: Certificate) -> Certificate:
    """With as few facts of agents as dropping them in blocks leaves."""
    size = (len(certificate.agents) + 1) // 2
    while size > 0 and certificate.agents:
        place = 0
        while place < len(certificate.agents):
            fewer = certificate.agents[:place] + certificate.agents[place + size :]
            tried = with_facts(statement, certificate, fewer)
            if tried is not None:
                certificate = tried
            else:
                place += size
        size //= 2
    return certificate


def with_facts(statement: Statement, certificate: Certificate, facts: tuple[str, ...]) -> Certificate | None:
    """The same proof with these facts only, if it is one."""
    tried = replace(certificate, agents=facts)
    meeting = meeting_for(statement, tried)
    if certificate.cells:
        tried = replace(tried, cells=counting_for(statement, tried, meeting, search=True).cells)
    return None if first_failing(meeting.terms, clauses_of(statement, tried, meeting)) else tried


if __name__ == "__main__":
    main(sys.argv[1:])
