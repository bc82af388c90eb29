"""z3's Spacer looks for the relation that fulfils the clauses of a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from princeps.lowering.symbolic_terms import Term
from princeps.proofs.asking import checked
from princeps.proofs.rings.checking import failing_clause, shortened
from princeps.proofs.rings.formulas import written
from princeps.proofs.rings.horn import Clauses

SEEDS = (0, 1, 2)  # one seed needs 1 s where another needs 9
SEARCH = 300_000_000  # for each of them, in the solver's own units, about a minute's: no clock decides


@dataclass(frozen=True)
class Found:
    """How a search ended: with an invariant, with a counterexample of some size, or by its limits."""

    invariant: list[str] | None
    refuted: bool = False


def search(clauses: Clauses, seeds: Sequence[int] = SEEDS, work: int = SEARCH) -> Found:
    """What is found has been checked by plain solving; the search itself is trusted with nothing."""
    for seed in seeds:
        found = _searched(clauses, seed, work)
        if found.refuted or found.invariant is not None:
            return found
    return Found(None)


def _searched(clauses: Clauses, seed: int, work: int) -> Found:
    z3, terms = clauses.terms.solver, clauses.terms
    solver = z3.SolverFor("HORN")
    solver.set("fp.spacer.global", True)  # without it the distances of P_RL are not found in two minutes
    solver.set("fp.spacer.random_seed", seed)
    solver.set("rlimit", work)
    arguments = list(clauses.arguments.values())
    part = z3.Function("Part", *[one.sort() for one in arguments], z3.BoolSort())

    def applied(values: Sequence[Term]) -> Term:
        given = [
            z3.BoolVal(value) if isinstance(value, bool) else z3.IntVal(value) if isinstance(value, int) else value
            for value in values
        ]
        return part(*given)

    for clause in clauses.all():
        body = [terms.formula(one) for one in clause.conditions]
        if clause.body is not None:
            body.insert(0, applied(clause.body))
        head = z3.BoolVal(False) if clause.head is None else applied(clause.head)
        formula = z3.Implies(z3.And(*body), head)
        symbols = _symbols(z3, formula)
        solver.add(z3.ForAll(symbols, formula) if symbols else formula)
    answer = checked(solver)
    if answer != z3.sat:
        return Found(None, refuted=answer == z3.unsat)
    relation = solver.model()[part]
    formula = relation.else_value() if hasattr(relation, "else_value") else relation
    try:
        lines = written(z3, z3.substitute_vars(formula, *arguments))
    except (ValueError, z3.Z3Exception):  # a quantifier, or an operation without a notation
        return Found(None)
    if failing_clause(clauses, lines) is not None:
        return Found(None)
    return Found(shortened(clauses, lines))


def _symbols(z3: Any, formula: Any) -> list[Any]:
    """Every symbol of a formula, each subterm looked at once (z3's own function takes exponential time)."""
    seen, found, left = set(), [], [formula]
    while left:
        term = left.pop()
        if term.get_id() in seen:
            continue
        seen.add(term.get_id())
        if z3.is_const(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            found.append(term)
        left += term.children()
    return found
