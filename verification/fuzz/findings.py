"""What was found, as a file: each trouble with the input that shows it."""

from __future__ import annotations

import re
from pathlib import Path

from fuzz.inputs import CRASH, HANG, Category, Trouble
from fuzz.workers import Report

MOST_OF_A_KIND = 3  # examples of the same trouble
MOST_TEXT = 3000


class Findings:
    """A file that grows while the attack runs; troubles that look alike are counted, and a few of them shown."""

    def __init__(self, path: Path, seed: int, goes_on: bool = False) -> None:
        self.path, self.seed = path, seed
        self.seen: dict[str, int] = {}
        if not goes_on:
            path.unlink(missing_ok=True)

    def add(self, category: Category, report: Report) -> bool:
        """True if it is unlike those before."""
        new = False
        for trouble in report.troubles:
            alike = f"{category.name} {trouble.kind} {likeness(trouble)}"
            self.seen[alike] = self.seen.get(alike, 0) + 1
            new |= self.seen[alike] == 1
            if self.seen[alike] <= MOST_OF_A_KIND:
                with self.path.open("a", errors="backslashreplace") as file:
                    file.write(self._entry(category, report, trouble))
        return new

    def _entry(self, category: Category, report: Report, trouble: Trouble) -> str:
        again = f"make fuzz ARGS='--seed {self.seed} --only {category.name}:{report.number}'"
        lines = [f"## {trouble.kind}: {category.name}:{report.number}", "", again, "", _indented(report.text), ""]
        return "\n".join([*lines, _indented(trouble.text), "", ""])

    def summary(self) -> str:
        most = sorted(self.seen.items(), key=lambda item: -item[1])
        return "\n".join(f"{count:6,}  {alike}" for alike, count in most)


def likeness(trouble: Trouble) -> str:
    """What two troubles of the same cause have in common: where a traceback ends, or the words of a sentence."""
    places = re.findall(r'File "[^"]*?([^"/]+)", line (\d+)', trouble.text)
    lines = trouble.text.strip().splitlines() or [""]
    is_stack = trouble.kind in (HANG, CRASH)  # the innermost frame comes first
    last = lines[-1] if places and not is_stack else lines[0]
    words = re.sub(r"'[^']*'|\"[^\"]*\"|[\d.,]+", "_", last)[:100]
    return f"{':'.join(places[0 if is_stack else -1])} {words}" if places else words


def _indented(text: str) -> str:
    half = MOST_TEXT // 2
    cut = f"{text[:half]}\n... ({len(text)} characters)\n{text[-half:]}"  # a traceback says at its end what happened
    short = text if len(text) <= MOST_TEXT else cut
    return "\n".join(f"    {line}" for line in short.splitlines())
