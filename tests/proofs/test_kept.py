"""Certificates of the library's lemmas, checked again by the second solver, without the first and without any search."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from princeps.lowering.symbolic_terms import cvc5_library, z3_library
from princeps.model import registry
from princeps.model.protocol import PopulationProtocol
from princeps.proofs.certificate import Certificate, content_key
from princeps.proofs.clauses import FAILS
from princeps.proofs.kept import FOLDER, failing_clauses, kept_for
from princeps.proofs.prove import statements_of
from princeps.proofs.templates import clauses_of, meeting_for
from princeps.proofs.verdicts import Statement
from tests.conftest import with_slow

pytest.importorskip("z3")
pytest.importorskip("cvc5")

NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))
EXPECTED = {  # lemmas that must have a certificate
    "p_ll": {"groups", "L4", "L5", "L11", "init"},
    "p_ll_symmetric": {"groups", "coins", "L11", "init", "symmetric"},
    "p_pl": {"groups", "propagation", "full timers", "creation", "loss", "shield", "emission"},
    "fratricide": {"groups", "kept", "safe"},
    "timer": {"groups", "kept"},
}


def certificates_of(name: str) -> tuple[list[Statement], dict[str, Certificate]]:
    statements = statements_of(registry.find(name))
    return statements, kept_for(registry.find(name), statements)


@pytest.mark.medium
@pytest.mark.parametrize("name", with_slow(NAMES, lambda name: name == "p_ll_symmetric"))  # 20 s
def test_the_second_solver_confirms_every_clause(name: str) -> None:
    statements, kept = certificates_of(name)
    assert kept
    assert EXPECTED.get(name, set()) <= set(kept)
    assert failing_clauses(kept, statements, cvc5_library()) == []


def test_every_kept_certificate_is_that_of_its_present_rule() -> None:
    """Whoever changes a rule or a lemma finds the proofs anew: python verification/certificates.py NAME."""
    assert set(EXPECTED) <= set(NAMES)
    for name in NAMES:
        stored = json.loads((FOLDER / f"{name}.json").read_text())
        assert set(stored) == set(certificates_of(name)[1]), name


def test_a_changed_rule_has_no_certificate() -> None:
    cls = registry.find("fratricide")

    class Other(cls):  # type: ignore[valid-type]
        name = "fratricide"

        @staticmethod
        def interact(a, b, p):  # type: ignore[no-untyped-def]
            if a.leader == 1 and b.leader == 1:
                a.leader = 0

    kept = next(one for one in statements_of(cls) if one.id == "kept")
    assert content_key(cls, kept.what) != content_key(Other, kept.what)


@pytest.mark.medium
def test_a_wrong_certificate_is_not_confirmed() -> None:
    """P_LL's Lemma 5 without the fact that unassigned agents lead."""
    statements, kept = certificates_of("p_ll")
    lemma = next(one for one in statements if one.id == "L5")
    assert kept["L5"].agents
    weaker = Certificate("weights", (), kept["L5"].cells, kept["L5"].weights)
    assert failing_clauses({"L5": weaker}, [lemma], cvc5_library())


FAULTS = {
    "a leader falls to its own level (40)": ("if a.levelQ < b.levelQ:", "if a.levelQ <= b.levelQ:"),
    "a leader falls to its own nonce (47)": ("if a.rand < b.rand:", "if a.rand <= b.rand:"),
    "both leaders follow (57)": ("        a1.leader = 0\n\n\nclass", "        a0.leader = a1.leader = 0\n\n\nclass"),
    "one finished nonce suffices (46)": ("a0.rand >= p.nonce and a1.rand >= p.nonce", "a0.rand >= p.nonce"),
}


def altered(old: str, new: str, folder: str) -> type[PopulationProtocol]:
    source = Path(registry.find("p_ll").file() or "").read_text()
    assert source.count(old) == 1
    path = Path(folder) / "altered.py"
    path.write_text(source.replace(old, new))
    return registry.find(f"{path}:PLL")


@pytest.mark.medium
@pytest.mark.parametrize("fault", FAULTS, ids=list(FAULTS))
def test_a_planted_fault_is_not_proved(fault: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The proof of Lemma 11 is no proof of the altered rule: some clause has a counterexample."""
    cls = altered(*FAULTS[fault], str(tmp_path_factory.mktemp("fault")))
    certificate = certificates_of("p_ll")[1]["L11"]
    lemma = next(one for one in statements_of(cls) if one.id == "L11")
    meeting = meeting_for(lemma, certificate, z3_library())
    failing = meeting.first_failing(clauses_of(lemma, certificate, meeting))
    assert failing is not None
    assert failing[1].outcome == FAILS
    assert "witness" in failing[0].says or "top" in failing[0].says


@pytest.mark.medium
def test_a_check_by_the_second_solver_loads_no_first_one() -> None:
    probe = (
        "import sys\n"
        "from princeps.lowering.symbolic_terms import cvc5_library\n"
        "from princeps.model import registry\n"
        "from princeps.proofs.kept import failing_clauses, kept_for\n"
        "from princeps.proofs.prove import statements_of\n"
        "cls = registry.find('fratricide')\n"
        "found = statements_of(cls)\n"
        "print(failing_clauses(kept_for(cls, found), found, cvc5_library()), 'z3' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.stderr) == ("[] False\n", "")
