"""Lemmas about rings of every size: scans, Horn clauses, certificates, counterexamples."""
