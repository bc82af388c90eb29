"""Clauses of a proof, `given` implies `shown`, and how a solver is asked for one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from princeps.lowering.symbolic_terms import Term, Terms
from princeps.proofs.asking import checked

WORK = 60_000_000  # for one clause, in the solver's own units, half a minute's: no clock decides on a busy machine
HOLDS, FAILS, UNKNOWN = "holds", "fails", "unknown"


@dataclass(frozen=True)
class Clause:
    """True of all values of its symbols, or else no clause of a proof."""

    says: str
    given: tuple[Term, ...]
    shown: Term


@dataclass(frozen=True)
class Answer:
    """`model`: values for which the clause fails; a solver that gives up says UNKNOWN."""

    outcome: str
    model: Any = None

    def value(self, terms: Terms, term: Term) -> int:
        """Of a term in the model; truth values as 0 and 1."""
        if isinstance(term, int):
            return int(term)
        return int(self.model.eval(terms.number(term), model_completion=True).as_long())


def ask(terms: Terms, clause: Clause, work: int = WORK) -> Answer:
    """By z3, with a fixed seed. Its simple solver needs 0.1 s where the one with all tactics rewrites for 0.3 s."""
    library = terms.solver
    solver = library.SimpleSolver()
    solver.set("rlimit", work, "random_seed", 1)
    solver.add(*(terms.formula(one) for one in clause.given), terms.formula(terms.neither(clause.shown)))
    found = checked(solver)
    if found == library.unsat:
        return Answer(HOLDS)
    return Answer(FAILS, solver.model()) if found == library.sat else Answer(UNKNOWN)


def recheck(terms: Terms, clause: Clause) -> bool:
    """By whichever library the terms are of, without a limit and without any search for invariants."""
    solver = terms.solver.Solver()
    solver.add(*(terms.formula(one) for one in clause.given), terms.formula(terms.neither(clause.shown)))
    return bool(checked(solver) == terms.solver.unsat)
