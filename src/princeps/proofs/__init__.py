"""Lemmas for every n: the rule as formulas, invariants that are found, certificates that a second solver re-checks."""

FORMULAS = (  # what makes the formulas of a rule, on which every proof depends: evidence is identified by it, too
    "princeps.lowering.symbolic",
    "princeps.lowering.symbolic_code",
    "princeps.lowering.symbolic_groups",
    "princeps.lowering.symbolic_terms",
)
