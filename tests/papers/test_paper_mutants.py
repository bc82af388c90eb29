"""`make papers-mutants`: a claim that no alteration changes is called vacuous, one that ends too late is left alone."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from princeps.campaign.store import open_store
from princeps.papers import collecting
from princeps.papers.examining import Examination
from tests.tables import in_one_test

sys.path.append(str(Path(__file__).parents[2] / "verification"))
main: Any = __import__("paper_mutants.__main__", fromlist=["_"])
asking: Any = __import__("paper_mutants.asking", fromlist=["_"])
altering: Any = __import__("paper_mutants.alterations", fromlist=["_"])
progress: Any = __import__("paper_mutants.progress", fromlist=["_"])
reporting: Any = __import__("paper_mutants.report", fromlist=["_"])
here: Any = __import__("paper_mutants.here", fromlist=["_"])
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


def lines_of(claim: Any) -> list[tuple[Any, str]]:
    """The first alterations of the lines that a claim on P_RL is about, and one of another line."""
    found = altering.alterations("p_rl")
    own = [one for one in found if asking.is_about(one, claim)][:2]
    return [
        *((one, claim.id) for one in own),
        next((one, claim.id) for one in found if not asking.is_about(one, claim)),
    ]


def test_a_claim_that_nothing_changes_is_vacuous(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (paper,) = main.find_papers([CLAIM])
    first, second, other = lines_of(next(iter(paper)))
    pairs = [first, second, other]
    known = progress.Progress(tmp_path / "progress.jsonl")
    for one, _ in (first, other):
        known.add(one, {"claim": CLAIM, "verdict": "proved", "changed": False})
    assert reporting.print_report([paper], pairs, known) == 0  # one is still to be tried
    assert main._left(pairs, known, False) == [(second[0], [CLAIM])]
    known.add(second[0], {"claim": CLAIM, "verdict": "proved", "changed": False})
    assert reporting.print_report([paper], pairs, progress.Progress(known.path)) == 1  # and the file keeps it
    assert "VACUOUS" in capsys.readouterr().out
    known.add(second[0], {"claim": CLAIM, "verdict": watching.NO_END, "changed": False})
    assert reporting.print_report([paper], pairs, known) == 0
    assert "UNDECIDED" in capsys.readouterr().out
    known.add(second[0], {"claim": CLAIM, "verdict": "violated", "changed": True})
    assert reporting.print_report([paper], pairs, known) == 0
    assert "2 of 3" not in capsys.readouterr().out


def test_a_claim_about_no_line_of_a_rule_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The number of states does not depend on the rule: its fault alters the declaration of a field."""
    (paper,) = main.find_papers(["000.T1c"])
    pairs = [(one, "000.T1c") for one in altering.alterations("p_rl")[:1]]
    known = progress.Progress(tmp_path / "progress.jsonl")
    known.add(pairs[0][0], {"claim": "000.T1c", "verdict": "proved", "changed": False})
    assert reporting.print_report([paper], pairs, known) == 0
    assert "about no line of a rule; its planted fault: distL counts to N squared" in capsys.readouterr().out
    known.add(pairs[0][0], {"claim": "000.T1c", "verdict": "violated", "changed": True})
    assert reporting.print_report([paper], pairs, known) == 0
    assert "about no line" not in capsys.readouterr().out  # it notices this one


@in_one_test(
    ("claim", "protocols"),
    [
        ("000.fig3", ("p_rl",)),
        ("000.table1", ("aafj", "fischer_jiang", "p_rl")),
        ("001.L5", ()),  # about words
        ("001.T2a", ("a_k",)),  # its file names B_k, too
        ("004.L4", ("epidemic",)),
        ("004.table1", ("optimal_silent", "p_pl", "silent_ranking", "timer")),
    ],
)
def test_which_protocols_a_claim_runs(claim: str, protocols: tuple[str, ...]) -> None:
    assert asking.protocols_of(claim) == protocols


def test_lines_that_a_claim_is_about_come_first() -> None:
    (paper,) = main.find_papers([CLAIM])
    claims = {claim.id: claim for claim in paper}
    pairs = asking.in_order([(one, CLAIM) for one in altering.alterations("p_rl")], claims)
    about = [asking.is_about(one, claims[CLAIM]) for one, _ in pairs]
    assert 0 < sum(about) < 10
    assert about == sorted(about, reverse=True)
    assert all("if r.distL == p.N:" in one.mutant.code for (one, _), own in zip(pairs, about, strict=True) if own)


def test_an_answer_belongs_to_all_that_the_check_reaches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (one, *_) = altering.alterations("p_rl")
    before = progress.key_of(one, "000.T1b")
    progress._asked.cache_clear()
    monkeypatch.setattr("princeps.papers.p_rl.times.ELIMINATED", 8)
    after = progress.key_of(one, "000.T1b")
    progress._asked.cache_clear()
    assert before != after


def test_the_time_is_told_and_what_is_left_at_that_rate(tmp_path: Path) -> None:
    pairs = [(one, CLAIM) for one in altering.alterations("p_rl")[:4]]
    known = progress.Progress(tmp_path / "progress.jsonl")
    for (one, _), seconds in zip(pairs, (1200, 3000), strict=False):
        known.add(one, {"claim": CLAIM, "verdict": "proved", "changed": False, "seconds": seconds})
    assert reporting.time_text(pairs, known) == (
        "2 of 4 pairs tried; one after the other they took 1 h 10 min, and the other 2 will take 1 h 10 min if they are like these"
    )
    assert reporting.time_text(pairs[:2], known) == "2 of 2 pairs tried; one after the other they took 1 h 10 min"


def test_evidence_is_the_same_without_worker_processes(tmp_path: Path) -> None:
    """Trials of a sweep and parts of a measurement; one that fails is told, and the others of its point are not run."""
    (paper,) = main.find_papers(["002.self"])
    verdicts: list[dict[str, Any]] = []
    for make in (collecting.LastingWorkerPool, lambda jobs: here.InThisProcess()):
        with open_store(str(tmp_path / f"{len(verdicts)}.db")) as store:
            (finding,) = Examination(store, make_pool=make).findings(paper)
            verdicts.append(finding.as_json())
            trials = store.select("SELECT point, trial, steps FROM trials ORDER BY point, trial", ())
            verdicts[-1]["trials"] = list(trials)
    assert verdicts[0] == verdicts[1]
    assert len(verdicts[0]["trials"]) > 100


@pytest.mark.slow
def test_one_alteration_on_one_claim() -> None:
    """Line 2 of P_RL deleted: the example of section 4.1 goes another way. And nobody waits for what does not end."""
    (line_2,) = [one for one in altering.alterations("p_rl") if one.says.endswith("if r.leader == 1:  # 2 | deleted")]
    ((_, answer),) = watching.tried([(line_2, [CLAIM])], 1, 300)
    assert answer.pop("seconds") > 0
    assert answer == {"claim": CLAIM, "verdict": "violated", "changed": True}
    ((_, answer),) = watching.tried([(line_2, [CLAIM])], 1, 0.01)
    assert answer.pop("seconds") >= 0.01
    assert answer == {"claim": CLAIM, "verdict": watching.NO_END, "changed": False}
