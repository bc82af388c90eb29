"""Ctrl-C ends a search for an invariant: z3 hears it itself and only says that it does not know."""

from __future__ import annotations

import os
import signal
from threading import Timer

import pytest

from princeps.lowering.symbolic import Symbols
from princeps.model import registry
from princeps.proofs.rings.horn import Clauses
from princeps.proofs.rings.questions import Questions
from princeps.proofs.rings.searching import search

pytest.importorskip("z3")


def clauses_of_distances() -> Clauses:
    """Of 000.L6, and what takes Spacer seconds at least."""
    cls = registry.find("p_rl")
    symbols = Symbols(cls)
    questions = Questions(symbols).of(cls.lemmas["000.L6"])
    return Clauses(symbols, next(one for one in questions if one.name.endswith("c_ni.1 violated")))


def test_ctrl_c_ends_a_search() -> None:
    clauses = clauses_of_distances()
    timer = Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        search(clauses, seeds=(0, 1, 2))
    timer.join()


def test_work_limits_a_search_and_no_clock_does() -> None:
    """The same answer on any machine: too little work finds nothing."""
    found = search(clauses_of_distances(), seeds=(0,), work=100_000)
    assert (found.invariant, found.refuted) == (None, False)
