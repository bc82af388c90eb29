"""What results look like: a title and rows of names and values, as plain text for a prompt and as HTML for a notebook.

The command line prints the same rows. At a prompt nothing fills the screen: a long value is shown by its ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import log10

LONGEST = 400  # characters of a value at a prompt or in a notebook
NEW_LINE = "\n"
MAX_ROWS = 60  # of a table there
CELL = "text-align:left;overflow-wrap:anywhere"  # a long command goes on in the next line, in a notebook of any width
PLOT_WIDTH, PLOT_HEIGHT = 360, 90  # pixels


def short(text: str, longest: int = LONGEST) -> str:
    """The same, or both ends and how much is left out."""
    if len(text) <= longest:
        return text
    half = longest // 2
    ends = f"{text[:half]} ...({len(text) - 2 * half:,} more characters)... {text[-half:]}"
    return ends if len(ends) < len(text) else text


def distinct(cells: Sequence[str], longest: int) -> list[str]:
    """The cells of a column, shortened no further than cells that differ still look different."""
    found = [short(cell, longest) for cell in cells]
    return found if longest >= LONGEST or len(set(found)) == len(set(cells)) else distinct(cells, 2 * longest)


@dataclass(frozen=True)
class Report:
    title: str
    rows: list[tuple[str, str]]

    def text(self) -> str:
        width = max((len(name) for name, _ in self.rows), default=0)
        shown = self.rows[:MAX_ROWS]
        lines = [short(self.title), *(f"{name:{width}}  {short(value)}".rstrip() for name, value in shown)]
        more = len(self.rows) - len(shown)
        return "\n".join([*lines, *([f"... and {more:,} more rows"] if more else [])])

    def html(self, below: str = "") -> str:
        rows = "".join(
            f'<tr><th style="text-align:left">{escape(name)}</th><td style="{CELL}">{escape(short(value))}</td></tr>'
            for name, value in self.rows[:MAX_ROWS]
        )
        title = f'<caption style="text-align:left">{escape(short(self.title))}</caption>'
        return f'<table style="max-width:100%">{title}{rows}</table>{below}'


@dataclass(frozen=True)
class Table:
    """Columns with headings; those named in `left` are no numbers."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: Sequence[str] = ("",)
    below: str = ""

    def text(self) -> str:
        cells = list(zip(*self._columns(40), strict=True))
        widths = [max(len(row[k]) for row in cells) for k in range(len(self.headings))]
        lines = [
            "  ".join(
                cell.ljust(width) if heading in self.left else cell.rjust(width)
                for heading, cell, width in zip(self.headings, row, widths, strict=True)
            ).rstrip()
            for row in cells
        ]
        more = len(self.rows) - MAX_ROWS
        hidden = [f"... and {more:,} more rows"] if more > 0 else []
        return "\n".join([short(self.title), *lines, *hidden, *([short(self.below)] if self.below else [])])

    def _columns(self, longest: int) -> list[list[str]]:
        """What is shown of each, its heading first."""
        return [distinct(column, longest) for column in zip(self.headings, *self.rows[:MAX_ROWS], strict=True)]

    def html(self) -> str:
        headings, *cells = zip(*self._columns(80), strict=True)
        head = "".join(f"<th>{escape(heading)}</th>" for heading in headings)
        rows = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in cells)
        more = len(self.rows) - MAX_ROWS
        note = f"<p>... and {more:,} more rows</p>" if more > 0 else ""
        note += f"<p>{escape(short(self.below)).replace(NEW_LINE, '<br>')}</p>" if self.below else ""
        return f"<table><caption>{escape(short(self.title))}</caption><tr>{head}</tr>{rows}</table>{note}"


def curve(times: Sequence[float], values: Sequence[float], name: str) -> str:
    """A small picture of a count over parallel time: values on a logarithmic axis, at most two points a pixel."""
    if len(times) < 2:
        return ""
    every = max(1, len(times) // (2 * PLOT_WIDTH))
    points = [*zip(times[::every], values[::every], strict=True), (times[-1], values[-1])]
    last, highest = max(times[-1], 1e-9), log10(1 + max(values) or 1) or 1.0
    path = " ".join(
        f"{PLOT_WIDTH * time / last:.1f},{PLOT_HEIGHT * (1 - log10(1 + value) / highest):.1f}" for time, value in points
    )
    label = escape(f"{name} over parallel time: {values[0]:,g} to {values[-1]:,g} at {times[-1]:,.4g}")
    return (
        f'<svg width="{PLOT_WIDTH}" height="{PLOT_HEIGHT + 18}" role="img" aria-label="{label}">'
        f'<polyline points="{path}" fill="none" stroke="#1f77b4" stroke-width="1.5"/>'
        f'<text x="0" y="{PLOT_HEIGHT + 14}" font-size="11" fill="currentColor">{label}</text></svg>'
    )
