"""What a user named is printed as it is, also where it looks like the markup of our tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Command

CLAIMS = """
from princeps.papers import SUPPORTED, Paper, probability_at_least, together

paper = Paper(id="mine", title="[/b]", protocols=["fratricide"])

@paper.claim("mine.[/few]", "[/it] says [bold", recorded=SUPPORTED)
def few(lab):
    return together([probability_at_least(40, 40, 0.5, "[/all] of them")], ["[/ours]"])
"""


def test_claims_with_brackets(quick: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("claims.py").write_text(CLAIMS)
    outcome = quick("paper", "./claims.py", "--jobs", 1)
    assert outcome.code == 0, outcome.stderr
    assert outcome.stdout.startswith("mine.[/few]  [/it] says [bold  supported\n    [/all] of them")
    assert "ours: [/ours]" in outcome.stdout


@pytest.mark.parametrize("id", ["003.[L9", "003.L9]", "[003]", "[/bold]", "003.[/"])
def test_an_unknown_claim_is_quoted(quick: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, id: str) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = quick("paper", id)
    assert outcome.code == 2
    assert repr(id) in outcome.stderr
    assert list(tmp_path.iterdir()) == []
