"""A verdict for every claim of the papers."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # numpy is loaded when papers are examined
    from princeps.papers.examining import Finding

STORE = "papers.db"


def paper(
    *what: str,
    full: bool = False,
    store: str = STORE,
    seed: int | str = 0,
    jobs: int | None = None,
    planted: bool = False,
    watch: Callable[[int, int, str], None] = lambda done, total, what: None,
) -> list[Finding]:
    """A verdict for every claim: of papers (`003`), single claims (`003.L9`) or a file of yours; all of ours by default.

    Evidence that the store holds is not gathered again. With `planted`, each claim is tried with its fault.
    """
    from princeps.campaign.store import open_store
    from princeps.model.machine import processors
    from princeps.model.numbers import read_integer
    from princeps.papers.examining import Examination
    from princeps.papers.laboratory import FULL, QUICK
    from princeps.papers.shelf import find_papers

    papers = find_papers(what)
    with open_store(os.fspath(store)) as opened:
        examination = Examination(
            opened,
            effort=FULL if full else QUICK,
            seed=read_integer(seed, "seed"),
            jobs=processors() if jobs is None else jobs,
            plant=planted,
        )
        return [finding for one in papers for finding in examination.findings(one, watch)]
