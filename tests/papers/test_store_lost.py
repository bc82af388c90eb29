"""A store of evidence that is removed during an examination: the evidence is kept in a new file."""

from __future__ import annotations

from pathlib import Path

import pytest

import princeps as library
from princeps.errors import LostStore
from tests.campaign.campaign_tools import ask

CLAIMS = """
from princeps.papers import SUPPORTED, Paper, probability_at_least, together

paper = Paper(id="mine", title="", protocols=["fratricide"])

def half(part, seed):
    return part / 2

@paper.claim("mine.few", "all are there", recorded=SUPPORTED)
def few(lab):
    parts = lab.measure(half, parts=200).parts
    return together([probability_at_least(sum(value >= 0 for value in parts), len(parts), 0.5, "all")], [])
"""


@pytest.mark.slow
def test_evidence_is_kept_and_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("claims.py").write_text(CLAIMS)

    def watch(done: int, total: int, what: str) -> None:
        if done >= 20:
            Path("papers.db").unlink(missing_ok=True)

    with pytest.raises(LostStore, match=r"measurements, is in 'papers\.rescued\.db'"):
        library.paper("./claims.py", jobs=1, watch=watch)
    assert not Path("papers.db").exists()
    before = ask("papers.rescued.db", "SELECT part, seconds FROM evidence")
    assert 20 <= len(before) < 200
    (finding,) = library.paper("./claims.py", jobs=1, store="papers.rescued.db")
    assert finding.verdict == "supported"
    after = ask("papers.rescued.db", "SELECT part, seconds FROM evidence")
    assert len(after) == 200
    assert set(before) <= set(after)
