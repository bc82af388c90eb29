"""Every kept invariant is a proof, by each of two solvers without any search; a changed rule is noticed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from princeps.lowering.symbolic_terms import cvc5_library, z3_library
from princeps.model import registry
from princeps.papers.altered import altered
from princeps.proofs.rings import proving
from princeps.proofs.rings.certifying import statements
from princeps.proofs.rings.kept import FOLDER, kept_for, kept_invariants, key_of, stored
from princeps.proofs.rings.proving import Limits, Rechecking, prove, recheck
from princeps.proofs.rings.searching import Found
from princeps.proofs.verdicts import NOT_PROVED, PROVED, Statement
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


@pytest.mark.parametrize("protocol", sorted({protocol for protocol, _ in CERTIFIED}))
def test_every_kept_invariant_is_that_of_the_present_rule_and_lemma(protocol: str) -> None:
    """Whoever changes a rule or a lemma finds the proofs anew: make ring-certificates ARGS=NAME."""
    kept = stored(protocol)
    known = {one.id: one for one in statements(registry.find(protocol))}
    assert {name: entry["key"] for name, entry in kept["lemmas"].items()} == {
        name: key_of(one) for name, one in known.items()
    }
    asked = {name for entry in kept["lemmas"].values() for name in entry["questions"]}
    assert asked == set(kept["invariants"])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("r.bullet, r.shield, r.signal = DUMMY, 0, 0", "r.bullet, r.signal = DUMMY, 0"),  # a rule, as good as before
        ("if n > p.N:", "if n > p.N + 1:"),  # the sizes
        ("if u[i].distL != 0:", "if u[i].distL > 1:"),  # a set
        ("N = Param(min=2,", "N = Param(min=3,"),
    ],
)
def test_what_is_kept_is_bound_to_rule_sizes_and_sets(old: str, new: str, tmp_path: Path) -> None:
    cls = registry.find(altered("p_rl", [(old, new)], tmp_path))
    same = registry.find(altered("p_rl", [("DUMMY, LIVE = 1, 2 ", "DUMMY, LIVE = 1, 2  ")], tmp_path))
    for lemma in ("000.L2", "000.L6"):
        assert kept_for(next(one for one in statements(same) if one.id == lemma))
        assert kept_for(next(one for one in statements(cls) if one.id == lemma)) == {}


def test_what_is_kept_is_bound_to_the_lemma() -> None:
    lemma = statement_of("p_rl", "000.L2")
    assert kept_for(lemma)
    assert kept_for(replace(lemma, what=statement_of("p_rl", "000.L6").what)) == {}


def test_questions_that_lemmas_share_are_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those whose search found nothing as well: `c_pb.1 violated`, here."""
    asked: list[str] = []

    def searched(clauses: Any, *limits: Any) -> Found:
        asked.append(clauses.question.name)
        given_up = clauses.question.name.endswith("c_pb.1 violated")
        return Found(None if given_up else kept_invariants("p_rl")[clauses.question.name])

    monkeypatch.setattr(proving, "search", searched)
    monkeypatch.setattr(proving, "SIZES", range(2, 5))  # no further counterexamples are looked for
    prover = proving.Prover(registry.find("p_rl"))
    for lemma in ("000.L6", "000.L8", "000.L6"):
        assert prover.prove(statement_of("p_rl", lemma), {}).verdict == NOT_PROVED
    says = ["no leader is left", "c_pb.1 violated", "an output changes"]
    assert [name.partition(": ")[2] for name in asked] == says


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
