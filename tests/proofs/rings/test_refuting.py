"""Planted faults: what is proved for every n is never refuted by enumeration, and what is refuted is shown and replayed."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.api.prove import command_of
from princeps.lowering.symbolic import Symbols
from princeps.model import registry
from princeps.proofs.rings.certifying import statements
from princeps.proofs.rings.kept import kept_invariants
from princeps.proofs.rings.proving import Limits, prove
from princeps.proofs.rings.questions import Questions
from princeps.proofs.rings.replaying import breaks, replayed
from princeps.proofs.rings.unrolled import model_at
from princeps.proofs.verdicts import NOT_PROVED, PROVED, REFUTED, Counterexample, Statement, Verdict
from tests.proofs.rings.faults import FAULTS, HARMFUL, HARMLESS, LARGE, alteration, place_of

pytest.importorskip("z3")

LEMMAS = ("000.L2", "000.L6", "000.L7", "000.L8")
LIMITS = Limits(seeds=(0, 1, 2, 3), search=3_000_000_000)
ONLY_LARGER = {("line 14: replaces a bullet", "000.L8")}  # seen by enumeration from N = 4 on


def statement_of(cls: type, name: str) -> Statement:
    return next(one for one in statements(registry.find(cls)) if one.id == name)


def shown(found: Counterexample, spec: str, lemma: object) -> None:
    """The command runs, ends after these interactions, and its last configuration is the one that breaks the lemma."""
    words = shlex.split(command_of(spec, found))
    options = dict(zip(words[3::2], words[4::2], strict=True))
    assert words[:2] == ["princeps", "run"]
    assert words[2] == spec
    n, (name, _, value) = int(options["-n"]), options["-p"].partition("=")
    given: dict[str, Any] = {name: int(value), "start": options["--start"], "pairs": options["--pairs"]}
    result = princeps.run(spec, n, **given, snapshots=[0, 1], engine="reference", seed=1)
    assert result.snapshots is not None
    before, after = (moment.agents() for moment in result.snapshots.values())
    assert breaks(lemma, found.protocol, before, after, found.pairs[0])


def enumerated(fault: str, folder: Path, n: int, N: int) -> dict[str, str]:
    report = princeps.exact(place_of(fault, folder), n=n, N=N, lemmas=True)
    return {one.id: one.verdict for one in report.lemmas}


@pytest.mark.medium
def test_the_smallest_counterexample_of_a_fault_has_seven_agents(tmp_path: Path) -> None:
    """By unrolling alone, which needs no luck: rings of 2 to 6 agents show nothing, whatever N is."""
    (fault,) = LARGE
    cls = alteration(fault, tmp_path)
    symbols = Symbols(cls)
    statement = statement_of(cls, "000.L6")
    questions = Questions(symbols).of(statement.what)
    for n in range(2, 7):
        assert all(model_at(symbols, question, n) is None for question in questions)
    models = [model for question in questions for model in [model_at(symbols, question, 7)] if model is not None]
    assert models
    assert min(model.params["N"] for model in models) == 8
    found = replayed(statement, models[0])
    assert found is not None
    shown(found, place_of(fault, tmp_path), statement.what)


def test_a_fault_is_refuted_by_the_smallest_ring_and_its_command_replays_it(tmp_path: Path) -> None:
    fault = "line 7: no shield"
    cls = alteration(fault, tmp_path)
    statement = statement_of(cls, "000.L2")
    verdict = prove(statement, limits=Limits(seeds=()))
    assert verdict.verdict == REFUTED
    assert verdict.counterexample is not None
    assert len(verdict.counterexample.states) == 2
    shown(verdict.counterexample, place_of(fault, tmp_path), statement.what)


@pytest.mark.medium
def test_without_a_search_nothing_new_is_proved(tmp_path: Path) -> None:
    cls = alteration("line 2: asks for no bullet", tmp_path)
    verdict = prove(statement_of(cls, "000.L6"), kept={}, limits=Limits(seeds=()))
    assert verdict.verdict == NOT_PROVED


def judged(cls: type, spec: str, name: str) -> Verdict:
    statement = statement_of(cls, name)
    verdict = prove(statement, kept_invariants("p_rl"), LIMITS)
    if verdict.counterexample is not None:
        shown(verdict.counterexample, spec, statement.what)
    return verdict


@pytest.mark.slow
@pytest.mark.parametrize("fault", [*HARMFUL, *HARMLESS])
def test_verdicts_agree_with_enumeration(fault: str, tmp_path: Path) -> None:
    cls = alteration(fault, tmp_path)
    exact = enumerated(fault, tmp_path, 3, 3)
    for name in LEMMAS:
        verdict = judged(cls, place_of(fault, tmp_path), name)
        assert (verdict.verdict, exact[name]) != (PROVED, "refuted"), name
        if exact[name] == "refuted":
            assert verdict.verdict == REFUTED, name
        elif (fault, name) not in ONLY_LARGER:
            assert verdict.verdict == PROVED, (name, verdict.why)


@pytest.mark.slow
def test_the_library_is_proved_from_nothing() -> None:
    for protocol in ("p_rl", "p_rl_oracle"):
        for statement in statements(registry.find(protocol)):
            verdict = prove(statement, kept={}, limits=LIMITS)
            assert verdict.verdict == PROVED, (statement.id, verdict.why)


@pytest.mark.slow
def test_the_fault_of_seven_agents_is_refuted(tmp_path: Path) -> None:
    (fault,) = LARGE
    cls = alteration(fault, tmp_path)
    verdict = judged(cls, place_of(fault, tmp_path), "000.L6")
    assert verdict.verdict == REFUTED
    assert verdict.counterexample is not None
    assert len(verdict.counterexample.states) == 7


def test_every_fault_stands_in_the_file_once(tmp_path: Path) -> None:
    assert all(place_of(fault, tmp_path) for fault in FAULTS)
