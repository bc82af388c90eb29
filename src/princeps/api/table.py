"""The papers' comparison tables, measured, and their pages."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from princeps.api.arguments import a_function_of, a_path, or_none, reads
from princeps.api.progress import displayed, watching_evidence
from princeps.errors import Interrupted, RunError
from princeps.model.announcing import announces
from princeps.model.interruptions import require_interruption
from princeps.model.machine import processors
from princeps.model.modules import refuse_while_loading
from princeps.model.numbers import Integer, read_count, read_integer
from princeps.model.options import explained

if TYPE_CHECKING:  # numpy is loaded when tables are measured
    from princeps.papers.collecting import EvidenceObserver
    from princeps.papers.tables.measuring import MeasuredRow

STORE = "tables.db"


def _unseen(row: MeasuredRow) -> None:
    pass


@explained
@announces("princeps.table", observer="watch")
@reads(
    store=a_path,
    html=or_none(a_path),
    watch=or_none(a_function_of("done, total, what")),
    jobs=or_none(read_count),
)
def table(
    *what: str,
    full: bool = False,
    store: str = STORE,
    seed: Integer = 0,
    jobs: int | None = None,
    html: str | None = None,
    force: bool = False,
    watch: EvidenceObserver | None = None,
    progress: bool = True,
) -> list[MeasuredRow]:
    """Every row of the papers' comparison tables with its claim beside what was measured.

    `what` are tables (`000.1`) or papers (`003`: all of its tables); without any, all tables. Rows whose rules were not
    published where they could be read are cited only.

    What the store holds is not measured again. `html` writes pages: a folder, or a file for one table; files that are no
    such pages are replaced only with `force`.
    """
    refuse_while_loading("princeps.table")
    rows: list[MeasuredRow] = []
    try:
        with displayed("princeps.table", progress and watch is None) as display:
            watcher = watch or watching_evidence(display)
            return measure_tables(
                what,
                full=full,
                store=store,
                seed=seed,
                jobs=jobs,
                html=html,
                force=force,
                watch=watcher,
                show=rows.append,
            )
    except KeyboardInterrupt as error:
        require_interruption(error)
        sentence = f"interrupted; the store {store!r} holds what was finished, and the same call goes on."
        raise Interrupted(sentence, rows) from None


def measure_tables(
    what: Sequence[str],
    *,
    full: bool,
    store: str,
    seed: Integer,
    jobs: int | None,
    html: str | None,
    force: bool,
    watch: EvidenceObserver,
    show: Callable[[MeasuredRow], None] = _unseen,
) -> list[MeasuredRow]:
    """Every row is shown as soon as it is measured; Ctrl-C ends it, and the store keeps what was gathered."""
    from princeps.campaign.evidence import discard_if_empty
    from princeps.campaign.rescue import rescued_if_lost
    from princeps.campaign.store import open_store
    from princeps.errors import LostStore
    from princeps.model.files import store_files
    from princeps.papers.examining import Examination
    from princeps.papers.laboratory import FULL, QUICK
    from princeps.papers.tables.catalogue import find_tables
    from princeps.reports.table_pages import refuse_table_pages, write_table_pages

    for word in what:
        if not isinstance(word, str):
            raise RunError(f"the table {word!r} is no text: give the number of a table, like '000.1'.")
    seed_number, tables, path = read_integer(seed, "seed"), find_tables(what), os.fspath(store)
    inputs = store_files(path)
    if html is not None:
        refuse_table_pages(html, tables, inputs, force)
    rows: list[MeasuredRow] = []
    pages = []
    try:
        with open_store(path) as opened, rescued_if_lost(opened):
            workers = processors() if jobs is None else jobs
            examination = Examination(opened, effort=FULL if full else QUICK, seed=seed_number, jobs=workers)
            for one in tables:
                own = []
                for row in examination.rows(one, watch):
                    own.append(row)
                    show(row)
                rows += own
                pages.append((one, own, examination.seconds_taken()))
    except LostStore:
        raise  # what is at the path now is not ours
    except BaseException:
        discard_if_empty(path)
        raise
    discard_if_empty(path)
    if html is not None:
        write_table_pages(html, pages, full=full, seed=seed_number, inputs=inputs, force=force)
    return rows


def table_ids() -> list[str]:
    """What may be asked for."""
    from princeps.papers.tables.catalogue import TABLES

    return list(TABLES)
