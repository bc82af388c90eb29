"""Charts and tables of a page, as HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Any

from princeps.reports.wording import prose, value_text

NUMBER = re.compile(r"[-+]?[\d,.]+(e[-+]?\d+)?( ?%)?|-|–|")  # noqa: RUF001 - a dash for nothing


def exhibits(shown: Sequence[Any], paper: str) -> str:
    """`paper` keeps the parts of its charts apart from those of any other page's."""
    return "".join(_exhibit(one, f"{paper}-{k}") for k, one in enumerate(shown, 1))


def _exhibit(exhibit: Any, key: str) -> str:
    from princeps.papers.exhibits import Chart

    ours = ' <span class="tag ours">ours</span>' if exhibit.ours else ""
    body = _chart(exhibit, key) if isinstance(exhibit, Chart) else _table(exhibit)
    return (
        f'<figure class="card"><h3>{prose(exhibit.title)}{ours}</h3>\n{body}\n'
        f"<figcaption>{prose(exhibit.caption)}</figcaption></figure>\n"
    )


def _chart(chart: Any, key: str) -> str:
    from princeps.figures.chart import chart_svg
    from princeps.figures.marks import Curve

    curves = [Curve(line.label, line.x, line.y, line.low, line.high, line.style, line.of) for line in chart.lines]
    return chart_svg(chart.title, chart.x, chart.y, curves, key=key, log_x=chart.log_x, log_y=chart.log_y)


def _table(table: Any) -> str:
    """Numbers stand below each other at the right."""
    rows = [[_cell(cell) for cell in row] for row in table.rows]
    sides = [
        ' class="number"' if rows and all(NUMBER.fullmatch(cell) for cell in column) else ""
        for column in zip(*rows, strict=True)
    ] or [""] * len(table.columns)
    heads = "".join(
        f'<th scope="col"{side}>{prose(name)}</th>' for name, side in zip(table.columns, sides, strict=True)
    )
    lines = [
        f"<tr>{''.join(f'<td{side}>{prose(cell)}</td>' for cell, side in zip(row, sides, strict=True))}</tr>\n"
        for row in rows
    ]
    return (
        f'<div class="scroll"><table aria-label="{escape(table.title)}">\n<thead><tr>{heads}</tr></thead>\n'
        f"<tbody>\n{''.join(lines)}</tbody>\n</table></div>"
    )


def _cell(cell: Any) -> str:
    return cell if isinstance(cell, str) else value_text(cell)
