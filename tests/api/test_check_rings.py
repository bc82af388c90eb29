"""`princeps check` of a ring algorithm: every kind of mistake is found and told with the command that shows it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import princeps as library
from princeps.api.checking import rings
from princeps.api.checking.report import Finding
from princeps.engines.registry import REFERENCE
from princeps.model import registry
from princeps.protocols import lelann

TEXT = Path(str(lelann.__file__)).read_text()


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rings, "SIZES", (2, 3, 4))
    monkeypatch.setattr(rings, "RING_ENGINES", [REFERENCE])


def changed(tmp_path: Path, old: str, new: str) -> str:
    assert old in TEXT
    path = tmp_path / "mine.py"
    path.write_text(TEXT.replace(old, new))
    return f"{path}:LeLann"


def findings(spec: str) -> dict[str, Finding]:
    return {
        finding.about: finding for finding in rings.check_ring(registry.require_ring(registry.find_any(spec)), spec)
    }


def test_an_algorithm_that_is_right() -> None:
    found = library.check("lelann")
    assert [(one.about, one.outcome) for one in found.findings] == [("specification", "ok"), ("proof", "ok")]
    assert "in 9 runs on rings of 2 to 4 processes" in str(found)
    assert "\n  ok  proof: labels " in str(found)
    assert found.as_json()["wrong"] == 0
    assert found.as_json()["findings"][0]["about"] == "specification"


def test_nobody_who_is_elected_is_wrong(tmp_path: Path) -> None:
    spec = changed(tmp_path, "yield x == p.id and p.best == p.id", "yield x == p.id and p.best == p.id and p.INIT == 1")
    found = library.check(spec)
    (wrong,) = found.wrong
    assert wrong.about == "specification"
    assert wrong.text.startswith("n = 2, synchronous: ")
    assert wrong.command is not None
    assert wrong.command in str(found)


def test_a_second_leader_is_wrong_and_its_rule_is_named(tmp_path: Path) -> None:
    spec = changed(
        tmp_path,
        "yield x == p.id and p.best != p.id\n    p.leader = p.best",
        "yield x == p.id and p.best != p.id\n    p.isLeader = 1",
    )
    assert findings(spec)["specification"].outcome == "wrong"
    assert "leader" in findings(spec)["specification"].text


def test_what_no_ring_is_given_to_is_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rings, "SIZES", (0,))
    found = findings("lelann")
    assert list(found) == ["specification"]
    assert found["specification"].outcome == "not tried"
    assert found["specification"].text.startswith("no ring could be run: ")


def test_an_engine_that_differs_is_wrong_and_one_that_refuses_is_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    def more_messages(cls: Any, n: int, **given: Any) -> Any:
        found = library.run(cls, n, **{**given, "engine": REFERENCE})
        return found if given["engine"] == REFERENCE else replace(found, messages=found.messages + 1)

    monkeypatch.setattr(rings, "RING_ENGINES", ["another"])
    assert findings("lelann")["engine another"].outcome == "not tried"
    monkeypatch.setattr(rings, "run", more_messages)
    wrong = findings("lelann")["engine another"]
    assert wrong.outcome == "wrong"
    assert wrong.text == "n = 2, synchronous: messages differ from plain Python: please report it."


def test_too_many_interleavings_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rings, "LIMIT", 3)
    assert findings("lelann")["proof"].outcome == "not tried"


def test_an_interleaving_that_breaks_the_specification_is_wrong(tmp_path: Path) -> None:
    spec = changed(
        tmp_path,
        "yield x == p.id and p.best != p.id\n    p.leader = p.best",
        "yield x == p.id and p.best != p.id\n    p.isLeader = 1",
    )
    (wrong,) = rings._interleavings(registry.require_ring(registry.find_any(spec)), spec)
    assert (wrong.about, wrong.outcome) == ("proof", "wrong")
    assert wrong.command is not None
    assert " --schedule order:" in wrong.command  # the execution that shows it
