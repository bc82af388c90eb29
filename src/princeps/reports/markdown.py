"""The same tables in Markdown: code hosts show a folder's README.md, and no HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from princeps.reports.wording import (
    MEASURED_NOTE,
    TITLE,
    VERDICTS,
    PaperReport,
    as_recorded,
    claims_text,
    record_note,
    value_text,
    verdict_counts,
)

COMMENT = "<!-- Made by princeps paper --html. -->"  # a README.md that has it may be overwritten
SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$])")


def readme(reports: Sequence[PaperReport], names: Sequence[str], command: str, effort: str) -> str:
    from princeps import __version__

    everything = [finding for report in reports for finding in report.findings]
    rows = [
        (f"[{markdown_text(one.paper.id)}]({name})", markdown_text(one.paper.title), *_counts(one.findings))
        for one, name in zip(reports, names, strict=True)
    ]
    if len(reports) > 1:
        rows.append(("all", "", *_counts(everything)))
    parts = [
        COMMENT,
        f"# {TITLE}",
        f"{claims_text(everything)}: {_verdicts(everything)}; {as_recorded(everything)} as recorded. Samples: {effort}. "
        f"Made by princeps {__version__}:",
        f"```\n{command}\n```",
        markdown_table(("paper", "title", "claims", "verdicts", "as recorded"), rows),
        *(_paper(one) for one in reports),
        _legend(),
    ]
    return "\n\n".join(parts) + "\n"


def _paper(report: PaperReport) -> str:
    columns = ("claim", "statement", "kind", "measured", "bound", "sample", "verdict")
    rows = [
        (
            *(markdown_text(text) for text in (one.id, one.says, one.kind)),
            *(markdown_text(value_text(value)) for value in (one.measured, one.bound, one.sample or None)),
            f"**{one.verdict}**" + (f" ({markdown_text(record_note(one))})" if record_note(one) else ""),
        )
        for one in report.findings
    ]
    source = f"{markdown_text(report.paper.source)}\n\n" if report.paper.source else ""
    return f"## {markdown_text(report.paper.id)}: {markdown_text(report.paper.title)}\n\n{source}{markdown_table(columns, rows)}"


def _legend() -> str:
    from princeps.papers.claims import KINDS

    verdicts = "\n".join(f"- **{verdict}**: {why}" for verdict, (_, why) in VERDICTS.items())
    kinds = "\n".join(f"- **{letter}**: {why}" for letter, why in KINDS.items())
    return f"## Legend\n\n{verdicts}\n\nKinds of evidence:\n\n{kinds}\n\n{MEASURED_NOTE}"


def _counts(findings: Sequence[Any]) -> tuple[str, str, str]:
    return f"{len(findings)}", _verdicts(findings), f"{as_recorded(findings)}"


def _verdicts(findings: Sequence[Any]) -> str:
    return ", ".join(f"{many} {verdict}" for verdict, many in verdict_counts(findings))


def markdown_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def markdown_text(text: str) -> str:
    """One line, in which nothing is Markdown but the raised figures."""
    from princeps.figures.unicode_text import with_unicode_signs

    return SPECIAL.sub(r"\\\1", " ".join(with_unicode_signs(text).split()).replace("&", "&amp;"))
