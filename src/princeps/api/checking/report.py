"""What a check found, line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from princeps.errors import place_in_words

OK, UNUSUAL, WRONG, NOT_TRIED = "ok", "unusual", "wrong", "not tried"
Findings = Iterator["Finding"]
Stages = Callable[[str], None]  # is told what is being tried


def unseen(stage: str) -> None:
    """Nobody looks."""


@dataclass(frozen=True)
class Finding:
    """One answer. `command` shows it again, where a command can."""

    about: str
    outcome: str  # OK, UNUSUAL, WRONG or NOT_TRIED
    text: str
    command: str | None = None

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Checked:
    """All answers about one protocol."""

    protocol: str
    file: str | None
    findings: list[Finding] = field(default_factory=list)

    @property
    def wrong(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.outcome == WRONG]

    def in_short(self) -> str:
        if not self.wrong:
            return "nothing is wrong"
        return "1 finding is wrong" if len(self.wrong) == 1 else f"{len(self.wrong)} findings are wrong"

    def as_json(self) -> dict[str, Any]:
        found = [finding.as_json() for finding in self.findings]
        return {"protocol": self.protocol, "file": self.file, "wrong": len(self.wrong), "findings": found}

    def __str__(self) -> str:
        width = max((len(finding.outcome) for finding in self.findings), default=0)
        lines = [f"{self.protocol}{f' ({place_in_words(self.file)})' if self.file else ''}: {self.in_short()}"]
        for finding in self.findings:
            lines.append(f"  {finding.outcome:{width}}  {finding.about}: {finding.text}")
            if finding.command and finding.outcome != OK:
                lines.append(f"  {'':{width}}  {finding.command}")
        return "\n".join(lines)

    __repr__ = __str__
