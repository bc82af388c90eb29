"""All papers of a folder on one page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from princeps.reports.html import badge, document, fact_list, legend, origin, total
from princeps.reports.wording import TITLE, VERDICTS, PaperReport, as_recorded, prose, record_note, verdict_counts


def index(reports: Sequence[PaperReport], names: Sequence[str], command: str, effort: str) -> str:
    everything = [finding for report in reports for finding in report.findings]
    rows = [
        f'<tr><th scope="row"><a href="{escape(name)}">{escape(one.paper.id)}</a></th><td class="statement">{prose(one.paper.title)}</td>'
        f"{_counts(one.findings)}</tr>\n"
        for one, name in zip(reports, names, strict=True)
    ]
    heads = "".join(f'<th scope="col">{name}</th>' for name in ("paper", "title", "claims", "verdicts", "as recorded"))
    sum_row = f'<tr><th scope="row">all</th><td></td>{_counts(everything)}</tr>\n' if len(reports) > 1 else ""
    odd = [f"<li>{escape(one.id)}: {badge(one.verdict)}, {escape(record_note(one))}</li>\n" for one in _odd(everything)]
    other = f"<h2>Not as recorded</h2>\n<ul>\n{''.join(odd)}</ul>\n" if odd else ""
    return document(
        TITLE,
        f"<header><h1>{TITLE}</h1>\n{fact_list(origin(command, effort))}"
        f'<p class="sum">{total(everything)}</p></header>\n'
        f'<h2>Papers</h2>\n<table class="rows">\n<thead><tr>{heads}</tr></thead>\n'
        f"<tbody>\n{''.join(rows)}</tbody>\n<tfoot>\n{sum_row}</tfoot>\n</table>\n{other}"
        f"<h2>Legend</h2>\n{legend()}",
    )


def _counts(findings: Sequence[Any]) -> str:
    chips = " ".join(
        f'<span class="badge {VERDICTS[verdict][0]}">{many} {verdict}</span>'
        for verdict, many in verdict_counts(findings)
    )
    return (
        f'<td data-name="claims">{len(findings)}</td><td class="chips">{chips}</td>'
        f'<td data-name="as recorded">{as_recorded(findings)}</td>'
    )


def _odd(findings: Sequence[Any]) -> list[Any]:
    return [finding for finding in findings if not finding.as_recorded]
