"""A paper's page: what was claimed, what came out, and how to see it for oneself. No script, nothing from elsewhere."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from princeps.reports.css import CSS
from princeps.reports.wording import (
    MEASURED_NOTE,
    VERDICTS,
    PaperReport,
    as_recorded,
    claims_text,
    prose,
    record_note,
    value_text,
    verdict_counts,
)

MARK = '<meta name="generator" content="princeps'  # pages that have it may be overwritten


def page(report: PaperReport) -> str:
    from princeps.reports.exhibits import exhibits

    paper = report.paper
    anchors = [anchor(finding.id, k) for k, finding in enumerate(report.findings, 1)]
    sections = {
        "claims": ("Claims", table_of_claims(report.findings, anchors)),
        "details": ("Claim by claim", "".join(map(details, report.findings, anchors))),
        "exhibits": ("Charts and tables", exhibits(report.exhibits, paper.id)),
        "errata": ("Errata that matter here", bullet_list(paper.errata)),
        "legend": ("Legend", legend()),
    }
    shown = {id: (title, body) for id, (title, body) in sections.items() if body}
    links = "".join(f'<a href="#{id}">{title}</a>' for id, (title, _) in shown.items())
    bodies = [f'<section id="{id}"><h2>{title}</h2>\n{body}</section>\n' for id, (title, body) in shown.items()]
    return document(f"{paper.id}: {paper.title}", head(report) + f"<nav>{links}</nav>\n" + "".join(bodies))


def document(title: str, body: str) -> str:
    """Everything that a page needs is in it."""
    from princeps import __version__

    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'{MARK} {escape(__version__)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{prose_title(title)}</title>\n<style>{CSS}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )


def head(report: PaperReport) -> str:
    paper = report.paper
    shows = [f"<code>princeps show {escape(shlex.quote(name))}</code>" for name in paper.protocols]
    facts = {"Source": prose(paper.source), "Protocols" if len(shows) > 1 else "Protocol": ", ".join(shows)}
    return (
        f'<header><p class="eyebrow">Paper {escape(paper.id)}</p>\n<h1>{prose(paper.title)}</h1>\n'
        f'{fact_list({**facts, **origin(report.command, report.effort)})}<p class="sum">{total(report.findings)}</p>\n'
        "</header>\n"
    )


def origin(command: str, effort: str) -> dict[str, str]:
    from princeps import __version__

    return {
        "Samples": escape(effort),
        "Made by": f"princeps {escape(__version__)}, <code>{escape(command)}</code>",
    }


def fact_list(facts: dict[str, str]) -> str:
    rows = "".join(f"<dt>{name}</dt><dd>{value}</dd>\n" for name, value in facts.items() if value)
    return f'<dl class="about">\n{rows}</dl>\n'


def total(findings: Sequence[Any]) -> str:
    """The line that ends the command's own output."""
    counts = ", ".join(
        f'<span class="badge {VERDICTS[one][0]}">{many} {one}</span>' for one, many in verdict_counts(findings)
    )
    return f"{claims_text(findings)}: {counts}; {as_recorded(findings)} as recorded"


def badge(verdict: str) -> str:
    return f'<span class="badge {VERDICTS[verdict][0]}">{escape(verdict)}</span>'


def anchor(id: str, k: int) -> str:
    """To be linked to by the claim's own name, wherever that can be part of an address."""
    return f"c-{id}" if re.fullmatch(r"[A-Za-z0-9_.-]+", id) else f"claim-{k}"


def table_of_claims(findings: Iterable[Any], anchors: Sequence[str]) -> str:
    rows = []
    for finding, place in zip(findings, anchors, strict=True):
        odd = f'<span class="odd">{escape(record_note(finding))}</span>' if record_note(finding) else ""
        rows.append(
            f'<tr><th scope="row"><a href="#{place}">{escape(finding.id)}</a></th>'
            f'<td class="statement">{prose(finding.says)}</td>'
            f'<td data-name="kind">{escape(finding.kind)}</td>'
            f'<td data-name="measured">{prose(value_text(finding.measured))}</td>'
            f'<td data-name="bound">{prose(value_text(finding.bound))}</td>'
            f'<td data-name="sample">{prose(finding.sample) or escape(value_text(None))}</td>'
            f'<td class="verdict">{badge(finding.verdict)}{odd}</td></tr>\n'
        )
    names = ("claim", "statement", "kind", "measured", "bound", "sample", "verdict")
    heads = "".join(f'<th scope="col">{name}</th>' for name in names)
    return f'<table class="rows">\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{"".join(rows)}</tbody>\n</table>\n'


def details(finding: Any, place: str) -> str:
    """Every part with what was looked at and what it would have noticed; then what is ours."""
    odd = f'<p class="odd">{escape(record_note(finding))}</p>\n' if record_note(finding) else ""
    parts = "".join(f"<li>{part_html(part, len(finding.parts) > 1)}</li>\n" for part in finding.parts)
    ours = "".join(f'<p><span class="tag ours">ours</span> {prose(text)}</p>\n' for text in finding.ours)
    known = {"Known to notice": prose(finding.planted), "To repeat it": f"<code>{escape(finding.command)}</code>"}
    return (
        f'<article class="card" id="{place}"><h3>{escape(finding.id)} '
        f'<span class="statement">{prose(finding.says)}</span> {badge(finding.verdict)}</h3>\n{odd}'
        f'<ul class="parts">\n{parts}</ul>\n{ours}{fact_list(known)}</article>\n'
    )


def part_html(part: dict[str, Any], several: bool) -> str:
    verdict = f"{badge(part['verdict'])} " if several else ""
    notes = "; ".join(prose(part[key]) for key in ("sample", "power") if part[key])
    note = f'<p class="note">{notes}</p>' if notes else ""
    return f"<p>{verdict}{prose(part['says'])}</p>{note}{command_lines(part['commands'])}"


def command_lines(commands: Sequence[str]) -> str:
    return f"<pre><code>{escape(chr(10).join(commands))}</code></pre>" if commands else ""


def bullet_list(sentences: Sequence[str]) -> str:
    return f"<ul>\n{''.join(f'<li>{prose(one)}</li>{chr(10)}' for one in sentences)}</ul>\n" if sentences else ""


def legend() -> str:
    from princeps.papers.claims import KINDS

    verdicts = "".join(f"<dt>{badge(one)}</dt><dd>{escape(why)}</dd>\n" for one, (_, why) in VERDICTS.items())
    kinds = "".join(f"<dt><b>{letter}</b></dt><dd>{escape(why)}</dd>\n" for letter, why in KINDS.items())
    ours = '<dt><span class="tag ours">ours</span></dt><dd>not in the paper, and seen in the data</dd>\n'
    return (
        f'<h3>Verdicts</h3>\n<dl class="about">\n{verdicts}{ours}</dl>\n'
        f'<h3>Kinds of evidence</h3>\n<dl class="about">\n{kinds}</dl>\n<p class="note">{MEASURED_NOTE}</p>\n'
    )


def prose_title(title: str) -> str:
    """Without any tag."""
    return re.sub(r"<[^>]*>", "", prose(title))
