"""A table as the parts of a claim: its rows are measured as `princeps table` does, and share their trials with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from princeps.papers.judging import number
from princeps.papers.laboratory import SKETCH, Lab
from princeps.papers.pending import NotReady
from princeps.papers.tables.declarations import CITED, Comparison, Effort
from princeps.papers.tables.measuring import MeasuredRow, measured_row
from princeps.papers.verdicts import Part


def measured_rows(
    lab: Lab, table: Comparison, sketch: Effort, quick: Mapping[str, Effort] | None = None
) -> list[MeasuredRow]:
    """All rows, asked for together. `quick` has other sizes than the table's --quick for some of the protocols."""
    found: list[MeasuredRow] = []
    missing = False
    for row in table.rows:
        effort = sketch if lab.effort == SKETCH else (quick or {}).get(row.protocol)
        try:
            found.append(measured_row(lab, table, row if effort is None else replace(row, quick=effort)))
        except NotReady:
            missing = True
    if missing:
        raise NotReady
    return found


def as_parts(rows: Sequence[MeasuredRow]) -> list[Part]:
    """The verdict on the claimed time of every row that is measured."""
    parts = []
    for row in rows:
        if row.agreement is None or row.coefficient is None:
            continue
        sizes = f"n = {row.points[0].n:,}..{row.points[-1].n:,} from {row.start or 'initial'}"
        parts.append(
            Part(
                row.agreement,
                f"{row.row} ({row.protocol}): {'; '.join(row.reasons)}",
                f"{number(row.coefficient)} {row.law}",
                row.claimed_time,
                f"{len(row.points)} sizes, {sizes}, 95 % intervals",
                commands=tuple(row.commands),
            )
        )
    return parts


def only_cited(rows: Sequence[MeasuredRow]) -> list[str]:
    """What is not judged, in a sentence."""
    names = [row.row for row in rows if row.status == CITED]
    return [f"cited only, and not judged: {', '.join(names)}"] if names else []
