"""Claims for every n: certificates are re-checked on the very rule that is run, and without a solver nothing is claimed."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from princeps.campaign.store import Store, open_store
from princeps.model import registry
from princeps.papers import (
    INCONCLUSIVE,
    PROVED,
    SUPPORTED,
    VIOLATED,
    Outcome,
    Paper,
    Part,
    Planted,
    ProvedBy,
    every_n,
    together,
)
from princeps.papers.altered import altered
from princeps.papers.catalogue import find_papers
from princeps.papers.every_n import asked, confirm, judged, with_proofs
from princeps.papers.examining import Examination, Finding
from princeps.papers.laboratory import Lab
from princeps.papers.reached import reached_from
from princeps.proofs.confirming import installed_solver, kept_of
from princeps.proofs.prove import statements_of
from tests.tables import in_one_test

needs_solver = pytest.mark.skipif(not installed_solver(), reason="the extra prove is not installed")

HOLDING = ("propagation", "emission", "full timers", "creation", "shield", "loss")
DECLARED: dict[str, tuple[str, ...]] = {
    **{f"000.L{k}": ("p_rl", f"000.L{k}") for k in range(1, 8)},
    "000.L8": ("p_rl", "000.L8", "safe"),
    "000.oracle": ("p_rl_oracle", "000.oracle.c", "000.oracle.d", "000.oracle.e", "safe"),
    **{f"003.L{k}": ("p_ll", f"L{k}") for k in (4, 5, 11)},
    "003.L3": ("p_ll", "groups", "init"),
    "003.sym": ("p_ll_symmetric", "symmetric", "coins"),
    "004.T23b": ("p_pl", *HOLDING),
    "004.E6": ("p_pl", *HOLDING),
    "004.L6": ("p_pl", "propagation", "emission"),
    "004.lemma3": ("p_pl", "propagation", "emission"),
    "004.L10": ("p_pl", "propagation", "emission", "creation"),
    "004.L11": ("p_pl", "shield", "loss", "emission"),
    "004.L14": ("p_pl", "emission", "shield"),
    "004.C7": ("p_pl", "propagation", "emission", "full timers"),
    "004.L15": ("p_pl", "propagation", "emission", "full timers"),
    "004.L18": ("p_pl", "propagation", "emission", "full timers", "shield", "loss"),
}
WHOLE = {*(f"000.L{k}" for k in range(1, 9)), *(f"003.L{k}" for k in (4, 5, 11))}


def verdict_of(lemma: str, protocol: str, kept: Mapping[str, Any]) -> str:
    found = confirm(0, 0, protocol=protocol, lemmas=[lemma], kept=kept, solver=installed_solver())
    return str(found["verdict"])


# -- which claims ------------------------------------------------------------------------------------------------------


def test_these_claims_are_for_every_n_and_no_others() -> None:
    claims = {claim.id: claim for paper in find_papers([]) for claim in paper}
    declared = {id: claim.proved_by for id, claim in claims.items() if claim.proved_by is not None}
    assert {id: (one.protocol, *one.lemmas) for id, one in declared.items()} == DECLARED
    assert {id for id, one in declared.items() if one.without is not None} == WHOLE
    assert {claims[id].recorded for id in WHOLE} == {PROVED}
    for protocol, *lemmas in DECLARED.values():
        statements_of(registry.find(protocol), lemmas)  # every one of them is stated in the file


# -- an altered rule is judged by itself -------------------------------------------------------------------------------

FAULTS = {  # for each lemma a line of the rule that it needs
    ("p_rl", "000.L1"): ("min(l.distL + 1, p.N)", "min(l.distL, p.N)"),
    ("p_rl", "000.L2"): ("l.bullet, l.shield, l.signal = LIVE, 1, 0", "l.bullet, l.shield, l.signal = LIVE, 0, 0"),
    ("p_ll", "groups"): ("a.levelQ, a.done, a.rand = 0, 0, 0", "a.done, a.rand = 0, 0"),
    ("p_ll", "L4"): ("a1.status, a1.count, a1.leader = B, 0, 0  # 3", "a1.status, a1.done, a1.leader = A, 1, 0  # 3"),
    ("p_pl", "propagation"): ("max(a0.timerL - 1, a1.timerL - 1, 0)", "max(a0.timerL - 2, a1.timerL - 2, 0)"),
    ("p_pl", "full timers"): ("a0.timerL = a1.timerL = p.t_max", "a0.timerL = p.t_max"),
    ("p_pl", "creation"): ("if a.timerL == 0:", "if a.timerL <= 1:"),
    ("p_pl", "loss"): ("if a.shield == 0 and a.virus > 0:", "if a.shield == 0:"),
    ("p_pl", "shield"): ("if a.shield == 0 and a.virus > 0:", "if a.virus > 0:"),
    ("p_pl", "emission"): ("a0.virus, a0.shield = p.t_virus, 1", "a0.virus, a0.shield = p.t_virus, 0"),
}
MORE_FAULTS = {
    ("p_ll", "init"): ("a.init = a.epoch  # 14", "a.init = a.init  # 14"),
    ("p_ll_symmetric", "symmetric"): ("if a.coin == J and b.coin == K:", "if a0.coin == J and a1.coin == K:"),
    ("p_ll_symmetric", "coins"): ("a.coin, b.coin = F0, F1", "a.coin, b.coin = F0, F0"),
    **{
        ("p_rl_oracle", lemma): ("l.bullet, l.shield, l.signal = LIVE, 1, 0", "l.bullet, l.signal = LIVE, 0")
        for lemma in ("000.oracle.c", "000.oracle.e", "safe")
    },
    ("p_rl_oracle", "000.oracle.d"): ("if p.nobody_leads == 1:", "if l.leader == 1:"),
}


def check_fault(protocol: str, lemma: str, edit: tuple[str, str], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    kept = kept_of(registry.find(protocol))
    assert verdict_of(lemma, protocol, kept) == "proved for every n"
    assert verdict_of(lemma, altered(protocol, [edit], folder), kept) in ("refuted", "not proved")


@needs_solver
@pytest.mark.medium
@in_one_test("of", list(FAULTS))
def test_a_fault_in_the_rule_makes_the_proof_fail(of: tuple[str, str], tmp_path: Path) -> None:
    check_fault(*of, FAULTS[of], tmp_path)


@needs_solver
@pytest.mark.slow
@in_one_test("of", list(MORE_FAULTS))
def test_so_do_faults_that_take_longer(of: tuple[str, str], tmp_path: Path) -> None:
    check_fault(*of, MORE_FAULTS[of], tmp_path)


@needs_solver
@pytest.mark.slow
@in_one_test("id", list(DECLARED))
def test_the_planted_fault_of_a_claim_makes_its_proof_fail(id: str, tmp_path: Path) -> None:
    tmp_path.mkdir(parents=True, exist_ok=True)
    ((claim,),) = find_papers([id])
    assert claim.planted is not None
    protocol, *lemmas = DECLARED[id]
    place = altered(protocol, [(old, new) for of, old, new in claim.planted.edits if of == protocol], tmp_path)
    kept = kept_of(registry.find(protocol))
    assert {verdict_of(lemma, place, kept) for lemma in lemmas} & {"refuted", "not proved"}


@needs_solver
def test_nothing_is_proved_without_a_certificate() -> None:
    nothing: dict[str, Any] = {"certificates": {}, "invariants": {}}
    found = confirm(0, 0, protocol="fratricide", lemmas=["safe"], kept=nothing, solver=installed_solver())
    assert (found["verdict"], found["why"]) == ("not proved", "no certificate is kept for it")


# -- a claim and its proof ---------------------------------------------------------------------------------------------


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "papers.db")) as opened:
        yield opened


def examined(store: Store, *, plant: bool = False, without: str | None = SUPPORTED) -> Finding:
    """A claim whose own sample notices nothing at all."""
    paper = Paper(id="mine", title="mine")

    @paper.claim(
        "mine.1",
        "one leader leads for ever",
        recorded=SUPPORTED if without is None else PROVED,
        proved_by=ProvedBy("fratricide", "safe", without=without),
        planted=Planted("a leader falls alone", ("fratricide", "a.leader == 1 and b.leader == 1", "b.leader == 1")),
    )
    def sampled(lab: Lab) -> Outcome:
        return together([Part(SUPPORTED, "a sample agrees", 0, 0, "1 run")])

    (finding,) = Examination(store, jobs=1, plant=plant).findings(paper)
    return finding


@needs_solver
@pytest.mark.medium
def test_a_claim_that_is_proved_says_so_with_its_assumptions(store: Store) -> None:
    found = examined(store)
    assert (found.verdict, found.measured, found.as_recorded) == (PROVED, "proved for every n", True)
    assert found.parts[0]["says"].startswith("proved for every n: one leader leads for ever")
    assert "n >= 2, on every graph; from all legal states; the certificate is re-checked by" in found.sample
    assert found.commands == ["princeps prove fratricide safe"]


@needs_solver
@pytest.mark.medium
def test_a_proof_of_a_part_leaves_the_rest_as_weak_as_it_is(store: Store) -> None:
    found = examined(store, without=None)
    assert (found.verdict, found.measured) == (SUPPORTED, 0)
    assert [part["verdict"] for part in found.parts] == [SUPPORTED, PROVED]


@needs_solver
@pytest.mark.medium
def test_the_planted_fault_is_in_the_rule_that_is_proved_about(store: Store) -> None:
    found = examined(store, plant=True)
    assert (found.verdict, found.changed) == (VIOLATED, True)
    assert found.parts[0]["says"].startswith("refuted: one leader leads for ever: broken at n = 2")


def test_without_a_solver_a_claim_is_what_it_is_at_the_sizes_given(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("z3", "cvc5", "cvc5.pythonic"):
        monkeypatch.setitem(sys.modules, name, None)
    found = examined(store)
    assert (found.verdict, found.recorded, found.as_recorded, found.measured) == (SUPPORTED, SUPPORTED, True, 0)
    assert [part["says"] for part in found.parts] == [
        "a sample agrees; for every n: not looked at, since no solver is installed; "
        "install one with pip install 'princeps[prove]'"
    ]


def test_either_solver_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("z3")
    monkeypatch.setitem(sys.modules, "cvc5", None)
    monkeypatch.setitem(sys.modules, "cvc5.pythonic", None)
    assert installed_solver() == "z3"
    assert verdict_of("safe", "fratricide", kept_of(registry.find("fratricide"))) == "proved for every n"


def told(verdict: str) -> Any:
    answer = {"verdict": verdict, "says": "so", "why": "why", "assumptions": ["n >= 2", "N >= 2"], "params": ["N"]}
    return SimpleNamespace(parts=[answer], task=SimpleNamespace(arguments={"solver": "cvc5"}))


@in_one_test(
    ["own", "proof", "verdict"],
    [
        (SUPPORTED, "proved for every n", PROVED),
        (PROVED, "proved for every n", PROVED),
        (VIOLATED, "proved for every n", VIOLATED),
        (INCONCLUSIVE, "proved for every n", INCONCLUSIVE),
        (SUPPORTED, "refuted", VIOLATED),
        (SUPPORTED, "not proved", INCONCLUSIVE),
        (VIOLATED, "not proved", VIOLATED),
    ],
)
def test_no_word_says_more_than_was_shown(own: str, proof: str, verdict: str) -> None:
    proved_by = ProvedBy("p_rl", "000.L2", without=SUPPORTED)
    assert with_proofs(together([Part(own, "own")]), proved_by, told(proof)).verdict == verdict


def test_a_part_names_the_parameters() -> None:
    (answer,) = told("proved for every n").parts
    part = judged(answer, "princeps prove p_rl 000.L2", "cvc5")
    assert part.says == "proved for every n and every N: so (why)"
    assert part.sample == "for n >= 2; N >= 2; the certificate is re-checked by cvc5"


# -- what identifies the evidence --------------------------------------------------------------------------------------


@needs_solver
def test_another_certificate_is_other_evidence(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    proved_by = ProvedBy("fratricide", "safe")

    def id_of() -> str:
        measurement = asked(Lab(store), proved_by)
        assert measurement is not None
        return measurement.task.id

    before = id_of()
    assert id_of() == before
    monkeypatch.setattr(
        every_n, "kept_of", lambda cls: {"certificates": {"safe": {"template": "set"}}, "invariants": {}}
    )
    assert id_of() != before


def test_evidence_is_identified_by_the_whole_of_the_proof() -> None:
    names = {text.partition("\n")[0] for text in reached_from([confirm])}
    for name in (
        "princeps.proofs.confirming:confirmed",
        "princeps.proofs.rings.proving:Rechecking",
        "princeps.proofs.templates:clauses_of",
        "princeps.proofs.refuting:counterexample",
        "princeps.lowering.symbolic:Symbols",
        "princeps.lowering.symbolic_terms:Terms",
    ):
        assert name in names
