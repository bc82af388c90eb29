"""The index of a folder of measured tables, in HTML and in Markdown: made from what every page says of itself."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from html import escape
from typing import Any

from princeps.reports.pages import SUFFIX

TITLE = "The papers' tables, measured"
COMMENT = "<!-- Made by princeps table --html. -->"  # a README.md that has it may be overwritten
BEGIN, END = "<!-- summary: ", " -->"
DASH = "\\u002d"  # as JSON may write it: two of them would end a comment
SUMMARY = re.compile(re.escape(BEGIN) + "(.*?)" + re.escape(END), re.DOTALL)


def summary(table: Any, rows: Sequence[Any], command: str, effort: str) -> str:
    """What an index needs to know of a page, within the page."""
    from princeps.papers.tables.exhibits import rows_table

    shown = rows_table(table, rows)
    about = {"id": table.id, "title": table.title, "source": table.source, "command": command, "effort": effort}
    data = {**about, "columns": list(shown.columns), "rows": [list(row) for row in shown.rows]}
    return f"{BEGIN}{json.dumps(data).replace('--', '-' + DASH)}{END}\n"


def summaries(folder: str) -> list[dict[str, Any]]:
    """Of all tables whose pages are in a folder, in the order of the tables."""
    from princeps.papers.tables.catalogue import TABLES

    found = []
    for id in TABLES:
        path = os.path.join(folder, id + SUFFIX)
        if os.path.isfile(path):
            with open(path, encoding="utf-8", errors="replace") as file:
                there = SUMMARY.search(file.read())
            if there is not None:  # a page of an older version says nothing of itself
                found.append(json.loads(there[1]))
    return found


def index(tables: Sequence[dict[str, Any]]) -> str:
    from princeps.reports.html import document
    from princeps.reports.wording import prose

    links = "".join(
        f'<li><a href="{escape(one["id"] + SUFFIX)}">{escape(one["id"])}</a> {prose(one["title"])}: samples '
        f"{escape(one['effort'])}, <code>{escape(one['command'])}</code></li>\n"
        for one in tables
    )
    return document(TITLE, f"<header><h1>{TITLE}</h1></header>\n<ul>\n{links}</ul>\n")


def readme(tables: Sequence[dict[str, Any]]) -> str:
    from princeps.reports.markdown import markdown_table, markdown_text
    from princeps.reports.wording import value_text

    parts = [
        COMMENT,
        f"# {TITLE}",
        "Each row's claim beside what was measured. *Cited only*: the rules were not published where we could read them. A "
        "*reconstruction* has rules of ours, in the style of the paper that is named. The pages have a figure with all rows' "
        "growth, the means by size, and the commands that repeat them.",
    ]
    for one in tables:
        rows = [[markdown_text(value_text(cell)) for cell in row] for row in one["rows"]]
        parts += [
            f"## {one['id']}: {markdown_text(one['title'])}",
            f"{markdown_text(one['source'])}. [The page with its figure]({one['id']}{SUFFIX}). Samples: {one['effort']}.\n\n```\n{one['command']}\n```",
            markdown_table(one["columns"], rows),
        ]
    return "\n\n".join(parts) + "\n"
