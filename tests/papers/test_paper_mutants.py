"""`make papers-mutants`: a claim that no alteration changes is called vacuous, one that ends too late is left alone."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parents[2] / "verification"))
main: Any = __import__("paper_mutants.__main__", fromlist=["_"])
altering: Any = __import__("paper_mutants.alterations", fromlist=["_"])
progress: Any = __import__("paper_mutants.progress", fromlist=["_"])
reporting: Any = __import__("paper_mutants.report", fromlist=["_"])
watching: Any = __import__("paper_mutants.watching", fromlist=["_"])
CLAIM = "000.fig3"


def test_alterations_are_whole_files_that_differ() -> None:
    for name in ("p_rl", "a_k"):
        found = altering.alterations(name)
        assert len(found) > 50
        assert len({one.mutant.source for one in found}) > 0.9 * len(found)
        (edit,) = found[0].planted().edits
        assert edit[0] == name
        assert edit[1] != edit[2]


def test_a_claim_that_nothing_changes_is_vacuous(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (paper,) = main.find_papers([CLAIM])
    pairs = [(one, CLAIM) for one in altering.alterations("p_rl")[:3]]
    known = progress.Progress(tmp_path / "progress.jsonl")
    for one, _ in pairs[:2]:
        known.add(one, {"claim": CLAIM, "verdict": "proved", "changed": False})
    assert reporting.print_report([paper], pairs, known) == 0  # one is still to be tried
    assert main._left(pairs, known, False) == [(pairs[2][0], [CLAIM])]
    known.add(pairs[2][0], {"claim": CLAIM, "verdict": "proved", "changed": False})
    assert reporting.print_report([paper], pairs, progress.Progress(known.path)) == 1  # and the file keeps it
    assert "VACUOUS" in capsys.readouterr().out
    known.add(pairs[2][0], {"claim": CLAIM, "verdict": "violated", "changed": True})
    assert reporting.print_report([paper], pairs, known) == 0


def test_claims_about_no_rule_are_told_apart() -> None:
    (lemma,) = main.find_papers(["004.L9"])
    (fired,) = main.find_papers(["000.fig3"])
    (peace,) = main.find_papers(["000.L2"])
    asked = [claim for paper in (lemma, fired, peace) for claim in paper]
    assert [reporting.runs_the_protocol(claim, "p_rl") for claim in asked] == [False, True, True]
    assert [reporting.runs_the_protocol(claim, "aafj") for claim in asked] == [False, False, False]


@pytest.mark.slow
def test_one_alteration_on_one_claim() -> None:
    """Line 2 of P_RL deleted: the example of section 4.1 goes another way. And nobody waits for what does not end."""
    (line_2,) = [one for one in altering.alterations("p_rl") if one.says.endswith("if r.leader == 1:  # 2 | deleted")]
    ((_, answer),) = watching.tried([(line_2, [CLAIM])], 1, 300)
    assert answer == {"claim": CLAIM, "verdict": "violated", "changed": True}
    ((_, answer),) = watching.tried([(line_2, [CLAIM])], 1, 0.01)
    assert answer == {"claim": CLAIM, "verdict": watching.NO_END, "changed": False}
