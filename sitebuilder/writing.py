"""Markdown in pieces: tables, texts that must not be read as markup, raw HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$])")
CODE = re.compile(r"(`[^`]*`)")
BAR = re.compile(r"(?<!\\)\|")


def text(given: object) -> str:
    """One line in which nothing is markup but `code`."""
    parts = CODE.split(" ".join(str(given).split()))
    return "".join(part if k % 2 else SPECIAL.sub(r"\\\1", part) for k, part in enumerate(parts))


def code(given: object) -> str:
    """Code in a cell of a table, where a bar would end the cell."""
    return f"`{given!s}`".replace("|", "\\|") if str(given) else ""


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Nothing if there are no rows. A bar in a cell, in code as well, would end it."""
    lines = [[BAR.sub(r"\|", cell) for cell in row] for row in rows]
    if not lines:
        return ""
    return "\n".join(f"| {' | '.join(line)} |" for line in [list(columns), ["---"] * len(columns), *lines])


def raw(html: str) -> str:
    return f"``````{{raw}} html\n{html}\n``````"


def paragraphs(doc: str) -> list[str]:
    """Of a docstring, each on one line, as text. A line of dashes below a line makes it a heading."""
    found = []
    for part in re.split(r"\n\s*\n", doc.strip()):
        heading = re.match(r"(.+)\n-{3,}\n?", part)
        if heading is not None:
            found.append(f"### {text(heading[1])}")
            part = part[heading.end() :]
        if part.lstrip().startswith(("* ", "- ")):
            items = re.split(r"\n(?=\s*[*-] )", "\n" + part)
            found.append("\n".join("- " + text(re.sub(r"^\s*[*-] ", "", item)) for item in items if item.strip()))
        elif part.strip():
            found.append(_emphasis(text(part)))
    return found


def _emphasis(line: str) -> str:
    """*Batches* at the beginning of a paragraph stays emphasised."""
    return re.sub(r"^\\\*(.+?)\\\*", r"*\1*", line)


def page(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"
