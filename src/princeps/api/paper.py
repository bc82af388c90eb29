"""A verdict for every claim of the papers, and their pages."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from princeps.api.arguments import a_function_of, a_paper, a_path, or_none, reads
from princeps.api.progress import displayed, watching_evidence
from princeps.errors import Interrupted
from princeps.model.announcing import announces
from princeps.model.interruptions import require_interruption
from princeps.model.machine import processors
from princeps.model.modules import refuse_while_loading
from princeps.model.numbers import Integer, read_count, read_integer
from princeps.model.options import explained

if TYPE_CHECKING:  # numpy is loaded when papers are examined
    from princeps.papers.claims import Paper
    from princeps.papers.collecting import EvidenceObserver
    from princeps.papers.examining import Finding

STORE = "papers.db"


def _unseen(finding: Finding) -> None:
    pass


@explained
@announces("princeps.paper", observer="watch")
@reads(
    what=a_paper,
    store=a_path,
    html=or_none(a_path),
    watch=or_none(a_function_of("done, total, what")),
    jobs=or_none(read_count),
)
def paper(
    *what: str | Paper,
    full: bool = False,
    store: str = STORE,
    seed: Integer = 0,
    jobs: int | None = None,
    planted: bool = False,
    html: str | None = None,
    force: bool = False,
    watch: EvidenceObserver | None = None,
    progress: bool = True,
) -> list[Finding]:
    """A verdict for every claim: of papers (`003`), single claims (`003.L9`) or a file of yours; all of ours by default.

    A `Paper` may be given itself, say in a notebook.

    Evidence that the store holds is not gathered again. With `planted`, each claim is tried with its fault; `html`
    writes pages: a folder, or a file for one paper; files that are no such pages are replaced only with `force`.
    """
    refuse_while_loading("princeps.paper")
    findings: list[Finding] = []
    how: dict[str, Any] = {"full": full, "store": store, "seed": seed, "jobs": jobs, "planted": planted, "html": html}
    try:
        with displayed("princeps.paper", progress and watch is None) as display:
            watcher = watch or watching_evidence(display)
            return examine(what, **how, force=force, watch=watcher, show=findings.append)
    except KeyboardInterrupt as error:
        require_interruption(error)
        sentence = f"interrupted; the store {store!r} holds what was finished, and the same call goes on."
        raise Interrupted(sentence, findings) from None


def examine(
    what: Sequence[str | Paper],
    *,
    full: bool,
    store: str,
    seed: Integer,
    jobs: int | None,
    planted: bool,
    html: str | None,
    force: bool,
    watch: EvidenceObserver,
    show: Callable[[Finding], None] = _unseen,
) -> list[Finding]:
    """Every finding is shown as soon as it is judged; Ctrl-C ends it, and the store keeps what was gathered."""
    from princeps.campaign.evidence import discard_if_empty
    from princeps.campaign.rescue import rescued_if_lost
    from princeps.campaign.store import open_store
    from princeps.errors import LostStore
    from princeps.model.files import store_files
    from princeps.papers.catalogue import find_papers
    from princeps.papers.examining import Examination
    from princeps.papers.laboratory import FULL, QUICK
    from princeps.reports.pages import refuse_pages, write_pages

    words = [word for word in what if isinstance(word, str)]
    seed_number, papers, path = read_integer(seed, "seed"), find_papers(what), os.fspath(store)
    inputs = [*store_files(path), *(word for word in words if os.path.isfile(word))]
    if html is not None:
        refuse_pages(html, papers, inputs, force)
    findings, pages, seconds = [], [], []
    try:
        with open_store(path) as opened, rescued_if_lost(opened):
            examination = Examination(
                opened,
                effort=FULL if full else QUICK,
                seed=seed_number,
                jobs=processors() if jobs is None else jobs,
                plant=planted,
            )
            for one in papers:
                own = []
                for finding in examination.findings(one, watch):
                    own.append(finding)
                    show(finding)
                findings += own
                if html is not None:
                    pages.append((one, own, examination.exhibits(one, watch)))
                seconds.append(examination.seconds_taken())
    except LostStore:
        raise  # what is at the path now is not ours
    except BaseException:
        discard_if_empty(path)
        raise
    discard_if_empty(path)
    if html is not None:
        write_pages(html, pages, what=words, full=full, seed=seed_number, seconds=seconds, inputs=inputs, force=force)
    return findings


def paper_ids() -> list[str]:
    """What may be asked for by its number."""
    from princeps.papers.catalogue import CATALOGUE

    return list(CATALOGUE)
