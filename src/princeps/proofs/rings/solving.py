"""Plain questions to a solver, z3 or cvc5, whichever the terms are of."""

from __future__ import annotations

from collections.abc import Iterable

from princeps.lowering.symbolic_terms import Term, Terms
from princeps.proofs.asking import checked


def always(terms: Terms, facts: Iterable[Term], claim: Term) -> bool:
    """Does the claim follow from the facts? No search with a limit: questions here take milliseconds."""
    if claim is True:
        return True
    solver = terms.solver.Solver()
    for fact in facts:
        solver.add(terms.formula(fact))
    solver.add(terms.formula(terms.neither(claim)))
    return bool(checked(solver) == terms.solver.unsat)
