"""Every kept invariant is a proof, by each of two solvers without any search; a changed rule is noticed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from princeps.lowering.symbolic_terms import cvc5_library, z3_library
from princeps.model import registry
from princeps.proofs.rings.certifying import statements
from princeps.proofs.rings.kept import FOLDER, kept_invariants
from princeps.proofs.rings.proving import Limits, Rechecking, prove, recheck
from princeps.proofs.verdicts import PROVED, Statement
from tests.proofs.rings.faults import alteration

pytest.importorskip("z3")
pytest.importorskip("cvc5")

CERTIFIED = [
    *(("p_rl", f"000.L{k}") for k in range(1, 9)),
    *(("p_rl_oracle", name) for name in ("000.oracle.c", "000.oracle.d", "000.oracle.e")),
    *((name, "safe") for name in ("p_rl", "p_rl_oracle", "fischer_jiang")),
]


def statement_of(protocol: str, name: str) -> Statement:
    return next(one for one in statements(registry.find(protocol)) if one.id == name)


def test_there_is_nothing_else_in_the_folder() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == {protocol for protocol, _ in CERTIFIED}


@pytest.mark.medium
@pytest.mark.parametrize("protocol", sorted({protocol for protocol, _ in CERTIFIED}))
@pytest.mark.parametrize("library", [cvc5_library, z3_library], ids=["cvc5", "z3"])
def test_kept_invariants_are_proofs(protocol: str, library: Callable[[], Any]) -> None:
    cls = registry.find(protocol)
    checking = Rechecking(cls, kept_invariants(protocol), library())
    failing = {one.id: checking.failing(one) for one in statements(cls)}
    assert failing == {name: None for protocol_, name in CERTIFIED if protocol_ == protocol}


def test_kept_invariants_need_no_search() -> None:
    found = prove(statement_of("p_rl", "000.L6"), limits=Limits(seeds=()))
    assert found.verdict == PROVED
    assert found.assumptions == ("n >= 2", "all states legal", "N >= 2", "n <= N")


def test_no_condition_of_an_invariant_is_superfluous() -> None:
    kept = kept_invariants("p_rl")
    question = "some leader; c_pb.1: c_pb.1 violated"
    for line in kept[question]:
        fewer = {**kept, question: [one for one in kept[question] if one != line]}
        failing = recheck(statement_of("p_rl", "000.L2"), fewer, z3_library())
        assert failing is not None
        assert failing.startswith(question)


@pytest.mark.medium
def test_a_changed_rule_invalidates_its_certificates(tmp_path: Path) -> None:
    cls = alteration("line 7: no shield", tmp_path)
    checking = Rechecking(cls, kept_invariants("p_rl"), cvc5_library())
    for lemma in ("000.L2", "000.L6", "000.L8", "safe"):
        failing = checking.failing(next(one for one in statements(cls) if one.id == lemma))
        assert failing is not None
        assert "clause" in failing
