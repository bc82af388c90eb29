"""Random protocols and lemmas by `prove` and by enumeration, a sample of `make proof-fuzz` (verification/proof_fuzz)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from princeps.proofs.clauses import HOLDS, Answer

pytest.importorskip("z3")
pytest.importorskip("cvc5")
sys.path.append(str(Path(__file__).parents[2] / "verification"))

judging: Any = __import__("proof_fuzz.judging", fromlist=["_"])


@pytest.mark.parametrize(("kind", "seed"), [("populations", 1), ("populations", 2), ("rings", 2), ("rings", 3)])
def test_prove_and_enumeration_do_not_contradict_each_other(kind: str, seed: int, tmp_path: Path) -> None:
    found = list(judging.judged(kind, seed, tmp_path))
    assert len(found) >= 5
    assert not [one for one in found if one.outcome in judging.WRONG]


def test_lemmas_are_of_all_kinds(tmp_path: Path) -> None:
    """A sample in which everything is false, say, could not show a false proof."""
    outcomes = {one.outcome for one in judging.judged("populations", 1, tmp_path)}
    assert {judging.PROVED_AND_HOLDS, judging.REFUTED_AND_BROKEN} <= outcomes


def test_a_false_proof_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if every clause held."""
    monkeypatch.setattr("princeps.proofs.meeting.ask", lambda terms, clause: Answer(HOLDS))
    outcomes = [one.outcome for one in judging.judged("populations", 1, tmp_path)]
    assert outcomes.count(judging.BROKEN_BUT_PROVED) >= 3
