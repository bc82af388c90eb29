"""Two judgements of one lemma beside each other."""

from __future__ import annotations

from typing import Any

from princeps.proofs.verdicts import NOT_PROVED, PROVED, REFUTED, Verdict

BOTH_HOLD = "proved, and enumeration finds nothing"
BOTH_BREAK = "refuted by both"
ONLY_PROOF = "refuted beyond the sizes enumerated"
ONLY_ENUMERATION = "not proved, and enumeration refutes"
OPEN = "not proved, and enumeration finds nothing"
CONTRADICTION = "CONTRADICTION"
CLASSES = (BOTH_HOLD, BOTH_BREAK, ONLY_PROOF, ONLY_ENUMERATION, OPEN, CONTRADICTION)


def compared(verdict: Verdict, seen: dict[str, Any]) -> str:
    """A counterexample at a size that was enumerated in full, where nothing was found, is a contradiction, too."""
    broken = seen["broken"] is not None
    if verdict.verdict == PROVED:
        return CONTRADICTION if broken else BOTH_HOLD
    if verdict.verdict == REFUTED:
        if broken:
            return BOTH_BREAK
        return CONTRADICTION if size_of(verdict) in seen["sizes"] else ONLY_PROOF
    assert verdict.verdict == NOT_PROVED, verdict.verdict
    return ONLY_ENUMERATION if broken else OPEN


def size_of(verdict: Verdict) -> list[int]:
    """Agents and parameters of the counterexample, as enumeration lists them."""
    found = verdict.counterexample
    assert found is not None
    p = found.protocol.constants
    own = [p.N] if found.protocol.name == "p_rl" else [p.m, p.c_max]
    return [len(found.states), *own]
