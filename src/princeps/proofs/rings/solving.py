"""Plain questions to a solver, z3 or cvc5, whichever the terms are of."""

from __future__ import annotations

from collections.abc import Iterable

from princeps.lowering.symbolic_terms import Term, Terms
from princeps.proofs.asking import checked

WORK = 100_000_000  # of z3, in its own units


def always(terms: Terms, facts: Iterable[Term], claim: Term) -> bool:
    """Does the claim follow from the facts? If z3 gives up, it does not: questions of the library take milliseconds."""
    if claim is True:
        return True
    solver = terms.solver.Solver()
    if terms.solver.__name__.startswith("z3"):  # cvc5 re-checks what is known to follow
        solver.set("rlimit", WORK)
    for fact in facts:
        solver.add(terms.formula(fact))
    solver.add(terms.formula(terms.neither(claim)))
    return bool(checked(solver) == terms.solver.unsat)
