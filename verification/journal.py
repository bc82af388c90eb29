"""What was measured: printed as it comes, kept for the page that is written at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Section:
    title: str
    text: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]] = field(default_factory=list)
    checks: list[tuple[bool, str]] = field(default_factory=list)
    figure: tuple[str, str] | None = None  # file name and what it shows

    def markdown(self) -> str:
        lines = [f"## {self.title}", "", self.text, ""]
        if self.rows:
            lines += ["| " + " | ".join(self.columns) + " |", "|" + " ---: |" * len(self.columns)]
            lines += ["| " + " | ".join(row) + " |" for row in self.rows]
            lines += [""]
        if self.figure:
            lines += [f"![{self.figure[1]}](figures/{self.figure[0]})", ""]
        lines += [f"- **{'OK' if ok else 'FAILED'}**: {sentence}" for ok, sentence in self.checks]
        return "\n".join(lines) + "\n"


class Journal:
    """Sections with a table and verdicts each."""

    def __init__(self) -> None:
        self.sections: list[Section] = []
        self.widths: list[int] = []

    def section(self, title: str, text: str, columns: Sequence[str]) -> Section:
        section = Section(title, text, tuple(columns))
        self.sections.append(section)
        self.widths = [max(len(column), 10) for column in columns]
        print(f"\n{title}", flush=True)
        self._print(columns)
        return section

    def row(self, *cells: object) -> None:
        texts = tuple(str(cell) for cell in cells)
        self.sections[-1].rows.append(texts)
        self._print(texts)

    def check(self, ok: bool, sentence: str) -> None:
        self.sections[-1].checks.append((bool(ok), sentence))
        print(f"  {'OK' if ok else 'FAILED':6}  {sentence}", flush=True)

    def _print(self, cells: Sequence[str]) -> None:
        print("  " + "  ".join(cell.rjust(width) for cell, width in zip(cells, self.widths, strict=True)), flush=True)

    @property
    def failures(self) -> int:
        return sum(not ok for section in self.sections for ok, _ in section.checks)
