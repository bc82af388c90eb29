"""`princeps check`: what is right is not blamed, and each kind of mistake is found."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

import princeps as library
from princeps.api.checking import engines, proofs
from princeps.api.checking.behaviour import behaviour
from princeps.api.checking.cases import cases
from princeps.api.checking.report import Checked, Finding
from princeps.model import registry
from tests.conftest import Command

HEAD = """
from princeps import *
from princeps import Agent, Bit, Closed, Counted, Counts, Params, PopulationProtocol, Stays, Uniform

def initial(a, i, n, p):
    a.leader = 1
"""
DUEL = """
class Duel(PopulationProtocol):
    topology = "complete"
    leader, spare = Bit(), Bit()
    starts = {"initial": initial}

    @staticmethod
    def interact(a, b, p):
        if a.leader == 1 and b.leader == 1:
            b.leader = 0
"""
Write = Callable[[str], str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(body: str) -> str:
        path = tmp_path / "duel.py"
        path.write_text(HEAD + textwrap.dedent(body))
        return f"{path}:Duel"

    return written


def found_in(spec: str) -> dict[str, Finding]:
    cls = registry.find(spec)
    return {finding.about: finding for finding in behaviour(cls, list(cases(cls)))}


def test_a_field_that_never_changes_is_unusual(write: Write) -> None:
    found = found_in(write(DUEL))
    assert found["goals"].outcome == "ok"
    assert found["fields"].outcome == "unusual"
    assert found["fields"].text.startswith("spare: never seen to change")


def test_a_rule_that_does_nothing_is_unusual(write: Write) -> None:
    found = found_in(write(DUEL.replace("b.leader = 0", "b.leader = 1")))
    assert "'leader' is not reached within 20,000 steps with n = 2" in found["goals"].text
    assert found["goals"].command is not None
    assert "nothing changes" in found["fields"].text


def test_a_goal_that_holds_at_the_start_is_unusual(write: Write) -> None:
    found = found_in(write(HEAD.replace("a.leader = 1", "a.leader = int(i == 0)") + DUEL))
    assert "start 'initial' already meets 'leader'" in found["goals"].text


def test_a_rule_that_fails_is_wrong_with_its_line(write: Write) -> None:
    found = found_in(write(DUEL.replace("b.leader = 0", "b.leader = 2")))
    assert found["the rule"].outcome == "wrong"
    assert "duel.py:" in found["the rule"].text


def test_an_invariant_that_does_not_hold_is_wrong(write: Write) -> None:
    body = "\ndef many(c, p):\n    return c.leaders >= 2\n" + DUEL + '    invariants = {"many": many}\n'
    found = found_in(write(body))
    assert found["invariants"].outcome == "wrong"
    assert "--check" in str(found["invariants"].command)


def test_what_only_python_executes_is_unusual_and_told_before_it_is_executed(write: Write) -> None:
    spec = write(DUEL.replace("if a.leader == 1 and", "while a.leader == 1 and"))
    told: list[Finding] = []
    found = library.check(spec, observer=told.append)
    assert [(finding.about, finding.outcome) for finding in told[:3]] == [
        ("runs", "ok"),
        ("engines", "unusual"),
        ("goals", "ok"),
    ]
    assert "`while a.leader == 1 and b.leader == 1:` cannot be compiled" in told[1].text
    assert [finding.about for finding in found.findings].count("engines") == 1
    mistaken = library.check(write(DUEL.replace("b.leader = 0", "b.leder = 0")))
    assert [finding.about for finding in mistaken.findings] == ["runs", "the rule", "fields"]


def test_a_class_of_a_notebook_is_said_to_be_in_its_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("princeps.errors._cell", lambda file: "In[2]" if "ipykernel" in file else "")
    assert str(Checked("mine", "/tmp/ipykernel_445/39.py")) == "mine (cell In[2]): nothing is wrong"
    assert str(Checked("mine", "/tmp/mine.py")) == "mine (/tmp/mine.py): nothing is wrong"


def test_engines_that_differ_are_wrong(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = list(cases(registry.find(write(DUEL))))
    assert engines.state_by_state("reference", tried).outcome == "ok"
    real, asked = engines.configuration_after, iter(range(10**6))
    monkeypatch.setattr(engines, "configuration_after", lambda *words: {**real(*words), "spoilt": next(asked)})
    assert engines.state_by_state("reference", tried).outcome == "wrong"


@pytest.mark.slow
def test_engines_with_another_law_are_wrong(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    cls = registry.find(write(DUEL))
    tried = list(cases(cls))
    assert engines.by_law(cls, "counts", tried).outcome == "ok"
    real = library.trials
    monkeypatch.setattr(engines, "trials", lambda cls, n, **given: real(cls, n + 1, **given))
    assert engines.by_law(cls, "counts", tried).outcome == "wrong"


@pytest.mark.slow
def test_promises_and_lemmas_that_do_not_hold_are_wrong(write: Write) -> None:
    body = (
        "\ndef all_lead(u, n, p):\n    for i in range(n):\n        if u[i].leader == 0:\n            return 0\n    return 1\n"
        + DUEL
        + '    goals = {"all_lead": Closed(all_lead)}\n    lemmas = {"L": Stays("all_lead is closed", "all_lead")}\n'
    )
    spec = write(body)
    found = [finding for finding in proofs.proofs(registry.find(spec), spec) if finding.outcome == "wrong"]
    assert {finding.about for finding in found} == {"goals", "lemma L"}
    assert all(str(finding.command).startswith("princeps run") for finding in found)


@pytest.mark.slow
def test_what_is_not_reached_is_wrong(write: Write) -> None:
    spec = write(DUEL.replace("b.leader = 0", "a.leader = b.leader = 0"))  # sometimes nobody is left
    found = library.check(spec)
    assert any("is not reached for certain" in finding.text for finding in found.wrong)


@pytest.mark.slow
def test_a_leader_that_may_be_lost_again_is_wrong(write: Write) -> None:
    spec = write(DUEL + "        elif a.leader == 1:\n            a.leader, b.leader = 0, 1\n")  # the lead is handed on
    found = list(proofs.proofs(registry.find(spec), spec))
    assert [finding.outcome for finding in found] == ["ok", "wrong"] * 3
    assert {finding.text.split(": ")[1] for finding in found if finding.outcome == "wrong"} == {
        "one agent comes to lead, but may lose the lead again, which 'stabilizing' excludes."
    }
    meant = write(DUEL)
    assert {finding.outcome for finding in proofs.proofs(registry.find(meant), meant)} == {"ok"}


@pytest.mark.slow
def test_the_library_and_new_files_are_right(princeps: Command, tmp_path: Path) -> None:
    for words in (("mine.py",), ("ring.py", "--ring")):
        assert princeps("new", *words, cwd=tmp_path).code == 0
        outcome = princeps("check", words[0], cwd=tmp_path)
        assert outcome.code == 0, outcome.stdout
        assert "nothing is wrong" in outcome.stdout
    for name in ("p_rl", "timer", "numbered", "epidemic", "a_k"):
        assert library.check(name).wrong == []


@pytest.mark.slow
def test_a_wrong_file_ends_with_code_1_and_json(princeps: Command, write: Write) -> None:
    outcome = princeps("check", write(DUEL.replace("b.leader = 0", "a.leader = b.leader = 0")), "--json")
    assert outcome.code == 1
    assert {"about", "outcome", "text", "command"} == set(outcome.objects[0])
    assert "wrong" in {item["outcome"] for item in outcome.objects}
