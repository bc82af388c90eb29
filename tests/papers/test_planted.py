"""Every claim of every paper is there, and every verdict can fail: a planted fault changes it.

An altered population protocol must be compiled before an engine runs it, ten seconds each: here such claims are tried
only where a walk in plain Python finds the fault. `make papers-planted` tries them all, and is part of what must be green.
"""

from __future__ import annotations

from math import isfinite
from pathlib import Path

import pytest

from princeps.campaign.store import open_store
from princeps.model import registry
from princeps.papers.catalogue import CATALOGUE, find_papers
from princeps.papers.claims import Claim
from princeps.papers.examining import Examination
from princeps.papers.exhibits import Exhibit, Table
from princeps.papers.laboratory import SKETCH
from princeps.papers.verdicts import INCONCLUSIVE, NOT_TESTABLE, PROVED, SUPPORTED
from tests.tables import in_one_test

CONTENTS = {
    "000": "T1a T1b T1c L1 L2 L3 L4 L5 L6 L7 L8 L9 L10 L11 L12 L13 opt coin oracle claim3 table1 fig3",
    "001": "L1 T1 L5 L6 T2a T2r T2b T2c T2d T3 T4a T4b L7 L10 L11 L12 L13 O1 conf cor4 fig1 U_k 122",
    "002": "T1 T2 T3 exp fig1 alg1 self min m",
    "003": "T1 L3 L1 game L4 L5 L6 L8 L9 L10 L7 L11 L12 L13 L14 L15 L16 L17 m symbackup table1 table2 coin sym",
    "004": "T23a T23b L4 L6 C7 C8 L5 L9 L10 L11 L12 C13 L14 L15 L17 L18 L19 L20 C21 E6 lemma3 foot1 table1 space",
}


@in_one_test("id", CATALOGUE)
def test_no_claim_is_left_out(id: str) -> None:
    (paper,) = find_papers([id])
    assert [claim.id for claim in paper] == [f"{id}.{name}" for name in CONTENTS[id].split()]


def test_there_are_102_claims() -> None:
    assert sum(len(list(paper)) for paper in find_papers([])) == 102


@in_one_test("id", CATALOGUE)
def test_every_claim_has_a_verdict_on_record_and_a_fault_that_it_notices(id: str) -> None:
    (paper,) = find_papers([id])
    assert not [claim.id for claim in paper if claim.recorded is None]
    assert not [claim.id for claim in paper if claim.planted is None]


def compiles(claim: Claim) -> bool:
    """Its fault is an altered protocol, and an engine runs it."""
    edited = [name for name, _, _ in claim.planted.edits] if claim.planted else []
    return any(name in registry.names("population") for name in edited) and claim.kind not in ("P", "C")


@pytest.mark.slow
@pytest.mark.parametrize("id", CATALOGUE)
def test_a_planted_fault_changes_the_verdict(id: str, tmp_path: Path) -> None:
    (paper,) = find_papers([id])
    tried = [claim.id for claim in paper if not compiles(claim)]
    (chosen,) = find_papers(tried)
    with open_store(str(tmp_path / "papers.db")) as store:
        found = list(Examination(store, jobs=1, plant=True).findings(chosen))
    assert [finding.id for finding in found] == tried
    assert not {finding.id: finding.verdict for finding in found if not finding.changed}
    assert tried


# -- and without the fault -----------------------------------------------------------------------------------------------


# What such small samples cannot show: too few trials decide nothing, and that a printed text is wrong is not seen.
TOO_SMALL = {
    **dict.fromkeys(["000.table1", "001.T4a", "002.T2", "002.T3", "002.m"], INCONCLUSIVE),
    **dict.fromkeys(
        [
            "003.T1",
            "003.L1",
            "003.game",
            "003.L6",
            "003.L8",
            "003.L9",
            "003.L7",
            "003.L12",
            "003.L15",
            "003.L16",
            "003.L17",
            "003.m",
            "003.table1",
            "003.table2",
        ],
        INCONCLUSIVE,
    ),
    **dict.fromkeys(["003.coin", "004.L5", "004.L12", "004.table1"], INCONCLUSIVE),
    **dict.fromkeys(["002.exp", "004.L6", "004.C8", "004.L18"], NOT_TESTABLE),
    **dict.fromkeys(["000.L13", "000.oracle"], PROVED),  # no sample is taken then
    "003.L10": SUPPORTED,
}


@pytest.mark.slow
@pytest.mark.parametrize("id", CATALOGUE)
def test_it_is_the_fault_that_changes_it(id: str, tmp_path: Path) -> None:
    """The same small samples without any fault: the verdicts on record, but for those named above; and all exhibits."""
    (paper,) = find_papers([id])
    with open_store(str(tmp_path / "papers.db")) as store:
        examination = Examination(store, jobs=1, effort=SKETCH)
        found = list(examination.findings(paper))
        shown = examination.exhibits(paper)
    assert [finding.id for finding in found] == [claim.id for claim in paper]
    others = {finding.id: finding.verdict for finding in found if not finding.as_recorded}
    assert others == {name: verdict for name, verdict in TOO_SMALL.items() if name.startswith(id)}
    assert len(shown) == len(paper.exhibits)
    for exhibit in shown:
        check_exhibit(exhibit)


def check_exhibit(exhibit: Exhibit) -> None:
    assert exhibit.title
    assert "could not be made" not in exhibit.caption
    if isinstance(exhibit, Table):
        assert exhibit.rows
        assert {len(row) for row in exhibit.rows} == {len(exhibit.columns)}, exhibit.title
        return
    assert exhibit.lines
    for line in exhibit.lines:
        assert len(line.x) == len(line.y) > 0, line.label
        assert all(map(isfinite, [*line.x, *line.y])), line.label
        if line.low is not None and line.high is not None:
            assert all(low <= y <= high for low, y, high in zip(line.low, line.y, line.high, strict=True)), line.label
        assert not exhibit.log_x or min(line.x) > 0, line.label
        assert not exhibit.log_y or max(line.y) > 0, line.label  # a share of 0 is left out
