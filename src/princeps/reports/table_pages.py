"""Which files `princeps table --html` writes: one page, or a folder with a page a table and an index of all that it holds."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from html import escape
from importlib.util import find_spec
from typing import Any

from princeps.errors import RunError
from princeps.reports.pages import INDEX, README, SUFFIX, is_file
from princeps.reports.table_index import index, readme, summaries, summary


def refuse_table_pages(path: str, tables: Sequence[Any], inputs: Sequence[str] = (), force: bool = False) -> None:
    """A wrong path is refused before anything is measured; nothing is left behind."""
    from princeps.model.files import PAGE, Output, writable

    if find_spec("matplotlib") is None:
        raise RunError("the figure of a table needs matplotlib: install it with pip install 'princeps[plot]'.")
    above = os.path.dirname(os.path.abspath(path))
    if not path.strip():
        raise RunError(f"--html {path!r} names nothing: give a folder, or a file like out.html for one table.")
    if not os.path.isdir(above):
        raise RunError(
            f"--html {path!r} would stand in {above!r}, which is no folder: make it, or choose another path."
        )
    if is_file(path):
        if len(tables) != 1:
            raise RunError(
                f"--html {path!r} is one file, and there are {len(tables)} tables: give a folder, or name one table."
            )
        Output(path, PAGE, inputs, force).check()
    elif not os.path.lexists(path):
        with writable(path):
            os.mkdir(path)
            os.rmdir(path)
    elif not os.path.isdir(path):
        raise RunError(f"--html {path!r} is a file and no folder: choose another, or end it with .html for one page.")
    else:
        for name in (*(table.id + SUFFIX for table in tables), INDEX, README):
            Output(os.path.join(path, name), PAGE, inputs, force).check()


def write_table_pages(
    path: str,
    pages: Sequence[tuple[Any, Sequence[Any], float]],
    *,
    full: bool,
    seed: int,
    inputs: Sequence[str] = (),
    force: bool = False,
) -> None:
    """One self-contained page a table; in a folder also an index of all that are there."""
    from princeps.model.files import PAGE, Output, writable

    if is_file(path):
        ((table, rows, seconds),) = pages
        with Output(path, PAGE, inputs, force).replacing() as write:
            write(page(table, rows, full, seed, seconds).encode("utf-8", "backslashreplace"))
        return
    with writable(path):
        os.makedirs(path, exist_ok=True)

    def put(name: str, text: str) -> None:
        with Output(os.path.join(path, name), PAGE, inputs, force).replacing() as write:
            write(text.encode("utf-8", "backslashreplace"))

    for table, rows, seconds in pages:
        put(table.id + SUFFIX, page(table, rows, full, seed, seconds))
    there = summaries(path)  # pages of an earlier command stay in the index
    put(INDEX, index(there))
    put(README, readme(there))


def page(table: Any, rows: Sequence[Any], full: bool, seed: int, seconds: float | None = None) -> str:
    from princeps.papers.tables.declarations import MARKS
    from princeps.papers.tables.exhibits import figure, means_table, rows_table
    from princeps.reports.exhibits import exhibits
    from princeps.reports.html import command_lines, document, fact_list, origin
    from princeps.reports.wording import effort_text, prose

    command, effort = _command(table.id, full, seed), effort_text(full, seconds)
    facts = {"Source": prose(table.source), **origin(command, effort)}
    head = f'<header><p class="eyebrow">Table {escape(table.id)}</p>\n<h1>{prose(table.title)}</h1>\n{fact_list(facts)}</header>\n'
    shown = exhibits([figure(table, rows), rows_table(table, rows), means_table(table, rows)], table.id)
    reasons = "".join(_reasons(row) for row in rows if row.reasons or row.remark)
    commands = command_lines([command for row in rows for command in row.commands])
    marks = "".join(f"<dt>{escape(mark)}</dt><dd>{escape(says)}</dd>\n" for mark, says in MARKS.items())
    return document(
        f"{table.id}: {table.title}",
        f"{head}<section>{shown}</section>\n"
        f'<section id="claims"><h2>Claims against measurements</h2>\n{reasons}</section>\n'
        f'<section id="commands"><h2>To repeat it</h2>\n{commands}</section>\n'
        f'<section id="legend"><h2>Marks</h2>\n<dl class="about">\n{marks}</dl></section>\n'
        f"{summary(table, rows, command, effort)}",
    )


def _reasons(row: Any) -> str:
    from princeps.reports.html import badge, bullet_list

    verdict = f" {badge(row.agreement)}" if row.agreement else ""
    return f"<h3>{escape(row.row)}{verdict}</h3>\n{bullet_list([*row.reasons, *([row.remark] if row.remark else [])])}"


def _command(id: str, full: bool, seed: int) -> str:
    words = ["princeps", "table", id, *(["--full"] if full else []), *(["--seed", str(seed)] if seed else [])]
    return shlex.join([*words, "--html", id + SUFFIX])
