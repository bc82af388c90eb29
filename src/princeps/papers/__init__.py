"""THE CLAIMS: one folder a paper; each claim is a check that asks the laboratory for evidence and judges it.

    verdicts.py     what may come of a claim
    claims.py       Paper, Claim, Planted, ProvedBy
    laboratory.py   what a check may ask for: sweeps, measurements; nothing is run twice
    answers.py      the trials of a sweep, the parts of a measurement
    reached.py      what a measurement reaches in other files, by which its evidence is identified
    pending.py      evidence that is not in the store yet; collecting.py runs it
    judging.py      verdicts from numbers; judging_growth.py: on laws of growth
    walks.py        claims about every step
    measures.py     the exact analysis, a census at given steps
    every_n.py      lemmas that prove a claim for every n
    examining.py    from papers to findings

A user's own claims need nothing else: `from princeps.papers import Paper, Planted, together, mean_at_most, ...`, as in
examples/mine_claims.py. What is listed below under its file is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from princeps.papers.claims import Claim, Paper, Planted, ProvedBy
from princeps.papers.exhibits import Chart, Line, Table
from princeps.papers.verdicts import (
    AS_PRINTED,
    DEMONSTRATED,
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

if TYPE_CHECKING:
    from princeps.papers.answers import law_of
    from princeps.papers.judging import (
        demonstrated,
        exhaustive,
        fair,
        mean_at_most,
        mean_is,
        probability_at_least,
        probability_at_most,
        watched,
    )
    from princeps.papers.judging_growth import grows_at_least, grows_at_most
    from princeps.papers.laboratory import Lab
    from princeps.papers.measures import census, exactly
    from princeps.papers.walks import Config, Watcher, on_every_step

_FILES = {
    "judging": (
        *("demonstrated", "exhaustive", "fair", "mean_at_most", "mean_is"),
        *("probability_at_least", "probability_at_most", "watched"),
    ),
    "judging_growth": ("grows_at_least", "grows_at_most"),
    "answers": ("law_of",),
    "laboratory": ("Lab",),
    "measures": ("census", "exactly"),
    "walks": ("Config", "Watcher", "on_every_step"),
}

__all__ = [
    "AS_PRINTED",
    "DEMONSTRATED",
    "INCONCLUSIVE",
    "NOT_TESTABLE",
    "PROVED",
    "SUPPORTED",
    "VIOLATED",
    "Chart",
    "Claim",
    "Config",
    "Lab",
    "Line",
    "Outcome",
    "Paper",
    "Part",
    "Planted",
    "ProvedBy",
    "Table",
    "Watcher",
    "census",
    "demonstrated",
    "exactly",
    "exhaustive",
    "fair",
    "grows_at_least",
    "grows_at_most",
    "law_of",
    "mean_at_most",
    "mean_is",
    "on_every_step",
    "probability_at_least",
    "probability_at_most",
    "readings",
    "together",
    "watched",
]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    for file, names in _FILES.items():
        if name in names:
            return getattr(import_module(f"princeps.papers.{file}"), name)
    raise AttributeError(f"module 'princeps.papers' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
