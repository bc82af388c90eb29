"""THE CLAIMS: one folder a paper; each claim is a check that asks the laboratory for evidence and judges it.

    verdicts.py     what may come of a claim
    claims.py       Paper, Claim, Planted
    laboratory.py   what a check may ask for: sweeps, measurements; nothing is run twice
    judging.py      from numbers to verdicts
    walks.py        claims about every step
    measures.py     the exact analysis, a census at given steps
    examining.py    from papers to findings

A user's own claims are written in the same way: from princeps.papers import Paper, Planted, together, ...
"""

from princeps.papers.claims import Claim, Paper, Planted
from princeps.papers.exhibits import Chart, Line, Table
from princeps.papers.verdicts import (
    AS_PRINTED,
    INCONCLUSIVE,
    NOT_TESTABLE,
    PROVED,
    SUPPORTED,
    VIOLATED,
    Outcome,
    Part,
    readings,
    together,
)

__all__ = [
    "AS_PRINTED",
    "INCONCLUSIVE",
    "NOT_TESTABLE",
    "PROVED",
    "SUPPORTED",
    "VIOLATED",
    "Chart",
    "Claim",
    "Line",
    "Outcome",
    "Paper",
    "Part",
    "Planted",
    "Table",
    "readings",
    "together",
]
