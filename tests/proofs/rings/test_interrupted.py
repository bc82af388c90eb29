"""Ctrl-C ends a search for an invariant: z3 hears it itself and only says that it does not know."""

from __future__ import annotations

import os
import signal
from threading import Timer
from typing import Any

import pytest

from princeps.lowering.symbolic import Symbols
from princeps.model import registry
from princeps.proofs.asking import checked
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


def test_ctrl_c_ends_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def interrupted(solver: Any) -> Any:
        asked.append(solver)
        if len(asked) == 1:  # while z3 works, and not while Python does
            Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        return checked(solver)

    monkeypatch.setattr("princeps.proofs.rings.searching.checked", interrupted)
    clauses = clauses_of_distances()
    with pytest.raises(KeyboardInterrupt):
        search(clauses, seeds=(0, 1, 2))
    assert len(asked) == 1


def test_work_limits_a_search_and_no_clock_does() -> None:
    """The same answer on any machine: too little work finds nothing."""
    found = search(clauses_of_distances(), seeds=(0,), work=100_000)
    assert (found.invariant, found.refuted) == (None, False)
