"""Altered rules by `prove` and by enumeration, a sample of `make proof-mutants` (verification/proof_mutants)."""

from __future__ import annotations

import random
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from princeps.model import registry
from princeps.proofs.prove import statements_of
from princeps.proofs.verdicts import NOT_PROVED, PROVED, REFUTED, Counterexample, Verdict

pytest.importorskip("z3")
pytest.importorskip("cvc5")
sys.path.append(str(Path(__file__).parents[2] / "verification"))

rings: Any = __import__("proof_mutants.rings", fromlist=["_"])
populations: Any = __import__("proof_mutants.populations", fromlist=["_"])
altering: Any = __import__("proof_mutants.altering", fromlist=["_"])
comparing: Any = __import__("proof_mutants.comparing", fromlist=["_"])
tried: Any = __import__("proof_mutants.__main__", fromlist=["_"]).tried
table: Any = __import__("proof_mutants.page", fromlist=["_"]).table
alterations, loaded, original = altering.alterations, altering.loaded, altering.original
BOTH_BREAK, BOTH_HOLD, CONTRADICTION = comparing.BOTH_BREAK, comparing.BOTH_HOLD, comparing.CONTRADICTION
ONLY_ENUMERATION, ONLY_PROOF, OPEN, compared = (
    comparing.ONLY_ENUMERATION,
    comparing.ONLY_PROOF,
    comparing.OPEN,
    comparing.compared,
)

SMALL = ((2, 2), (2, 3))


@pytest.fixture(autouse=True)
def small_rings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SIZES", "SIZES_OF_MARKS", "SIZES_OF_GHOSTS"):
        monkeypatch.setattr(rings, name, SMALL[:1] if name == "SIZES_OF_GHOSTS" else SMALL)
    monkeypatch.setattr(populations, "SIZES", populations.SIZES[:1])


@pytest.mark.medium
@pytest.mark.parametrize(
    ("protocol", "old", "new", "broken"),
    [
        ("p_rl", "", "", set()),
        ("p_rl", "l.bullet, l.shield, l.signal = LIVE, 1, 0", "l.bullet, l.shield, l.signal = LIVE, 0, 0", {"000.L2"}),
        ("p_rl", "min(l.distL + 1, p.N)", "l.distL + 1", {"groups"}),
        ("p_rl", "min(l.distL + 1, p.N)", "l.distL", {"000.L1"}),
        ("p_ll", "", "", set()),
        ("p_ll", "a0.status, a0.levelQ, a0.done, a0.leader = A, 0, 0, 1", "a0.status, a0.leader = A, 0", {"L11"}),
        ("p_ll", "a.init = a.epoch", "a.init = a.init", {"init"}),
    ],
)
def test_enumeration_sees_what_is_broken(protocol: str, old: str, new: str, broken: set[str], tmp_path: Path) -> None:
    text = original(protocol)
    assert not old or text.count(old) == 1
    cls = loaded(protocol, text.replace(old, new) if old else text, tmp_path / "altered.py")
    judge = rings.enumerated if protocol == "p_rl" else populations.enumerated
    found = {name for name, one in judge(cls).items() if one["broken"] is not None}
    assert found >= broken
    assert bool(found) == bool(broken)


def test_how_two_judgements_are_compared() -> None:
    cls = registry.find("p_rl")
    (statement,) = statements_of(cls, ["000.L2"])
    example = Counterexample(cls(3, N=4), ((0, 0, 0, 0, 0),) * 3, ((0, 1),))
    refuted = Verdict(statement, REFUTED, counterexample=example)
    holds, breaks = {"sizes": [[2, 2], [3, 3]], "broken": None}, {"sizes": [[2, 2]], "broken": [2, 2]}
    seen_all = {"sizes": [[3, 4]], "broken": None}
    assert compared(replace(refuted, verdict=PROVED), holds) == BOTH_HOLD
    assert compared(replace(refuted, verdict=PROVED), breaks) == CONTRADICTION
    assert compared(refuted, breaks) == BOTH_BREAK
    assert compared(refuted, holds) == ONLY_PROOF
    assert compared(refuted, seen_all) == CONTRADICTION
    assert compared(replace(refuted, verdict=NOT_PROVED), breaks) == ONLY_ENUMERATION
    assert compared(replace(refuted, verdict=NOT_PROVED), holds) == OPEN


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["p_rl", "p_ll"])
def test_a_sample_of_the_alterations(protocol: str, tmp_path: Path) -> None:
    every = alterations(protocol)
    answers = [tried(one, tmp_path) for one in random.Random(21).sample(every, 8)]
    outcomes = [one["outcome"] for answer in answers for one in answer["lemmas"].values()]
    assert CONTRADICTION not in outcomes
    assert {BOTH_HOLD, BOTH_BREAK} <= set(outcomes)
    assert table(answers)[-1].startswith("| all |")
