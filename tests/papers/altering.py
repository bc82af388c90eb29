"""A claim examined with other faults than the one it names."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from princeps.campaign.store import open_store
from princeps.papers.catalogue import find_papers
from princeps.papers.claims import Planted
from princeps.papers.examining import Examination, Finding


def found_with(id: str, folder: Path, *edits: tuple[str, str, str], **settings: Any) -> Finding:
    """The claim in its smallest sample, with these lines of protocols altered."""
    (paper,) = find_papers([id])
    (claim,) = paper
    altered = replace(claim, planted=Planted("altered", *edits, **settings))
    with open_store(str(folder / "papers.db")) as store:
        (finding,) = Examination(store, jobs=1, plant=True).findings(replace(paper, claims=[altered]))
    return finding


def verdict_of(id: str, folder: Path, *edits: tuple[str, str, str], **settings: Any) -> str:
    return found_with(id, folder, *edits, **settings).verdict
