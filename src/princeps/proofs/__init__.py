"""Lemmas for every n: the rule as formulas, invariants that are found, certificates that a second solver re-checks."""
