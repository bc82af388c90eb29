"""A certificate's invariant put into the clauses of its question: each is checked by plain solving, without a search."""

from __future__ import annotations

from collections.abc import Sequence

from princeps.lowering.symbolic_terms import Term
from princeps.proofs.rings.formulas import read
from princeps.proofs.rings.horn import Clause, Clauses
from princeps.proofs.rings.solving import always


def clause_holds(clauses: Clauses, clause: Clause, lines: Sequence[str]) -> bool:
    terms, names = clauses.terms, list(clauses.arguments)

    def relation(values: Sequence[Term]) -> Term:
        return read(terms, lines, dict(zip(names, values, strict=True)))

    facts = [*clause.conditions, True if clause.body is None else relation(clause.body)]
    return always(terms, facts, False if clause.head is None else relation(clause.head))


def failing_clause(clauses: Clauses, lines: Sequence[str]) -> str | None:
    """The first clause that the invariant does not fulfil, by the solver of the clauses' terms; None: it is a proof."""
    return next((one.name for one in clauses.all() if not clause_holds(clauses, one, lines)), None)


def shortened(clauses: Clauses, lines: Sequence[str]) -> list[str]:
    """Without the conditions that the proof does not need, longest first."""
    kept = list(lines)
    every = clauses.all()
    for line in sorted(lines, key=len, reverse=True):
        fewer = [one for one in kept if one != line]
        if all(clause_holds(clauses, clause, fewer) for clause in every):
            kept = fewer
    return kept
