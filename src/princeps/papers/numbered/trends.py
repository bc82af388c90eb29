"""Judgements about values that only rise or only fall."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from princeps.papers.judging import Z, exhaustive, number
from princeps.papers.verdicts import INCONCLUSIVE, SUPPORTED, VIOLATED, Part


def falling(values: Sequence[float], what: str, **more: Any) -> Part:
    """Exact values, each less than the one before."""
    steps = list(pairwise(values))
    breaches = [(before, after) for before, after in steps if after >= before]
    breach = f"{number(breaches[0][0])} and then {number(breaches[0][1])}" if breaches else ""
    span = f"{what} falls from {number(values[0])} to {number(values[-1])}"
    return exhaustive(len(breaches), len(steps), span, "steps", breach=breach, **more)


def rising(rows: Sequence[tuple[str, float, float]], what: str, **more: Any) -> Part:
    """Means or shares with their standard errors, each certainly more than the one before."""
    values = ", ".join(f"{number(value)} at {label}" for label, value, _ in rows)
    rises = [(after - before) / (e1**2 + e2**2) ** 0.5 for (_, before, e1), (_, after, e2) in pairwise(rows)]
    least = min(rises)
    verdict = SUPPORTED if least > Z else VIOLATED if least < -Z else INCONCLUSIVE
    says = f"{what}: {values}; the least rise is {least:+.1f} standard errors"
    power = f"chance gives {Z:.1f} standard errors once in a million times" if verdict == SUPPORTED else ""
    return Part(verdict, says, least, Z, f"{len(rows)} values", power, **more)
